/** Writes to objects that others replace: those that a rate limit refuses are repeated only after another read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { appEnv } from '../support/app.ts';
import { type RecordedRequest, type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const limit: ScriptedAnswer = { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Slow down' } };

/** A platform that refuses the first write, and then has other records. */
async function limited(records: Readonly<Record<string, readonly [before: object, after: object]>>) {
  let refused = 0;
  return scriptedPlatform(({ method, url }: RecordedRequest): ScriptedAnswer => {
    const path = url.replace('/api/v3', '');
    if (method !== 'GET') return refused++ === 0 ? limit : { status: 204 };
    const [before, after] = records[path] ?? [];
    const record = refused === 0 ? before : after;
    return record ? { body: record } : { status: 404, body: { message: 'Not Found' } };
  });
}

const sentTo = ({ requests }: { readonly requests: readonly RecordedRequest[] }) =>
  requests.map(({ method, url }) => `${method} ${url.replace('/api/v3', '')}`);

const site = (id: number, name = 'acme/site') => ({ id, full_name: name, archived: false, owner: { login: 'acme' } });
const member = (id: number) => ({ role: 'member', state: 'active', user: { login: 'paperfox', id } });
const team = (id: number) => ({ id, slug: 'core', name: 'Core', organization: { login: 'acme' } });

it.each([
  ['repos delete acme/site --yes', '/repos/acme/site', site(7), site(8)],
  ['repos archive acme/site --yes', '/repos/acme/site', site(7), site(8)],
  ['teams delete acme core --yes', '/orgs/acme/teams/core', team(3), team(4)],
  ['repos transfer acme/site globex --yes', '/repos/acme/site', site(7), site(8)],
  ['members convert acme paperfox --yes', '/orgs/acme/memberships/paperfox', member(3), member(4)],
  ['api DELETE /repos/acme/s%69te --yes', '/repos/acme/site', site(7), site(8)],
  ['api PATCH /repos//acme/site -f visibility=public --yes', '/repos/acme/site', site(7), site(8)],
  ['api POST /repos/acme%2Fsite/transfer -f new_owner=globex --yes', '/repos/acme/site', site(7), site(8)],
])('%s does not change another object that took the name', async (line, path, before, after) => {
  const platform = await limited({ '/user': [{ login: 'me' }, { login: 'me' }], [path]: [before, after] });
  const { stderr, code } = await run(line.split(' '), { env: platform.env });
  expect([code, stderr]).toEqual([
    12,
    expect.stringContaining(`${path} was replaced or renamed during the wait. Nothing was changed.\n`),
  ]);
  expect(sentTo(platform).filter((request) => !request.startsWith('GET'))).toHaveLength(1);
});

it.each([
  ['remove', 'DELETE /orgs/acme/memberships/paperfox'],
  ['convert', 'PUT /orgs/acme/outside_collaborators/paperfox'],
])(
  'members %s does not change another person if a read after the membership waited for a rate limit',
  async (word, sent) => {
    let waits = 0;
    const platform = await scriptedPlatform(({ method, url }) => {
      if (method !== 'GET') return { status: 204 };
      if (url.endsWith('/user')) return waits++ === 0 ? limit : { body: { login: 'me' } };
      return { body: member(waits === 0 ? 3 : 4) };
    });
    const { stderr, code } = await run(['members', word, 'acme', 'paperfox', '--yes'], { env: platform.env });
    expect([code, stderr]).toEqual([
      12,
      expect.stringContaining(
        '/orgs/acme/memberships/paperfox was replaced or renamed during the wait. Nothing was changed.\n',
      ),
    ]);
    expect(sentTo(platform)).not.toContain(sent);
  },
);

