/** The benchmarks' platform: responses recorded from the sandbox, replayed by a server of constant cost. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const bin = fileURLToPath(new URL('../bin/run.js', import.meta.url));
const server = fileURLToPath(new URL('server.ts', import.meta.url));

export interface Platform {
  readonly baseUrl: string;
  readonly token: string;
  stop(): Promise<void>;
}

/** Starts the platform; the recording is written to `folder`. */
export async function startPlatform(folder: string): Promise<Platform> {
  const token = await record(folder);
  const { child, line: port } = await start([server, folder], folder);
  return { baseUrl: `http://127.0.0.1:${port}/api/v3`, token, stop: () => stop(child) };
}

/** Output of the replaying server. */
const ownHeaders = ['connection', 'content-length', 'date', 'keep-alive', 'link'];

/** Records one organization and two pages of its repositories, as visible to the returned token. */
async function record(folder: string): Promise<string> {
  const { child, line } = await start([bin, 'sandbox', 'serve', '--repos', '200', '--json'], folder);
  try {
    const { base_url, token } = JSON.parse(line) as { base_url: string; token: string };
    const keep = async (path: string, file: string) => {
      const answer = await fetch(`${base_url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      if (!answer.ok) throw new Error(`The sandbox returned ${answer.status} for ${path}.`);
      const headers = [...answer.headers].filter(([name]) => !ownHeaders.includes(name));
      writeFileSync(join(folder, file), JSON.stringify({ headers, body: await answer.text() }));
    };
    await keep('/orgs/acme', 'organization.json');
    await keep('/orgs/acme/repos?per_page=100', 'odd-page.json');
    await keep('/orgs/acme/repos?per_page=100&page=2', 'even-page.json');
    return token;
  } finally {
    await stop(child);
  }
}

/** Starts a server, and waits for the line with its address. */
async function start(args: readonly string[], folder: string): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, FORGECTL_CONFIG_DIR: folder, FORGECTL_CACHE_DIR: join(folder, 'cache') },
  });
  const lines = createInterface(child.stdout);
  const [line] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${args.join(' ')} exited with ${code} before it was ready.`);
    }),
  ])) as [string];
  return { child, line };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
