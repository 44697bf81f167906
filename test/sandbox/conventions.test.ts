import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { links, noon, sandboxForTests } from './support.ts';

const narrow = { kind: 'classic', login: 'admin', scopes: ['public_repo'] } as const;
const blind = {
  kind: 'fine_grained',
  login: 'admin',
  permissions: {
    contents: 'write',
    organization_administration: 'write',
    organization_dependabot_dismissal_requests: 'read',
  },
} as const;
const reader = { kind: 'fine_grained', login: 'admin', permissions: { metadata: 'read' } } as const;
const sandbox = sandboxForTests({ grants: { 'narrow-token': narrow, 'reader-token': reader, 'blind-token': blind } });
const { ask } = sandbox;
/** Parameters of a `pull_request` rule whose reviewer is no object. */
const reviewers = { required_reviewers: [{ file_patterns: [], minimum_approvals: 1, reviewer: [] }] };
const docs = 'https://docs.github.com/enterprise-server@3.19/rest';

test('an unknown token is rejected with 401, on anonymous endpoints too', async () => {
  const refusal = { message: 'Bad credentials', documentation_url: docs, status: '401' };
  expect(await ask('GET /user', { as: 'nobody' })).toMatchObject({ status: 401, body: refusal });
  expect(await ask('GET /orgs/acme', { as: 'nobody' })).toMatchObject({ status: 401, body: refusal });
});

test('a protected endpoint requires a token', async () => {
  expect(await ask('GET /user', { as: null })).toMatchObject({
    status: 401,
    body: { message: 'Requires authentication', documentation_url: docs, status: '401' },
  });
});

test('a token may follow the word Bearer or the word token', async () => {
  for (const scheme of ['Bearer', 'bearer', 'token'])
    expect(
      await ask('GET /user', { as: null, headers: { authorization: `${scheme} ${sandbox.tokens.classic}` } }),
    ).toMatchObject({ status: 200, body: { login: 'admin' } });
});

test('tokens have the prefixes of their types', () => {
  expect(sandbox.tokens.classic).toMatch(/^ghp_\w{36}$/);
  expect(sandbox.tokens.oauth).toMatch(/^gho_\w{36}$/);
  expect(sandbox.tokens.fine_grained).toMatch(/^github_pat_\w{22}_\w{59}$/);
  expect(sandbox.tokens.app_user).toMatch(/^ghu_\w{36}$/);
  expect(sandbox.tokens.installation).toMatch(/^ghs_\w{36}$/);
});

test('a missing scope is rejected with 403 and both scope headers', async () => {
  const answer = await ask('GET /orgs/acme/private-registries', { as: 'oauth' });
  expect(answer.status).toBe(403);
  expect(answer.headers.get('x-oauth-scopes')).toBe('read:org, repo, security_events, user');
  expect(answer.headers.get('x-accepted-oauth-scopes')).toBe('admin:org');
  expect(answer.body.message).toBe('You need at least admin:org scope to make this request.');
});

test('a missing permission is rejected with 403 and the header that names it', async () => {
  const answer = await ask('DELETE /orgs/acme/private-registries/MAVEN_REPOSITORY_SECRET', { as: 'fine_grained' });
  expect(answer.status).toBe(403);
  expect(answer.headers.get('x-accepted-github-permissions')).toBe('organization_private_registries=write');
  expect(answer.headers.has('x-oauth-scopes')).toBe(false);
  expect(answer.body.message).toBe('Resource not accessible by personal access token');
});

test('read permission allows reads, and write permission includes it', async () => {
  expect((await ask('GET /orgs/acme/private-registries', { as: 'fine_grained' })).status).toBe(200);
  expect((await ask('GET /orgs/acme/private-registries', { as: 'app_user' })).status).toBe(200);
});

test('all permissions of a set are needed', async () => {
  const route = 'DELETE /orgs/acme/settings/immutable-releases/repositories/100001';
  const answer = await ask(route, { as: 'reader-token' });
  expect(answer.status).toBe(403);
  expect(answer.headers.get('x-accepted-github-permissions')).toBe('organization_administration=write,metadata=read');
});

test('public resources need no permissions, unlike private ones', async () => {
  const [secluded] = (await ask('GET /orgs/acme/repos?type=private')).body;
  expect((await ask(`GET /repos/${secluded.full_name}/codeowners/errors`, { as: 'reader-token' })).status).toBe(403);
  expect((await ask(`GET /repos/${secluded.full_name}/languages`, { as: 'reader-token' })).status).toBe(200);
  expect((await ask('GET /repos/acme/site/codeowners/errors', { as: 'reader-token' })).status).toBe(200);
  expect((await ask('GET /repos/acme/site/automated-security-fixes', { as: 'reader-token' })).status).toBe(403);
});

