import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const sandbox = sandboxForTests();
const { ask } = sandbox;

const named = (list: { name: string }[]) => list.map(({ name }) => name);
const branchRules = async (branch: string, repository = 'acme/site') =>
  (await ask(`GET /repos/${repository}/rules/branches/${encodeURIComponent(branch)}`)).body as {
    type: string;
    ruleset_id: number;
  }[];
const typesOf = (rules: { type: string }[]) => rules.map(({ type }) => type);

test('a repository lists its own rulesets and those of its organization that cover it', async () => {
  const { status, body } = await ask('GET /repos/acme/site/rulesets', { as: null });
  expect(status).toBe(200);
  expect(named(body)).toEqual([
    'Release branches',
    'Linear history on trial',
    'Default branches',
    'Version tags',
    'No binaries',
  ]);
  expect(body[0]).toEqual({
    id: body[0].id,
    name: 'Release branches',
    target: 'branch',
    source_type: 'Repository',
    source: 'acme/site',
    enforcement: 'active',
    node_id: expect.any(String),
    _links: {
      self: { href: `${sandbox.baseUrl}/repos/acme/site/rulesets/${body[0].id}` },
      html: { href: expect.stringMatching(/\/acme\/site\/rules\/\d+$/) },
    },
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  expect(body[2]).toMatchObject({ source_type: 'Organization', source: 'acme' });
});

test('higher levels can be excluded, and targets selected', async () => {
  const own = await ask('GET /repos/acme/site/rulesets?includes_parents=false');
  expect(named(own.body)).toEqual(['Release branches', 'Linear history on trial']);
  expect(named((await ask('GET /repos/acme/site/rulesets?targets=tag,push')).body)).toEqual([
    'Version tags',
    'No binaries',
  ]);
  expect(named((await ask('GET /orgs/acme/rulesets?targets=branch')).body)).toEqual(['Default branches']);
});

test('a single ruleset includes its parts, and its bypass actors for callers who may change it', async () => {
  const [summary] = (await ask('GET /orgs/acme/rulesets')).body;
  const { body } = await ask(`GET /orgs/acme/rulesets/${summary.id}`);
  expect(body).toMatchObject({
    ...summary,
    bypass_actors: [{ actor_id: 1, actor_type: 'OrganizationAdmin', bypass_mode: 'always' }],
    conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] }, repository_name: { include: ['~ALL'] } },
    rules: [{ type: 'deletion' }, { type: 'non_fast_forward' }, { type: 'pull_request' }],
    current_user_can_bypass: 'always',
  });
  const anonymous = await ask(`GET /repos/acme/site/rulesets/${summary.id}`, { as: null });
  expect(anonymous.body).toMatchObject({ source: 'acme', current_user_can_bypass: 'never' });
  expect(anonymous.body).not.toHaveProperty('bypass_actors');
  expect((await ask(`GET /repos/acme/site/rulesets/${summary.id}?includes_parents=false`)).status).toBe(404);
});

test('organization rulesets are not visible to everybody', async () => {
  expect((await ask('GET /orgs/acme/rulesets', { as: null })).status).toBe(401);
  expect((await ask('GET /orgs/globex/rulesets', { as: 'installation' })).status).toBe(403);
});

test('a new ruleset has the defaults and is returned in full', async () => {
  const rules = [{ type: 'creation' }, { type: 'update', parameters: { update_allows_fetch_and_merge: true } }];
  const body = { name: 'Frozen', enforcement: 'disabled', rules };
  const created = await ask('POST /repos/acme/site/rulesets', { body });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ ...body, target: 'branch', source: 'acme/site', bypass_actors: [] });
  expect((await ask(`GET /repos/acme/site/rulesets/${created.body.id}`)).body).toEqual(created.body);
});

test('bypass actors have a default mode, and null as the ID if they need none', async () => {
  const body = {
    name: 'Bypassed',
    enforcement: 'active',
    bypass_actors: [{ actor_type: 'DeployKey' }, { actor_type: 'Team', actor_id: 6, bypass_mode: 'pull_request' }],
  };
  const { body: created } = await ask('POST /orgs/globex/rulesets', { body });
  expect(created.bypass_actors).toEqual([
    { actor_type: 'DeployKey', actor_id: null, bypass_mode: 'always' },
    { actor_type: 'Team', actor_id: 6, bypass_mode: 'pull_request' },
  ]);
});