it.each([
  ['labels create acme/site bug --color 111111', 'POST', '/labels'],
  ['hooks unset acme/site 3', 'DELETE', '/pre-receive-hooks/3'],
  ['repos dispatch acme/site built', 'POST', '/dispatches'],
  ['api PATCH /repos/acme/site/labels/bug -f color=111111', 'PATCH', '/labels/bug'],
])('%s does not follow a redirect to a repository that was transferred during the wait', async (line, method, rest) => {
  let refused = 0;
  const platform = await scriptedPlatform(({ method: sent, url }) => {
    if (sent === 'GET') return { body: site(7, refused === 0 ? 'acme/site' : 'globex/site') };
    const [, former, path] = /^\/api\/v3(\/repos\/acme\/site)?(.*)$/.exec(url) ?? [];
    if (former) return { status: 307, headers: { location: `/api/v3/repositories/7${path}` } };
    return refused++ === 0 ? limit : { status: 204 };
  });
  const { stderr, code } = await run(line.split(' '), { env: platform.env });
  expect([code, stderr]).toEqual([
    12,
    expect.stringContaining('acme/site is now globex/site. Nothing was changed there.'),
  ]);
  expect(sentTo(platform)).toEqual([
    `${method} /repos/acme/site${rest}`,
    'GET /repositories/7',
    `${method} /repositories/7${rest}`,
    `${method} /repos/acme/site${rest}`,
    'GET /repositories/7',
  ]);
});

it.each([
  ['repos delete acme/site --yes', ''],
  ['api DELETE /repos/acme/s%69te --yes', ''],
  ['each --from - --yes --expect 1 -- repos delete {}', '{"full_name":"acme/site","id":7}'],
  ['each --from - --yes --expect 1 -- api DELETE /repos/{}/labels/bug', '{"full_name":"acme/site","id":7}'],
])('%s does not follow a redirect to another repository of the name', async (line, stdin) => {
  const platform = await scriptedPlatform(({ method, url }) => {
    if (method === 'GET') return { body: site(url.endsWith('/repositories/8') ? 8 : 7) };
    const [, rest = ''] = /\/repos\/acme\/[^/]+(.*)$/.exec(url) ?? [];
    return { status: 307, headers: { location: `/api/v3/repositories/8${rest}` } };
  });
  const { stdout, stderr } = await run(line.split(' '), { env: platform.env, stdin });
  expect(stdout + stderr).toMatch(
    / was redirected to \/repositories\/8(?:\/labels\/bug)?, which has a different ID\. Nothing was changed\./,
  );
  expect(sentTo(platform).filter((request) => !request.startsWith('GET'))).toHaveLength(1);
});

it('policy apply does not follow a redirect to another repository of the name', async () => {
  const named = (id: number) => ({ ...site(id), name: 'site', description: null });
  const platform = await scriptedPlatform(({ method, url }) => {
    if (method === 'PATCH') return { status: 307, headers: { location: '/api/v3/repositories/8' } };
    if (url.includes('/orgs/acme/repos')) return { body: [named(7)] };
    return { body: url.endsWith('/orgs/acme') ? { login: 'acme', id: 1 } : named(url.endsWith('/8') ? 8 : 7) };
  });
  const policy = join(await temporaryDirectory(), 'p.yaml');
  writeFileSync(
    policy,
    'organizations: [acme]\nrepositories: [{ select: { names: [site] }, settings: { description: Rockets } }]\n',
  );
  const { stdout } = await run(['policy', 'apply', policy, '--yes'], { env: platform.env });
  expect(stdout).toContain(' was redirected to /repositories/8, which has a different ID. Nothing was changed.');
  expect(sentTo(platform).filter((request) => !request.startsWith('GET'))).toEqual(['PATCH /repos/acme/site']);
});

it('repos delete does not delete another repository that took the name while the token of an app was renewed', async () => {
  const answers = [{ status: 201 }, limit, { status: 201 }, { status: 201 }];
  const created = { token: ['ghs', 'y'.repeat(36)].join('_'), expires_at: '2020-01-01T00:00:00Z' };
  const platform = await scriptedPlatform(({ method, url }) => {
    if (url.endsWith('/access_tokens')) return { body: created, ...answers.shift() };
    return method === 'GET' ? { body: site(answers.length === 3 ? 7 : 8) } : { status: 204 };
  });
  const { FORGECTL_BASE_URL = '' } = platform.env;
  const { stderr, code } = await run('repos delete acme/site --yes'.split(' '), {
    env: { ...appEnv, FORGECTL_BASE_URL, FORGECTL_APP_INSTALLATION: '7' },
  });
  expect([code, stderr]).toEqual([
    12,
    expect.stringContaining('/repos/acme/site was replaced or renamed during the wait.'),
  ]);
  const mint = 'POST /app/installations/7/access_tokens';
  expect(sentTo(platform)).toEqual([mint, 'GET /repos/acme/site', mint, mint, mint, 'GET /repos/acme/site']);
});

