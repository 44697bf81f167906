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
const ownHeaders = ['connection', 'content-length', 'date', 'etag', 'keep-alive', 'link'];

/** Requests to a platform with rate limits are paced, and then only its limits would be measured. */
const announcesLimit = (name: string) => name.startsWith('x-ratelimit-');

/** The repository that stands for all repositories of a fleet. */
const recordedRepository = 'recorded';

/** The ruleset of each repository of a fleet, as policies declare it. */
export const fleetRuleset = {
  name: 'Guard the default branch',
  target: 'branch',
  enforcement: 'active',
  conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
  bypass_actors: [],
  rules: [
    { type: 'deletion' },
    { type: 'non_fast_forward' },
    {
      type: 'required_status_checks',
      parameters: {
        required_status_checks: [{ context: 'build' }, { context: 'test' }],
        strict_required_status_checks_policy: true,
      },
    },
  ],
};

/** Records the account of the returned token, one organization, and two pages of its repositories. */
async function record(folder: string): Promise<string> {
  const { child, line } = await start([bin, 'sandbox', 'serve', '--repos', '200', '--json'], folder);
  try {
    const { base_url, token } = JSON.parse(line) as { base_url: string; token: string };
    const send = async (path: string, body?: object) => {
      const method = body ? 'POST' : 'GET';
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${base_url}${path}`, { method, headers, body: JSON.stringify(body) ?? null });
      if (!response.ok) throw new Error(`The sandbox returned ${response.status} for ${method} ${path}.`);
      return response;
    };
    const keep = async (path: string, file: string, edit = (text: string) => text) => {
      const response = await send(path);
      const headers = [...response.headers].filter(([name]) => !ownHeaders.includes(name) && !announcesLimit(name));
      writeFileSync(join(folder, file), JSON.stringify({ headers, body: edit(await response.text()) }));
    };
    await keep('/user', 'user.json');
    await keep('/orgs/acme', 'organization.json');
    await keep('/orgs/acme/repos?per_page=100', 'odd-page.json');
    await keep('/orgs/acme/repos?per_page=100&page=2', 'even-page.json');
    await send('/orgs/acme/repos', { name: recordedRepository, visibility: 'private' });
    const repository = `/repos/acme/${recordedRepository}`;
    const created = await send(`${repository}/rulesets`, fleetRuleset);
    const { id } = (await created.json()) as { id: number };
    // Older than any run, as responses of the last seconds may be outdated.
    const older = (text: string) => text.replaceAll(/(?<="updated_at":")[^"]+/g, '2026-01-01T00:00:00Z');
    const listed = (text: string) =>
      JSON.stringify((JSON.parse(text) as { name: string }[]).find(({ name }) => name === recordedRepository));
    await keep('/orgs/acme/repos?per_page=100&sort=created&direction=desc', 'repository.json', listed);
    await keep(`${repository}/rulesets?includes_parents=false`, 'rulesets.json', older);
    await keep(`${repository}/rulesets/${id}`, 'ruleset.json', older);
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