test('an installation token has no user', async () => {
  expect(await ask('GET /user', { as: 'installation' })).toMatchObject({
    status: 403,
    body: { message: 'Resource not accessible by integration' },
  });
});

test('an installation token is rejected by organizations without the installation', async () => {
  expect((await ask('GET /orgs/acme/private-registries', { as: 'installation' })).status).toBe(200);
  expect((await ask('GET /orgs/globex/private-registries', { as: 'installation' })).status).toBe(403);
});

test('private and internal repositories are 404 for users without access', async () => {
  const all = await ask('GET /orgs/acme/repos?type=private');
  const path = `GET /repos/${all.body[0].full_name}`;
  const other = await ask('GET /orgs/globex/repos?type=internal');
  expect((await ask(path)).status).toBe(200);
  for (const as of [null, 'narrow-token'])
    expect(await ask(path, { as })).toMatchObject({ status: 404, body: { message: 'Not Found', status: '404' } });
  expect((await ask(path, { as: 'installation' })).status).toBe(200);
  expect((await ask(`GET /repos/${other.body[0].full_name}`, { as: 'installation' })).status).toBe(404);
});

test('a fine-grained token without the metadata permission sees no private repository', async () => {
  const [secluded] = (await ask('GET /orgs/acme/repos?type=private')).body;
  const path = `/repos/${secluded.full_name}`;
  for (const request of [`GET ${path}`, `GET ${path}/commits`, `POST ${path}/dispatches`]) {
    expect((await ask(request, { as: 'blind-token' })).status).toBe(404);
    expect((await ask(request)).status).not.toBe(404);
  }
  const seen = (await ask('GET /orgs/acme/repos?per_page=100', { as: 'blind-token' })).body;
  expect(new Set(seen.map(({ visibility }: { visibility: string }) => visibility))).toEqual(new Set(['public']));
  expect((await ask('GET /repos/acme/site/commits', { as: 'blind-token' })).status).toBe(200);
});

test('an organization’s list hides private repositories from a fine-grained token without metadata', async () => {
  interface Listed {
    readonly repository?: { readonly name: string };
    readonly repository_name?: string;
  }
  const namesIn = async (list: string, as: string): Promise<string[]> => {
    const { body } = await ask(`GET /orgs/acme/${list}?time_period=month&per_page=100`, { as });
    const names = body.map((each: Listed) => each.repository?.name ?? each.repository_name) as string[];
    return [...new Set(names)].sort();
  };
  const dismissals = 'dismissal-requests/depalerts';
  expect(await namesIn(dismissals, 'classic')).toEqual(['checkout-proxy', 'console-sdk', 'fleet-api', 'site']);
  expect(await namesIn(dismissals, 'blind-token')).toEqual(['checkout-proxy', 'fleet-api', 'site']);
  const suites = 'rulesets/rule-suites';
  expect(await namesIn(suites, 'classic')).toContain('forecast-web');
  expect(await namesIn(suites, 'blind-token')).toEqual(['checkout-proxy', 'delivery-docs', 'events-importer', 'site']);
});

test('names of owners, organizations and repositories are case-insensitive', async () => {
  expect((await ask('GET /repos/ACME/Site')).body.full_name).toBe('acme/site');
  expect((await ask('GET /orgs/AcMe')).body.login).toBe('acme');
});

test('a repository is not found under its name with .git', async () => {
  expect((await ask('GET /repos/acme/site.git')).status).toBe(404);
});

test('an unknown route is 404, for any method', async () => {
  expect(await ask('GET /no/such/thing')).toMatchObject({
    status: 404,
    body: { message: 'Not Found', documentation_url: docs, status: '404' },
  });
  expect((await ask('PUT /orgs/acme')).status).toBe(404);
});

test('a path parameter that should be a whole number but is not is 404', async () => {
  expect((await ask('DELETE /orgs/acme/settings/immutable-releases/repositories/first')).status).toBe(404);
});

test('a body that is not a JSON object is rejected with 400', async () => {
  const problem = await ask('PATCH /orgs/acme', { body: '{"name": ' });
  expect(problem).toMatchObject({ status: 400, body: { message: 'Problems parsing JSON', status: '400' } });
  const list = await ask('PATCH /orgs/acme', { body: '["name"]' });
  expect(list).toMatchObject({ status: 400, body: { message: 'Body should be a JSON object' } });
});