test('invalid rulesets are rejected with the invalid field', async () => {
  const refused = async (body: object) => {
    const answer = await ask('POST /repos/acme/site/rulesets', {
      body: { name: 'Bad', enforcement: 'active', ...body },
    });
    expect(answer.status).toBe(422);
    return answer.body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
  };
  expect(await refused({ enforcement: undefined })).toEqual(['enforcement missing_field']);
  expect(await refused({ enforcement: 'strict' })).toEqual(['enforcement invalid']);
  expect(await refused({ target: 'repository' })).toEqual(['target invalid']);
  expect(await refused({ bypass_actors: null })).toEqual(['bypass_actors invalid']);
  expect(await refused({ bypass_actors: [{ actor_type: 'Team' }] })).toEqual([
    'bypass_actors[0].actor_id missing_field',
  ]);
  expect(await refused({ rules: [{ type: 'update', parameters: {} }] })).toEqual([
    'rules[0].parameters.update_allows_fetch_and_merge missing_field',
  ]);
  expect(await refused({ rules: [{}, { type: 7 }] })).toEqual(['rules[0].type missing_field', 'rules[1].type invalid']);
  expect(await refused({ bypass_actors: [{ actor_type: 'Robot' }] })).toEqual(['bypass_actors[0].actor_type invalid']);
});

test('rules of unknown types, and unknown parameters, are kept unchanged', async () => {
  const rules = [
    { type: 'no_such_rule', parameters: { how: { deep: [1, null] } }, since: 'tomorrow' },
    { type: 'max_file_size', parameters: { max_file_size: 10, unit: 'MB' } },
    { type: 'creation', parameters: { except: ['friday'] } },
  ];
  const body = {
    name: 'From the future',
    enforcement: 'active',
    rules,
    conditions: { ref_name: { include: ['~ALL'] } },
  };
  const created = await ask('POST /repos/initech/site/rulesets', { body: { ...body, colour: 'red' } });
  expect(created.status).toBe(201);
  expect(created.body.rules).toEqual(rules);
  expect(created.body).not.toHaveProperty('colour');
  expect((await ask(`GET /repos/initech/site/rulesets/${created.body.id}`)).body.rules).toEqual(rules);
  const applied = (await branchRules('main', 'initech/site')).filter(
    ({ ruleset_id }) => ruleset_id === created.body.id,
  );
  expect(applied[0]).toMatchObject({ type: 'no_such_rule', parameters: { how: { deep: [1, null] } } });
  const replaced = await ask(`PUT /repos/initech/site/rulesets/${created.body.id}`, { body: { rules: [rules[0]] } });
  expect(replaced).toMatchObject({ status: 200, body: { rules: [rules[0]] } });
  const inAnOrganization = await ask('POST /orgs/initech/rulesets', { body });
  expect(inAnOrganization).toMatchObject({ status: 201, body: { rules } });
});

test('teams among bypass actors must belong to the organization', async () => {
  const refused = async (path: string, actor_id: number) => {
    const bypass_actors = [{ actor_type: 'DeployKey' }, { actor_type: 'Team', actor_id }];
    const answer = await ask(path, { body: { name: `Team ${actor_id}`, enforcement: 'active', bypass_actors } });
    return [answer.status, answer.body.errors?.map(({ field }: { field: string }) => field)];
  };
  const problem = [422, ['bypass_actors[1].actor_id']];
  expect(await refused('POST /repos/initech/site/rulesets', 3)).toEqual(problem);
  expect(await refused('POST /orgs/initech/rulesets', 10)).toEqual(problem);
  expect(await refused('POST /repos/admin/notes/rulesets', 1)).toEqual(problem);
  expect(await refused('POST /repos/initech/site/rulesets', 7)).toEqual([201, undefined]);
});

test('evaluate is not available for the repository target', async () => {
  const body = { name: 'Names', target: 'repository', enforcement: 'evaluate' };
  expect((await ask('POST /orgs/acme/rulesets', { body })).status).toBe(422);
  expect((await ask('POST /orgs/acme/rulesets', { body: { ...body, enforcement: 'active' } })).status).toBe(201);
});

