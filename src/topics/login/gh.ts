/** The login of `gh`, the platform's own command-line client, for the same host. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withoutTokens } from '../../cli/account/token-kind.ts';
import { UsageError } from '../../cli/errors.ts';
import { ghEnv } from '../../cli/program-env.ts';
import { stopReadingAtExit } from '../../cli/program-output.ts';
import { tokenProblem } from '../../client/credential.ts';
import { type Program, programNamed } from '../../disk/programs.ts';
import { asText } from '../../json/exact-json.ts';

/** In milliseconds: the keyring may prompt for its password. */
const longestRun = 60_000;

const longestReason = 200;

/** In bytes. */
const largestOutput = 64 * 1024;

/** Returns the name by which gh knows the host of a base URL: without the `api.` of hosts whose API has no path. */
export function ghHost(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  return pathname === '/' ? host.replace(/^api\./, '') : host;
}

/** Returns gh. Throws UsageError if it is not installed, or if others could have placed it. */
export function findGh(env: NodeJS.ProcessEnv, baseUrl: string): Program {
  const gh = programNamed('gh', env.PATH ?? env.Path);
  if (!gh) throw new UsageError('gh is not installed: PATH has no program gh. Nothing was stored.');
  if (gh.problem !== undefined)
    throw new UsageError(
      `gh was not run: ${gh.path} ${gh.problem}. Nothing was stored.`,
      `If you trust it: gh auth token --hostname ${ghHost(baseUrl)} | forgectl auth login --base-url ${baseUrl} --with-token`,
    );
  return gh;
}

/** Returns the token that gh has stored for a host. Throws UsageError, which never quotes a token. */
export async function tokenOfGh({ path }: Program, host: string, env: NodeJS.ProcessEnv): Promise<string> {
  const words = ['auth', 'token', '--hostname', host];
  const token = (
    await outputOf(path, words, env).catch((error: unknown) => {
      throw failed(error, host);
    })
  ).trim();
  const problem = tokenProblem(token);
  if (problem) throw new UsageError(`The token of gh for ${host} ${problem}. Nothing was stored.`);
  return token;
}

async function outputOf(path: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const limits = { timeout: longestRun, killSignal: 'SIGKILL', maxBuffer: largestOutput } as const;
  const running = promisify(execFile)(path, words, { env: ghEnv(env), windowsHide: true, ...limits });
  stopReadingAtExit(running.child);
  // Nobody answers what it might ask.
  running.child.stdin?.end();
  return (await running).stdout;
}

interface Failure {
  readonly code?: unknown;
  readonly signal?: string | null;
  readonly killed?: boolean;
  readonly stderr?: string;
}

function failed(error: unknown, host: string): UsageError {
  const { stderr = '' } = error as Failure;
  const [line = ''] = stderr.trim().split('\n');
  const shown = withoutTokens(line).slice(0, longestReason).replace(/\.$/, '');
  return new UsageError(
    `gh auth token ${outcomeOf(error as Failure)}${shown && `: ${shown}`}. Nothing was stored.`,
    `Log in with gh first: gh auth login --hostname ${host}`,
  );
}

function outcomeOf({ code, signal, killed }: Failure): string {
  if (killed) return `timed out after ${longestRun / 1000} s`;
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${largestOutput / 1024} KiB`;
  return `failed (${asText(signal ?? code)})`;
}
