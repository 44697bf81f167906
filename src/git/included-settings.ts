/** The files that the settings of a repository include, which git reads before any command. */
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { fromBytePath, largestList, statOf, textOf, toBytePath } from './byte-path.ts';
import { below } from './endless-files.ts';

/** git itself has no limit but the depth of ten. */
export const mostIncluded = 200;

/**
 * Returns the byte paths that files of settings include, whatever the condition, also within each other: at most one more than
 * `mostIncluded`. Throws the error of git for a file that it cannot parse, because it reads what comes before the mistake.
 */
export async function includedSettings(files: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const included = new Set<string>();
  for (const file of files) for (const path of await pathsIn(file, env)) included.add(path);
  // A set iterates over what is added meanwhile.
  for (const file of included) {
    if (included.size > mostIncluded) break;
    for (const path of await pathsIn(file, env)) included.add(path);
  }
  return [...included].slice(0, mostIncluded + 1);
}

async function pathsIn(file: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  if (!mayInclude(file)) return [];
  const name = fromBytePath(file);
  // A name on the command line of git is UTF-8.
  if (toBytePath(name) !== file) throw new Error(`${name} includes files, but its name is not UTF-8`);
  const words = ['--file', name, '--no-includes', '--null', '--get-regexp', '^include(if\\..*)?\\.path$'];
  const lines = (await gitConfig(words, env)).split('\0').filter((line) => line.includes('\n'));
  const values = new Set(lines.map((line) => line.slice(line.indexOf('\n') + 1)).filter(Boolean));
  const paths: string[] = [];
  for (const value of [...values].slice(0, mostIncluded + 1)) {
    const path = /^(?:~|%\(prefix\)\/)/.test(value) ? await expanded(value, env) : value;
    if (path !== undefined) paths.push(below(dirname(file), path));
  }
  return paths;
}

/** Most settings include nothing, and need no process. */
const mayInclude = (file: string): boolean => statOf(file)?.isFile() === true && /\[\s*include/i.test(textOf(file));

/** Returns a path with the home of a user in place of `~`; undefined for a user who does not exist. */
async function expanded(path: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const end = path.indexOf('/') + 1 || path.length;
  try {
    const start = fromBytePath(path.slice(0, end));
    const words = ['-c', `forgectl.path=${start}`, 'config', '--null', '--type=path', 'forgectl.path'];
    return (await git(words, env)).replace(/\0$/, '') + path.slice(end);
  } catch {
    return undefined;
  }
}

/** Returns nothing if no setting matches. Throws the error of git. */
async function gitConfig(words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return await git(['config', ...words], env);
  } catch (error) {
    if ((error as { code?: unknown }).code === 1) return '';
    throw error;
  }
}

/** Runs git outside of the repository, whose settings it would read. Each character of the output is a byte. */
async function git(words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const options = { cwd: '/', env: { ...env, GIT_DIR: '/dev/null' } };
  const { stdout } = await promisify(execFile)('git', words, {
    ...options,
    ...{ timeout: 10_000, maxBuffer: 4 * largestList, windowsHide: true, encoding: 'latin1' },
  });
  return stdout;
}
