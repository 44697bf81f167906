import { expect, test } from 'vitest';
import { type Answer, links, sandboxForTests } from '../support.ts';

const grants = {
  'public-token': { kind: 'classic', login: 'admin', scopes: ['public_repo'] },
  'scopeless-token': { kind: 'classic', login: 'admin', scopes: [] },
} as const;
const sandbox = sandboxForTests({ repos: 60, grants });
const { ask } = sandbox;

const names = (answer: Answer): string[] => answer.body.map(({ name }: { name: string }) => name);
const create = (body: object, as = 'classic') => ask('POST /orgs/acme/repos', { as, body });

test('repositories are listed newest first', async () => {
  const { status, body } = await ask('GET /orgs/initech/repos?per_page=100');
  expect(status).toBe(200);
  expect(body).toHaveLength(60);
  expect(body.at(-1).name).toBe('site');
  const created = body.map(({ created_at }: { created_at: string }) => created_at);
  expect(created).toEqual([...created].sort().reverse());
});

test('created, updated and pushed default to descending, full_name to ascending, and direction overrides them', async () => {
  const sorted = async (query: string, member: string) => {
    const { body } = await ask(`GET /orgs/initech/repos?per_page=100&${query}`);
    return body.map((repository: Record<string, string>) => repository[member]);
  };
  for (const [sort, member] of [
    ['created', 'created_at'],
    ['updated', 'updated_at'],
    ['pushed', 'pushed_at'],
  ] as const) {
    const descending = await sorted(`sort=${sort}`, member);
    expect(descending).toEqual([...descending].sort().reverse());
    expect(await sorted(`sort=${sort}&direction=asc`, member)).toEqual([...descending].reverse());
  }
  const byName = await sorted('sort=full_name', 'full_name');
  expect(byName).toEqual([...byName].sort());
  expect(await sorted('sort=full_name&direction=desc', 'full_name')).toEqual([...byName].reverse());
});

test('type filters by visibility and by origin', async () => {
  const all = (await ask('GET /orgs/initech/repos?per_page=100')).body;
  const select = async (type: string) => (await ask(`GET /orgs/initech/repos?per_page=100&type=${type}`)).body;
  for (const visibility of ['public', 'private', 'internal']) {
    const selected = await select(visibility);
    expect(selected.length).toBeGreaterThan(0);
    expect(new Set(selected.map((repository: { visibility: string }) => repository.visibility))).toEqual(
      new Set([visibility]),
    );
  }
  const forks = await select('forks');
  expect(new Set(forks.map(({ fork }: { fork: boolean }) => fork))).toEqual(new Set([true]));
  expect((await select('sources')).length + forks.length).toBe(60);
  expect(await select('member')).toEqual(all);
});

test('anonymous callers see only public repositories', async () => {
  const { status, body } = await ask('GET /orgs/initech/repos?per_page=100', { as: null });
  expect(status).toBe(200);
  expect(body).toEqual((await ask('GET /orgs/initech/repos?per_page=100&type=public', { as: null })).body);
  expect(body.length).toBeGreaterThan(0);
});

test('installation tokens cannot list internal repositories', async () => {
  expect((await ask('GET /orgs/acme/repos?type=internal', { as: 'installation' })).status).toBe(422);
});

test('an unknown type is rejected', async () => {
  const { status, body } = await ask('GET /orgs/acme/repos?type=hidden');
  expect(status).toBe(422);
  expect(body.errors).toEqual([expect.objectContaining({ field: 'type', code: 'invalid' })]);
});

test('a repository has every field in the specification', async () => {
  const { body } = await ask('GET /repos/acme/site');
  const urls = Object.keys(body).filter((member) => member.endsWith('_url'));
  expect(urls).toHaveLength(42);
  expect(body).toMatchObject({
    id: 100_001,
    full_name: 'acme/site',
    private: false,
    visibility: 'public',
    fork: false,
    owner: { login: 'acme', type: 'Organization' },
    organization: { login: 'acme' },
    clone_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/acme\/site\.git$/),
    archive_url: `${sandbox.baseUrl}/repos/acme/site/{archive_format}{/ref}`,
    forks_count: 5,
    default_branch: 'main',
    permissions: { admin: true, push: true, pull: true },
    template_repository: null,
    security_and_analysis: { advanced_security: { status: expect.stringMatching(/^(en|dis)abled$/) } },
  });
  for (const member of [
    'subscribers_count',
    'network_count',
    'topics',
    'license',
    'temp_clone_token',
    'has_discussions',
  ])
    expect(body).toHaveProperty(member);
});

