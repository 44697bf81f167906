/** forgectl journal list: the runs that are not finished, and how to continue them. */
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, temporaryDirectory } from '../../support/run.ts';

const platform = 'https://ghe.example.com/api/v3';
const at = '2026-03-01T12:00:00.000Z';

/** A directory with journals of several kinds, and other files. */
async function journals() {
  const directory = await temporaryDirectory();
  const write = (name: string, lines: readonly object[], hour: number) => {
    const path = join(directory, name);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
    const time = new Date(`2026-03-01T0${hour}:00:00Z`);
    utimesSync(path, time, time);
  };
  const targets = { targets: [{ name: 'acme/site' }, { name: 'acme/api' }] };
  const ok = (target: string) => ({ target, outcome: 'ok', at });
  const command = ['repos', 'update', '{}', '--has-wiki'];
  const line = ['repos', 'acme', '--profile', 'work', '--max-wait=5s', '--where', '.archived | not'];
  write('each.ndjson', [{ journal: 2, platform, line, command }, targets, ok('acme/site')], 2);
  write('done.ndjson', [{ journal: 2, platform, line, command }, targets, ok('acme/site'), ok('acme/api')], 3);
  write('begun.ndjson', [{ journal: 2, platform, line, command }], 3);
  const apply = { journal: 2, platform, line: ['p.yaml', '--prune', '--yes'], plan: 'x', policy_digest: 'y' };
  write('apply.ndjson', [apply, targets, { target: 'acme/site', outcome: 'failed', at }], 4);
  const masked = { command: ['api', 'PATCH', '/repos/{}', '-H', 'X-Key: ********'], masked: ['the header X-Key'] };
  write('masked.ndjson', [{ journal: 2, platform, line: ['repos', 'acme'], ...masked, stdin: true }, targets], 1);
  write('apply.ndjson.plan', [{ plan: 2 }], 1);
  writeFileSync(join(directory, 'notes.txt'), 'hunter2');
  mkdirSync(join(directory, 'folder.ndjson'));
  return { directory, write };
}

it('lists the runs that are not finished, the latest first, with the line that continues each of them', async () => {
  const { directory } = await journals();
  const { stdout, stderr, code } = await run(['journal', 'list', directory, '--json']);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(JSON.parse(stdout)).toEqual([
    {
      path: `${directory}/apply.ndjson`,
      updated_at: '2026-03-01T04:00:00.000Z',
      platform,
      command: ['policy', 'apply'],
      done: 0,
      failed: 1,
      unknown: 0,
      open: 1,
      continue_with: `forgectl policy apply --prune --resume ${directory}/apply.ndjson --yes`,
    },
    {
      path: `${directory}/each.ndjson`,
      updated_at: '2026-03-01T02:00:00.000Z',
      platform,
      command: ['repos', 'update', '{}', '--has-wiki'],
      done: 1,
      failed: 0,
      unknown: 0,
      open: 1,
      continue_with: `forgectl each --profile work --max-wait=5s --resume ${directory}/each.ndjson`,
    },
    {
      path: `${directory}/masked.ndjson`,
      updated_at: '2026-03-01T01:00:00.000Z',
      platform,
      command: ['api', 'PATCH', '/repos/{}', '-H', 'X-Key: ********'],
      done: 0,
      failed: 0,
      unknown: 0,
      open: 2,
      continue_with: `forgectl each --resume ${directory}/masked.ndjson -- api PATCH '/repos/{}' -H 'X-Key: ********'`,
      masked: ['the header X-Key'],
      stdin: true,
    },
  ]);
});

it('shows the age of each run, and prints the paths with --quiet', async () => {
  const { directory } = await journals();
  const { stdout } = await run(['journal', 'list', directory], { tty: true, columns: 200 });
  expect(stdout).toContain('8 hours ago');
  expect(await run(['journal', 'list', directory, '--quiet'])).toMatchObject({
    stdout: ['apply', 'each', 'masked'].map((name) => `${directory}/${name}.ndjson\n`).join(''),
  });
  expect(await run(['journal', 'list', directory, '--where', '.failed > 0', '--quiet'])).toMatchObject({
    stdout: `${directory}/apply.ndjson\n`,
  });
});

it('reads the state directory, which may not exist yet', async () => {
  const state = await temporaryDirectory();
  const list = () => run(['journal', 'list'], { env: { XDG_STATE_HOME: state }, tty: true });
  expect(await list()).toMatchObject({ stderr: expect.stringContaining('No unfinished runs.'), code: 0 });
  mkdirSync(join(state, 'forgectl/journals'), { recursive: true });
  const lines = [
    { journal: 2, platform, line: ['orgs'], command: ['orgs', 'get', '{}'] },
    { targets: [{ name: 'a' }] },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(state, 'forgectl/journals/x.ndjson'), text, { mode: 0o600 });
  expect(await list()).toMatchObject({ stdout: expect.stringContaining('orgs get {}'), code: 0 });
});

it('names journals that cannot be read, after those that can', async () => {
  const { directory, write } = await journals();
  write('old.ndjson', [{ journal: 1, platform }], 1);
  writeFileSync(join(directory, 'damaged.ndjson'), `{"journal":2,"platform":"${platform}"}\n{"tar\n`, { mode: 0o600 });
  write('open.ndjson', [{ journal: 2, platform }], 1);
  chmodSync(join(directory, 'open.ndjson'), 0o644);
  const { stdout, stderr, code } = await run(['journal', 'list', directory, '--quiet']);
  expect({ lines: stdout.trimEnd().split('\n').length, code }).toEqual({ lines: 3, code: 9 });
  expect(stderr).toContain(`${directory}/damaged.ndjson is damaged, line 2.`);
  expect(stderr).toContain(`${directory}/old.ndjson is a journal of version 1`);
  expect(stderr).toContain(`${directory}/open.ndjson is not a regular file of mode 0600 of this user.`);
  expect(stderr).toContain('forgectl: 3 journals could not be read.\n');
});

it('rejects a directory that does not exist', async () => {
  const directory = join(await temporaryDirectory(), 'none');
  expect(await run(['journal', 'list', directory])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Cannot read ${directory}: `),
  });
});
