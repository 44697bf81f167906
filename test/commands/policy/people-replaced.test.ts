/** Slugs of teams and logins of people are reused: a plan changes only those that it was made for. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { digestOfPlan } from '../../../src/fleet/policy/planning/digest.ts';
import { parsePlan, planText } from '../../../src/fleet/policy/planning/plan-file.ts';
import { reviewedPlan } from '../../../src/fleet/policy/planning/review.ts';
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

describe('a team or a repository that a plan creates', () => {
  const policy = `organizations: [acme]
teams: [{ name: Ops }]
repositories:
  - create: { name: fresh, visibility: private }
    access: { users: { stonewren: admin } }
  - select: { names: [site] }
    access: { teams: { ops: admin } }
    rulesets:
      - { name: Guard, target: branch, bypass_actors: ["team:ops"], conditions: { ref_name: { include: [~ALL], exclude: [] } } }
`;

  async function planned() {
    const sandbox = await onSandbox();
    sandbox.write('p.yaml', policy);
    await sandbox.forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    return sandbox;
  }

  it('gives no access to a team that somebody else has created meanwhile', async () => {
    const { forgectl } = await planned();
    await forgectl('teams create acme Ops');
    expect(await forgectl('policy apply FOLDER/plan.ndjson --yes')).toMatchObject({
      code: 9,
      stdout: expect.stringContaining('acme/site\tfailed\t\tNot done: changes of acme that come before it failed.\n'),
    });
    expect((await forgectl('teams repos acme ops')).stdout).toBe('');
    expect((await forgectl('rulesets list acme/site --jq .[].name')).stdout).not.toContain('Guard');
  });

  it.each(['7', null, undefined])('is left alone if its creation returned %j as its ID', async (id) => {
    const sandbox = await startSandbox({ orgs: 1, repos: 1 });
    onTestFinished(() => sandbox.close());
    const { platform, rewind } = await replayPlatform(sandbox.baseUrl);
    rewind(({ request: { method }, json }) =>
      method === 'POST' ? JSON.stringify({ ...(json as object), id }) : undefined,
    );
    const folder = await temporaryDirectory();
    writeFileSync(join(folder, 'p.yaml'), policy);
    const env = { ...platform.env, FORGECTL_TOKEN: sandbox.tokens.classic, XDG_STATE_HOME: folder };
    const { code, stdout } = await run(['policy', 'apply', join(folder, 'p.yaml'), '--yes'], { env });
    expect([code, stdout]).toEqual([
      9,
      expect.stringContaining(
        'acme/site\tfailed\t\tNot done: changes of acme that come before it have no ID in their responses.\n',
      ),
    ]);
    const writes = rewind().flatMap(({ request: { method, url } }) => (method === 'GET' ? [] : [`${method} ${url}`]));
    expect(writes).toEqual(['POST /api/v3/orgs/acme/teams', 'POST /api/v3/orgs/acme/repos']);
  });

  it('is not another one of its name in a run that continues', async () => {
    const { forgectl, folder } = await planned();
    await forgectl('policy apply FOLDER/plan.ndjson --yes --journal FOLDER/j');
    const made = /"received":"create (?:team|repository)/;
    const lines = readFileSync(join(folder, 'j'), 'utf8').split('\n').slice(0, -1);
    const isKept = (line: string) =>
      /"journal"|"targets"|"sending":"create (?:team |repository)/.test(line) || made.test(line);
    expect(lines.filter((line) => made.test(line)).map((line) => JSON.parse(line).id)).toEqual([
      1_000_000,
      expect.any(Number),
    ]);
    writeFileSync(
      join(folder, 'j'),
      lines
        .filter(isKept)
        .map((line) => `${line}\n`)
        .join(''),
    );
    await forgectl('teams delete acme ops --yes');
    await forgectl('repos delete acme/fresh --yes');
    await forgectl('rulesets delete acme/site Guard --yes');
    await forgectl('teams create acme Ops');
    await forgectl('repos create acme/fresh --visibility private --yes');
    const { code, stdout } = await forgectl('policy apply --resume FOLDER/j --yes');
    expect(code, stdout).toBe(9);
    expect(stdout).toMatch(
      /acme\/fresh is now a different repository: its ID is \d+, not \d+\. Nothing was sent to it\./,
    );
    expect(stdout).toContain(
      'acme/ops is now a different team: its ID is 1000001, not 1000000. Nothing was sent to it.',
    );
    expect((await forgectl('teams repos acme ops')).stdout).toBe('');
  });

  it('is left alone by a plan without its creation', async () => {
    const { forgectl, folder, write } = await planned();
    const plan = parsePlan('plan', readFileSync(join(folder, 'plan.ndjson'), 'utf8'));
    const team = plan.changes.filter(({ kind }) => kind === 'team');
    const reviewed = reviewedPlan(plan, new Set(team)).plan.changes;
    expect(reviewed.map(({ kind, target }) => `${kind} ${target}`)).toEqual([
      'repository acme/fresh',
      'grant acme/fresh',
    ]);
    const changes = plan.changes.filter(({ kind }) => kind === 'ruleset');
    const forged = { ...plan, changes };
    write('forged.ndjson', planText({ ...forged, digest: digestOfPlan(forged) }));
    expect(await forgectl('policy apply FOLDER/forged.ndjson --yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('lacks the IDs of teams and people (ruleset Guard)'),
    });
  });
});

it('an undo gives access to a deleted team only if it created it again, or if it still exists', async () => {
  const { forgectl, write, folder } = await onSandbox();
  const create = async () => {
    await forgectl('teams create acme Watch --privacy closed');
    return Number((await forgectl('teams get acme watch --jq .id')).stdout);
  };
  const id = await create();
  await forgectl('repos grant acme/site --team watch --role admin --yes');
  write(
    'p.yaml',
    `organizations: [acme]
absent: { teams: [Watch] }
repositories: [{ select: { names: [site] }, absent: { access: { teams: [watch] } } }]
`,
  );
  await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson');
  expect(readFileSync(join(folder, 'undo.ndjson'), 'utf8')).toMatch(
    new RegExp(`"kind":"team".*"id":${id},.*"action":"create"`),
  );
  await create();
  expect(await forgectl('policy apply FOLDER/undo.ndjson --yes')).toMatchObject({
    code: 9,
    stdout: `acme\tfailed\t\tteam “Watch” of acme changed after the plan, so nothing was sent. Plan again.
acme/site\tfailed\t\tNot done: changes of acme that come before it failed.
`,
  });
  expect((await forgectl('teams repos acme watch')).stdout).toBe('');
  await forgectl('teams delete acme watch --yes');
  expect((await forgectl('policy apply FOLDER/undo.ndjson --yes')).code).toBe(0);
  expect((await forgectl('teams repos acme watch')).stdout).toContain('acme/site\tadmin\t');
});

it('an undo invites only the person whose invitation was cancelled', async () => {
  const { forgectl, write, folder } = await onSandbox({ orgs: 1, repos: 1 });
  await forgectl('repos grant acme/site velvetmole --role read');
  write(
    'p.yaml',
    `organizations: [acme]\n${access.replace('["*", "!site"]', '[site]')} {}, absent: { access: { users: [velvetmole] } } }]\n`,
  );
  const { stdout } = await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson');
  expect(stdout).toContain('delete grant “user:velvetmole”');
  const undo = readFileSync(join(folder, 'undo.ndjson'), 'utf8').split('\n');
  expect(undo.filter((line) => line.includes('"grant"')).map((line) => JSON.parse(line))).toMatchObject([
    { action: 'create', name: 'user:velvetmole', user_id: expect.any(Number) },
  ]);
});