it('repos delete does not delete another repository that took the name while the token of an app took effect', async () => {
  let refused = 0;
  const created = { token: ['ghs', 'y'.repeat(36)].join('_'), expires_at: '2099-01-01T00:00:00Z' };
  const platform = await scriptedPlatform(({ method, url }) => {
    if (url.endsWith('/access_tokens')) return { status: 201, body: created };
    if (method === 'GET') return { body: site(refused === 0 ? 7 : 8) };
    return refused++ === 0 ? { status: 401, body: { message: 'Bad credentials' } } : { status: 204 };
  });
  const { FORGECTL_BASE_URL = '' } = platform.env;
  const { stderr, code } = await run('repos delete acme/site --yes'.split(' '), {
    env: { ...appEnv, FORGECTL_BASE_URL, FORGECTL_APP_INSTALLATION: '7' },
  });
  expect([code, stderr]).toEqual([
    12,
    expect.stringContaining('/repos/acme/site was replaced or renamed during the wait.'),
  ]);
  expect(refused).toBe(1);
});

it('a write is repeated if its object is the same', async () => {
  const platform = await limited({ '/repos/acme/site': [site(7), site(7)] });
  expect(await run(['repos', 'delete', 'acme/site', '--yes'], { env: platform.env })).toMatchObject({ code: 0 });
  expect(sentTo(platform)).toEqual([
    'GET /repos/acme/site',
    'DELETE /repos/acme/site',
    'GET /repos/acme/site',
    'DELETE /repos/acme/site',
  ]);
});

it('each does not change another repository that took the name', async () => {
  const list = [site(7)];
  const platform = await limited({
    '/orgs/acme/repos?per_page=100': [list, list],
    '/repos/acme/site': [site(7), site(8)],
  });
  const words = 'each repos acme --yes --journal JOURNAL -- repos update {} --description Rockets'.split(' ');
  words[words.indexOf('JOURNAL')] = join(await temporaryDirectory(), 'run.ndjson');
  const { stdout, stderr, code } = await run(words, { env: platform.env });
  expect([code, stdout]).toEqual([
    9,
    'acme/site\tfailed\t\tacme/site is now a different repository: its ID is 8, not 7. Nothing was sent to it.\n',
  ]);
  expect(stderr).toContain('Rate limit reached');
  expect(sentTo(platform).filter((request) => request.startsWith('PATCH'))).toHaveLength(1);
});

it.each([
  ['acme/site', 'repos delete {}', 'DELETE /repos/acme/site'],
  ['acme/site', 'repos update {} --description Rockets', 'PATCH /repos/acme/site'],
  ['acme/site', 'api DELETE /repos/{}', 'DELETE /repos/acme/site'],
  ['acme/site', 'api PATCH /repos/{} -F archived=true', 'PATCH /repos/acme/site'],
  ['acme/site', 'repos transfer {} initech', 'POST /repos/acme/site/transfer'],
  ['acme/site', 'api POST /repos/{}/transfer -f new_owner=initech', 'POST /repos/acme/site/transfer'],
  ['acme', 'orgs update {} --description Rockets', 'PATCH /orgs/acme'],
])(
  'each does not change another object that took the name of %s, which has no ID in the list: %s',
  async (target, line, sent) => {
    const record = (id: number) => ({ ...site(id), login: 'acme' });
    const platform = await limited({
      '/repos/acme/site': [record(7), record(8)],
      '/orgs/acme': [record(7), record(8)],
    });
    const journal = join(await temporaryDirectory(), 'run.ndjson');
    const words = ['each', '--from', '-', '--yes', '--expect', '1', '--journal', journal, '--', ...line.split(' ')];
    const { stdout, code } = await run(words, { env: platform.env, stdin: target });
    expect(stdout).toMatch(
      / is now a different (?:repository|organization): its ID is 8, not 7\. Nothing was sent to it\.\n$/,
    );
    expect(code).toBe(9);
    expect(sentTo(platform).filter((request) => !request.startsWith('GET'))).toEqual([sent]);
  },
);

