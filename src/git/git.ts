/**
 * Runs git in folders that may have been prepared by others. By itself, git runs the programs in the configuration of a
 * repository; here it runs only those in the configuration of the user or the system.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fromBytePath, largestList, statOf } from './byte-path.ts';
import {
  endlessAround,
  endlessAttributes,
  endlessInSubmodule,
  endlessOf,
  isOfKernel,
  isTooLarge,
  mostAlternates,
  settingsAround,
} from './endless-files.ts';
import { includedSettings, mostIncluded } from './included-settings.ts';

/** git failed or is not installed. The message is git's own, without `fatal:`. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly reason: 'missing' | 'no repository' | 'not a repository' | 'timeout' | 'other';
  /** What git prints after its message, as one line. */
  readonly advice: string | undefined;

  constructor(message: string, reason: GitError['reason'], advice?: string) {
    super(message);
    this.reason = reason;
    this.advice = advice;
  }
}

/** Settings of every call, which take precedence over all files. */
const settings = [
  // An embedded bare repository is a folder of files that anyone may have committed.
  'safe.bareRepository=explicit',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  // It has the parents of commits, which git does not compare with the commits themselves.
  'core.commitGraph=false',
  // Its hint would come before the error.
  'advice.graftFileDeprecated=false',
  // An empty value removes all earlier ones.
  'credential.helper=',
].flatMap((setting) => ['-c', setting]);

/** Settings with programs, or files of any kind; git lists their names in lower case, except for the middle part. */
const programs = [
  /^filter\..*\.(?:clean|smudge|process|required)$/is,
  /^diff\.(?:external|.*\.(?:command|textconv))$/is,
  /^merge\..*\.driver$/is,
  /^tar\..*\.command$/is,
  /^gpg\.(?:program|.*\.(?:program|defaultKeyCommand))$/is,
  /^remote\..*\.(?:uploadpack|receivepack|vcs)$/is,
  /^credential\..*\.helper$/is,
  /^core\.(?:alternateRefsCommand|askPass|editor|gitProxy|pager|sshCommand)$/i,
  /^hook\..*\.command$/is,
  // The filter of LFS, which may be the user's, runs these.
  /^lfs\.extension\..*\.(?:clean|smudge)$/is,
  /^core\.(?:attributesFile|excludesFile)$/i,
  /^(?:interactive\.diffFilter|sequence\.editor|uploadpack\.packObjectsHook)$/i,
];

/** Variables that choose another repository than that of the folder, as hooks and aliases set them, and traces. */
const ignoredVariables =
  /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|CONFIG|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|INTERNAL_.*|IMPLICIT_WORK_TREE|EXTERNAL_DIFF|TRACE.*)$/;

/** In milliseconds: a status of the largest known checkouts takes some ten seconds; that of a pipe never ends. */
const longestRun = 120_000;

/** More than any real repository has; git reads each from its command line. */
const mostPrograms = 200;

/** The settings of the repository itself, as opposed to those of the user, the system and the environment. */
const ownScopes = ['local', 'worktree'];

export class Git {
  readonly #folder: string;
  readonly #repository: string | undefined;
  readonly #env: NodeJS.ProcessEnv;
  readonly #timeoutMs: number;
  #overrides: Promise<readonly string[]> | undefined;

