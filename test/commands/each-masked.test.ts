/** Journals and the line that continues a run, without secrets: headers, fields, standard input, and other repositories. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const key = ['opensesame', '77'].join('-');

/** Runs `each` on acme/site, with a journal, on a platform whose write is refused first. */
async function onPlatform() {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  let status = 403;
  let id = 9;
  const platform = await scriptedPlatform({
    'GET /repos/acme/site': () => ({ body: { id, full_name: 'acme/site' } }),
    'PATCH /repos/acme/site/x': () => ({ status }),
  });
  const again = (flags: readonly string[], command: readonly string[], stdin = 'acme/site') =>
    run(['each', '--from', '-', ...flags, '--', ...command], { env: platform.env, stdin });
  const patches = () => platform.requests.filter(({ method }) => method === 'PATCH');
  return {
    path,
    again,
    patches,
    accept: () => {
      status = 204;
    },
    replace: () => {
      id = 10;
    },
    journal: () => readFileSync(path, 'utf8'),
  };
}

const headers = ['-H', `X-Api-Key: ${key}`, '--header', 'Accept: text/plain', `--header=X-Other:${key}`];
const command = ['api', 'PATCH', '/repos/{}/x', ...headers];

it('masks values of headers, and says what to give again', async () => {
  const { path, again, accept, journal, patches } = await onPlatform();
  const first = await again(['--journal', path], command);
  expect(first.stderr).toContain(`Continue with:
  forgectl each --from - --resume ${path} -- api PATCH '/repos/{}/x' -H 'X-Api-Key: ********' --header 'Accept: text/plain' '--header=X-Other:********'
Give the header X-Api-Key and the header X-Other again, in place of ********.
`);
  expect(JSON.parse(journal().split('\n')[0] ?? '')).toMatchObject({
    journal: 2,
    line: ['--from', '-'],
    command: [
      ...command.slice(0, 3),
      '-H',
      'X-Api-Key: ********',
      '--header',
      'Accept: text/plain',
      '--header=X-Other:********',
    ],
    masked: ['the header X-Api-Key', 'the header X-Other'],
  });
  const masked = command.map((word) => word.replace(key, '********'));
  expect(await again(['--resume', path], masked)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'Give the header X-Api-Key and the header X-Other again, in place of ********. Nothing was sent.',
    ),
  });
  accept();
  expect(await again(['--resume', path], command)).toMatchObject({ code: 0 });
  expect(patches().at(-1)?.headers['x-api-key']).toBe(key);
  expect(`${journal()}${first.stderr}${first.stdout}`).not.toContain(key);
});

it('masks values of headers in dry runs', async () => {
  const { again } = await onPlatform();
  const { stdout, stderr } = await again(['--dry-run', '-o', 'json'], command);
  expect(stdout).toContain('text/plain');
  expect(`${stdout}${stderr}`).not.toContain(key);
  const alone = await run([
    'api',
    'PATCH',
    '/x',
    ...headers,
    '--dry-run',
    '--base-url',
    'http://127.0.0.1:9/api/v3',
    '--anonymous',
  ]);
  expect(alone.stdout).toMatch(/^X-Api-Key: \*{8}$/im);
  expect(alone.stdout).toMatch(/^accept: text\/plain$/im);
  expect(alone.stdout).not.toContain(key);
});

it('says in the journal that the command read standard input', async () => {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  const platform = await scriptedPlatform({
    'GET /orgs/acme/repos': { body: [{ id: 9, full_name: 'acme/site' }] },
    'PATCH /repos/acme/site': { status: 403 },
  });
  const words = ['each', 'repos', 'acme', '--journal', path, '--', 'repos', 'update', '{}', '--input', '-'];
  const { stderr } = await run(words, { env: platform.env, stdin: '{"description":"x"}' });
  expect(stderr).toContain('\nThe command read standard input: give the same again.\n');
  const [header = '', targets = ''] = readFileSync(path, 'utf8').split('\n');
  expect(JSON.parse(header)).toMatchObject({ stdin: true, line: ['repos', 'acme'] });
  expect(JSON.parse(targets)).toEqual({ targets: [{ name: 'acme/site', id: 9 }] });
});

it('changes no other repository that has the name of a target later', async () => {
  const { path, again, accept, replace, patches } = await onPlatform();
  const record = JSON.stringify({ full_name: 'acme/site', id: 9 });
  await again(['--journal', path], command, record);
  expect(patches()).toHaveLength(1);
  accept();
  replace();
  expect(await again(['--resume', path], command, record)).toMatchObject({
    code: 9,
    stdout: expect.stringContaining(
      'acme/site is another repository than before: its ID is 10, not 9. Nothing was sent.',
    ),
  });
  expect(patches()).toHaveLength(1);
});
