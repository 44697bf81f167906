/** forgectl each, killed while it writes to the embedded platform, and resumed. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readJournal } from '../../src/fleet/journal/read.ts';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { chance } from '../support/chance.ts';
import { start } from '../support/process.ts';
import { temporaryDirectory } from '../support/run.ts';
import { startServer } from '../support/server.ts';

vi.setConfig({ testTimeout: 600_000 });

/** Each costs the start of a program; `FLEET_KILLS=100` is for a deliberate trial. */
const kills = Number(process.env.FLEET_KILLS ?? 3);
const repositories = Math.max(40, 6 * kills);

/** Every eighth repository of the sandbox is archived. */
const targets = repositories - Math.floor(repositories / 8);

/** Where a write is when the program is killed. */
const moments = ['never received', 'applied', 'answered'] as const;

interface Kill {
  /** The number of the write. */
  readonly at: number;
  readonly moment: (typeof moments)[number];
  readonly child: ChildProcess;
}

/** Starts the embedded platform behind a server that kills the program at a write, and lists what was done. */
async function startPlatform() {
  const sandbox = await startSandbox({ orgs: 1, repos: repositories });
  onTestFinished(() => sandbox.close());
  const { origin } = new URL(sandbox.baseUrl);
  const done: string[] = [];
  let writes = 0;
  let kill: Kill | undefined;
  const server = await startServer(async (response, { method, url, headers, body }) => {
    const now = method !== 'GET' && ++writes === kill?.at ? kill : undefined;
    if (now?.moment === 'never received') return void now.child.kill('SIGKILL');
    const answer = await fetch(`${origin}${url}`, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body && { body }),
    });
    const text = await answer.text();
    if (method !== 'GET' && answer.ok) done.push(url);
    if (now?.moment === 'applied') return void now.child.kill('SIGKILL');
    const link = answer.headers.get('link')?.replaceAll(origin, `http://${headers.host}`);
    const more = link === undefined ? {} : { link };
    response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', ...more }).end(text);
    if (now) response.once('close', () => now.child.kill('SIGKILL'));
  });
  return {
    env: { FORGECTL_BASE_URL: `${server.origin}/api/v3`, FORGECTL_TOKEN: sandbox.tokens.classic },
    done,
    killAt: (after: number, moment: Kill['moment'], child: ChildProcess) => {
      kill = { at: writes + after, moment, child };
    },
  };
}

/** Dates a journal back by an hour: a create that was sent seconds ago would be verified again after a wait. */
function dateBack(journal: string): void {
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll(/"at":"[^"]+"/g, `"at":"${hourAgo}"`));
}

const rules = '[{"type":"deletion"},{"type":"non_fast_forward"}]';

it.each([
  ['creates', [], ['rulesets', 'create', '{}', '--name', 'Guard', '--enforcement', 'active', '--rules', rules]],
  ['updates', [], ['repos', 'update', '{}', '--description', 'new', '--no-has-wiki']],
  ['deletes', ['--yes', '--expect', String(targets)], ['repos', 'delete', '{}']],
])(`killed ${kills} times while it %s, it does so once for each target`, async (_verb, flags, command) => {
  const platform = await startPlatform();
  const directory = await temporaryDirectory();
  const journal = join(directory, 'run.ndjson');
  const env = { ...platform.env, HOME: directory, FORGECTL_CONFIG_DIR: join(directory, 'config') };
  const words = [
    'each',
    'repos',
    'acme',
    '--where',
    '.archived | not',
    '--resume',
    journal,
    ...flags,
    '--',
    ...command,
  ];
  const random = chance(29);
  for (let killed = 0; killed < kills; killed++) {
    const { child, ended } = start(words, { env });
    const moment = moments[Math.floor(random() * moments.length)] ?? 'applied';
    platform.killAt(1 + Math.floor((random() * repositories) / (2 * kills + 2)), moment, child);
    const { signal, stderr } = await ended;
    expect(signal, stderr).toBe('SIGKILL');
    dateBack(journal);
  }
  const { code, stderr } = await start(words, { env }).ended;
  expect(code, stderr).toBe(0);
  expect(readJournal(journal).state?.counts()).toEqual({ done: targets, failed: 0, unknown: 0, open: 0 });
  expect(new Set(platform.done).size).toBe(targets);
  expect(platform.done).toHaveLength(targets);
});