test('a fork contains its parent', async () => {
  const { body } = await ask('GET /repos/riverotter/site');
  expect(body).toMatchObject({ fork: true, owner: { type: 'User' }, parent: { full_name: 'acme/site' } });
  expect(body).not.toHaveProperty('organization');
});

test('callers without administration access see neither security settings nor a clone token', async () => {
  const { body } = await ask('GET /repos/acme/site', { as: null });
  expect(body).not.toHaveProperty('security_and_analysis');
  expect(body).toMatchObject({ permissions: { admin: false, push: false, pull: true }, temp_clone_token: '' });
});

test('private repositories have a short-lived clone token for callers with push access', async () => {
  const { body } = await ask('GET /orgs/acme/repos?type=private&per_page=1');
  expect(body[0].temp_clone_token).toMatch(/^[A-Z2-7]{29}$/);
});

test('a new repository has the specified defaults', async () => {
  const { status, body } = await create({ name: 'rocket' });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    full_name: 'acme/rocket',
    description: null,
    private: false,
    visibility: 'public',
    has_issues: true,
    has_projects: true,
    has_wiki: true,
    has_downloads: true,
    is_template: false,
    allow_squash_merge: true,
    allow_merge_commit: true,
    allow_rebase_merge: true,
    allow_auto_merge: false,
    delete_branch_on_merge: false,
    use_squash_pr_title_as_default: false,
    created_at: '2026-11-20T12:30:00Z',
    size: 0,
  });
  expect((await ask('GET /repos/acme/Rocket')).body).toEqual(body);
  expect(names(await ask('GET /orgs/acme/repos?per_page=1'))).toEqual(['rocket']);
  expect(names(await ask('GET /orgs/acme/repos?sort=created&direction=asc&per_page=1&page=61'))).toEqual(['rocket']);
});

test('a new repository accepts every field', async () => {
  const fields = {
    description: 'Gear 歯車',
    homepage: 'https://gear.example',
    has_issues: false,
    has_projects: false,
    has_wiki: false,
    has_downloads: false,
    is_template: true,
    allow_squash_merge: true,
    allow_merge_commit: false,
    allow_rebase_merge: false,
    allow_auto_merge: true,
    delete_branch_on_merge: true,
    use_squash_pr_title_as_default: true,
    squash_merge_commit_title: 'PR_TITLE',
    squash_merge_commit_message: 'PR_BODY',
    merge_commit_title: 'PR_TITLE',
    merge_commit_message: 'BLANK',
    custom_properties: { tier: 'gold' },
  };
  const { body } = await create({
    ...fields,
    name: 'gear',
    private: false,
    visibility: 'internal',
    team_id: 3,
    auto_init: true,
    gitignore_template: 'Node',
    license_template: 'mit',
  });
  expect(body).toMatchObject({
    ...fields,
    private: true,
    visibility: 'internal',
    size: 1,
    license: { spdx_id: 'MIT' },
  });
});

test('a taken name is rejected, in any case', async () => {
  expect(await create({ name: 'SITE' })).toMatchObject({
    status: 422,
    body: {
      message: 'Repository creation failed.',
      errors: [
        { resource: 'Repository', code: 'custom', field: 'name', message: 'name already exists on this account' },
      ],
    },
  });
});

test('invalid characters in names become hyphens', async () => {
  expect((await create({ name: 'two words' })).body.name).toBe('two-words');
});

test('all invalid fields of a new repository are reported', async () => {
  const body = { visibility: 'secret', squash_merge_commit_message: 'BLANK', has_wiki: 1 };
  const answer = await create(body);
  expect(answer.status).toBe(422);
  const errors = answer.body.errors as { field: string; code: string }[];
  expect(errors.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
    'has_wiki invalid',
    'name missing_field',
    'squash_merge_commit_title missing_field',
    'visibility invalid',
  ]);
});

