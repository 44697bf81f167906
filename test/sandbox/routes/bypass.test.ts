import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const fineGrained = (permissions: Record<string, 'read' | 'write'>) =>
  ({ kind: 'fine_grained', login: 'admin', permissions }) as const;
const grants = {
  'alerts-token': fineGrained({ secret_scanning_alerts: 'read' }),
  'repository-token': fineGrained({ secret_scanning_alerts: 'read', secret_scanning_bypass_requests: 'read' }),
  'organization-token': fineGrained({
    secret_scanning_alerts: 'read',
    organization_secret_scanning_bypass_requests: 'read',
  }),
};
const sandbox = sandboxForTests({ grants });
const { ask } = sandbox;

const site = '/repos/acme/site/bypass-requests/secret-scanning';
const list = async (query: string, path = site) => (await ask(`GET ${path}?per_page=100&${query}`)).body;
const statuses = (requests: { status: string }[]) => [...new Set(requests.map(({ status }) => status))].sort();

test('a request has every field in the specification', async () => {
  const [request] = await list('request_status=denied');
  expect(request).toMatchObject({
    number: 3,
    repository: { full_name: 'acme/site' },
    organization: { name: 'acme' },
    request_type: 'secret_scanning',
    data: [
      {
        secret_type: 'private_key',
        bypass_reason: 'used_in_tests',
        path: 'src/settings-3.ts:14:3',
        branch: 'refs/heads/main',
      },
    ],
    resource_identifier: expect.stringMatching(/^[0-9a-f]{40}$/),
    status: 'denied',
    responses: [{ status: 'denied' }],
    html_url: expect.stringMatching(/\/acme\/site\/exemptions\/3$/),
  });
  expect((await ask(`GET ${site}/3`)).body).toEqual(request);
});

test('both lists default to the last day', async () => {
  for (const path of [site, '/orgs/acme/bypass-requests/secret-scanning', '/orgs/acme/bypass-requests/push-rules']) {
    const day = await list('time_period=day', path);
    expect(await list('', path)).toEqual(day);
    expect((await list('time_period=month', path)).length).toBeGreaterThan(day.length);
  }
  const counts = await Promise.all(
    ['hour', 'day', 'week', 'month'].map(async (p) => (await list(`time_period=${p}`)).length),
  );
  expect(counts).toEqual([1, 4, 7, 9]);
});

test('requests exist in every status, and each can be selected', async () => {
  for (const [wanted, status] of [
    ['approved', 'approved'],
    ['cancelled', 'cancelled'],
    ['completed', 'completed'],
    ['deleted', 'deleted'],
    ['denied', 'denied'],
    ['expired', 'expired'],
    ['open', 'pending'],
  ] as const)
    expect(statuses(await list(`time_period=month&request_status=${wanted}`))).toEqual([status]);
  expect(await list('request_status=all')).toEqual(await list(''));
  expect((await ask(`GET ${site}?request_status=maybe`)).status).toBe(422);
});

test('requests are filtered by reviewer, requester and repository', async () => {
  const all = await list('time_period=month');
  const requester = all[0].requester.actor_name;
  expect(await list(`time_period=month&requester=${requester}`)).toEqual(
    all.filter((each: { requester: { actor_name: string } }) => each.requester.actor_name === requester),
  );
  expect((await list('time_period=month&reviewer=admin')).length).toBeGreaterThan(0);
  const organization = '/orgs/acme/bypass-requests/secret-scanning';
  expect(await list('time_period=month&repository_name=SITE', organization)).toEqual(all);
});

test('an open request can be approved or rejected once, with up to 2048 characters', async () => {
  const review = (body: object, number = 1) => ask(`PATCH ${site}/${number}`, { body });
  expect((await review({ status: 'deny', message: 'no' })).status).toBe(422);
  expect((await review({ status: 'reject', message: 'm'.repeat(2049) })).status).toBe(422);
  expect((await review({ status: 'reject' })).status).toBe(422);
  const { status, body } = await review({ status: 'reject', message: 'Rotate it' });
  expect([status, body]).toEqual([200, { bypass_review_id: expect.any(Number) }]);
  expect((await ask(`GET ${site}/1`)).body.status).toBe('denied');
  expect((await review({ status: 'approve', message: 'Oh well' })).status).toBe(422);
  expect((await review({ status: 'approve', message: 'Fine' }, 4)).status).toBe(200);
  expect((await ask(`GET ${site}/4`)).body.status).toBe('approved');
});

test('dismissing a response reopens the request, once', async () => {
  const site = '/repos/globex/site/bypass-requests/secret-scanning';
  const { body } = await ask(`PATCH ${site}/1`, { body: { status: 'approve', message: 'Fine' } });
  const response = `/repos/globex/site/bypass-responses/secret-scanning/${body.bypass_review_id}`;
  expect(await ask(`DELETE ${response}`)).toMatchObject({ status: 204, body: '' });
  expect((await ask(`GET ${site}/1`)).body).toMatchObject({ status: 'pending', responses: [{ status: 'dismissed' }] });
  expect((await ask(`DELETE ${response}`)).status).toBe(404);
});

test('a response to a completed request cannot be dismissed', async () => {
  const [completed] = await list('time_period=month&request_status=completed');
  const id = completed.responses[0].id;
  expect((await ask(`DELETE /repos/acme/site/bypass-responses/secret-scanning/${id}`)).status).toBe(422);
});

test('an unknown request or response is 404', async () => {
  expect((await ask(`GET ${site}/99`)).status).toBe(404);
  expect((await ask('DELETE /repos/acme/site/bypass-responses/secret-scanning/1')).status).toBe(404);
});

test('requests to bypass push rules contain the ruleset and the rule', async () => {
  const [request] = await list('', '/orgs/acme/bypass-requests/push-rules');
  expect(request).toMatchObject({
    request_type: 'push_ruleset_bypass',
    repository: { full_name: expect.stringMatching(/^acme\//) },
    data: [{ ruleset_name: 'No binaries', rule_type: 'file_extension_restriction', total_violations: 1 }],
  });
  const ruleset = await ask(`GET /orgs/acme/rulesets/${request.data[0].ruleset_id}`);
  expect(ruleset.body.name).toBe('No binaries');
});

test('requests are 403 if bypass is not delegated', async () => {
  const { body } = await ask('GET /orgs/acme/repos?per_page=100');
  const archived = body.find((repository: { archived: boolean }) => repository.archived);
  expect((await ask(`GET /repos/${archived.full_name}/bypass-requests/secret-scanning`)).status).toBe(403);
});

test('either pair of permissions gives access to a repository’s requests, half a pair does not', async () => {
  const refused = await ask(`GET ${site}`, { as: 'alerts-token' });
  expect(refused.status).toBe(403);
  expect(refused.headers.get('x-accepted-github-permissions')).toBe(
    'secret_scanning_alerts=read,organization_secret_scanning_bypass_requests=read; secret_scanning_alerts=read,secret_scanning_bypass_requests=read',
  );
  for (const as of ['repository-token', 'organization-token'])
    expect((await ask(`GET ${site}`, { as })).status).toBe(200);
  const organization = 'GET /orgs/acme/bypass-requests/secret-scanning';
  expect((await ask(organization, { as: 'organization-token' })).status).toBe(200);
  expect((await ask(organization, { as: 'repository-token' })).status).toBe(403);
  const body = { status: 'approve', message: 'Fine' };
  expect((await ask(`PATCH ${site}/1`, { as: 'repository-token', body })).status).toBe(403);
});
