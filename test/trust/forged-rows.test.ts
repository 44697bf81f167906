/** What rows of saved plans show is all that an apply changes, also if somebody replaced what a change starts from. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changed, damaged, inPlan, one, replacing, saved, withDigest } from './forging.ts';

const ofOrganization = 'organizations: [acme]\nsettings: { blog: "https://a.example" }\n';
const ofRepository =
  'organizations: [acme]\nrepositories: [{ select: { names: [site] }, settings: { homepage: H } }]\n';

describe('access', () => {
  it.each([
    ['a higher role than it has', 'admin', 'write', changed],
    ['the role that it sends', 'admin', 'admin', damaged],
  ])('of a team that inherits its role does not start from %s', async (_what, before, role, outcome) => {
    const { forgectl, applied, idOf } = await replacing(ofRepository);
    const read = () => forgectl('api /repos/acme/site/teams --jq .[]|select(.slug=="interns").permission');
    const { stdout: permission } = await read();
    expect(permission).toBe('maintain\n');
    const id = await idOf('interns');
    const forged = { kind: 'grant', name: 'team:interns', id, team_id: id, before: { role: before }, body: { role } };
    expect(await applied({ action: 'update', ...forged })).toMatchObject(outcome);
    expect((await read()).stdout).toBe(permission);
  });
});

describe('the parent of a team', () => {
  it.each([
    ['none', { parent: 'platform', parent_id: null }],
    ['the one that it sends', { parent: 'platform', parent_id: 2 }],
  ])('cannot change without a row, by the claim that it was %s', async (_what, parent) => {
    const { forgectl, applied, idOf } = await replacing(ofOrganization);
    const [id, parent_id] = [await idOf('interns'), await idOf('platform')];
    const team = { kind: 'team', name: 'Interns', id, parent_id };
    const body = { description: 'harmless', parent: 'platform' };
    const before = { description: 'Engineers for a season', ...parent };
    expect(await applied({ action: 'update', ...team, before, body })).toMatchObject(damaged);
    expect((await forgectl('teams get acme interns --jq .parent.slug')).stdout).toBe('engineering\n');
  });
});

describe('a new repository', () => {
  const creation =
    'organizations: [acme]\nrepositories: [{ create: { name: fresh, visibility: private }, settings: { homepage: H } }]\n';

  it('has no values before that could hide settings', async () => {
    const hidden = { has_wiki: true };
    const { text, apply, forgectl } = await saved(creation, one);
    const at = text.split('\n').findIndex((line) => line.includes('"kind":"settings"'));
    const forged = (before: object) =>
      withDigest(inPlan(text, { [at]: (change) => ({ ...change, before, body: { ...hidden, homepage: 'H' } }) }));
    expect(await apply(forged(hidden))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`is truncated or damaged at line ${at + 1}.`),
    });
    await apply(forged({}), ' --dry-run');
    expect((await forgectl('policy show FOLDER/forged.ndjson')).stdout).toContain(
      '~\tsettings\t\tacme/fresh\tneutral\thas_wiki: true; homepage: "H"\n',
    );
  });

  it('shows all that a policy sets, also what its organization sets', async () => {
    const { text } = await saved(
      'organizations: [acme]\nrepositories: [{ create: { name: fresh, visibility: private }, hooks: [{ name: Refuse large files, enforcement: disabled }] }]\n',
      one,
    );
    const hook = text.split('\n').find((line) => line.includes('"kind":"hook"'));
    const { changes, before, body } = JSON.parse(hook ?? '{}');
    expect({ changes, before, body }).toEqual({
      changes: [{ path: 'enforcement', to: 'disabled' }],
      before: {},
      body: { enforcement: 'disabled' },
    });
  });
});

describe('the definition of a property', () => {
  it('cannot lose fields without a row: updates replace all of it', async () => {
    const { forgectl, applied } = await replacing(ofOrganization);
    const read = async () => JSON.parse((await forgectl('api /orgs/acme/properties/schema')).stdout)[0];
    const { property_name: name, allowed_values: allowed, description, value_type: type, ...others } = await read();
    const body = { allowed, description: 'harmless', type };
    const property = { action: 'update', kind: 'property', name, id: name, body };
    const partial = { allowed, description, type };
    const whole = {
      ...partial,
      default: others.default_value,
      editable_by: others.values_editable_by,
      required: others.required,
    };
    for (const change of [{ before: partial }, { before: partial, sent: true }, { before: whole }])
      expect(await applied({ ...property, ...change })).toMatchObject(changed);
    expect((await read()).description).toBe(description);
  });
});

describe('a property', () => {
  it('that equals its default is not unset without a row', async () => {
    const { forgectl, applied } = await replacing(ofRepository);
    const values = () => forgectl('api /repos/acme/site/properties/values --jq .[].value');
    await forgectl('properties set acme tier=bronze team=data --repo acme/site --yes');
    const { stdout } = await values();
    expect(stdout).toBe('bronze\ndata\n');
    const change = { action: 'update', kind: 'properties', name: '' };
    const forged = { ...change, before: { tier: null, team: 'data' }, body: { tier: null, team: 'web' } };
    expect(await applied(forged)).toMatchObject(damaged);
    expect(await applied({ ...forged, sent: true })).toMatchObject(damaged);
    expect((await values()).stdout).toBe(stdout);
  });

  it('keeps its type', async () => {
    const { forgectl, applied } = await replacing(ofOrganization);
    const { stdout } = await forgectl('api /orgs/acme/properties/schema --jq .[]|select(.property_name=="region")');
    const { allowed_values: allowed, description, default_value, required, values_editable_by } = JSON.parse(stdout);
    const before = { type: 'multi_select', allowed, description, default: default_value, required };
    const whole = { ...before, editable_by: values_editable_by };
    const change = { action: 'update', kind: 'property', name: 'region', id: 'region', before: whole };
    expect(await applied({ ...change, body: { ...whole, type: 'string', allowed: [] } })).toMatchObject(damaged);
  });
});

describe('a budget', () => {
  it('loses none of its alerts without a row', async () => {
    const policy = (amount: number) =>
      `enterprise: sandbox\nbudgets: [{ budget_scope: enterprise, budget_type: ProductPricing, budget_product_sku: git_lfs, budget_amount: ${amount}, prevent_further_usage: false, budget_alerting: { will_alert: true, alert_recipients: [riverotter] } }]\n`;
    const { forgectl, write, folder, apply } = await saved(policy(7), one);
    expect(await forgectl('policy apply FOLDER/plan.ndjson --yes')).toMatchObject({ code: 0 });
    write('p.yaml', policy(5));
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const budget_alerting = { will_alert: true };
    const forged = inPlan(readFileSync(join(folder, 'plan.ndjson'), 'utf8'), {
      1: (change) => ({
        ...change,
        before: { budget_amount: 7, budget_alerting },
        body: { budget_amount: 5, budget_alerting },
      }),
    });
    expect(await apply(withDigest(forged))).toMatchObject(changed);
  });
});

describe('an update that is made in two steps', () => {
  it('sends no value that its object does not have and its body does not want', async () => {
    const { forgectl, write, text, apply } = await saved(
      `${ofOrganization}repositories: [{ select: { names: [site] }, settings: { default_branch: nope } }]\n`,
      one,
    );
    const definition = { value_type: 'single_select', allowed_values: ['x', 'y'] };
    write('pp.json', JSON.stringify(definition));
    await forgectl('api PUT /orgs/acme/properties/schema/pp --input FOLDER/pp.json');
    const value = (allowed: string[], description = '') => ({
      ...{ type: 'single_select', allowed, default: null, description, editable_by: 'org_actors', required: false },
    });
    const change = { action: 'update', kind: 'property', name: 'pp', id: 'pp', sent: true };
    const forged = inPlan(text, {
      1: ({ changes: _, effect: __, ...common }) => ({
        ...common,
        ...{
          ...change,
          changes: [],
          before: value(['x', 'evil']),
          between: value(['x', 'y']),
          body: value(['x'], 'new'),
        },
      }),
    });
    // The branch does not exist, so that the second step is not made.
    expect(await apply(withDigest(forged))).toMatchObject({ code: 9, stdout: expect.stringContaining('(additions)') });
    const { stdout } = await forgectl(
      'api /orgs/acme/properties/schema --jq .[]|select(.property_name=="pp").allowed_values[]',
    );
    expect(stdout).toBe('x\ny\n');
  });
});

describe('elements of a list with the same label', () => {
  it('have a row each', async () => {
    const check = (context: object) =>
      `{ type: required_status_checks, parameters: { strict_required_status_checks_policy: true, required_status_checks: [${JSON.stringify(context)}] } }`;
    const ruleset = (context: object) =>
      `organizations: [acme]\nrepositories: [{ select: { names: [site] }, rulesets: [{ name: R, target: branch, enforcement: active, conditions: { ref_name: { include: [~ALL], exclude: [] } }, rules: [${check(context)}] }] }]\n`;
    const { forgectl, write } = await saved(ruleset({ context: 'ci', integration_id: 15368 }), one);
    expect(await forgectl('policy apply FOLDER/plan.ndjson --yes')).toMatchObject({ code: 0 });
    write('p.yaml', ruleset({ context: 'ci:15368' }));
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const { stdout } = await forgectl('policy show FOLDER/plan.ndjson');
    expect(stdout).toMatch(/required_status_checks: - ci:15368/);
    expect(stdout).toMatch(/required_status_checks: \+ ci:15368/);
    const { stderr } = await forgectl('policy apply FOLDER/plan.ndjson --yes');
    expect(stderr).toContain('+ context: ci:15368 (tightens)\n      - context: ci, integration_id: 15368 (loosens)\n');
  });
});

describe('the setting of a hook', () => {
  it.each(['true', 1, null])('that allows other settings as %j may loosen protection', async (allows) => {
    const { applied } = await replacing(ofOrganization);
    const body = { enforcement: 'enabled', allow_downstream_configuration: allows };
    expect(await applied({ action: 'create', kind: 'hook', id: 4, name: 'Block secrets', body })).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringContaining('1 change would loosen protection (--deny loosens). Nothing was written.'),
    });
  });
});

describe('a field with the name of a secret', () => {
  it.each([
    ['settings', '', { blog: 'x' }, { webhook_secret: 'hunter22' }],
    ['settings', '', { blog: 'x' }, { more: { callback_token: ['hunter22'] } }],
  ])('of %s is never sent behind a mask', async (kind, name, before, body) => {
    const { applied } = await replacing(ofOrganization);
    expect(await applied({ action: 'update', kind, name, before, body })).toMatchObject(damaged);
  });
});

describe('what a registry selects', () => {
  it.each([
    [{ body: { visibility: 'selected' }, writeOnly: { selected_repository_ids: [1] } }],
    [{ body: { username: 'b2' }, writeOnly: { selected_repository_ids: [1] } }],
    [{ body: { username: 'b2', selected_repository_ids: [1] } }],
  ])('does not change beside other fields: %j', async (change) => {
    const { forgectl, applied } = await replacing(ofOrganization);
    const [live] = JSON.parse((await forgectl('registries list acme --json')).stdout);
    const { name: id, registry_type: type, url } = live;
    const registry = { action: 'update', kind: 'registry', name: `${type} ${url}`, id };
    expect(await applied({ ...registry, before: { visibility: 'selected' }, ...change })).toMatchObject(damaged);
  });
});

describe('a plan', () => {
  it('cannot be called that for another organization', async () => {
    const { text, apply } = await saved(ofOrganization, one);
    const forged = withDigest(inPlan(text, { 0: (header) => ({ ...header, organizations: ['globex'] }) }));
    expect(await apply(forged)).toMatchObject({
      code: 2,
      stderr: 'forgectl: FOLDER/forged.ndjson changes acme, but is a plan for globex. Nothing was sent.\n',
    });
  });
});

const rulesetWith = (more: object) => ({
  name: 'U',
  target: 'branch',
  enforcement: 'active',
  conditions: { ref_name: { include: ['~ALL'], exclude: [] }, repository_name: { include: ['~ALL'], exclude: [] } },
  ...more,
});

describe('a list of objects', () => {
  it('loses no fields of its elements without a row', async () => {
    const { forgectl, applied, write } = await replacing(ofOrganization);
    const ruleset = (items: object[]) => rulesetWith({ rules: [{ type: 'future_rule', parameters: { items } }] });
    write('ruleset.json', JSON.stringify(ruleset([{ a: 1, guard: true }])));
    const { stdout } = await forgectl('api POST /orgs/acme/rulesets --input FOLDER/ruleset.json --jq .id');
    const id = Number(stdout);
    const items = [{ a: 1 }];
    const change = { action: 'update', kind: 'ruleset', name: 'V', id, sent: true };
    const forged = { ...change, before: { ...ruleset(items) }, body: { ...ruleset(items), name: 'V' } };
    expect(await applied(forged)).toMatchObject(changed);
    const after = await forgectl(`api /orgs/acme/rulesets/${id} --jq .rules[].parameters.items[].guard`);
    expect(after.stdout).toBe('true\n');
  });
});

describe('elements of a list that a body identifies by fewer fields', () => {
  it('lose as many fields as the plan shows', async () => {
    const { forgectl, applied, write } = await replacing(ofOrganization);
    const ruleset = (required_status_checks: object[]) => {
      const parameters = { strict_required_status_checks_policy: true, required_status_checks };
      return rulesetWith({ rules: [{ type: 'required_status_checks', parameters }] });
    };
    const [first, second, any] = [
      { context: 'ci', integration_id: 15368 },
      { context: 'ci', integration_id: 57789 },
      { context: 'ci' },
    ];
    write('ruleset.json', JSON.stringify(ruleset([first, second])));
    const { stdout } = await forgectl('api POST /orgs/acme/rulesets --input FOLDER/ruleset.json --jq .id');
    const change = { action: 'update', kind: 'ruleset', name: 'V', id: Number(stdout), sent: true };
    const forged = { ...change, before: ruleset([first, any]), body: { ...ruleset([any, any]), name: 'V' } };
    expect(await applied(forged, '')).toMatchObject(changed);
  });
});

describe('a ruleset with names in place of IDs', () => {
  it('shows what differs from either of two earlier values', async () => {
    const { forgectl, write, applied, idOf } = await replacing(ofOrganization);
    const ruleset = (more: object) => rulesetWith({ bypass_actors: [], rules: [{ type: 'deletion' }], ...more });
    write('ruleset.json', JSON.stringify(ruleset({})));
    const { stdout } = await forgectl('api POST /orgs/acme/rulesets --input FOLDER/ruleset.json --jq .id');
    const team = { actor_id: await idOf('platform'), actor_type: 'Team', bypass_mode: 'always' };
    const body = ruleset({ bypass_actors: [team], rules: [{ type: 'deletion' }, { type: 'non_fast_forward' }] });
    const forged = { action: 'update', kind: 'ruleset', name: 'U', id: Number(stdout), sent: true, body };
    const { stderr } = await applied(
      { ...forged, before: ruleset({ bypass_actors: [team] }), between: ruleset({}) },
      '',
    );
    expect(stderr).toContain('team:platform');
    expect(stderr).toContain('+ type: non_fast_forward (tightens)');
  });
});

describe('a bypass actor', () => {
  const policy = `organizations: [acme]
teams: [{ name: Core, was: Platform }]
rulesets: [{ name: Guard, target: branch, enforcement: disabled, conditions: { ref_name: { include: [~ALL], exclude: [] }, repository_name: { include: [~ALL], exclude: [] } }, rules: [], bypass_actors: ["team:engineering"] }]
`;
  const withActors = (text: string, ...actors: object[]) => {
    const at = text.split('\n').findIndex((line) => line.includes('"kind":"ruleset"'));
    return withDigest(
      inPlan(text, {
        [at]: (change) => ({ ...change, body: { ...(change.body as object), bypass_actors: actors } }),
      }),
    );
  };

  it('has the name of its own type', async () => {
    const { text, apply } = await saved(policy, one);
    const forged = withActors(text, { actor_id: 2, actor_type: 'RepositoryRole', type: 'Team' });
    const { stderr } = await apply(forged, ' --dry-run');
    expect(stderr).toContain('Dry run: nothing was sent.');
    const shown = (await apply(forged)).stderr;
    expect(shown).toContain('actor_id: role:maintain, actor_type: RepositoryRole');
    expect(shown).not.toContain('team:engineering');
  });

  it('is no other team than the one that its row names', async () => {
    const { forgectl, text, apply } = await saved(policy.replace('name: Core, was: Platform', 'name: New'), one);
    expect(await apply(text)).toMatchObject({ code: 0 });
    const lines = text.trim().split('\n');
    const [create = '{}', ruleset = '{}'] = ['team', 'ruleset'].map((kind) =>
      lines.find((line) => line.includes(`"kind":"${kind}"`)),
    );
    const id = Number((await forgectl('teams get acme engineering --jq .id')).stdout);
    const { changes: _, body, ...line } = JSON.parse(ruleset);
    const actor = (actor_id: unknown) => ({ actor_id, actor_type: 'Team', bypass_mode: 'always' });
    const forged = [
      lines[0],
      JSON.stringify({
        ...JSON.parse(create),
        ...{ action: 'update', name: 'Zed', id, before: { name: 'Engineering' }, body: { name: 'Zed' } },
      }),
      create.replaceAll('New', 'Engineering'),
      JSON.stringify({
        ...{ ...line, action: 'update', changes: [], sent: true },
        id: Number((await forgectl('rulesets list acme --jq .[]|select(.name=="Guard").id')).stdout),
        before: { ...body, bypass_actors: [actor(id)] },
        body: { ...body, bypass_actors: [actor('team:engineering')], rules: [{ type: 'creation' }] },
      }),
      lines.at(-1),
      '',
    ].join('\n');
    // No plan gives the name of a team to a new one.
    expect(await apply(withDigest(forged))).toMatchObject(damaged);
    // An undo may start from a reference.
    const swapped = JSON.stringify({
      ...{ ...line, action: 'update', changes: [], sent: true },
      id: Number((await forgectl('rulesets list acme --jq .[]|select(.name=="Guard").id')).stdout),
      before: { ...body, bypass_actors: [actor('team:engineering')] },
      body: { ...body, bypass_actors: [actor(id)], rules: [{ type: 'creation' }] },
    });
    const { stderr } = await apply(withDigest([lines[0], swapped, lines.at(-1), ''].join('\n')));
    expect(stderr).toContain(`actor_id: ${id}`);
  });

  it('is no team of the plan if it has another type', async () => {
    const { text, apply } = await saved(policy.replace('name: Core, was: Platform', 'name: New'), one);
    const forged = (actor_type: string) => withActors(text, { actor_id: 'team:new', actor_type });
    expect((await apply(forged('Team'), ' --dry-run')).code).toBe(0);
    expect(await apply(forged('User'))).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('a deletion', () => {
  it.each([
    ['team', 'Interns', 'teams get acme interns', {}],
    ['label', 'bug', 'api /repos/acme/site/labels/bug', {}],
    ['property', 'team', 'api /orgs/acme/properties/schema --jq .[]|select(.property_name=="team")', { id: 'team' }],
  ])('of a %s compares all of it', async (kind, name, read, more) => {
    const { forgectl, applied } = await replacing(kind === 'label' ? ofRepository : ofOrganization);
    const found = JSON.parse((await forgectl(`${read}${read.includes('--jq') ? '' : ' --json'}`)).stdout);
    const before = kind === 'property' ? { type: found.value_type } : { name };
    const change = { action: 'delete', kind, name, id: found.id, ...more, before };
    expect(await applied(change, '')).toMatchObject(changed);
    expect(await applied({ ...change, before: {} }, '')).toMatchObject(damaged);
    expect((await forgectl(read)).code).toBe(0);
  });

  it('of a ruleset or a budget compares all of it', async () => {
    const { forgectl, applied, write } = await replacing(ofOrganization);
    write('ruleset.json', JSON.stringify(rulesetWith({ rules: [{ type: 'deletion' }] })));
    const { stdout } = await forgectl('api POST /orgs/acme/rulesets --input FOLDER/ruleset.json --jq .id');
    const change = { action: 'delete', kind: 'ruleset', name: 'U', id: Number(stdout) };
    expect(await applied({ ...change, before: { name: 'U' } }, '')).toMatchObject(changed);
    const policy =
      'enterprise: sandbox\nabsent: { budgets: [{ budget_scope: enterprise, budget_type: ProductPricing, budget_product_sku: actions }] }\n';
    const { text, apply } = await saved(policy, one);
    const partial = inPlan(text, {
      1: ({ before, ...budget }) => {
        const { budget_alerting: _, ...others } = before as Record<string, unknown>;
        return { ...budget, before: others };
      },
    });
    expect(await apply(withDigest(partial))).toMatchObject(changed);
  });
});

describe('an update', () => {
  it.each([
    [
      'from a role to the same role',
      {
        kind: 'team_member',
        name: 'engineering/stonewren',
        team_id: 2,
        user_id: 9,
        before: { role: 'member' },
        body: { role: 'member' },
      },
    ],
    [
      'of a member as that of an inherited hook',
      {
        ...{ kind: 'member', name: 'paperfox', id: 8, user_id: 8, inherited: true },
        ...{ before: { role: 'member' }, body: { role: 'member' } },
      },
    ],
    [
      'of bypass actors that could not be read',
      { kind: 'ruleset', name: 'U', id: 1, before: { name: 'U' }, body: { name: 'U', bypass_actors: [] } },
    ],
    [
      'of a setting that could not be read',
      { kind: 'settings', name: '', before: { blog: '' }, body: { blog: 'x', default_repository_permission: 'admin' } },
    ],
    [
      'of a team without its ID',
      { kind: 'team', name: 'Core', before: { name: 'Platform' }, body: { name: 'Core' }, sent: true },
    ],
  ])('%s is rejected', async (_what, change) => {
    const { applied } = await replacing(ofOrganization);
    expect(await applied({ action: 'update', ...change })).toMatchObject(damaged);
  });

  it('of a label has no other name for it', async () => {
    const { forgectl, applied } = await replacing(ofRepository);
    const id = Number((await forgectl('api /repos/acme/site/labels --jq .[]|select(.name=="bug").id')).stdout);
    const change = { action: 'update', kind: 'label', name: 'bug', id, before: { name: 'bug' } };
    expect(await applied({ ...change, body: { new_name: 'other' } })).toMatchObject(damaged);
  });
});

describe('a new repository with a property that has a default', () => {
  it('is read as it was saved', async () => {
    const { forgectl } = await saved(
      'organizations: [acme]\nproperty_schema: [{ name: dft, type: string, default: a, required: true }]\nrepositories: [{ create: { name: fresh, visibility: private }, properties: { dft: b } }]\n',
      one,
    );
    expect((await forgectl('policy show FOLDER/plan.ndjson')).stdout).toContain(
      '~\tproperties\t\tacme/fresh\tneutral\tdft: "b"\n',
    );
    expect(await forgectl('policy apply FOLDER/plan.ndjson --yes')).toMatchObject({ code: 0 });
  });
});

describe('a value that is replaced', () => {
  it('is shown for either of two earlier values', async () => {
    const { forgectl, applied } = await replacing(ofOrganization);
    await forgectl(
      'api PUT /orgs/acme/properties/schema/pp --input - ',
      'classic',
      {},
      {
        stdin: JSON.stringify({ value_type: 'single_select', allowed_values: ['x', 'y', 'z'] }),
      },
    );
    const definition = (allowed: string[]) => ({
      type: 'single_select',
      allowed,
      default: null,
      description: '',
      editable_by: 'org_actors',
      required: false,
    });
    const forged = { action: 'update', kind: 'property', name: 'pp', id: 'pp', sent: true, body: definition(['x']) };
    const { stderr } = await applied({
      ...forged,
      before: definition(['x', 'y']),
      between: definition(['x', 'y', 'z']),
    });
    expect(stderr).toMatch(/- z\n/);
  });
});