test('a merge-commit message requires a title, and an unknown license is rejected', async () => {
  const untitled = await create({ name: 'a', merge_commit_message: 'BLANK' });
  expect(untitled.body.errors).toEqual([
    expect.objectContaining({ field: 'merge_commit_title', code: 'missing_field' }),
  ]);
  const unlicensed = await create({ name: 'a', license_template: 'wtf' });
  expect(unlicensed.body.errors).toEqual([expect.objectContaining({ field: 'license_template', code: 'invalid' })]);
});

test('an unknown .gitignore template, and a team of another organization, are rejected', async () => {
  for (const [field, value] of [
    ['gitignore_template', 'node'],
    ['gitignore_template', ''],
    ['team_id', 4],
    ['team_id', 999],
  ] as const) {
    const answer = await create({ name: 'a', [field]: value });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([expect.objectContaining({ field, code: 'invalid' })]);
  }
});

test('has_projects follows the organization, and true is rejected if it disables them', async () => {
  const without = await ask('POST /orgs/globex/repos', { body: { name: 'plain' } });
  expect(without).toMatchObject({ status: 201, body: { has_projects: false } });
  const withProjects = await ask('POST /orgs/globex/repos', { body: { name: 'planned', has_projects: true } });
  expect(withProjects.status).toBe(422);
  expect(withProjects.body.errors).toEqual([expect.objectContaining({ field: 'has_projects' })]);
});

test('delete_branch_on_merge requires an organization owner', async () => {
  expect((await create({ name: 'kept', delete_branch_on_merge: true }, 'installation')).status).toBe(403);
  expect((await create({ name: 'kept' }, 'installation')).status).toBe(201);
});

test('public repositories require public_repo or repo, private ones repo', async () => {
  expect((await create({ name: 'refused' }, 'scopeless-token')).status).toBe(403);
  expect((await create({ name: 'open' }, 'public-token')).status).toBe(201);
  expect((await create({ name: 'closed', private: true }, 'public-token')).status).toBe(403);
  expect((await create({ name: 'closed', private: true })).body.visibility).toBe('private');
});

test('activity is listed newest first and continues by a cursor', async () => {
  const seen: number[] = [];
  let path: string | undefined = '/repos/acme/site/activity?per_page=20';
  while (path) {
    const page: Answer = await ask(`GET ${path}`);
    expect(page.status).toBe(200);
    seen.push(...page.body.map(({ id }: { id: number }) => id));
    const next: Record<string, string> = links(page, sandbox.baseUrl);
    expect(Object.keys(next).filter((rel) => rel !== 'next')).toEqual([]);
    path = next.next;
  }
  expect(seen.length).toBeGreaterThan(20);
  expect(seen).toEqual([...seen].sort((a, b) => b - a));
  expect(new Set(seen).size).toBe(seen.length);
  const ascending = await ask('GET /repos/acme/site/activity?per_page=1&direction=asc');
  expect(ascending.body[0].id).toBe(seen.at(-1));
});

test('the before cursor returns the previous page', async () => {
  const first = await ask('GET /repos/acme/site/activity?per_page=3');
  const second = await ask(`GET ${links(first, sandbox.baseUrl).next}`);
  const cursor = new URL(`http://host${links(second, sandbox.baseUrl).next}`).searchParams.get('after');
  const before = await ask(`GET /repos/acme/site/activity?per_page=2&before=${cursor}`);
  expect(before.body).toEqual([second.body[0], second.body[1]]);
});