it.each([
  { full_name: 'acme/site', id: 7 },
  { full_name: 'acme/site', repository_full_name: null, id: 7, repository_id: '7' },
  { repository_full_name: 'acme/site', repository_id: 7, id: 3 },
  { target: 'acme/site', status: 'ok', id: 7 },
  { target: 'acme/site', status: 'ok', result: { full_name: 'Acme/Site', id: 7 } },
  { target: 'acme/site', action: 'update', repository_id: 7, id: 3 },
  { login: 'acme', id: 7, type: null },
  { login: 'acme', id: 7, type: 'organization' },
  { login: 'acme', id: 7, type: 'Org' },
  { login: 'acme', organization_id: 7 },
  { target: 'acme', status: 'ok', result: { login: 'acme', id: 7 } },
  { target: 'acme', action: 'update', organization_id: 7, id: 3 },
])('each does not change another object than that of %j', async (listed) => {
  const { env, requests } = await scriptedPlatform(() => ({ body: { ...site(8), login: 'acme' } }));
  const target = JSON.stringify(listed).toLowerCase().includes('acme/site') ? 'acme/site' : 'acme';
  const line = target === 'acme' ? 'orgs update {} --description Rockets' : 'repos delete {}';
  const journal = join(await temporaryDirectory(), 'run.ndjson');
  const words = ['each', '--from', '-', '--yes', '--expect', '1', '--journal', journal, '--', ...line.split(' ')];
  const { stdout, code } = await run(words, { env, stdin: JSON.stringify(listed) });
  expect(stdout).toMatch(
    / is now a different (?:repository|organization): its ID is 8, not 7\. Nothing was sent to it\.\n$/,
  );
  expect(code).toBe(9);
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

it.each([
  { full_name: 'acme/site', owner: { id: 7 } },
  { target: 'acme/site', status: 'ok', result: { full_name: 'acme/other', id: 7 } },
  { target: 'acme/site', status: 'ok', result: { id: 7 } },
  { target: 'acme/site', action: 'update', id: 7 },
])('each does not take the ID of something else in %j', async (listed) => {
  const { env, requests } = await scriptedPlatform(() => ({ body: site(8) }));
  const journal = join(await temporaryDirectory(), 'run.ndjson');
  const line = `each --from - --yes --expect 1 --journal ${journal} -- repos update {} --description Rockets`;
  expect(await run(line.split(' '), { env, stdin: JSON.stringify(listed) })).toMatchObject({ code: 0 });
  expect(requests.filter(({ method }) => method !== 'GET')).toHaveLength(1);
});

/** Runs a command on acme/site, which has the ID 7 in the list, and returns the writes that were sent. */
async function eachOn(line: string, record: object) {
  const platform = await scriptedPlatform(({ url }) => ({
    body: url.includes('/orgs/acme/repos') ? [site(7)] : record,
  }));
  const journal = join(await temporaryDirectory(), 'run.ndjson');
  const words = ['each', 'repos', 'acme', '--yes', '--expect', '1', '--journal', journal, '--', ...line.split(' ')];
  const { stdout, code } = await run(words, { env: platform.env });
  return { stdout, code, writes: sentTo(platform).filter((request) => !request.startsWith('GET')) };
}

it.each([
  'repos update {} --description Rockets',
  'repos delete {}',
  'repos transfer {} globex',
  'api DELETE /repos/{}?force=true',
  'api PATCH /repos/{}/?x=1 -f description=Rockets',
  'api POST /repos/{} -f description=Rockets',
  'api DELETE //Repos//{}/',
  'api POST repos/{org}%2F{name}/transfer -f new_owner=globex',
])('each does not change a repository that replaced a listed one before its turn: %s', async (line) => {
  expect(await eachOn(line, site(8))).toEqual({
    code: 9,
    stdout:
      'acme/site\tfailed\t\tacme/site is now a different repository: its ID is 8, not 7. Nothing was sent to it.\n',
    writes: [],
  });
});

it.each([
  'repos update {} --description Rockets',
  'repos delete {}',
  'api DELETE /repos/{}',
  'api PATCH /repos/{} -f description=Rockets',
  'api POST /repos/{}/transfer -f new_owner=initech',
])('each does not change a listed repository that was transferred before its turn: %s', async (line) => {
  expect(await eachOn(line, site(7, 'globex/site'))).toEqual({
    code: 9,
    stdout: 'acme/site\tfailed\t\tacme/site is now globex/site. Nothing was changed there.\n',
    writes: [],
  });
});

it('each does not change a listed organization that was renamed before its turn', async () => {
  const platform = await scriptedPlatform(({ url }) => {
    const acme = { login: 'acme', id: 7 };
    return { body: url.includes('/organizations') ? [acme] : { ...acme, login: 'globex' } };
  });
  const journal = join(await temporaryDirectory(), 'run.ndjson');
  for (const line of ['orgs update {} --description Rockets', 'api PATCH /orgs/{} -f company=Rockets'])
    expect(
      await run(['each', 'orgs', '--yes', '--journal', `${journal}${line.length}`, '--', ...line.split(' ')], {
        env: platform.env,
      }),
    ).toMatchObject({ code: 9, stdout: 'acme\tfailed\t\tacme is now globex. Nothing was changed there.\n' });
  expect(sentTo(platform).filter((request) => !request.startsWith('GET'))).toEqual([]);
});

it.each<[what: string, id: unknown]>([
  ['another type', '8'],
  ['no value', null],
  ['nothing', undefined],
])('each does not change a repository whose record has %s as its ID', async (_what, id) => {
  for (const line of ['repos update {} --description Rockets', 'api DELETE /repos/{}'])
    expect(await eachOn(line, { ...site(7), id })).toEqual({
      code: 9,
      stdout: 'acme/site\tfailed\t\tGET /repos/acme/site returned a record without a valid id.\n',
      writes: [],
    });
});

it.each([
  ['repos acme', '/orgs/acme/repos', { id: 6, full_name: 'acme/site' }, { id: 7, name: 'docs' }],
  ['repos acme', '/orgs/acme/repos', { id: 6, full_name: 'acme/site' }, { id: 7, full_name: 'acme/do cs' }],
  [
    'repos acme',
    '/orgs/acme/repos',
    { id: 6, full_name: 'acme/site' },
    { id: 7, full_name: `acme/${'a'.repeat(100_000)}` },
  ],
  ['orgs', '/organizations', { id: 6, login: 'acme' }, { id: 7 }],
  ['orgs', '/organizations', { id: 6, login: 'acme' }, 7],
])(
  'each sends nothing to the other targets of a list with a record without a name: %s',
  async (targets, list, ...body) => {
    const platform = await scriptedPlatform(() => ({ body }));
    for (const line of ['api PATCH /x/{} -f description=Rockets', 'api GET /x/{}'])
      expect(await run(`each ${targets} --yes -- ${line}`.split(' '), { env: platform.env })).toMatchObject({
        code: 8,
        stdout: '',
        stderr: expect.stringContaining(`GET ${list} returned a record without a valid name.`),
      });
    expect(sentTo(platform).filter((request) => !request.startsWith(`GET ${list}`))).toEqual([]);
  },
);

it.each([
  ['repos acme', '/orgs/acme/repos', { full_name: 'acme/site' }],
  ['orgs', '/organizations', { login: 'acme' }],
])('each changes nothing from a list without IDs: %s', async (targets, list, record) => {
  for (const id of ['7', null, undefined]) {
    const platform = await scriptedPlatform(() => ({
      body: [
        { id: 6, ...record },
        { ...record, id },
      ],
    }));
    const words = `each ${targets} --yes --expect 1.. -- api PATCH /x/{} -f description=Rockets`.split(' ');
    expect(await run(words, { env: platform.env })).toMatchObject({
      code: 8,
      stdout: '',
      stderr: expect.stringContaining(`GET ${list} returned a record without a valid id.`),
    });
    expect(sentTo(platform).filter((request) => !request.startsWith('GET'))).toEqual([]);
  }
});

it.each([
  ['acme/site', { repository_id: 7 }, 'repos delete {}', 'repository'],
  ['acme', { organization_id: 7 }, 'orgs update {} --description Rockets', 'organization'],
])(
  'each does not change another object of the name that a change of a plan has: %s',
  async (target, id, line, kind) => {
    const platform = await scriptedPlatform(() => ({ body: { ...site(8), login: 'acme' } }));
    const journal = join(await temporaryDirectory(), 'run.ndjson');
    const words = ['each', '--from', '-', '--yes', '--expect', '1', '--journal', journal, '--', ...line.split(' ')];
    // A line without the ID comes first.
    const stdin = `${target}\n${JSON.stringify({ action: 'update', kind: 'settings', target, name: '', changes: [], ...id })}`;
    const { stdout, code } = await run(words, { env: platform.env, stdin });
    expect([code, stdout]).toEqual([
      9,
      `${target}\tfailed\t\t${target} is now a different ${kind}: its ID is 8, not 7. Nothing was sent to it.\n`,
    ]);
    expect(sentTo(platform).filter((request) => !request.startsWith('GET'))).toEqual([]);
  },
);

it('each takes the ID of a repository from its journal, not that of a label', async () => {
  const label = { id: 3, name: 'bug', color: 'ffffff' };
  const platform = await scriptedPlatform(({ method, url }) => ({
    body: url.includes('/labels/') ? (method === 'GET' ? label : { ...label, color: '111111' }) : site(7),
  }));
  const journal = join(await temporaryDirectory(), 'run.ndjson');
  const words = (...more: string[]) => [
    'each',
    '--from',
    ...more,
    '--',
    ...'labels update {} bug --color 111111'.split(' '),
  ];
  const first = await run(words('-', '--yes', '--journal', journal), { env: platform.env, stdin: 'acme/site' });
  expect(first).toMatchObject({ code: 0, stdout: 'acme/site\tok\t\t\n' });
  const again = await run(words(journal, '--yes', '--journal', `${journal}.2`), { env: platform.env });
  expect(again).toMatchObject({ code: 0, stdout: 'acme/site\tok\t\t\n' });
});

it.each([
  'repos delete acme/site',
  'api DELETE /repos/acme/site',
  'api DELETE //Repos/acme/site/?x=1',
  'api PATCH /repos/acme/site -F archived=true',
  'api PATCH /repos/acme/site?private=true -f description=Rockets',
  'api POST /repos/acme/site -f visibility=private',
  'api POST /repos/acme/site/transfer -f new_owner=initech',
])('%s changes nothing under a former name that the platform does not redirect', async (line) => {
  const { env, requests } = await scriptedPlatform(() => ({ body: site(7, 'globex/site') }));
  const { stderr, code } = await run([...line.split(' '), '--yes'], { env });
  expect([code, stderr]).toEqual([12, expect.stringContaining('acme/site is now globex/site.')]);
  const journal = join(await temporaryDirectory(), 'run.ndjson');
  const inner = line.replace('acme/site', '{}').split(' ');
  const words = ['each', '--from', '-', '--yes', '--expect', '1', '--journal', journal, '--', ...inner];
  const each = await run(words, { env, stdin: 'acme/site' });
  expect(each).toMatchObject({
    code: 9,
    stdout: 'acme/site\tfailed\t\tacme/site is now globex/site. Nothing was changed there.\n',
  });
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

it.each<[full_name: unknown]>([[{ toString: 1, valueOf: 1 }], [{ a: null }], [7]])(
  'each names the request and the field if the record before a write has the name %j',
  async (full_name) => {
    const platform = await scriptedPlatform(() => ({ body: { id: 7, full_name } }));
    const journal = join(await temporaryDirectory(), 'run.ndjson');
    const words = ['each', '--from', '-', '--yes', '--expect', '1', '--journal', journal, '--'];
    const { stdout, code } = await run([...words, 'repos', 'update', '{}', '--description', 'x'], {
      env: platform.env,
      stdin: 'acme/site',
    });
    expect([code, stdout]).toEqual([
      9,
      'acme/site\tfailed\t\tGET /repos/acme/site returned a record without a valid name.\n',
    ]);
    expect(sentTo(platform).filter((request) => !request.startsWith('GET'))).toEqual([]);
  },
);
