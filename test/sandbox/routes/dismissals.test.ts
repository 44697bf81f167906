import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const sandbox = sandboxForTests({
  alertsSegment: 'alerts',
  grants: { 'repo-reader': { kind: 'classic', login: 'admin', scopes: ['public_repo'] } },
});
const { ask } = sandbox;

const site = '/repos/acme/site/dismissal-requests/alerts';
const list = async (query: string, path = site) => (await ask(`GET ${path}?per_page=100&${query}`)).body;
const statuses = (requests: { status: string }[]) => [...new Set(requests.map(({ status }) => status))].sort();

test('the configured alert segment is served, and also depalerts', async () => {
  expect((await ask(`GET ${site}`)).status).toBe(200);
  expect((await ask('GET /repos/acme/site/dismissal-requests/depalerts')).status).toBe(200);
  expect((await ask('GET /repos/acme/site/dismissal-requests/dependabot')).status).toBe(404);
});

test('a request has every field in the specification', async () => {
  const [request] = await list('request_status=denied');
  expect(request).toMatchObject({
    id: expect.any(Number),
    number: 3,
    repository: { id: 100_001, name: 'site', full_name: 'acme/site' },
    organization: { id: 101, name: 'acme' },
    requester: { actor_id: expect.any(Number), actor_name: expect.any(String) },
    request_type: 'dependabot_alert_dismissal',
    data: [{ reason: 'inaccurate', alert_number: '3', alert_title: expect.any(String) }],
    resource_identifier: '3',
    status: 'denied',
    expires_at: expect.stringMatching(/Z$/),
    created_at: expect.stringMatching(/Z$/),
    responses: [
      { id: expect.any(Number), reviewer: { actor_name: 'admin' }, status: 'denied', created_at: expect.any(String) },
    ],
    url: `${sandbox.baseUrl}${site}/3`,
  });
  expect(Date.parse(request.expires_at) - Date.parse(request.created_at)).toBe(7 * 86_400_000);
  expect((await ask(`GET ${site}/3`)).body).toEqual(request);
});

test('a repository defaults to the last month, an organization to the last day', async () => {
  const counts = await Promise.all(
    ['hour', 'day', 'week', 'month'].map(async (p) => (await list(`time_period=${p}`)).length),
  );
  expect(counts).toEqual([1, 4, 6, 8]);
  expect(await list('')).toEqual(await list('time_period=month'));
  const path = '/orgs/acme/dismissal-requests/alerts';
  expect(await list('', path)).toEqual(await list('time_period=day', path));
  expect((await list('time_period=month', path)).length).toBeGreaterThan((await list('', path)).length);
});

test('requests are filtered by status, and open selects records that are pending', async () => {
  for (const [wanted, status] of [
    ['approved', 'approved'],
    ['denied', 'denied'],
    ['expired', 'expired'],
    ['open', 'pending'],
  ] as const)
    expect(statuses(await list(`request_status=${wanted}`))).toEqual([status]);
  const path = '/orgs/acme/dismissal-requests/alerts';
  for (const status of ['cancelled', 'completed'])
    expect(statuses(await list(`time_period=month&request_status=${status}`, path))).toEqual([status]);
  expect((await ask(`GET ${site}?request_status=cancelled`)).status).toBe(422);
});

test('requests are filtered by reviewer, requester and repository', async () => {
  const all = await list('');
  const requester = all[0].requester.actor_name;
  expect(await list(`requester=${requester}`)).toEqual(
    all.filter((each: { requester: { actor_name: string } }) => each.requester.actor_name === requester),
  );
  const reviewed = await list('reviewer=riverotter');
  expect(reviewed.length).toBeGreaterThan(0);
  expect(await list('reviewer=nobody')).toEqual([]);
  const path = '/orgs/acme/dismissal-requests/alerts';
  expect(await list('time_period=month&repository_name=Site', path)).toEqual(await list('time_period=month'));
});