test('a 422 lists every invalid field with resource, field and code', async () => {
  const body = { description: 'x'.repeat(161), default_repository_permission: 'all', has_organization_projects: 'yes' };
  const answer = await ask('PATCH /orgs/acme', { body });
  expect(answer.status).toBe(422);
  expect(answer.body.message).toBe('Validation Failed');
  expect(answer.body.errors).toEqual([
    expect.objectContaining({ resource: 'Organization', field: 'description', code: 'invalid' }),
    expect.objectContaining({ resource: 'Organization', field: 'has_organization_projects', code: 'invalid' }),
    expect.objectContaining({ resource: 'Organization', field: 'default_repository_permission', code: 'invalid' }),
  ]);
});

test.each([
  ['POST /orgs/acme/rulesets', { conditions: [] }, 'conditions'],
  ['POST /orgs/acme/rulesets', { conditions: { ref_name: [] } }, 'conditions.ref_name'],
  ['POST /orgs/acme/rulesets', { conditions: { repository_id: [] } }, 'conditions.repository_id'],
  ['POST /orgs/acme/rulesets', { conditions: { repository_property: { include: [[]] } } }, /property\.include\[0\]$/],
  ['POST /orgs/acme/rulesets', { bypass_actors: [[]] }, 'bypass_actors[0]'],
  ['POST /orgs/acme/rulesets', { rules: [{ type: 'update', parameters: [] }] }, 'rules[0].parameters'],
  [
    'POST /orgs/acme/rulesets',
    { rules: [{ type: 'pull_request', parameters: reviewers }] },
    /reviewers\[0\]\.reviewer$/,
  ],
  ['POST /repos/acme/site/dependency-graph/snapshots', { metadata: [] }, 'metadata'],
  ['POST /repos/acme/site/dependency-graph/snapshots', { manifests: [] }, 'manifests'],
  [
    'POST /repos/acme/site/dependency-graph/snapshots',
    { manifests: { a: { name: 'a', file: [] } } },
    'manifests.a.file',
  ],
  [
    'POST /repos/acme/site/dependency-graph/snapshots',
    { manifests: { a: { name: 'a', resolved: [] } } },
    'manifests.a.resolved',
  ],
  ['POST /repos/acme/site/dispatches', { event_type: 'go', client_payload: [] }, 'client_payload'],
  ['POST /orgs/acme/repos', { name: 'a', custom_properties: [] }, 'custom_properties'],
] as const)(
  '%s with a list for an object, %j, is rejected with the path of the error',
  async (request, body, field) => {
    const answer = await ask(request, { body });
    expect(answer.status).toBe(422);
    const fields = answer.body.errors.map((error: { field: string }) => error.field);
    expect(fields).toContainEqual(typeof field === 'string' ? field : expect.stringMatching(field));
  },
);

test('a missing field is reported as missing_field', async () => {
  const answer = await ask('POST /repos/acme/site/dispatches', { body: {} });
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toEqual([
    expect.objectContaining({ resource: 'Dispatch', field: 'event_type', code: 'missing_field' }),
  ]);
});

test('unknown fields are ignored', async () => {
  expect((await ask('POST /repos/acme/site/dispatches', { body: { event_type: 'go', later: 1 } })).status).toBe(204);
});

test('pages carry links to the next, previous, first and last page', async () => {
  const path = '/orgs/acme/repos?per_page=5';
  const first = await ask(`GET ${path}`);
  expect(first.body).toHaveLength(5);
  expect(links(first, sandbox.baseUrl)).toEqual({ next: `${path}&page=2`, last: `${path}&page=3` });
  const second = await ask(`GET ${path}&page=2`);
  expect(links(second, sandbox.baseUrl)).toEqual({
    next: `${path}&page=3`,
    prev: `${path}&page=1`,
    first: `${path}&page=1`,
    last: `${path}&page=3`,
  });
  const last = await ask(`GET ${path}&page=3`);
  expect(last.body).toHaveLength(2);
  expect(links(last, sandbox.baseUrl)).toEqual({ prev: `${path}&page=2`, first: `${path}&page=1` });
});

test('a page past the end is empty and links back', async () => {
  const answer = await ask('GET /orgs/acme/repos?per_page=5&page=99');
  expect(answer.body).toEqual([]);
  expect(links(answer, sandbox.baseUrl).prev).toBe('/orgs/acme/repos?per_page=5&page=3');
});

test('a list that fits on one page has no links', async () => {
  expect((await ask('GET /orgs/acme/repos')).headers.has('link')).toBe(false);
});

