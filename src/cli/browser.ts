/** Opens web pages in the user's browser, without a shell. Accepts only web addresses. */
import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { pageUrl } from '../output/links.ts';
import { browserEnv } from './program-env.ts';

type CommandLine = readonly [command: string, ...args: string[]];

/** A browser that has not failed by then counts as open; some keep running. */
const settledMs = 1_000;

/**
 * Returns whether the page was opened. `BROWSER` lists commands to try, in order; by default the system's own are used.
 */
export async function openPage(page: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const url = pageUrl(page);
  if (url === undefined) return false;
  for (const [command, ...args] of browsers(url, env, process.platform))
    if (await starts(command, args, browserEnv(env))) return true;
  return false;
}

/** Returns the commands that open `url`, best first; none without a screen. */
export function browsers(url: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): readonly CommandLine[] {
  const named = (env.BROWSER ?? '').split(delimiter).map((each) => each.trim().split(/\s+/));
  const chosen = named.filter(([command]) => command).map((words) => withUrl(words, url));
  if (chosen.length > 0) return chosen;
  if (platform === 'darwin') return [['open', url]];
  if (platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler', url]];
  if (env.WSL_DISTRO_NAME)
    return [
      ['wslview', url],
      ['xdg-open', url],
    ];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? [['xdg-open', url]] : [];
}

/** Replaces `%s` with the address, or appends it. */
function withUrl(words: readonly string[], url: string): CommandLine {
  const [command = '', ...args] = words;
  const placed = args.map((word) => word.replaceAll('%s', () => url));
  return [command, ...(args.some((word) => word.includes('%s')) ? placed : [...args, url])];
}

function starts(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: 'ignore', detached: true });
    const settled = setTimeout(() => resolve(true), settledMs);
    const done = (opened: boolean) => {
      clearTimeout(settled);
      resolve(opened);
    };
    child.once('error', () => done(false));
    child.once('exit', (code) => done(code === 0));
    child.unref();
  });
}
