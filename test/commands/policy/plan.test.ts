/** What policy plan says: who planned, what overlaps, and what does not exist in an organization. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../support/run.ts';
import { onSandbox } from './support.ts';

const conditions = 'conditions: { ref_name: { include: [~ALL], exclude: [] }';
const everywhere = `${conditions}, repository_name: { include: [~ALL], exclude: [] } }`;

describe('the header of a plan', () => {
  it('contains the login that planned, but no token', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nsettings: { company: Acme }\n');
    const { stdout } = await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson -o ndjson', 'owner');
    const text = readFileSync(join(folder, 'plan.ndjson'), 'utf8');
    expect(text).toBe(stdout);
    expect(text.split('\n')[0]).toMatch(
      /^\{"plan":2,"platform":"http:\/\/127\.0\.0\.1:\d+\/api\/v3","identity":"riverotter","organizations":\["acme"\],"policy_digest":"[0-9a-f]{64}","digest":"[0-9a-f]{64}"\}$/,
    );
    expect(text).not.toMatch(/gh[a-z]_|github_pat_/);
    const json = await forgectl('policy plan FOLDER/p.yaml --json --jq .identity', 'owner');
    expect(json.stdout).toBe('riverotter\n');
  });

  it('contains no login for the token of an installation', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nsettings: { company: Acme }\n');
    const { stdout, code } = await forgectl('policy plan FOLDER/p.yaml --json --jq .identity', 'installation');
    expect({ stdout, code }).toEqual({ stdout: 'null\n', code: 0 });
  });

  it('is that of the plan that it undoes', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nsettings: { company: Acme Works }\n');
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson', 'owner');
    await forgectl('policy apply FOLDER/plan.ndjson --yes --undo-out FOLDER/undo.ndjson');
    expect(JSON.parse(readFileSync(join(folder, 'undo.ndjson'), 'utf8').split('\n')[0] ?? '')).toMatchObject({
      identity: 'riverotter',
    });
  });
});

describe('a plan by a token that sees less', () => {
  it('is applied by another, which deletes nothing whose bypass actors the plan could not read', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      `organizations: [acme]
repositories:
  - select: { names: [site] }
    rulesets: [{ name: Release branches, enforcement: disabled }]
    absent: { rulesets: [Linear history on trial] }
`,
    );
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson', 'member');
    const { stdout, code } = await forgectl('policy apply FOLDER/plan.ndjson --yes', 'owner');
    expect(stdout).toBe(
      'acme/site\tfailed\t\truleset “Linear history on trial” of acme/site changed after the plan, so nothing was sent. Plan again.\n',
    );
    expect(code).toBe(9);
    const live = await forgectl('rulesets list acme/site --all --jq .[]|[.name,.enforcement]|join(":")');
    expect(live.stdout).toContain('Linear history on trial:evaluate\n');
  });

  it('changes a ruleset without its bypass actors, and keeps them', async () => {
    const { forgectl, write } = await onSandbox();
    const guard = `name: Guard, target: branch, ${conditions} }, rules: [{ type: deletion }]`;
    write(
      'p.yaml',
      `organizations: [acme]\nrepositories: [{ select: { names: [site] }, rulesets: [{ ${guard}, enforcement: active, bypass_actors: ["team:platform"] }] }]\n`,
    );
    await forgectl('policy apply FOLDER/p.yaml --yes');
    write(
      'q.yaml',
      `organizations: [acme]\nrepositories: [{ select: { names: [site] }, rulesets: [{ ${guard}, enforcement: evaluate }] }]\n`,
    );
    await forgectl('policy plan FOLDER/q.yaml --out FOLDER/plan.ndjson', 'member');
    expect(await forgectl('policy apply FOLDER/plan.ndjson --yes', 'owner')).toMatchObject({
      code: 0,
      stdout: 'acme/site\tok\tupdate ruleset “Guard”\t\n',
    });
    expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toBe(
      '~\truleset\tGuard\tacme/site\ttightens\tenforcement: "evaluate" → "active"\n',
    );
  });
});

it('sends the IDs of built-in roles and of people who may bypass a ruleset', async () => {
  const { forgectl, write } = await onSandbox({ orgs: 1, repos: 1 });
  const conditions =
    'conditions: { ref_name: { include: [~ALL], exclude: [] }, repository_name: { include: [~ALL], exclude: [] } }';
  const allowing = (...actors: string[]) =>
    write(
      'p.yaml',
      `organizations: [acme]\nrulesets: [{ name: A, target: branch, enforcement: active, ${conditions}, bypass_actors: ${JSON.stringify(actors)}, rules: [{ type: deletion }] }]\n`,
    );
  allowing('role:maintain', 'role:write', 'role:admin', 'user:StoneWren');
  const { stdout } = await forgectl('policy apply FOLDER/p.yaml --yes --dry-run --json');
  const ofRole = (actor_id: number) => ({ actor_type: 'RepositoryRole', actor_id });
  const person = { actor_type: 'User', actor_id: 9 };
  expect(JSON.parse(stdout)).toMatchObject([
    { method: 'POST', body: { bypass_actors: [...[2, 4, 5].map(ofRole), person] } },
  ]);
  expect((await forgectl('policy apply FOLDER/p.yaml --yes')).code).toBe(0);
  expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({ stdout: '', code: 0 });
  allowing('role:maintain', 'role:write', 'role:admin', 'user:stonewren', 'user:paperfox');
  const plan = await forgectl('policy plan FOLDER/p.yaml');
  expect(plan.stdout).toBe('~\truleset\tA\tacme\tloosens\tbypass_actors: + user:paperfox\n');
});

describe('entries that select one repository', () => {
  it.each<[what: string, first: string, second: string, problem: string]>([
    [
      'want two values of a setting',
      'settings: { has_wiki: true }',
      'settings: { has_wiki: false }',
      '5:17: has_wiki of acme/site differs from FILE:3:45, which selects it too',
    ],
    [
      'want two values of a property',
      'properties: { team: core }',
      'properties: { team: web }',
      '5:19: team of acme/site differs from FILE:3:47, which selects it too',
    ],
    [
      'want two rulesets of one name',
      'rulesets: [{ name: A, enforcement: active }]',
      'rulesets: [{ name: A, enforcement: disabled }]',
      '5:16: “A” of acme/site differs from FILE:3:44, which selects it too',
    ],
    [
      'rename a ruleset only once',
      'rulesets: [{ name: A, was: B }]',
      'rulesets: [{ name: A }]',
      '5:16: “A” of acme/site differs from FILE:3:44, which selects it too',
    ],
    [
      'want and delete a ruleset',
      'rulesets: [{ name: A }]',
      'absent: { rulesets: [A] }',
      '5:26: “A” of acme/site differs from FILE:3:44, which selects it too',
    ],
    [
      'want a ruleset and rename it',
      'rulesets: [{ name: A }]',
      'rulesets: [{ name: B, was: A }]',
      '5:16: “A” of acme/site is renamed to “B”, and declared at FILE:3:44, which selects it too',
    ],
    [
      'delete a ruleset and rename it',
      'absent: { rulesets: [A] }',
      'rulesets: [{ name: B, was: A }]',
      '5:16: “A” of acme/site is renamed to “B”, and absent at FILE:3:54, which selects it too',
    ],
  ])('that %s are an error with both positions', async (_what, first, second, problem) => {
    const { forgectl, write, folder } = await onSandbox();
    const file = join(folder, 'p.yaml');
    write(
      'p.yaml',
      `organizations: [acme]\nrepositories:\n  - { select: { names: [si*] }, ${first} }\n  - select: { names: [site] }\n    ${second}\n`,
    );
    expect(await forgectl('policy validate FOLDER/p.yaml')).toMatchObject({ code: 0 });
    expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `forgectl: The policy has an error; nothing was sent.\n${file}:${problem.replace('FILE', file)}\n`,
    });
  });

  it('that rename one ruleset to two are one error with both positions', async () => {
    const { forgectl, write, folder } = await onSandbox();
    const file = join(folder, 'p.yaml');
    write(
      'p.yaml',
      `organizations: [acme]\nrepositories:\n  - { select: {}, rulesets: [{ name: B, was: A }] }\n  - { select: { names: [site] }, rulesets: [{ name: C, was: A }] }\n`,
    );
    expect((await forgectl('policy plan FOLDER/p.yaml')).stderr).toBe(
      `forgectl: The policy has an error; nothing was sent.
${file}:4:45: “A” of acme/site is renamed to “C”, and renamed at ${file}:3:30, which selects it too
`,
    );
  });

  it('that contradict each other in several repositories are one error, with their number', async () => {
    const { forgectl, write, folder } = await onSandbox({ orgs: 1, repos: 6 });
    const file = join(folder, 'p.yaml');
    write(
      'p.yaml',
      `organizations: [acme]
repositories:
  - { select: {}, settings: { has_wiki: true, has_issues: true } }
  - { select: {}, settings: { has_wiki: false } }
  - { select: { names: [site] }, settings: { has_issues: false } }
`,
    );
    const names = (await forgectl('repos list acme --all --quiet')).stdout.trim().split('\n');
    expect((await forgectl('policy plan FOLDER/p.yaml')).stderr).toBe(
      `forgectl: The policy has 2 errors; nothing was sent.
${file}:4:31: has_wiki of ${names.length} repositories (${names.slice(0, 3).join(', ')}, …) differs from ${file}:3:31, which selects them too
${file}:5:46: has_issues of acme/site differs from ${file}:3:47, which selects it too
`,
    );
  });

  it('that agree are not an error', async () => {
    const { forgectl, write } = await onSandbox();
    const wanted =
      'settings: { has_wiki: false }, rulesets: [{ name: Release branches, was: Old, enforcement: disabled }]';
    write(
      'p.yaml',
      `organizations: [acme]\nrepositories:\n  - { select: { names: [site] }, ${wanted} }\n  - { select: { names: [s*] }, ${wanted} }\n`,
    );
    expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toBe(
      '~\tsettings\t\tacme/site\t\thas_wiki: true → false\n~\truleset\tRelease branches\tacme/site\tloosens\tenforcement: "active" → "disabled"\n',
    );
  });
});

describe('a value that only a newer platform knows', () => {
  it('is planned and explained with --allow-unknown', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nrulesets: [{ name: Version tags, enforcement: shadow }]\n');
    expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({ code: 2 });
    expect((await forgectl('policy plan FOLDER/p.yaml --allow-unknown')).stdout).toBe(
      '~\truleset\tVersion tags\tacme\t\tenforcement: "evaluate" → "shadow"\n',
    );
    expect(
      (await forgectl('policy apply FOLDER/p.yaml --allow-unknown --dry-run --json --jq .[].body.enforcement')).stdout,
    ).toBe('shadow\n');
    expect((await forgectl('policy explain acme FOLDER/p.yaml --allow-unknown --jq .[].value')).stdout).toBe(
      'shadow\n',
    );
  });
});

describe('the counts of a plan', () => {
  it('show how many repositories of each organization are selected, and how many of them are archived', async () => {
    const { forgectl, write } = await onSandbox({ orgs: 2, repos: 30 });
    write(
      'p.yaml',
      `organizations: [globex, acme]
repositories:
  - { select: { names: [s*] }, settings: { is_template: false } }
  - { select: { archived: true }, settings: { is_template: false } }
`,
    );
    const { stderr } = await forgectl('policy plan FOLDER/p.yaml');
    expect(stderr).toBe(`acme: 8 of 30 repositories selected.
globex: 7 of 30 repositories selected.
No changes. 18 requests.
`);
    write('all.yaml', 'organizations: [acme]\nrepositories: [{ select: {}, settings: { is_template: false } }]\n');
    expect((await forgectl('policy plan FOLDER/all.yaml')).stderr).toContain(
      'acme: 27 of 30 repositories selected, 3 archived skipped.\n',
    );
    const { stdout } = await forgectl('policy plan FOLDER/p.yaml --json --jq .selections[1]');
    expect(JSON.parse(stdout)).toEqual({ organization: 'globex', selected: 7, of: 30, archived: 0 });
  });
});

describe('a plan of settings', () => {
  it('distinguishes a field that the platform does not have from one that the token cannot read', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nsettings: { wobble: true, billing_email: bills@example.com }\n');
    const { stdout, code } = await forgectl('policy plan FOLDER/p.yaml', 'member');
    expect(stdout).toBe(
      `?\tsettings\tbilling_email\tacme\t\tbilling_email cannot be read: needs organization_administration (write)
?\tsettings\twobble\tacme\t\tunresolved: acme has no such field
`,
    );
    expect(code).toBe(9);
  });
});

describe('a plan of hooks', () => {
  it('does not plan hooks that do not exist, of organizations and repositories', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      `organizations: [acme]
hooks: [{ name: Nosuch, enforcement: enabled }, { name: Nobody, enforcement: inherit }]
repositories: [{ select: { names: [site] }, hooks: [{ name: Nosuch, enforcement: enabled }] }]
`,
    );
    const { stdout, stderr, code } = await forgectl('policy apply FOLDER/p.yaml --yes');
    expect({ stdout, code }).toEqual({ stdout: '', code: 9 });
    expect(stderr).toBe(
      `? hook Nobody · acme
    unresolved: does not exist in acme

? hook Nosuch · acme
    unresolved: does not exist in acme

? hook Nosuch · acme/site
    unresolved: does not exist in acme/site

acme: 1 of 4 repositories selected.
No changes, 3 not planned. 4 requests.
Attention: 3 objects cannot be planned.
forgectl: 3 objects could not be planned.
`,
    );
  });

  it('resets own settings with inherit, and leaves inherited ones alone', async () => {
    const { forgectl, write } = await onSandbox();
    const policy = (enforcement: string) => `organizations: [acme]
hooks: [{ name: Check commit messages, enforcement: ${enforcement} }]
repositories: [{ select: { names: [site] }, hooks: [{ name: Block secrets, enforcement: ${enforcement} }] }]
`;
    write('p.yaml', policy('testing'));
    write('q.yaml', policy('inherit'));
    expect(await forgectl('policy plan FOLDER/q.yaml --exit-code')).toMatchObject({ code: 0, stdout: '' });
    expect(await forgectl('policy apply FOLDER/p.yaml --yes')).toMatchObject({ code: 0 });
    expect(await forgectl('policy plan FOLDER/q.yaml --exit-code')).toMatchObject({
      code: 11,
      stdout: `-\thook\tCheck commit messages\tacme\tloosens\treset to the inherited setting
-\thook\tBlock secrets\tacme/site\tloosens\treset to the inherited setting
`,
    });
    expect(await forgectl('policy apply FOLDER/q.yaml --yes')).toMatchObject({
      code: 0,
      stdout:
        'acme (after its repositories)\tok\tunset hook “Check commit messages”\t\nacme/site\tok\tunset hook “Block secrets”\t\n',
    });
    expect((await forgectl('hooks get acme 1 --jq .enforcement')).stdout).toBe('enabled\n');
    expect(await forgectl('policy plan FOLDER/q.yaml --exit-code')).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('a plan of properties', () => {
  it('plans all properties except those that the organization does not define', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      'organizations: [acme]\nrepositories: [{ select: { names: [site] }, properties: { owner: core, team: core, gone: null } }]\n',
    );
    expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({
      code: 9,
      stdout: `~\tproperties\t\tacme/site\t\tteam: "data" → "core"
?\tproperties\towner\tacme/site\t\tunresolved: no property “owner” in acme
`,
    });
  });

  it('compares names without case, and values with their definitions', async () => {
    const { forgectl, write } = await onSandbox();
    const plan = async (properties: string) => {
      write(
        'p.yaml',
        `organizations: [acme]\nrepositories: [{ select: { names: [site] }, properties: { ${properties} } }]\n`,
      );
      const { stdout, code } = await forgectl('policy plan FOLDER/p.yaml');
      return { rows: stdout, code };
    };
    const refused = (name: string, reason: string) => ({
      code: 9,
      rows: `?\tproperties\t${name}\tacme/site\t\tunresolved: ${reason}\n`,
    });
    expect(await plan('TEAM: data')).toEqual({ code: 0, rows: '' });
    expect(await plan('TEAM: core')).toEqual({
      code: 0,
      rows: '~\tproperties\t\tacme/site\t\tteam: "data" → "core"\n',
    });
    expect(await plan('tier: Gold')).toEqual(refused('tier', 'tier must be one of gold, silver, bronze'));
    expect(await plan('tier: null')).toEqual(refused('tier', 'tier is required and cannot be unset'));
    expect(await plan('tier: [gold]')).toEqual(refused('tier', 'tier must be one value, not a list'));
    expect(await plan('region: eu')).toEqual(refused('region', 'region must be a list of values'));
    expect(await plan('region: [eu, mars]')).toEqual(refused('region', 'region must be one of eu, us, asia'));
    expect(await plan('pci: "yes"')).toEqual(refused('pci', 'pci must be one of true, false'));
  });
});

it.each(['plan', 'apply'])('policy %s rejects an unknown value of --deny', async (command) => {
  const { stderr, code } = await run(['policy', command, '--deny', 'foo']);
  expect({ stderr, code }).toEqual({ code: 2, stderr: expect.stringContaining('--deny must be loosens.') });
});

describe('a selector', () => {
  it('selects archived repositories, which are unarchived', async () => {
    const { forgectl, write } = await onSandbox({ orgs: 1, repos: 30 });
    write(
      'p.yaml',
      'organizations: [acme]\nrepositories: [{ select: { archived: true }, settings: { archived: false } }]\n',
    );
    expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toBe(
      '~\tsettings\t\t3 of acme\t\tarchived: true → false\n',
    );
    expect(await forgectl('policy apply FOLDER/p.yaml --yes --allow archived')).toMatchObject({ code: 0 });
    expect((await forgectl('repos list acme --all --where .archived --jq length')).stdout).toBe('0\n');
  });

  it('names properties that the organization has', async () => {
    const { forgectl, write, folder } = await onSandbox();
    const select = 'select: { properties: { nope: ["undefined"], Tier: [gold] } }';
    write('p.yaml', `organizations: [acme]\nrepositories: [{ ${select}, settings: { has_wiki: false } }]\n`);
    const { stdout, stderr, code } = await forgectl('policy plan FOLDER/p.yaml');
    expect({ stdout, stderr, code }).toEqual({
      stdout: '',
      stderr: `forgectl: The policy has an error; nothing was sent.\n${folder}/p.yaml:2:42: no property “nope” in acme\n`,
      code: 2,
    });
  });
});

describe('an exported organization', () => {
  const npmRegistry =
    '[{ registry_type: npm_registry, url: https://npm.example.com, auth_type: token, visibility: selected, repositories: [site], secret: { env: NPM_TOKEN } }]';
  const everything = `organizations: [acme]
rulesets:
  - name: Checks
    target: branch
    enforcement: active
    ${everywhere}
    bypass_actors: ["team:platform", { actor: "app:sandbox-app", mode: pull_request }, "role:Security Engineer"]
    rules:
      - type: required_status_checks
        parameters:
          strict_required_status_checks_policy: true
          required_status_checks: [{ context: test, integration_id: "app:sandbox-app" }]
      - type: workflows
        parameters: { workflows: [{ path: .github/ci.yml, repository_id: "repository:site" }] }
  - name: Guard
    target: branch
    enforcement: active
    ${conditions}, repository_id: { repository_ids: ["repository:checkout-proxy", "repository:site"] } }
    bypass_actors: []
    rules: [{ type: deletion }]
registries: ${npmRegistry}
budgets:
  - { budget_scope: repository, budget_entity_name: acme/checkout-proxy, budget_type: ProductPricing, budget_product_sku: actions, budget_amount: 7, prevent_further_usage: true, budget_alerting: { will_alert: false, alert_recipients: [] } }
hooks: [{ name: Block secrets, enforcement: enabled }]
`;

  it('has names in place of IDs, and reports by name what another organization lacks', async () => {
    const { forgectl, write, folder } = await onSandbox({ orgs: 2, repos: 6 });
    write('p.yaml', everything);
    const env = { NPM_TOKEN: 'hidden' };
    expect(await forgectl('policy apply FOLDER/p.yaml --yes', 'classic', env)).toMatchObject({ code: 0 });
    await forgectl('policy export acme --dir FOLDER/a --repositories');
    const exported = (file: string) => readFileSync(join(folder, 'a/acme/rulesets', file), 'utf8');
    expect(`${exported('checks.yaml')}${exported('guard.yaml')}`).not.toMatch(/_ids?: \d|- \d/);
    expect(exported('checks.yaml')).toContain(`    bypass_actors:
      - team:platform
      - actor: app:sandbox-app
        mode: pull_request
      - role:Security Engineer
`);
    expect(await forgectl('policy plan FOLDER/a --exit-code')).toMatchObject({ code: 0 });

    write('a/acme/registries.yaml', `organizations: [acme]\nregistries: ${npmRegistry}\n`);
    write(
      'a/acme/teams.yaml',
      'organizations: [acme]\nrulesets: [{ name: Team, bypass_actors: ["team:acme-only"] }]\n',
    );
    const { stdout, stderr, code } = await forgectl('policy plan FOLDER/a --organization globex');
    expect(code).toBe(9);
    expect(stdout).toBe(`+\tmember\tlunarcrab\tglobex\tloosens\trole: "member"
+\tmember\tmarblecat\tglobex\tloosens\trole: "member"
+\tmember\tmosshare\tglobex\tloosens\trole: "member"
+\tmember\triverotter\tglobex\tloosens\trole: "admin"
+\tmember\tstonewren\tglobex\tloosens\trole: "member"
+\tmember\ttealheron\tglobex\tloosens\trole: "member"
~\tsettings\t\tglobex\tloosens, asks\thas_repository_projects: false → true; members_can_create_public_repositories: false → true
+\truleset\tChecks\tglobex\ttightens\t
?\truleset\tGuard\tglobex\t\tunresolved: no repository “checkout-proxy” in globex
?\truleset\tTeam\tglobex\t\tunresolved: no team “acme-only” in globex
+\tregistry\tnpm_registry https://npm.example.com\tglobex\tneutral\tsecret from $NPM_TOKEN
~\tbudget\torganization globex ProductPricing packages\tglobex\tloosens\tbudget_amount: 3400 → 5000; prevent_further_usage: true → false
?\tbudget\trepository globex/checkout-proxy ProductPricing actions\tglobex\t\tunresolved: no repository “checkout-proxy” in globex
~\tbudget\trepository globex/site ProductPricing actions\tglobex\tloosens\tbudget_amount: 3800 → 1900; prevent_further_usage: true → false
~\thook\tBlock secrets\tglobex\ttightens\tenforcement: "disabled" → "enabled"
~\tsettings\t\tglobex/site\tloosens, asks\tallow_rebase_merge: true → false; delete_branch_on_merge: false → true; description: "Nightly jobs and what they leave behind" → "Shared building blocks for every team"; security_and_analysis.secret_scanning_push_protection.status: "enabled" → "disabled"
~\tproperties\t\tglobex/site\t\ttier: "silver" → "bronze"
~\tgrant\tteam:engineering\tglobex/site\tloosens\trole: "triage" → "maintain"
+\tgrant\tteam:platform\tglobex/site\tloosens\trole: "admin"
+\tgrant\tuser:copperbee\tglobex/site\tloosens\trole: "write"
+\tgrant\tuser:velvetmole\tglobex/site\tloosens\trole: "triage"
`);
    expect(stderr).toContain('checkout-proxy matches no repository of globex.\n');
  });

  it('shows names in the changes of its rulesets', async () => {
    const { forgectl, write } = await onSandbox({ orgs: 1, repos: 6 });
    write('p.yaml', everything);
    await forgectl('policy apply FOLDER/p.yaml --yes', 'classic', { NPM_TOKEN: 'hidden' });
    write(
      'q.yaml',
      `organizations: [acme]
rulesets:
  - { name: Checks, bypass_actors: [{ actor: "team:platform", mode: pull_request }, "team:engineering"] }
  - { name: Guard, conditions: { repository_id: { repository_ids: ["repository:console-sdk", "repository:site"] } } }
`,
    );
    expect((await forgectl('policy plan FOLDER/q.yaml')).stdout).toBe(
      `~\truleset\tChecks\tacme\tloosens\tbypass_actors: - app:sandbox-app; bypass_actors: - role:Security Engineer; bypass_actors: + team:engineering; bypass_actors[team:platform].bypass_mode: "always" → "pull_request"
~\truleset\tGuard\tacme\tloosens\tconditions.repository_id.repository_ids: - repository:checkout-proxy; conditions.repository_id.repository_ids: + repository:console-sdk
`,
    );
  });

  it('shows how a new actor may bypass a ruleset', async () => {
    const { forgectl, write } = await onSandbox({ orgs: 1, repos: 6 });
    const ruleset = (actors: string) =>
      `organizations: [acme]\nrulesets: [{ name: Checks, target: branch, enforcement: active, ${everywhere}, rules: [], bypass_actors: [${actors}] }]\n`;
    write('p.yaml', ruleset(''));
    await forgectl('policy apply FOLDER/p.yaml --yes');
    write('p.yaml', ruleset('{ actor: "role:maintain", mode: exempt }'));
    expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toBe(
      '~\truleset\tChecks\tacme\tloosens\tbypass_actors: + role:maintain (bypass_mode: "exempt")\n',
    );
  });

  it('names required checks whatever they are called', async () => {
    const { forgectl, write } = await onSandbox({ orgs: 1, repos: 6 });
    const ruleset = (context: string) =>
      `organizations: [acme]\nrulesets: [{ name: Checks, target: branch, enforcement: active, ${everywhere}, rules: [{ type: required_status_checks, parameters: { strict_required_status_checks_policy: true, required_status_checks: [{ context: ${context}, integration_id: "app:sandbox-app" }] } }] }]\n`;
    write('p.yaml', ruleset('Team'));
    await forgectl('policy apply FOLDER/p.yaml --yes');
    write('p.yaml', ruleset('evil'));
    const checks = 'rules[required_status_checks].parameters.required_status_checks';
    expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toBe(
      `~\truleset\tChecks\tacme\tloosens\t${checks}: - Team:app:sandbox-app; ${checks}: + evil:app:sandbox-app\n`,
    );
  });

  it('includes repositories whose names begin with a dot, and those named profile', async () => {
    const { forgectl, write, folder } = await onSandbox({ orgs: 2, repos: 2 });
    for (const org of ['acme', 'globex'])
      for (const name of ['.github', 'profile'])
        await forgectl(`repos create ${org}/${name} --private --${org === 'acme' ? '' : 'no-'}has-wiki`);
    write(
      'p.yaml',
      `organizations: [acme]\nrulesets: [{ name: profile, target: branch, enforcement: disabled, ${everywhere}, rules: [] }]\n`,
    );
    await forgectl('policy apply FOLDER/p.yaml --yes');
    const { stdout } = await forgectl('policy export acme --dir FOLDER/a --repositories');
    expect(stdout).toContain(`${folder}/a/acme/repositories/_.github.yaml\n`);
    expect((await forgectl('policy explain acme/.github FOLDER/a --jq .[0].source')).stdout).toBe(
      `${folder}/a/acme/repositories/_.github.yaml:9\n`,
    );
    expect(await forgectl('policy plan FOLDER/a --exit-code')).toMatchObject({ code: 0 });
    const other = await forgectl('policy plan FOLDER/a --organization globex --expand');
    expect(other.stdout).toContain('+\truleset\tprofile\tglobex\tneutral\t\n');
    expect(other.stdout).toContain(
      '~\tsettings\t\tglobex/.github\t\thas_projects: false → true; has_wiki: false → true\n',
    );
    expect(other.stdout).toContain(
      '~\tsettings\t\tglobex/profile\t\thas_projects: false → true; has_wiki: false → true\n',
    );
    expect(other.stdout).not.toContain('globex\t\tname:');
  });

  it('deletes budgets of the other organization that are listed as absent', async () => {
    const { forgectl, write } = await onSandbox();
    const site =
      'budget_scope: repository, budget_entity_name: ACME/site, budget_type: ProductPricing, budget_product_sku: actions';
    write('p.yaml', `organizations: [acme]\nabsent: { budgets: [{ ${site} }] }\n`);
    expect((await forgectl('policy plan FOLDER/p.yaml --organization globex')).stdout).toBe(
      '-\tbudget\trepository globex/site ProductPricing actions\tglobex\tloosens\t\n',
    );
  });
});

describe('an expression of a selector', () => {
  it.each(['plan', 'apply', 'explain acme'])(
    'by a field that repositories do not have stops policy %s',
    async (verb) => {
      const { forgectl, write } = await onSandbox();
      write(
        'p.yaml',
        'organizations: [acme]\nrepositories: [{ select: { where: .archivd | not }, settings: { has_wiki: false } }]\n',
      );
      const { stdout, stderr, code } = await forgectl(`policy ${verb} FOLDER/p.yaml`, 'owner');
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
      expect(stderr).toContain('p.yaml:2:28: where uses .archivd, which is not a field of repositories. Did you mean');
    },
  );

  it.each(['plan', 'apply'])('that never ends stops policy %s after --timeout, with exit code 2', async (verb) => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      'organizations: [acme]\nrepositories: [{ select: { where: "def f: f; f" }, settings: { has_wiki: false } }]\n',
    );
    const { stdout, stderr, code } = await forgectl(`policy ${verb} FOLDER/p.yaml --timeout 2s`, 'owner');
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toContain('it did not end within 2 s. Simplify it, or allow more time with --timeout.');
  });
});