test('a name must be unique', async () => {
  const body = { name: 'Release branches', enforcement: 'active' };
  expect(await ask('POST /repos/acme/site/rulesets', { body })).toMatchObject({
    status: 422,
    body: { message: 'Validation Failed', errors: ['Name must be unique'] },
  });
  expect((await ask('POST /repos/globex/site/rulesets', { body: { ...body, name: 'Anything' } })).status).toBe(201);
});

test('an update keeps the bypass actors if they are omitted, and [] clears them', async () => {
  const actor = { actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'exempt' };
  const body = { name: 'Kept', enforcement: 'evaluate', bypass_actors: [actor] };
  const { body: created } = await ask('POST /repos/acme/site/rulesets', { body });
  expect(created.current_user_can_bypass).toBe('exempt');
  const put = (change: object) => ask(`PUT /repos/acme/site/rulesets/${created.id}`, { body: change });
  expect((await put({ enforcement: 'active' })).body).toMatchObject({
    name: 'Kept',
    enforcement: 'active',
    bypass_actors: [actor],
  });
  expect((await put({ bypass_actors: null })).status).toBe(422);
  expect((await put({ bypass_actors: [] })).body).toMatchObject({
    bypass_actors: [],
    current_user_can_bypass: 'never',
  });
});

test('an update is rejected if the resulting ruleset could not be created', async () => {
  const make = async (path: string, body: object) => (await ask(`POST ${path}/rulesets`, { body })).body.id as number;
  const refused = async (path: string, body: object) => {
    const answer = await ask(`PUT ${path}`, { body });
    expect(answer.status).toBe(422);
    return answer.body.errors.map(({ field }: { field: string }) => field);
  };
  const byPullRequest = [{ actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'pull_request' }];
  const tags = await make('/repos/globex/site', { name: 'Tags', enforcement: 'active', target: 'tag' });
  expect(await refused(`/repos/globex/site/rulesets/${tags}`, { bypass_actors: byPullRequest })).toEqual([
    'bypass_actors[0].bypass_mode',
  ]);
  const branches = { name: 'Branches', enforcement: 'active', bypass_actors: byPullRequest };
  const id = await make('/repos/globex/site', branches);
  expect(await refused(`/repos/globex/site/rulesets/${id}`, { target: 'tag' })).toEqual([
    'bypass_actors[0].bypass_mode',
  ]);
  const names = await make('/orgs/globex', { name: 'Names', enforcement: 'active', target: 'repository' });
  expect(await refused(`/orgs/globex/rulesets/${names}`, { enforcement: 'evaluate' })).toEqual(['enforcement']);
  const evaluated = await make('/orgs/globex', { name: 'Evaluated', enforcement: 'evaluate' });
  expect(await refused(`/orgs/globex/rulesets/${evaluated}`, { target: 'repository' })).toEqual(['enforcement']);
  expect((await ask(`GET /orgs/globex/rulesets/${evaluated}`)).body.target).toBe('branch');
});

test('a deleted ruleset is gone, and an organization’s ruleset cannot be deleted from a repository', async () => {
  const { body } = await ask('POST /orgs/initech/rulesets', { body: { name: 'Short', enforcement: 'active' } });
  expect((await ask(`DELETE /repos/initech/site/rulesets/${body.id}`)).status).toBe(404);
  expect(await ask(`DELETE /orgs/initech/rulesets/${body.id}`)).toMatchObject({ status: 204, body: '' });
  expect((await ask(`GET /orgs/initech/rulesets/${body.id}`)).status).toBe(404);
  expect((await ask(`PUT /orgs/initech/rulesets/${body.id}`, { body: {} })).status).toBe(404);
});

