/** forgectl journal list: the runs that are not finished, and how to continue them. */
import { hash } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, temporaryDirectory } from '../../support/run.ts';
import { onSandbox } from '../policy/support.ts';

const platform = 'https://ghe.example.com/api/v3';
const at = '2026-03-01T12:00:00.000Z';

/** A plan without changes. */
const planText = (digest: string) =>
  `{"plan":2,"platform":"${platform}","identity":null,"organizations":[],"policy_digest":"y"${digest}}\n{"summary":{}}\n`;

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
  writeFileSync(join(directory, 'apply.ndjson.plan'), planText(`,"digest":"${hash('sha256', planText(''))}"`));
  writeFileSync(join(directory, 'notes.txt'), 'hunter2');
  mkdirSync(join(directory, 'folder.ndjson'));
  return { directory, write };
}

it('lists unfinished runs, latest first, with the command that continues each', async () => {
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

it('shows the counts and the whole lines to type on a terminal of 80 columns', async () => {
  const { directory } = await journals();
  const { stdout, stderr } = await run(['journal', 'list', directory], { tty: true, columns: 80 });
  const [header, apply] = stdout.split('\n');
  expect(header).toMatch(/^AGE +DONE +FAILED +UNKNOWN +OPEN +COMMAND/);
  expect(apply).toMatch(/^\d+ hours ago +\d+ +\d+ +\d+ +\d+ +policy apply/);
  expect(stderr.replaceAll(/ \\\n +/g, ' ')).toContain(
    `Continue with:\n  forgectl policy apply --prune --resume ${directory}/apply.ndjson --yes\n`,
  );
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

it('counts the changes left by --limit, with the command that makes them and allows their secrets', async () => {
  const { forgectl, write, folder } = await onSandbox();
  write(
    'p.yaml',
    `organizations: [acme]
registries:
  - { registry_type: npm_registry, url: https://npm.test, auth_type: token, visibility: all, secret: { env: NPM_TOKEN } }
repositories: [{ select: {}, settings: { description: fleet } }]
`,
  );
  const secret = { NPM_TOKEN: 'not-a-real-token' };
  const apply = 'policy apply FOLDER/p.yaml --yes --limit 2 --journal FOLDER/run.ndjson';
  expect(await forgectl(apply, 'classic', secret)).toMatchObject({ code: 0 });
  const list = async () => JSON.parse((await forgectl('journal list FOLDER --json')).stdout);
  const continued = `policy apply --allow-secret NPM_TOKEN --resume ${folder}/run.ndjson --yes`;
  expect(await list()).toMatchObject([
    { done: 3, failed: 0, unknown: 0, open: 2, continue_with: `forgectl ${continued}` },
  ]);
  expect(await forgectl(continued, 'classic', secret)).toMatchObject({ code: 0 });
  expect(await list()).toEqual([]);
});

it.each([
  ['which failed', ['failed'], '--limit 1 '],
  ['which was interrupted', [], '--limit 1 '],
  ['which is done', ['ok'], ''],
  ['which was continued without a limit', ['ok', 'failed'], ''],
])('continues within --limit until its repository is done: %s', async (_what, outcomes, flag) => {
  const { directory, write } = await journals();
  const [first, second] = ['acme/site', 'acme/api'].map((target) => ({ target }));
  const lines = [first, second].slice(0, outcomes.length).map((line, n) => ({ ...line, outcome: outcomes[n], at }));
  const header = { journal: 2, platform, line: ['p.yaml', '--limit', '1'], plan: 'x', policy_digest: 'y' };
  write('apply.ndjson', [header, { targets: [{ name: 'acme/site' }, { name: 'acme/api' }] }, ...lines], 4);
  const { stdout } = await run(['journal', 'list', directory, '--jq', '.[0].continue_with']);
  expect(stdout).toBe(`forgectl policy apply ${flag}--resume ${directory}/apply.ndjson --yes\n`);
});

it('reports a journal of policy apply without its plan, which cannot be continued', async () => {
  const { directory } = await journals();
  rmSync(join(directory, 'apply.ndjson.plan'));
  const { stdout, stderr, code } = await run(['journal', 'list', directory, '--quiet']);
  expect({ stdout, stderr, code }).toEqual({
    stdout: `${directory}/each.ndjson\n${directory}/masked.ndjson\n`,
    stderr: `Cannot read ${directory}/apply.ndjson.plan: no such file. Nothing was sent.
forgectl: 1 journal could not be read.
`,
    code: 9,
  });
});

it('reports journals that cannot be read, after those that can', async () => {
  const { directory, write } = await journals();
  write('old.ndjson', [{ journal: 1, platform }], 1);
  writeFileSync(join(directory, 'damaged.ndjson'), `{"journal":2,"platform":"${platform}"}\n{"tar\n`, { mode: 0o600 });
  write('open.ndjson', [{ journal: 2, platform }], 1);
  chmodSync(join(directory, 'open.ndjson'), 0o644);
  const { stdout, stderr, code } = await run(['journal', 'list', directory, '--quiet']);
  expect({ lines: stdout.trimEnd().split('\n').length, code }).toEqual({ lines: 3, code: 9 });
  expect(stderr).toContain(`${directory}/damaged.ndjson is damaged, line 2.`);
  expect(stderr).toContain(`${directory}/old.ndjson is a journal of version 1`);
  expect(stderr).toContain(`${directory}/open.ndjson must be a regular file that you own, with mode 0600.`);
  expect(stderr).toContain('forgectl: 3 journals could not be read.\n');
});

it('rejects a directory that does not exist', async () => {
  const directory = join(await temporaryDirectory(), 'none');
  expect(await run(['journal', 'list', directory])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Cannot read ${directory}: `),
  });
});
