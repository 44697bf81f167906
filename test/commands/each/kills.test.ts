/** forgectl each, killed while it writes to the embedded platform, and resumed. */
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { readJournal } from '../../../src/fleet/journal/read.ts';
import { chance } from '../../support/chance.ts';
import { dateBack, moments, startKillingPlatform } from '../../support/killing-platform.ts';
import { start } from '../../support/process.ts';
import { temporaryDirectory } from '../../support/run.ts';

vi.setConfig({ testTimeout: 600_000 });

/** Each costs the start of a program; `FLEET_KILLS=100` is for a deliberate trial. */
const kills = Number(process.env.FLEET_KILLS ?? 3);
const repositories = Math.max(40, 6 * kills);

/** Every eighth repository of the sandbox is archived. */
const targets = repositories - Math.floor(repositories / 8);

const rules = '[{"type":"deletion"},{"type":"non_fast_forward"}]';

it.each([
  ['creates', [], ['rulesets', 'create', '{}', '--name', 'Guard', '--enforcement', 'active', '--rules', rules]],
  ['updates', [], ['repos', 'update', '{}', '--description', 'new', '--no-has-wiki']],
  ['deletes', ['--yes', '--expect', String(targets)], ['repos', 'delete', '{}']],
])(`killed ${kills} times while it %s, it does so once for each target`, async (_verb, flags, command) => {
  const platform = await startKillingPlatform({ orgs: 1, repos: repositories });
  const directory = await temporaryDirectory();
  const journal = join(directory, 'run.ndjson');
  const env = { ...platform.env, HOME: directory, FORGECTL_CONFIG_DIR: join(directory, 'config') };
  const words = [
    'each',
    'repos',
    'acme',
    '--where',
    '.archived | not',
    '--resume-or-start',
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