test('an activity record has the fields in the specification and those of the public platform', async () => {
  const [record] = (await ask('GET /repos/acme/site/activity?per_page=1')).body;
  expect(record).toMatchObject({ timestamp: record.pushed_at, activity_type: record.push_type, actor: record.pusher });
  expect(record.before).toMatch(/^[0-9a-f]{40}$/);
  expect(record.after).toMatch(/^[0-9a-f]{40}$/);
  expect(record.ref).toMatch(/^refs\/heads\//);
  expect(record.pusher.type).toBe('User');
});

test('activity is filtered by type, ref, actor and time', async () => {
  const list = async (query: string) => (await ask(`GET /repos/acme/site/activity?per_page=100&${query}`)).body;
  const all = await list('');
  for (const [filter, member] of [
    ['activity_type', 'activity_type'],
    ['ref', 'ref'],
  ] as const) {
    const wanted = all[0][member];
    const expected = all.filter((record: Record<string, string>) => record[member] === wanted);
    expect(await list(`${filter}=${encodeURIComponent(wanted)}`)).toEqual(expected);
    expect(expected.length).toBeLessThan(all.length);
  }
  const login = all[0].actor.login;
  expect(await list(`actor=${login.toUpperCase()}`)).toEqual(
    all.filter(({ actor }: { actor: { login: string } }) => actor.login === login),
  );
  const counts = [];
  for (const [period, days] of Object.entries({ day: 1, week: 7, month: 30, quarter: 90, year: 365 })) {
    const since = new Date(Date.parse('2026-11-20T12:30:00Z') - days * 86_400_000).toISOString();
    const expected = all.filter(({ timestamp }: { timestamp: string }) => timestamp > since);
    expect(await list(`time_period=${period}`)).toEqual(expected);
    counts.push(expected.length);
  }
  expect(new Set(counts).size).toBe(5);
});

test('an unknown activity type and an invalid cursor are rejected', async () => {
  expect((await ask('GET /repos/acme/site/activity?activity_type=rebase')).status).toBe(422);
  expect((await ask('GET /repos/acme/site/activity?after=here')).status).toBe(422);
});

test('contributors are sorted by number of commits, and anonymous ones only included on request', async () => {
  const known = (await ask('GET /repos/acme/site/contributors')).body;
  const counts = known.map(({ contributions }: { contributions: number }) => contributions);
  expect(counts).toEqual([...counts].sort((a, b) => b - a));
  expect(known.every(({ type }: { type: string }) => type === 'User')).toBe(true);
  for (const anon of ['1', 'true']) {
    const all = (await ask(`GET /repos/acme/site/contributors?anon=${anon}`)).body;
    const anonymous = all.filter(({ type }: { type: string }) => type === 'Anonymous');
    expect(all.length - anonymous.length).toBe(known.length);
    expect(anonymous[0]).toMatchObject({ name: expect.any(String), email: expect.stringContaining('@') });
    expect(anonymous[0]).not.toHaveProperty('login');
  }
});

test('anon values other than 1 or true exclude contributors without an account', async () => {
  const known = (await ask('GET /repos/acme/site/contributors')).body;
  for (const anon of ['0', 'false', '', 'yes'])
    expect(await ask(`GET /repos/acme/site/contributors?anon=${anon}`)).toMatchObject({ status: 200, body: known });
});

test('the contributors of an empty repository are 204', async () => {
  const { body } = await create({ name: 'hollow' });
  expect(await ask(`GET /repos/${body.full_name}/contributors`)).toMatchObject({ status: 204, body: '' });
});

test('languages map to bytes', async () => {
  const { status, body } = await ask('GET /repos/acme/site/languages', { as: null });
  expect(status).toBe(200);
  expect(Object.keys(body).length).toBeGreaterThan(0);
  for (const bytes of Object.values(body)) expect(Number.isInteger(bytes)).toBe(true);
});

test('code-owners errors are returned in an envelope without a count', async () => {
  const { status, body } = await ask('GET /repos/acme/site/codeowners/errors', { as: null });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['errors']);
  expect(body.errors[0]).toEqual({
    line: 3,
    column: 1,
    kind: 'Invalid pattern',
    source: '***/*.rb @riverotter',
    suggestion: 'Did you mean `**/*.rb`?',
    message: expect.stringContaining('Invalid pattern on line 3'),
    path: '.github/CODEOWNERS',
  });
  expect(body.errors[1].suggestion).toBeNull();
});

test('code-owners errors can be requested for an existing branch, tag or commit', async () => {
  const [change] = (await ask('GET /repos/acme/site/activity?per_page=1&activity_type=push')).body;
  for (const ref of ['develop', 'v1.0.0', change.after])
    expect((await ask(`GET /repos/acme/site/codeowners/errors?ref=${ref}`)).status).toBe(200);
  expect((await ask('GET /repos/acme/site/codeowners/errors?ref=gone')).status).toBe(404);
});