test('rules for a branch come from active rulesets only, with their source', async () => {
  const rules = await branchRules('main');
  expect(typesOf(rules)).toEqual(['deletion', 'non_fast_forward', 'pull_request']);
  expect(rules[2]).toMatchObject({
    parameters: { required_approving_review_count: 1 },
    ruleset_source_type: 'Organization',
    ruleset_source: 'acme',
  });
  expect(typesOf(await branchRules('release/1.2'))).toEqual(['creation', 'commit_message_pattern']);
  expect(typesOf(await branchRules('release/old'))).toEqual([]);
  expect(typesOf(await branchRules('release/1.2/hotfix'))).toEqual([]);
  expect(typesOf(await branchRules('no/such/branch'))).toEqual([]);
});

test('a branch cannot contain wildcards', async () => {
  expect((await ask('GET /repos/acme/site/rules/branches/release%2F*')).status).toBe(422);
});

test('patterns follow fnmatch: one star stops at slashes, two stars cross them, brackets and escapes work', async () => {
  const matching = async (include: string[], exclude: string[], branch: string) => {
    const conditions = { ref_name: { include, exclude } };
    const body = {
      name: `Match ${branch} ${include} ${exclude}`,
      enforcement: 'active',
      conditions,
      rules: [{ type: 'deletion' }],
    };
    const { body: ruleset } = await ask('POST /repos/globex/site/rulesets', { body });
    const rules = await branchRules(branch, 'globex/site');
    return rules.some(({ ruleset_id }) => ruleset_id === ruleset.id);
  };
  expect(await matching(['~ALL'], [], 'any/thing')).toBe(true);
  expect(await matching(['~ALL'], ['refs/heads/main'], 'main')).toBe(false);
  expect(await matching(['~DEFAULT_BRANCH'], [], 'main')).toBe(true);
  expect(await matching(['~DEFAULT_BRANCH'], [], 'develop')).toBe(false);
  expect(await matching(['refs/heads/team/*'], [], 'team/a')).toBe(true);
  expect(await matching(['refs/heads/team/*'], [], 'team/a/b')).toBe(false);
  expect(await matching(['refs/heads/team/**/*'], [], 'team/a/b')).toBe(true);
  expect(await matching(['refs/heads/v[0-9]'], [], 'v7')).toBe(true);
  expect(await matching(['refs/heads/v[!0-9]'], [], 'v7')).toBe(false);
  expect(await matching(['refs/heads/a.c'], [], 'abc')).toBe(false);
  expect(await matching(['refs/heads/x?z'], [], 'xyz')).toBe(true);
  expect(await matching(['hotfix-*'], [], 'hotfix-1')).toBe(false);
  expect(await matching(['refs/heads/hotfix-*'], [], 'hotfix-1')).toBe(true);
  expect(await matching([], [], 'main')).toBe(false);
});

test('an organization’s ruleset covers repositories by name, by id or by property', async () => {
  const create = async (name: string, conditions: object) => {
    const all = { ref_name: { include: ['~ALL'], exclude: [] }, ...conditions };
    const body = { name, enforcement: 'active', conditions: all, rules: [{ type: 'required_signatures' }] };
    return (await ask('POST /orgs/initech/rulesets', { body })).body.id as number;
  };
  const covers = async (id: number, repository: string) =>
    (await branchRules('dev', `initech/${repository}`)).some(({ ruleset_id }) => ruleset_id === id);
  const repository = { name: 'golden', custom_properties: { tier: 'gold' } };
  const { body: golden } = await ask('POST /orgs/initech/repos', { body: repository });

  const byName = await create('By name', { repository_name: { include: ['s*'], exclude: ['sit?'] } });
  expect([await covers(byName, 'golden'), await covers(byName, 'site')]).toEqual([false, false]);
  const byId = await create('By id', { repository_id: { repository_ids: [golden.id] } });
  expect([await covers(byId, 'golden'), await covers(byId, 'site')]).toEqual([true, false]);
  const property = { name: 'tier', property_values: ['gold', 'silver'] };
  const byProperty = await create('By property', { repository_property: { include: [property], exclude: [] } });
  expect([await covers(byProperty, 'golden'), await covers(byProperty, 'site')]).toEqual([true, false]);
});

