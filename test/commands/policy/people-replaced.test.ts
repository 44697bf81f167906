/** Slugs of teams and logins of people are reused: a plan changes only those that it was made for. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/serve.ts';
import { replayPlatform } from '../../support/replay.ts';
import { run, temporaryDirectory } from '../../support/run.ts';
import { onSandbox } from './support.ts';

const access = 'repositories: [{ select: { names: ["*", "!site"] }, access:';

it('gives nobody a team, a parent or a repository by the slug of a team that was replaced', async () => {
  const { forgectl, write } = await onSandbox();
  await forgectl('teams create acme Watch --privacy closed');
  const policies = {
    'member.yaml': 'teams: [{ name: Watch, members: [stonewren] }]',
    'parent.yaml': 'teams: [{ name: Interns, parent: Watch }]',
    'grant.yaml': `${access} { teams: { watch: admin } } }]`,
  };
  for (const [name, text] of Object.entries(policies)) {
    write(name, `organizations: [acme]\n${text}\n`);
    await forgectl(`policy plan FOLDER/${name} --out FOLDER/${name}.ndjson`);
  }
  await forgectl('teams delete acme watch --yes');
  await forgectl('teams create acme Watch --privacy closed');
  for (const name of Object.keys(policies))
    expect(await forgectl(`policy apply FOLDER/${name}.ndjson --yes`)).toMatchObject({
      code: 9,
      stdout: expect.stringContaining(
        'acme/watch is now a different team: its ID is 1000001, not 1000000. Nothing was sent to it.',
      ),
    });
  expect((await forgectl('teams members acme watch --fields login')).stdout).toBe('admin\n');
  expect((await forgectl('teams repos acme watch')).stdout).toBe('');
  expect((await forgectl('teams get acme interns --jq .parent.slug')).stdout).toBe('engineering\n');
});

it('invites, adds and lets in nobody by a login that somebody else has by now', async () => {
  const sandbox = await startSandbox({ orgs: 1, repos: 2 });
  onTestFinished(() => sandbox.close());
  const { platform, rewind } = await replayPlatform(sandbox.baseUrl);
  const folder = await temporaryDirectory();
  const env = { ...platform.env, FORGECTL_TOKEN: sandbox.tokens.classic, XDG_STATE_HOME: folder };
  const forgectl = (words: string) => run(words.replaceAll('FOLDER', folder).split(' '), { env });
  const policies = {
    'member.yaml': 'members: { owners: [velvetmole] }',
    'team.yaml': 'teams: [{ name: Platform, maintainers: [velvetmole] }]',
    'grant.yaml': `${access} { users: { velvetmole: admin } } }]`,
  };
  for (const [name, text] of Object.entries(policies)) {
    writeFileSync(join(folder, name), `organizations: [acme]\n${text}\n`);
    await forgectl(`policy plan FOLDER/${name} --out FOLDER/${name}.ndjson`);
  }
  rewind(({ request: { url }, json }) =>
    url.endsWith('/users/velvetmole') ? JSON.stringify({ ...(json as object), id: 4242 }) : undefined,
  );
  for (const name of Object.keys(policies))
    expect(await forgectl(`policy apply FOLDER/${name}.ndjson --yes`)).toMatchObject({
      code: 9,
      stdout: expect.stringMatching(/velvetmole is now a different user: its ID is 4242, not \d+\. Nothing was sent/),
    });
  expect(rewind().filter(({ request }) => request.method !== 'GET')).toEqual([]);
});