test('automated security fixes are 404 if not enabled, and not for everybody', async () => {
  expect(await ask('GET /repos/acme/site/automated-security-fixes')).toMatchObject({
    status: 200,
    body: { enabled: true, paused: false },
  });
  const { body } = await ask('GET /orgs/acme/repos?per_page=100');
  const statuses = await Promise.all(
    body.map(
      async ({ full_name }: { full_name: string }) =>
        (await ask(`GET /repos/${full_name}/automated-security-fixes`)).status,
    ),
  );
  expect(new Set(statuses)).toEqual(new Set([200, 404]));
  expect((await ask('GET /repos/acme/site/automated-security-fixes', { as: null })).status).toBe(401);
});

test('a repository_dispatch event is logged and listed, newest first, for callers who can see the repository', async () => {
  expect((await ask('GET /repos/globex/site/events', { as: null })).body).toEqual([]);
  const first = { event_type: 'deploy "blue"\nnow', client_payload: { region: 'é' } };
  expect((await ask('POST /repos/globex/site/dispatches', { body: first })).status).toBe(204);
  expect((await ask('POST /repos/globex/site/dispatches', { body: { event_type: 'later' } })).status).toBe(204);
  expect(sandbox.lines.slice(-2)).toEqual([
    'repository_dispatch to globex/site: event "deploy \\"blue\\"\\nnow", payload of 15 bytes',
    'repository_dispatch to globex/site: event "later", payload of 2 bytes',
  ]);
  const { status, body } = await ask('GET /repos/globex/site/events', { as: null });
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { payload: { event_type: 'later', client_payload: {} } },
    {
      id: '40000001',
      type: 'RepositoryDispatchEvent',
      actor: { login: 'admin' },
      repo: { name: 'globex/site', url: `${sandbox.baseUrl}/repos/globex/site` },
      payload: { event: 'repository_dispatch', action: 'deploy "blue"\nnow', ...first, branch: 'main' },
      public: true,
      created_at: '2026-11-20T12:30:00Z',
    },
  ]);
  const [secluded] = (await ask('GET /orgs/globex/repos?type=private')).body;
  expect((await ask(`GET /repos/${secluded.full_name}/events`)).body).toEqual([]);
  expect((await ask(`GET /repos/${secluded.full_name}/events`, { as: null })).status).toBe(404);
});

test('an event is dispatched with 204, within its limits', async () => {
  const dispatch = (body: object, as = 'classic') => ask('POST /repos/acme/site/dispatches', { as, body });
  expect(await dispatch({ event_type: 'e'.repeat(100) })).toMatchObject({ status: 204, body: '' });
  expect((await dispatch({ event_type: 'e'.repeat(101) })).status).toBe(422);
  const properties = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, n]));
  expect((await dispatch({ event_type: 'e', client_payload: properties(10) })).status).toBe(204);
  expect((await dispatch({ event_type: 'e', client_payload: properties(11) })).status).toBe(422);
  expect((await dispatch({ event_type: 'e', client_payload: { text: 'x'.repeat(65_536) } })).status).toBe(422);
  expect((await dispatch({ event_type: 'e' }, 'public-token')).status).toBe(403);
  expect((await ask('POST /repos/acme/nothing/dispatches', { body: { event_type: 'e' } })).status).toBe(404);
});

test('replicas return their location and lag', async () => {
  const { status, body } = await ask('GET /repos/acme/site/replicas/caches');
  expect(status).toBe(200);
  expect(body).toHaveLength(3);
  expect(body[0]).toMatchObject({
    host: 'cache-eu.sandbox.example',
    location: 'eu-west',
    git: { sync_status: 'not_in_sync' },
  });
  expect(body[1]).toMatchObject({
    git: { sync_status: 'inactive', last_sync: expect.stringMatching(/^20\d\d-\d\d-\d\dT/) },
  });
  expect((await ask('GET /repos/acme/site/replicas/caches?per_page=2&page=2')).body).toEqual([body[2]]);
});
