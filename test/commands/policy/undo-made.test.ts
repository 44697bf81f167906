/** An undo plan has what its run made, and nothing that somebody else made. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FileLock } from '../../../src/disk/file-lock.ts';
import { stepsOf } from '../../../src/fleet/policy/applying/optional-changes.ts';
import { stepsIn } from '../../../src/fleet/policy/applying/phases.ts';
import { undoPlan } from '../../../src/fleet/policy/applying/undo.ts';
import { parsePlan, planText } from '../../../src/fleet/policy/planning/plan-file.ts';
import { scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';
import { onSandbox } from './support.ts';

const rules = 'target: branch, enforcement: active, conditions: { ref_name: { include: [~ALL], exclude: [] } }';

async function applied(before: readonly string[]) {
  const { forgectl, write, folder } = await onSandbox();
  write(
    'p.yaml',
    `organizations: [acme]
teams: [{ name: Ops, privacy: closed }]
repositories:
  - select: { names: [site] }
    labels: [{ name: urgent, color: ff0000, description: "" }]
    rulesets: [{ name: Guard, ${rules} }]
`,
  );
  await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
  for (const words of before) await forgectl(words);
  const { code } = await forgectl('policy apply FOLDER/plan.ndjson --yes --undo-out FOLDER/undo.ndjson');
  const lines = readFileSync(join(folder, 'undo.ndjson'), 'utf8').trim().split('\n').slice(1, -1);
  const undo = lines.map((line) => JSON.parse(line)).map(({ kind, action, name, id }) => [kind, action, name, id]);
  return { forgectl, code, undo };
}

it('a run that cannot begin neither leaves an undo plan nor replaces that of a run in progress', async () => {
  const { forgectl, write, folder } = await onSandbox();
  write('p.yaml', 'organizations: [acme]\nteams: [{ name: Ops }]\n');
  const apply = (journal: string) =>
    forgectl(`policy apply FOLDER/p.yaml --yes --journal FOLDER/${journal} --undo-out FOLDER/undo.ndjson`);
  expect((await apply('none/j')).code).toBe(2);
  expect(existsSync(join(folder, 'undo.ndjson'))).toBe(false);
  expect((await apply('j')).code).toBe(0);
  const undo = readFileSync(join(folder, 'undo.ndjson'), 'utf8');
  const running = FileLock.take(join(folder, 'j.lock'));
  expect((await forgectl('policy apply --resume FOLDER/j --yes --undo-out FOLDER/undo.ndjson')).code).toBe(2);
  running?.release();
  expect(readFileSync(join(folder, 'undo.ndjson'), 'utf8')).toBe(undo);
});

it('an undo leaves alone what the run could not create because somebody else had', async () => {
  const { forgectl, code, undo } = await applied(['teams create acme Ops --privacy closed']);
  expect(code).toBe(9);
  expect(undo).toEqual([
    ['ruleset', 'delete', 'Guard', expect.any(Number)],
    ['label', 'delete', 'urgent', expect.any(Number)],
  ]);
  expect((await forgectl('policy apply FOLDER/undo.ndjson --yes')).code).toBe(0);
  expect((await forgectl('teams list acme --jq .[].slug')).stdout).toContain('ops\n');
  expect((await forgectl('rulesets list acme/site --jq .[].name')).stdout).not.toContain('Guard');
});

it('an undo deletes no team or label that somebody else has created again', async () => {
  const { forgectl, undo } = await applied([]);
  expect(undo.filter(([kind]) => kind === 'team')).toEqual([['team', 'delete', 'Ops', 1_000_000]]);
  for (const words of [
    'teams delete acme ops --yes',
    'labels delete acme/site urgent --yes',
    'teams create acme Ops --privacy closed',
    'labels create acme/site urgent --color ff0000',
  ])
    await forgectl(words);
  const { stdout } = await forgectl('policy apply FOLDER/undo.ndjson --yes');
  expect(stdout).toContain('acme/site\tok\tdelete ruleset “Guard”\t');
  expect(stdout).toContain('team “Ops” of acme changed after the plan, so nothing was sent.');
  expect((await forgectl('labels list acme/site --jq .[].name')).stdout).toContain('urgent\n');
});

it('an undo takes no access from a team that somebody else has created again', async () => {
  const { forgectl, write } = await onSandbox();
  write(
    'p.yaml',
    'organizations: [acme]\nteams: [{ name: Ops }]\nrepositories: [{ select: { names: [site] }, access: { teams: { ops: write } } }]\n',
  );
  await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson');
  for (const words of [
    'teams delete acme ops --yes',
    'teams create acme Ops',
    'repos grant acme/site --team ops --role write --yes',
  ])
    await forgectl(words);
  const { code, stdout } = await forgectl('policy apply FOLDER/undo.ndjson --yes');
  expect(code).toBe(9);
  expect(stdout).toContain('acme/site\tfailed\t\tacme/ops is now a different team: its ID is 1000001, not 1000000.');
  expect((await forgectl('api GET repos/acme/site/teams --jq .[].slug')).stdout).toContain('ops\n');
});

it('an undo deletes a ruleset whose bypass is for teams that it renames back and deletes', async () => {
  const { forgectl, write } = await onSandbox();
  const bypass = 'bypass_actors: ["team:ops", "team:engineers"]';
  write(
    'p.yaml',
    `organizations: [acme]
teams: [{ name: Ops }, { name: Engineers, was: Engineering }]
absent: { teams: [Interns] }
repositories: [{ select: { names: [site] }, rulesets: [{ name: Guard, ${bypass}, ${rules} }] }]
`,
  );
  expect((await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson')).code).toBe(0);
  expect(await forgectl('policy apply FOLDER/undo.ndjson --yes')).toMatchObject({ code: 0 });
  expect((await forgectl('rulesets list acme/site --jq .[].name')).stdout).not.toContain('Guard');
});

it('an undo leaves a team alone that was not moved, or that somebody else has moved since', async () => {
  const { forgectl, write, folder } = await onSandbox();
  await forgectl('teams create acme Night --privacy closed');
  write('p.yaml', 'organizations: [acme]\nteams: [{ name: Core }, { name: Watch, was: Night, parent: Core }]\n');
  await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
  const plan = parsePlan('plan', readFileSync(join(folder, 'plan.ndjson'), 'utf8'));
  write('all.ndjson', planText(undoPlan(plan, stepsIn(stepsOf(plan)).steps)));
  expect(await forgectl('policy apply FOLDER/all.ndjson --yes')).toMatchObject({
    code: 0,
    stdout: 'acme\tskipped\t\t\nacme (after its repositories)\tskipped\t\t\n',
  });
  await forgectl('policy apply FOLDER/plan.ndjson --yes --undo-out FOLDER/undo.ndjson');
  expect((await forgectl('teams get acme watch --jq .parent.slug')).stdout).toBe('core\n');
  await forgectl('teams update acme watch --parent platform');
  const { code, stdout } = await forgectl('policy apply FOLDER/undo.ndjson --yes');
  expect(code).toBe(9);
  expect(stdout).toContain('team “Night” of acme changed after the plan, so nothing was sent.');
  expect((await forgectl('teams get acme watch --jq .parent.slug')).stdout).toBe('platform\n');
});

it('the undo of an undo leaves alone what that did not need to change, even if it was continued', async () => {
  const { forgectl, write, folder } = await onSandbox();
  const settings = 'settings: { homepage: "https://a.example" }';
  write(
    'p.yaml',
    `organizations: [acme]
repositories: [{ select: { names: [site] }, ${settings}, labels: [{ name: urgent, color: ff0000, description: "" }] }]
`,
  );
  await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson');
  await forgectl('repos update acme/site --homepage=');
  await forgectl('policy apply FOLDER/undo.ndjson --yes --journal FOLDER/j --undo-out FOLDER/redo.ndjson');
  await forgectl('policy apply --resume FOLDER/j --yes --undo-out FOLDER/redo.ndjson');
  const redo = readFileSync(join(folder, 'redo.ndjson'), 'utf8');
  expect(redo).toContain('"create"');
  expect(redo).not.toContain('homepage');
});

it('a run that continues does not replace the undo plan of an earlier run of the same policy', async () => {
  const { forgectl, write, folder } = await onSandbox();
  write('p.yaml', 'organizations: [acme]\nsettings: { company: x }\nteams: [{ name: Ops }]\n');
  await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/monday.ndjson');
  await forgectl('orgs update acme --company drift');
  await forgectl('policy apply FOLDER/p.yaml --yes --journal FOLDER/j');
  expect(await forgectl('policy apply --resume FOLDER/j --yes --undo-out FOLDER/monday.ndjson')).toMatchObject({
    code: 2,
    stderr: `forgectl: ${folder}/monday.ndjson already exists, perhaps to undo an earlier run. Nothing was sent.\n`,
  });
  expect(readFileSync(join(folder, 'monday.ndjson'), 'utf8')).toContain('"name":"Ops"');
});

it('a run that continues replaces only its own undo plan, which knows the defaults of properties before the run', async () => {
  const { forgectl, write, folder } = await onSandbox();
  const policy = (first: string, own: string) =>
    write(
      'p.yaml',
      `organizations: [acme]
property_schema: [{ name: zone, type: single_select, allowed: [eu, us], default: ${first}, required: true }]
repositories: [{ select: { names: [site] }, properties: { zone: ${own} } }]
`,
    );
  policy('eu', 'us');
  await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/other.ndjson');
  policy('us', 'eu');
  await forgectl('policy apply FOLDER/p.yaml --yes --journal FOLDER/j --undo-out FOLDER/first.ndjson');
  expect(await forgectl('policy apply --resume FOLDER/j --yes --undo-out FOLDER/other.ndjson')).toMatchObject({
    code: 2,
    stderr: `forgectl: ${folder}/other.ndjson already exists, perhaps to undo an earlier run. Nothing was sent.\n`,
  });
  await forgectl('policy apply --resume FOLDER/j --yes --undo-out FOLDER/undo.ndjson');
  const undo = readFileSync(join(folder, 'undo.ndjson'), 'utf8');
  expect(undo).toContain('"changes":[{"path":"zone","from":"eu","to":"us"}]');
  expect(undo).toBe(readFileSync(join(folder, 'first.ndjson'), 'utf8'));
});

it('a value that equals the earlier default of its property is set before that changes', async () => {
  const { forgectl, write } = await onSandbox();
  const definition = (first: string) =>
    `organizations: [acme]\nproperty_schema: [{ name: zone, type: single_select, allowed: [eu, us], default: ${first}, required: true }]\n`;
  const zone = async () =>
    (await forgectl('api /repos/acme/site/properties/values --jq .[]|select(.property_name=="zone").value')).stdout;
  write('p.yaml', definition('eu'));
  await forgectl('policy apply FOLDER/p.yaml --yes');
  write('p.yaml', `${definition('us')}repositories: [{ select: { names: [site] }, properties: { zone: eu } }]\n`);
  await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
  expect((await forgectl('policy show FOLDER/plan.ndjson')).stdout).toContain('\tacme/site\t\tzone: "us" → "eu"\n');
  expect(await forgectl('policy apply FOLDER/plan.ndjson --yes --undo-out FOLDER/undo.ndjson')).toMatchObject({
    code: 0,
  });
  expect(await zone()).toBe('eu\n');
  expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toBe('');
  for (const [undo, next] of [
    ['undo', 'redo'],
    ['redo', 'last'],
  ]) {
    expect(await forgectl(`policy apply FOLDER/${undo}.ndjson --yes --undo-out FOLDER/${next}.ndjson`)).toMatchObject({
      code: 0,
    });
    expect(await zone()).toBe('eu\n');
  }
  expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toBe('');
});

it('an undo plan that deletes a team without its ID can be undone', async () => {
  const { forgectl, write, folder } = await onSandbox();
  write('p.yaml', 'organizations: [acme]\nteams: [{ name: Extra }]\n');
  await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
  // The undo plan that is saved before the first write has no IDs.
  const plan = parsePlan('plan.ndjson', readFileSync(join(folder, 'plan.ndjson'), 'utf8'));
  write('undo.ndjson', planText(undoPlan(plan, stepsIn(stepsOf(plan, {})).steps)));
  expect(await forgectl('policy apply FOLDER/plan.ndjson --yes')).toMatchObject({ code: 0 });
  const teams = async () => (await forgectl('teams list acme --jq .[].slug')).stdout;
  expect(await forgectl('policy apply FOLDER/undo.ndjson --yes --undo-out FOLDER/redo.ndjson')).toMatchObject({
    code: 0,
  });
  expect(await teams()).not.toContain('extra');
  expect(await forgectl('policy apply FOLDER/redo.ndjson --yes')).toMatchObject({ code: 0 });
  expect(await teams()).toContain('extra');
});

it('an undo plan restores what the platform kept of a write', async () => {
  const repository = {
    ...{ id: 1, name: 'site', full_name: 'acme/site', owner: { login: 'acme' }, archived: false },
    ...{ has_issues: true, allow_forking: true },
  };
  const { env, requests } = await scriptedPlatform(({ method, url, body }) => {
    if (method === 'PATCH') Object.assign(repository, JSON.parse(body), { allow_forking: true });
    if (url.includes('/repos/acme/site')) return { body: repository };
    return { body: url.includes('/repos') ? [repository] : { login: 'acme', id: 101 } };
  });
  const folder = await temporaryDirectory();
  writeFileSync(
    join(folder, 'p.yaml'),
    'organizations: [acme]\nrepositories: [{ select: { names: [site] }, settings: { has_issues: false, allow_forking: false } }]\n',
  );
  const undo = join(folder, 'undo.ndjson');
  const apply = (...words: string[]) =>
    run(['policy', 'apply', ...words, '--yes'], { env: { ...env, XDG_STATE_HOME: folder } });
  const { code, stdout } = await apply(join(folder, 'p.yaml'), '--undo-out', undo);
  expect({ code, stdout }).toEqual({ code: 9, stdout: expect.stringContaining('did not keep allow_forking.') });
  expect(repository.has_issues).toBe(false);
  expect(await apply(undo)).toMatchObject({ code: 0 });
  expect(requests.filter(({ method }) => method === 'PATCH').at(-1)?.body).toBe('{"has_issues":true}');
});

it('an undo plan creates nothing again whose rows would be masked, and says so', async () => {
  const { forgectl, write } = await onSandbox();
  const description = ['Authorization: Bearer ', 'abcdefgh12345678'].join('');
  await forgectl('labels create acme/site leaky --color ff0000');
  write('label.json', JSON.stringify({ description }));
  await forgectl('labels update acme/site leaky --input FOLDER/label.json');
  write(
    'p.yaml',
    'organizations: [acme]\nrepositories: [{ select: { names: [site] }, absent: { labels: [leaky] }, labels: [{ name: fresh, color: ff0000 }] }]\n',
  );
  expect(await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson')).toMatchObject({ code: 0 });
  const { stdout, stderr } = await forgectl('policy apply FOLDER/undo.ndjson --yes');
  expect(stdout + stderr).toContain('cannot be created: it contains what looks like a secret');
  expect((await forgectl('labels list acme/site --all --jq .[].name')).stdout).not.toContain('fresh');
});