test('a request is created once per alert, in the shape of a creation', async () => {
  const body = { dismissed_reason: 'tolerable_risk', dismissed_comment: 'Not reachable' };
  const { status, body: created } = await ask(`POST ${site}/9`, { body });
  expect(status).toBe(201);
  expect(created).toMatchObject({
    request_type: 'dependabot_alert_closure',
    status: 'pending',
    requester: { actor_id: 1, actor_name: 'admin' },
    requester_comment: 'Not reachable',
    data: [{ reason: 'tolerable_risk', alert_number: '9' }],
    responses: null,
  });
  expect(created).not.toHaveProperty('html_url');
  expect((await ask(`GET ${site}/9`)).body).toMatchObject({
    request_type: 'dependabot_alert_dismissal',
    responses: [],
  });
  expect((await ask(`POST ${site}/9`, { body })).status).toBe(422);
});

test('an unknown alert is 404, and so is one without a request', async () => {
  expect((await ask(`POST ${site}/13`, { body: { dismissed_reason: 'not_used' } })).status).toBe(404);
  expect((await ask(`GET ${site}/12`)).status).toBe(404);
});

test('the reason must be one of five', async () => {
  expect((await ask(`POST ${site}/10`, { body: { dismissed_reason: 'bored' } })).status).toBe(422);
  expect((await ask(`POST ${site}/10`, { body: {} })).status).toBe(422);
});

test('a request can be reviewed once, with up to 2048 characters', async () => {
  await ask(`POST ${site}/10`, { body: { dismissed_reason: 'not_used' } });
  const review = (body: object) => ask(`PATCH ${site}/10`, { body });
  expect((await review({ status: 'approve', message: 'm'.repeat(2049) })).status).toBe(422);
  expect((await review({ status: 'reject', message: 'no' })).status).toBe(422);
  const { status, body } = await review({ status: 'approve', message: 'm'.repeat(2048) });
  expect([status, body]).toEqual([200, { dismissal_review_id: expect.any(Number) }]);
  expect((await ask(`GET ${site}/10`)).body).toMatchObject({
    status: 'approved',
    responses: [{ id: body.dismissal_review_id, reviewer: { actor_name: 'admin' }, status: 'approved' }],
  });
  expect((await review({ status: 'deny', message: 'late' })).status).toBe(422);
  expect((await ask(`POST ${site}/10`, { body: { dismissed_reason: 'not_used' } })).status).toBe(422);
});

test('a request can be created again after it is cancelled', async () => {
  const body = { dismissed_reason: 'no_bandwidth' };
  await ask(`POST ${site}/11`, { body });
  expect(await ask(`DELETE ${site}/11`)).toMatchObject({ status: 204, body: '' });
  expect((await ask(`GET ${site}/11`)).body.status).toBe('cancelled');
  expect((await ask(`DELETE ${site}/11`)).status).toBe(422);
  expect((await ask(`POST ${site}/11`, { body })).status).toBe(201);
});

test('an open request expires after a week', async () => {
  await ask('POST /repos/globex/site/dismissal-requests/alerts/9', { body: { dismissed_reason: 'fix_started' } });
  sandbox.advance(7 * 86_400_000);
  const path = '/repos/globex/site/dismissal-requests/alerts/9';
  expect((await ask(`GET ${path}`)).body.status).toBe('expired');
  expect((await ask(`PATCH ${path}`, { body: { status: 'approve', message: 'late' } })).status).toBe(422);
});

test('requests are 403 if dismissal is not delegated, as in forks and archived repositories', async () => {
  const { body } = await ask('GET /orgs/acme/repos?per_page=100');
  const archived = body.find((repository: { archived: boolean }) => repository.archived);
  for (const name of [archived.full_name, 'riverotter/site'])
    for (const rest of ['', '/1'])
      expect((await ask(`GET /repos/${name}/dismissal-requests/alerts${rest}`)).status).toBe(403);
});

test('security_events is required and sufficient', async () => {
  expect((await ask(`GET ${site}`, { as: 'oauth' })).status).toBe(200);
  expect((await ask(`GET ${site}`, { as: 'repo-reader' })).status).toBe(403);
  expect((await ask(`GET ${site}`, { as: null })).status).toBe(401);
});