test('per_page outside of 1 to 100 is clamped or ignored', async () => {
  const large = await startSandbox({ repos: 120 });
  const count = async (perPage: string) => {
    const response = await fetch(`${large.baseUrl}/orgs/acme/repos?per_page=${perPage}`, {
      headers: { authorization: `Bearer ${large.tokens.classic}` },
    });
    return ((await response.json()) as unknown[]).length;
  };
  expect([await count('1000'), await count('0'), await count('-5'), await count('many')]).toEqual([100, 30, 30, 30]);
  await large.close();
});

test('an unchanged response is 304 for its ETag, and does not count', async () => {
  const limited = await startSandbox({ rateLimit: 100, clock: () => noon });
  onTestFinished(() => limited.close());
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${limited.baseUrl}${path}`, { headers: { authorization: `Bearer ${limited.tokens.classic}`, ...headers } });
  const fresh = await get('/orgs/globex');
  const etag = fresh.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/"[0-9a-f]{64}"$/);
  const same = await get('/orgs/globex', { 'if-none-match': etag });
  expect([same.status, await same.text()]).toEqual([304, '']);
  expect([fresh, same].map(({ headers }) => headers.get('x-ratelimit-used'))).toEqual(['1', '1']);
  expect(await (await get('/rate_limit')).json()).toMatchObject({ rate: { limit: 100, used: 1, remaining: 99 } });
});

test('a changed response is 200 for an earlier ETag', async () => {
  const etag = (await ask('GET /orgs/globex')).headers.get('etag') ?? '';
  await ask('PATCH /orgs/globex', { body: { location: 'Oslo' } });
  expect((await ask('GET /orgs/globex', { headers: { 'if-none-match': etag } })).status).toBe(200);
});

test('without rate limits no response contains a quota, and GET /rate_limit still responds', async () => {
  for (const path of ['GET /orgs/acme', 'GET /nowhere', 'GET /rate_limit']) {
    const { headers } = await ask(path, { as: 'app_user' });
    expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  }
  expect((await ask('GET /rate_limit')).body.rate.limit).toBe(1_000_000_000);
});

test('with rate limits every response contains the quota, counted for each token', async () => {
  const limited = await startSandbox({ rateLimit: 50, clock: () => noon });
  onTestFinished(() => limited.close());
  const quota = async (token: string) => {
    const { headers } = await fetch(`${limited.baseUrl}/orgs/acme`, { headers: { authorization: `Bearer ${token}` } });
    return ['limit', 'remaining', 'used', 'reset', 'resource'].map((name) => headers.get(`x-ratelimit-${name}`));
  };
  expect(await quota(limited.tokens.app_user)).toEqual(['50', '49', '1', '1795181400', 'core']);
  expect(await quota(limited.tokens.app_user)).toEqual(['50', '48', '2', '1795181400', 'core']);
  expect(await quota(limited.tokens.classic)).toEqual(['50', '49', '1', '1795181400', 'core']);
});

test('every response contains the platform, its release, the media type and the request', async () => {
  for (const path of ['GET /meta', 'GET /nowhere']) {
    const { headers } = await ask(path);
    expect(headers.get('x-github-enterprise-version')).toMatch(/^enterprise-server@3\.19\.\d+$/);
    expect(headers.get('x-github-media-type')).toBe('github.v3; format=json');
    expect(headers.get('x-github-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test('the vendor’s name is in headers and media types', async () => {
  const other = await startSandbox({ vendor: 'forge' });
  const response = await fetch(`${other.baseUrl}/repos/acme/site`, {
    headers: { 'X-Forge-Api-Version': '2026-03-10' },
  });
  expect(response.headers.get('x-forge-api-version-selected')).toBe('2026-03-10');
  expect(response.headers.get('x-accepted-forge-permissions')).toBe('metadata=read');
  expect(response.headers.get('x-forge-media-type')).toBe('forge.v3; format=json');
  await other.close();
});

test('both API versions are accepted, and no other', async () => {
  const version = (value: string) => ask('GET /meta', { headers: { 'x-github-api-version': value } });
  expect((await version('2022-11-28')).headers.get('x-github-api-version-selected')).toBe('2022-11-28');
  expect((await version('2026-03-10')).headers.get('x-github-api-version-selected')).toBe('2026-03-10');
  expect((await version('1999-01-01')).status).toBe(400);
  expect((await ask('GET /meta')).headers.get('x-github-api-version-selected')).toBe('2022-11-28');
});

test('a request without a User-Agent is rejected', async () => {
  const status = await new Promise((resolve, reject) => {
    const plain = request(`${sandbox.baseUrl}/meta`, (response) => resolve(response.resume().statusCode));
    plain.on('error', reject).end();
  });
  expect(status).toBe(403);
});

test('HEAD returns the headers of GET and no body', async () => {
  const answer = await ask('HEAD /orgs/acme/repos?per_page=5');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('link')).toContain('rel="last"');
});

test('any origin may read a response, and its listed headers', async () => {
  for (const path of ['GET /meta', 'GET /nowhere']) {
    const { headers } = await ask(path, { headers: { origin: 'https://elsewhere.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toBe(
      'ETag, Link, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Poll-Interval',
    );
  }
});

test('a preflight returns 204 with the allowed methods and headers', async () => {
  const { status, headers, body } = await ask('OPTIONS /orgs/acme', { as: null });
  expect([status, body]).toEqual([204, '']);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-headers')).toBe(
    'Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Unmodified-Since, X-Requested-With',
  );
  expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PATCH, PUT, DELETE');
  expect(headers.get('access-control-max-age')).toBe('86400');
});

test('the callback form calls the function with headers, links and data', async () => {
  const answer = await ask('GET /organizations?per_page=1&callback=take.it');
  expect(answer.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
  expect(answer.body.startsWith('/**/take.it({"meta":{"status":200,')).toBe(true);
  const { meta, data } = JSON.parse(answer.body.slice('/**/take.it('.length, -1));
  expect(meta.etag).toBe(answer.headers.get('etag'));
  expect(meta['x-github-media-type']).toBe('github.v3; format=json');
  expect(meta.link).toEqual([
    [`${sandbox.baseUrl}/organizations?per_page=1&callback=take.it&since=101`, { rel: 'next' }],
  ]);
  expect(data).toEqual([expect.objectContaining({ login: 'acme' })]);
});

test('the callback form reports errors in its meta', async () => {
  const answer = await ask('GET /nowhere?callback=take');
  expect(answer.status).toBe(200);
  expect(answer.body).toContain('/**/take({"meta":{"status":404,');
  expect(answer.body).toContain('"data":{"message":"Not Found"');
});

test('a callback that is not a function name is rejected', async () => {
  expect((await ask('GET /meta?callback=alert(1)//')).status).toBe(400);
});

test('the old name of a renamed repository redirects, and keeps the method of a write', async () => {
  const read = await ask('GET /repos/acme/website/comments?per_page=1');
  expect(read.status).toBe(301);
  expect(read.headers.get('location')).toBe(`${sandbox.baseUrl}/repositories/100001/comments?per_page=1`);
  expect(read.body.message).toBe('Moved Permanently');
  const write = await ask('POST /repos/acme/website/dispatches', { body: { event_type: 'go' } });
  expect([write.status, write.headers.get('location')]).toEqual([
    307,
    `${sandbox.baseUrl}/repositories/100001/dispatches`,
  ]);
});

test('a repository is also served by its ID', async () => {
  expect((await ask('GET /repositories/100001')).body.full_name).toBe('acme/site');
  expect((await ask('GET /repositories/100001/comments?per_page=1')).body).toHaveLength(1);
  expect((await ask('POST /repositories/100001/dispatches', { body: { event_type: 'go' } })).status).toBe(204);
  for (const id of ['1', 'x', '999999999']) expect((await ask(`GET /repositories/${id}`)).status).toBe(404);
});

test('a repository that takes over the old name is served under it', async () => {
  expect((await ask('POST /orgs/initech/repos', { body: { name: 'website' } })).status).toBe(201);
  expect((await ask('GET /repos/initech/website')).body.full_name).toBe('initech/website');
});

test('an endpoint that is closing down says so in its headers', async () => {
  const { headers } = await ask('POST /orgs/initech/secret_scanning/enable_all');
  expect(headers.get('deprecation')).toBe('Tue, 10 Mar 2026 00:00:00 GMT');
  expect(headers.get('sunset')).toBe('Fri, 10 Mar 2028 00:00:00 GMT');
});

test('HEAD returns the response of GET without the body', async () => {
  const got = await ask('GET /orgs/acme/repos?per_page=5');
  const head = await ask('HEAD /orgs/acme/repos?per_page=5');
  expect(head).toMatchObject({ status: 200, body: '' });
  for (const name of ['etag', 'link', 'content-type', 'x-oauth-scopes', 'x-accepted-github-permissions'])
    expect(head.headers.get(name)).toBe(got.headers.get(name));
  expect(head.headers.get('etag')).toMatch(/^W\/"/);
  expect((await ask('HEAD /orgs/nobody')).status).toBe(404);
});

test('every response with a body is JSON in UTF-8, errors too', async () => {
  for (const request of ['GET /orgs/acme', 'GET /orgs/nobody', 'GET /nowhere', 'GET /repos/acme/website'])
    expect((await ask(request)).headers.get('content-type')).toBe('application/json; charset=utf-8');
});
