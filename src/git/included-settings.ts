/** The files that the settings of a repository include, which git reads before any command. */
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';

/** In bytes, for a file of settings; larger ones are left to the time limit of git. */
const largestSettings = 1024 * 1024;

/** git reads includes of includes up to a depth of ten. */
const mostIncluded = 100;

/** Returns the paths that files of settings include, whatever the condition, also within each other. Throws nothing. */
export async function includedSettings(files: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const included: string[] = [];
  const open = [...files];
  const seen = new Set<string>();
  for (let file = open.shift(); file !== undefined && seen.size < mostIncluded; file = open.shift()) {
    if (seen.has(file) || !mayInclude(file)) continue;
    seen.add(file);
    const folder = dirname(file);
    const paths = (await pathsIn(file, env)).map((path) => resolve(folder, path));
    included.push(...paths);
    open.push(...paths);
  }
  return included;
}

/** Most settings include nothing, and need no process. */
function mayInclude(file: string): boolean {
  try {
    const found = statSync(file);
    return found.isFile() && found.size <= largestSettings && /\[\s*include/i.test(readFileSync(file, 'latin1'));
  } catch {
    return false;
  }
}

async function pathsIn(file: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const words = ['config', '--file', file, '--no-includes', '--type=path', '--null', '--get-regexp'];
  try {
    // Outside of the repository, whose settings git would read.
    const { stdout } = await promisify(execFile)('git', [...words, '^include(if\\..*)?\\.path$'], {
      ...{ cwd: '/', env: { ...env, GIT_DIR: '/dev/null' } },
      ...{ timeout: 10_000, windowsHide: true },
    });
    const pairs = stdout.split('\0').slice(0, -1);
    return pairs.map((pair) => pair.slice(pair.indexOf('\n') + 1)).filter(Boolean);
  } catch {
    // Then git fails, too.
    return [];
  }
}