test('each change creates a version, newest first, with the former ruleset', async () => {
  const body = { name: 'Versioned', enforcement: 'evaluate' };
  const { body: created } = await ask('POST /repos/acme/site/rulesets', { body });
  sandbox.advance(60_000);
  await ask(`PUT /repos/acme/site/rulesets/${created.id}`, { body: { enforcement: 'active' } });
  const path = `/repos/acme/site/rulesets/${created.id}/history`;
  const history = await ask(`GET ${path}`);
  expect(history.status).toBe(200);
  expect(history.body).toEqual([
    { version_id: expect.any(Number), actor: { id: 1, type: 'User' }, updated_at: '2026-11-20T12:31:00Z' },
    { version_id: expect.any(Number), actor: { id: 1, type: 'User' }, updated_at: '2026-11-20T12:30:00Z' },
  ]);
  const first = await ask(`GET ${path}/${history.body[1].version_id}`);
  expect(first.body).toMatchObject({ ...history.body[1], state: { name: 'Versioned', enforcement: 'evaluate' } });
  expect((await ask(`GET ${path}/1`)).status).toBe(404);
  const [seeded] = (await ask('GET /orgs/acme/rulesets')).body;
  expect((await ask(`GET /orgs/acme/rulesets/${seeded.id}/history`)).body).toHaveLength(2);
});

test('rule suites default to the last day, and can be filtered', async () => {
  const list = async (query: string) => (await ask(`GET /repos/acme/site/rulesets/rule-suites?${query}`)).body;
  const counts = await Promise.all(
    ['hour', 'day', 'week', 'month'].map(async (p) => (await list(`time_period=${p}`)).length),
  );
  expect(counts).toEqual([1, 4, 7, 9]);
  expect(await list('')).toEqual(await list('time_period=day'));
  const month = await list('time_period=month');
  const results = month.map(({ result }: { result: string }) => result);
  for (const result of ['pass', 'fail', 'bypass'])
    expect(await list(`time_period=month&rule_suite_result=${result}`)).toHaveLength(
      results.filter((each: string) => each === result).length,
    );
  const { actor_name, ref } = month[0];
  for (const suite of await list(`time_period=month&actor_name=${actor_name}`))
    expect(suite.actor_name).toBe(actor_name);
  expect(await list(`time_period=month&ref=${ref}`)).toEqual(
    await list(`time_period=month&ref=${ref.replace('refs/heads/', '')}`),
  );
  expect(await list('ref=no-such-branch')).toEqual([]);
  expect((await ask('GET /repos/acme/site/rulesets/rule-suites?time_period=year')).status).toBe(422);
});

test('an organization lists the rule suites of all its repositories, or of one', async () => {
  const all = (await ask('GET /orgs/acme/rulesets/rule-suites?time_period=month&per_page=100')).body;
  const one = (await ask('GET /orgs/acme/rulesets/rule-suites?time_period=month&repository_name=SITE')).body;
  expect(new Set(one.map((suite: { repository_name: string }) => suite.repository_name))).toEqual(new Set(['site']));
  expect(all.length).toBeGreaterThan(one.length);
});

test('a single rule suite includes the result of each rule', async () => {
  const [summary] = (await ask('GET /repos/acme/site/rulesets/rule-suites')).body;
  for (const path of ['/repos/acme/site', '/orgs/acme']) {
    const { body } = await ask(`GET ${path}/rulesets/rule-suites/${summary.id}`);
    expect(body).toMatchObject(summary);
    expect(body.rule_evaluations[0]).toEqual({
      rule_source: { type: 'ruleset', id: expect.any(Number), name: 'Release branches' },
      enforcement: 'active',
      result: 'pass',
      rule_type: 'creation',
      details: null,
    });
  }
  expect((await ask(`GET /orgs/globex/rulesets/rule-suites/${summary.id}`)).status).toBe(404);
});

test.each([
  ['conditions', { conditions: [] }],
  ['conditions.ref_name', { conditions: { ref_name: [] } }],
  ['rules[0]', { rules: [[]] }],
])('a list where %s should be an object is rejected', async (field, part) => {
  const body = { name: 'Listed', enforcement: 'active', ...part };
  const { status, body: refusal } = await ask('POST /repos/acme/site/rulesets', { body });
  expect(status).toBe(422);
  expect(refusal.errors).toEqual([{ resource: 'Ruleset', field, code: 'invalid', message: 'must be an object' }]);
});