  /**
   * `env` contains no secrets: git passes it to the filters of the user. The repository is that around the folder, or the one
   * that the user named, which may be bare.
   */
  constructor(
    folder: string,
    env: NodeJS.ProcessEnv,
    { timeoutMs = longestRun, repository }: { readonly timeoutMs?: number; readonly repository?: string } = {},
  ) {
    this.#folder = folder;
    this.#repository = repository;
    this.#timeoutMs = timeoutMs;
    this.#env = {
      ...Object.fromEntries(Object.entries(env).filter(([name]) => !ignoredVariables.test(name))),
      // Messages are compared in English.
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      // A partial clone would fetch missing objects: git 2.45 and later by the first variable, earlier ones by the second.
      GIT_NO_LAZY_FETCH: '1',
      // No URL has this protocol, but `::x` has an empty one, for which git runs an alias of the repository.
      GIT_ALLOW_PROTOCOL: '/',
      // Other parents of commits.
      GIT_GRAFT_FILE: '/dev/null',
    };
  }

  /** Returns what git prints. Throws GitError. */
  async run(...words: readonly string[]): Promise<string> {
    return (await this.bytes(words)).toString();
  }

  /** Returns what git prints for a standard input. Throws GitError. */
  async bytes(words: readonly string[], input?: string): Promise<Buffer> {
    this.#overrides ??= this.#checkedPrograms();
    return this.#run([...(await this.#overrides), ...words], input);
  }

  /** Throws GitError for a submodule, by its byte path, with something else in place of a file. */
  requireSubmodule(folder: string): void {
    requireFile(endlessInSubmodule(folder));
  }

  /** Throws GitError for folders of the working tree, by their byte paths, with something else in place of attributes. */
  requireAttributes(folders: readonly string[]): void {
    requireFile(endlessAttributes(folders));
  }

  async #checkedPrograms(): Promise<readonly string[]> {
    requireFile(endlessAround(this.#folder, this.#repository));
    const settingsFiles = settingsAround(this.#folder, this.#repository);
    requireFile(endlessOf(await this.#includedIn(settingsFiles)));
    return this.#ownPrograms();
  }

  async #includedIn(files: readonly string[]): Promise<readonly string[]> {
    const included = await includedSettings(files, this.#env).catch((error) => {
      throw gitError(error);
    });
    if (included.length <= mostIncluded) return included;
    throw new GitError(
      `the configuration of the repository includes more than ${mostIncluded} files`,
      'other',
      'List them with: git config --list --show-origin. Remove the includes that you do not need.',
    );
  }

  /** Returns flags that replace the programs of the repository's own settings by those of the user, or by none. */
  async #ownPrograms(): Promise<string[]> {
    const own = new Set<string>();
    const users = new Map<string, string>();
    // Latin 1 keeps all bytes: a name need not be UTF-8.
    const listed = (await this.#run(['config', '--list', '--show-scope', '--null'])).toString('latin1').split('\0');
    for (let at = 0; at + 1 < listed.length; at += 2) {
      const [name = '', ...lines] = (listed[at + 1] ?? '').split('\n');
      if (!programs.some((program) => program.test(name))) continue;
      if (ownScopes.includes(listed[at] ?? '')) own.add(name);
      else users.set(name, lines.join('\n'));
    }
    if (own.size > mostPrograms)
      throw new GitError(`the configuration of the repository has more than ${mostPrograms} programs`, 'other');
    return [...own].flatMap((name) => ['-c', `${overridable(name)}=${utf8(users.get(name) ?? '', name)}`]);
  }

  async #run(words: readonly string[], input?: string): Promise<Buffer> {
    const repository = this.#repository === undefined ? [] : [`--git-dir=${this.#repository}`];
    const running = promisify(execFile)(
      'git',
      ['--no-pager', '--no-replace-objects', ...repository, ...settings, ...words],
      {
        cwd: this.#folder,
        env: this.#env,
        encoding: 'buffer',
        maxBuffer: 256 * 1024 * 1024,
        timeout: this.#timeoutMs,
        windowsHide: true,
      },
    );
    // git may end before it has read all.
    running.child.stdin?.on('error', () => {}).end(input);
    try {
      return (await running).stdout;
    } catch (error) {
      if (running.child.signalCode === 'SIGTERM')
        throw new GitError(`git did not end within ${this.#timeoutMs / 1000} s`, 'timeout');
      throw gitError(error);
    }
  }
}

function requireFile(endless: string | undefined): void {
  if (endless === undefined) return;
  throw new GitError(`${fromBytePath(endless)} ${problemWith(endless)}`, 'other');
}

function problemWith(endless: string): string {
  const found = statOf(endless);
  if (isTooLarge(found)) return `is larger than ${largestList / 1024 ** 2} MiB`;
  if (!found?.isFile() || isOfKernel(endless, found)) return 'is not a regular file';
  return endless.endsWith('alternates')
    ? `leads to more than ${mostAlternates} folders`
    : 'points to a file that is not a ref';
}

/** In bytes. Together, as many names of this length fit on the command line of git. */
const longestName = 500;

/** Returns a name that `-c` accepts unchanged. Throws GitError for others, which no real repository has. */
function overridable(name: string): string {
  if (name.includes('=') || name.length > longestName) throw unusable(name);
  return utf8(name, name);
}

function utf8(latin1: string, name: string): string {
  const text = Buffer.from(latin1, 'latin1').toString();
  if (Buffer.from(text).toString('latin1') !== latin1) throw unusable(name);
  return text;
}

const unusable = (name: string) =>
  new GitError(`the configuration of the repository has an invalid setting in section ${name.split('.')[0]}`, 'other');

function gitError(error: unknown): GitError {
  const { code, stderr = '' } = error as { code?: unknown; stderr?: Buffer | string };
  if (code === 'ENOENT') return new GitError('git is not installed', 'missing');
  const lines = stderr
    .toString()
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const at = Math.max(
    0,
    lines.findIndex((line) => line.startsWith('fatal: ')),
  );
  const line = lines[at];
  const message = line?.replace(/^(?:fatal|error): /, '') ?? (error as Error).message;
  return new GitError(message, reasonOf(line), lines.slice(at + 1).join(' ') || undefined);
}

function reasonOf(line = ''): GitError['reason'] {
  if (line.startsWith('fatal: not a git repository: ')) return 'not a repository';
  return line.startsWith('fatal: not a git repository') ? 'no repository' : 'other';
}
