/** forgectl each: what a journal has of each write, and what a later run does about it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classicToken, type Script, type ScriptedAnswer, scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

const at = '2026-03-01T12:00:00.000Z';

interface EarlierRun {
  readonly script: Script;
  readonly command: readonly string[];
  readonly target?: string;
  /** The lines of the target, without its name and the time. */
  readonly lines: readonly object[];
  /** More flags of each. */
  readonly flags?: readonly string[];
  readonly stdin?: string;
}

/** Resumes a run of one target with a journal that an earlier run has left. */
async function resume({ script, command, target = 'acme/site', lines, flags = [], stdin }: EarlierRun) {
  const directory = await temporaryDirectory();
  const [targets, path] = [join(directory, 'targets.txt'), join(directory, 'run.ndjson')];
  const platform = await scriptedPlatform(script);
  writeFileSync(targets, target);
  const header = { journal: 2, platform: platform.baseUrl, command };
  const text = [header, { targets: [{ name: target }] }, ...lines.map((line) => ({ target, at, ...line }))].map(
    (line) => `${JSON.stringify(line)}\n`,
  );
  writeFileSync(path, text.join(''), { mode: 0o600 });
  const words = ['each', '--from', targets, '--resume', path, ...flags, '-o', 'ndjson', '--', ...command];
  const { stdout, code, stderr } = await run(words, { env: platform.env, ...(stdin !== undefined && { stdin }) });
  const { status, result, error } = JSON.parse(stdout);
  const sent = platform.requests.filter(({ method }) => method !== 'GET');
  return { status, result, error, code, stderr, sent: sent.map(({ body }) => body), requests: platform.requests };
}

const sending = (step: string, rest: object = {}) => ({ sending: step, ...rest });

describe('a command whose first write is done', () => {
  it('updates the copy of a template', async () => {
    const copy = 'POST /repos/acme/base/generate';
    const resumed = await resume({
      target: 'acme/new',
      script: {
        'GET /repos/acme/new': { body: { id: 9, full_name: 'acme/new', visibility: 'private' } },
        'PATCH /repos/acme/new': { body: { id: 9, full_name: 'acme/new', visibility: 'internal' } },
      },
      command: ['repos', 'create', '{}', '--template', 'acme/base', '--visibility', 'internal'],
      lines: [sending(copy), { received: copy, status: 201 }],
    });
    expect(resumed).toMatchObject({ status: 'ok', code: 0, sent: ['{"visibility":"internal"}'] });
    expect(resumed.result).toMatchObject({ full_name: 'acme/new', visibility: 'internal' });
  });

  it('adds the other people to a team', async () => {
    const step = 'PUT /orgs/acme/teams/ops/memberships/ada';
    const active = { body: { role: 'member', state: 'active' } };
    const resumed = await resume({
      target: 'acme',
      script: {
        'GET /orgs/acme/teams/ops': { body: { id: 1, slug: 'ops', organization: { login: 'acme' } } },
        'GET /orgs/acme/teams/ops/memberships/ada': active,
        'GET /orgs/acme/teams/ops/memberships/bob': { status: 404, body: {} },
        'PUT /orgs/acme/teams/ops/memberships/bob': active,
      },
      command: ['teams', 'add', '{}', 'ops', 'ada', 'bob'],
      lines: [sending(step), { received: step, status: 200 }],
    });
    expect(resumed).toMatchObject({ status: 'ok', code: 0, sent: ['{"role":"member"}'] });
    expect(resumed.result).toEqual([
      { login: 'ada', role: 'member', state: 'active' },
      { login: 'bob', role: 'member', state: 'active' },
    ]);
  });
});

describe('a write without a response', () => {
  const create = [
    'rulesets',
    'create',
    '{}',
    '--name',
    'Guard',
    '--enforcement',
    'active',
    '--rules',
    '[{"type":"deletion"}]',
  ];
  const guard = { name: 'Guard', enforcement: 'active', rules: [{ type: 'deletion' }] };
  const step = 'POST /repos/acme/site/rulesets';

  it('is not sent again if its object is already as requested', async () => {
    const record = { id: 7, target: 'branch', source_type: 'Repository', ...guard };
    const script = {
      'GET /repos/acme/site/rulesets': { body: [record] },
      'GET /repos/acme/site/rulesets/7': { body: record },
    };
    const resumed = await resume({ script, command: create, lines: [sending(step, { creates: true })] });
    expect(resumed).toMatchObject({ status: 'ok', code: 0, sent: [] });
  });

  it('is sent again if its object does not exist, and its name is unique', async () => {
    const script = {
      'GET /repos/acme/site/rulesets': { body: [] },
      'POST /repos/acme/site/rulesets': { status: 201, body: { id: 7, ...guard } },
    };
    const resumed = await resume({ script, command: create, lines: [sending(step, { creates: true })] });
    expect(resumed).toMatchObject({ status: 'ok', code: 0, sent: [JSON.stringify(guard)] });
  });

  it('is sent again if its object is unchanged', async () => {
    const script = {
      'GET /repos/acme/site': { body: { id: 9, description: 'old' } },
      'PATCH /repos/acme/site': { body: { id: 9, description: 'new' } },
    };
    const command = ['repos', 'update', '{}', '--description', 'new'];
    const lines = [sending('PATCH /repos/acme/site', { before: { id: 9, description: 'old' } })];
    const resumed = await resume({ script, command, lines });
    expect(resumed).toMatchObject({ status: 'ok', code: 0, sent: ['{"description":"new"}'] });
  });

  it('of the api command is verified by the object of its path', async () => {
    const script = { 'GET /repos/acme/site': { body: { id: 9, description: 'new' } } };
    const command = ['api', 'PATCH', '/repos/{}', '-f', 'description=new'];
    const resumed = await resume({ script, command, lines: [sending('PATCH /repos/acme/site')] });
    expect(resumed).toMatchObject({ status: 'ok', code: 0, sent: [] });
  });

  it.each([
    [['repos', 'update', '{}', '--description', 'new'], 'PATCH /repos/acme/site', { description: 'third' }],
    [['repos', 'dispatch', '{}', 'build'], 'POST /repos/acme/site/dispatches', {}],
    [['api', 'POST', '/repos/{}/x'], 'POST /repos/acme/site/x', {}],
  ])('of %j is unknown if its object does not show it', async (command, step, live) => {
    const script = { 'GET /repos/acme/site': { body: { id: 9, ...live } } };
    const resumed = await resume({
      script,
      command,
      lines: [sending(step, { before: { id: 9, description: 'old' } })],
    });
    expect(resumed).toMatchObject({
      status: 'unknown',
      error: { code: 'outcome_unknown', message: expect.stringContaining(step) },
      code: 9,
      sent: [],
    });
  });
});

it('processes the targets of its journal, and lists nothing again', async () => {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  const platform = await scriptedPlatform({
    'GET /repos/acme/web': { body: { id: 3, name: 'web', full_name: 'acme/web' } },
    'DELETE /repos/acme/web': { status: 204 },
  });
  const command = ['repos', 'delete', '{}'];
  const step = 'DELETE /repos/acme/Site';
  const names = ['acme/docs', 'acme/Site', 'acme/web', 'acme/wiki'];
  const lines = [
    { journal: 2, platform: platform.baseUrl, line: ['repos', 'acme'], command },
    { targets: names.map((name) => ({ name })) },
    { target: 'acme/docs', outcome: 'ok', at },
    { target: 'acme/Site', sending: step, at, before: { id: 9, name: 'Site' } },
    { target: 'acme/web', outcome: 'failed', at },
    { target: 'acme/wiki', sending: 'DELETE /repos/acme/wiki', at },
    { target: 'acme/wiki', received: 'DELETE /repos/acme/wiki', status: 204, at },
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  const flags = ['--resume', path, '--yes', '--expect', '4', '--concurrency', '1'];
  const { stdout, code } = await run(['each', ...flags], { env: platform.env });
  expect({ stdout: stdout.split('\n').map((line) => line.trimEnd()), code }).toEqual({
    stdout: ['acme/docs\tskipped', 'acme/Site\tok', 'acme/web\tok', 'acme/wiki\tok', ''],
    code: 0,
  });
  expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).not.toContain(
    'GET /api/v3/orgs/acme/repos?per_page=100',
  );
  const deleted = platform.requests.filter(({ method }) => method === 'DELETE').map(({ url }) => url);
  expect(deleted).toEqual(['/api/v3/repos/acme/web']);
});

describe('a command with several writes', () => {
  const names = Array.from({ length: 31 }, (_, index) => `service-${index}`);
  const tier = { property_name: 'tier', value_type: 'single_select', allowed_values: ['gold'] };
  const schema = { 'GET /orgs/acme/properties/schema': { body: [tier] } };

  it('sends only the batches that are not done', async () => {
    const step = 'PATCH /orgs/acme/properties/values';
    const { status, result, sent } = await resume({
      script: { [step]: { status: 204 }, ...schema },
      command: ['properties', 'set', '{}', 'tier=gold', '--from', '-'],
      target: 'acme',
      lines: [sending(step), { received: step, status: 204 }],
      stdin: names.join('\n'),
    });
    expect({ status, results: result.length, sent }).toEqual({
      status: 'ok',
      results: 31,
      sent: ['{"repository_names":["service-30"],"properties":[{"property_name":"tier","value":"gold"}]}'],
    });
  });

  it('is done once the journal has all of them', async () => {
    const step = 'PATCH /orgs/acme/properties/values';
    const done = [step, `${step} (2)`].flatMap((each) => [sending(each), { received: each, status: 204 }]);
    const resumed = await resume({
      script: schema,
      command: ['properties', 'set', '{}', 'tier=gold', '--from', '-'],
      target: 'acme',
      lines: done,
      stdin: names.join('\n'),
    });
    expect(resumed).toMatchObject({ status: 'ok', result: undefined, sent: [] });
    expect(resumed.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('unlocks only the repositories that are still locked', async () => {
    const repository = (name: string) => ({ id: 1, name, full_name: `acme/${name}` });
    const step = 'DELETE /user/migrations/79/repos/site/lock';
    const { status, requests } = await resume({
      script: {
        'GET /user/migrations/79/repositories': { body: [repository('site'), repository('api')] },
        'DELETE /user/migrations/79/repos/api/lock': { status: 204 },
      },
      command: ['migrations', 'unlock', '{}', '--all'],
      target: '79',
      lines: [sending(step), { received: step, status: 204 }],
      flags: ['--yes', '--expect', '1'],
    });
    const writes = requests.filter(({ method }) => method === 'DELETE').map(({ url }) => url);
    expect({ status, writes }).toEqual({ status: 'ok', writes: ['/api/v3/user/migrations/79/repos/api/lock'] });
  });
});

/** Runs a command line, and returns the journals in the state directory. */
async function each(words: readonly string[], script: Script, { stdin = '' } = {}) {
  const platform = await scriptedPlatform(script);
  const state = await temporaryDirectory();
  const ended = await run(['each', ...words], { env: { ...platform.env, XDG_STATE_HOME: state }, stdin });
  const directory = join(state, 'forgectl/journals');
  const journals = existsSync(directory) ? readdirSync(directory) : [];
  const asked = platform.requests.map(({ method, url }) => `${method} ${url.replace('/api/v3', '')}`);
  return { ...ended, asked, journals: journals.map((name) => readFileSync(join(directory, name), 'utf8')) };
}

describe('the value before a write', () => {
  it('is in the journal, and costs one read', async () => {
    const { asked, journals } = await each(
      ['--from', '-', '--', 'repos', 'update', '{}', '--description', 'new'],
      {
        'GET /repos/acme/site': { body: { id: 9, description: 'old', has_wiki: true } },
        'PATCH /repos/acme/site': { body: { id: 9, description: 'new' } },
      },
      { stdin: 'acme/site' },
    );
    expect(asked).toEqual(['GET /repos/acme/site', 'PATCH /repos/acme/site']);
    expect(JSON.parse(journals[0]?.split('\n')[2] ?? '')).toMatchObject({ before: { id: 9, description: 'old' } });
  });

  it('is read with the ETag of a cached response', async () => {
    const configDir = await temporaryDirectory();
    const etag = '"v1"';
    const statuses: number[] = [];
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': ({ headers }) => {
        const isCached = headers['if-none-match'] === etag;
        statuses.push(isCached ? 304 : 200);
        return isCached
          ? { status: 304, headers: { etag } }
          : { body: { id: 9, description: 'old' }, headers: { etag } };
      },
      'PATCH /repos/acme/site': { body: { id: 9, description: 'old' } },
    });
    const update = async (journal: string) => {
      const path = join(configDir, journal);
      const words = ['each', '--from', '-', '--journal', path, '--', 'repos', 'update', '{}', '--description', 'old'];
      await run(words, { configDir, env: platform.env, stdin: 'acme/site' });
      return JSON.parse(readFileSync(path, 'utf8').split('\n')[2] ?? '').before;
    };
    const before = { id: 9, description: 'old' };
    expect([await update('first'), await update('second')]).toEqual([before, before]);
    expect(statuses).toEqual([200, 304]);
  });

  it('contains no secret', async () => {
    const hidden = ['ghs', 'y'.repeat(36)].join('_');
    const { code, journals } = await each(
      [
        '--from',
        '-',
        '--',
        'api',
        'PATCH',
        '/orgs/{}/private-registries/NPM',
        '-f',
        `encrypted_value=${hidden}`,
        '-f',
        'url=x',
      ],
      {
        'GET /orgs/acme/private-registries/NPM': {
          body: {
            name: 'NPM',
            url: `https://u:${hidden}@example.com`,
            encrypted_value: hidden,
            username: classicToken,
          },
        },
        'PATCH /orgs/acme/private-registries/NPM': { status: 204 },
      },
      { stdin: 'acme' },
    );
    expect({ code, before: JSON.parse(journals[0]?.split('\n')[2] ?? '').before }).toEqual({
      code: 0,
      before: { url: 'https://u:********@example.com' },
    });
    expect(journals[0]).not.toContain(hidden);
    expect(journals[0]).not.toContain(classicToken);
  });
});

it('continues a command line with a secret, which its journal masks', async () => {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  let status = 403;
  const platform = await scriptedPlatform({ 'PATCH /repos/acme/site/x': () => ({ status }) });
  const words = ['each', '--from', '-', '--resume-or-start', path, '--', 'api', 'PATCH', '/repos/{}/x'];
  const fields = ['-f', 'webhook_secret=hunter2', '-f', 'url=https://example.com/?token=hunter3'];
  const again = () => run([...words, ...fields], { env: platform.env, stdin: 'acme/site' });
  const { stderr, code } = await again();
  expect({ stderr, code }).toEqual({ stderr: expect.stringContaining("-f 'webhook_secret=********' -f "), code: 9 });
  expect(stderr).not.toContain('hunter');
  status = 204;
  expect(await again()).toMatchObject({ stdout: 'acme/site\tok\t\t\n', code: 0 });
  expect(await again()).toMatchObject({ stdout: 'acme/site\tskipped\t\t\n', code: 0 });
  const [header = ''] = readFileSync(path, 'utf8').split('\n');
  expect(JSON.parse(header).command.slice(-4)).toEqual([
    '-f',
    'webhook_secret=********',
    '-f',
    'url=https://example.com/?token=********',
  ]);
  expect(readFileSync(path, 'utf8')).not.toContain('hunter');
});

it.each<[string, ScriptedAnswer]>([
  ['an error of the platform', { status: 502, body: { message: 'Bad Gateway' } }],
  ['the page of a proxy', { headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' }],
])('verifies at its end a write whose response was %s', async (_, answer) => {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  let description = 'old';
  const platform = await scriptedPlatform({
    'GET /repos/acme/site': () => ({ body: { id: 9, description } }),
    'PATCH /repos/acme/site': ({ body }) => {
      ({ description } = JSON.parse(body));
      return answer;
    },
  });
  const words = `each --from - --resume-or-start ${path} -- repos update {} --description new`.split(' ');
  const again = async () => {
    const { stdout, code } = await run(words, { env: platform.env, stdin: 'acme/site' });
    return { status: stdout.split('\t')[1]?.trim(), code };
  };
  expect(await again()).toEqual({ status: 'ok', code: 0 });
  expect(readFileSync(path, 'utf8')).toContain('"verified":"PATCH /repos/acme/site","found":"wanted"');
  expect(await again()).toEqual({ status: 'skipped', code: 0 });
  expect(platform.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
});

describe('a write without a response to a repository that has been replaced since', () => {
  const wanted = { id: 9, full_name: 'acme/site', description: 'new' };

  it.each<[what: string, answers: Readonly<Record<string, ScriptedAnswer>>, message: string]>([
    [
      'with the same name',
      { 'GET /repos/acme/site': { body: { ...wanted, id: 10 } } },
      'acme/site is now a different repository: its ID is 10, not 9. Nothing was sent to it.',
    ],
    [
      'renamed',
      {
        'GET /repos/acme/site': { status: 301, headers: { location: '/api/v3/repositories/9' } },
        'GET /repositories/9': { body: { ...wanted, full_name: 'acme/website' } },
      },
      'acme/site is now acme/website. Nothing was changed there.',
    ],
    [
      'served under its former name',
      { 'GET /repos/acme/site': { body: { ...wanted, full_name: 'globex/site' } } },
      'acme/site is now globex/site. Nothing was changed there.',
    ],
  ])('%s, is neither verified nor sent again', async (_what, answers, message) => {
    const path = join(await temporaryDirectory(), 'run.ndjson');
    const at = '2026-03-01T12:00:00Z';
    const platform = await scriptedPlatform(answers);
    const lines = [
      {
        journal: 2,
        platform: platform.baseUrl,
        line: ['repos', 'acme'],
        command: ['repos', 'update', '{}', '--description', 'new'],
      },
      { targets: [{ name: 'acme/site', id: 9 }] },
      { target: 'acme/site', sending: 'PATCH /repos/acme/site', at, before: { id: 9, description: 'old' } },
    ];
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
    const { stdout, stderr } = await run(['each', '--resume', path], { env: platform.env });
    expect(`${stdout}${stderr}`).toContain(message);
    expect(platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(readFileSync(path, 'utf8')).not.toContain('"found":"wanted"');
  });
});

it('changes no other organization that has the name of one in its journal', async () => {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  let id = 7;
  let login = 'acme';
  let status = 503;
  const platform = await scriptedPlatform({
    'GET /organizations': () => ({ body: [{ login: 'acme', id }] }),
    'GET /orgs/acme': () => ({ body: { login, id, description: 'old' } }),
    'PATCH /orgs/acme': () => ({ status, body: { login: 'acme', id } }),
  });
  const words = ['--journal', path, '--yes', '--', 'orgs', 'update', '{}', '--description', 'new'];
  await run(['each', 'orgs', ...words], { env: platform.env });
  expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[1] ?? '')).toEqual({ targets: [{ name: 'acme', id: 7 }] });
  const sent = platform.requests.length;
  [id, status] = [8, 200];
  const { stdout, stderr } = await run(['each', '--resume', path, '--yes'], { env: platform.env });
  expect(`${stdout}${stderr}`).toContain(
    'acme is now a different organization: its ID is 8, not 7. Nothing was sent to it.',
  );
  [id, login] = [7, 'globex'];
  const renamed = await run(['each', '--resume', path, '--yes'], { env: platform.env });
  expect(`${renamed.stdout}${renamed.stderr}`).toContain('acme is now globex');
  expect(platform.requests.slice(sent).filter(({ method }) => method !== 'GET')).toEqual([]);
});

it.each([
  ['acme/site', 'api DELETE /repos/{}'],
  ['acme/site', 'api DELETE /repos/{}?x=1'],
  ['acme/site', 'api DELETE /repos/{}?x=%0A'],
  ['acme/site', 'api PATCH /repos/{org}/s%69te?x=1 -F archived=true'],
  ['acme/site', 'api DELETE //Repos/{}/'],
  ['acme/site', 'repos transfer {} initech'],
  ['acme/site', 'api POST /repos/{}/transfer -f new_owner=initech'],
  ['acme/site', 'api POST /repos/{org}%2F{name} -f description=new'],
  ['acme', 'api PATCH /orgs/{}?x=1 -f description=new'],
  ['acme', 'api PATCH /organizations/{} -f description=new'],
])('changes no other %s of the name than the first run has read: %s', async (target, line) => {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  let id = 7;
  let sent = 0;
  const platform = await scriptedPlatform(({ method }) => {
    if (method === 'GET') return { body: { id, full_name: 'acme/site', login: 'acme' } };
    sent++;
    return { status: 403, body: { message: 'Forbidden' } };
  });
  const flags = ['--yes', '--expect', '1'];
  const words = ['each', '--from', '-', ...flags, '--journal', path, '--', ...line.split(' ')];
  expect(await run(words, { env: platform.env, stdin: target })).toMatchObject({ code: 9 });
  expect(sent).toBe(1);
  id = 8;
  const { stdout, code } = await run(['each', ...flags, '--resume', path], { env: platform.env });
  expect(stdout).toMatch(
    / is now a different (?:repository|organization): its ID is 8, not 7\. Nothing was sent to it\.\n$/,
  );
  expect([code, sent]).toEqual([9, 1]);
});

it('does not call writes failed whose outcome stays unknown', async () => {
  const platform = await scriptedPlatform({
    'POST /repos/acme/site/dispatches': { status: 502, body: { message: 'Bad Gateway' } },
    'POST /repos/acme/docs/dispatches': { status: 204 },
    'POST /repos/acme/wiki/dispatches': { status: 404 },
  });
  const path = join(await temporaryDirectory(), 'run.ndjson');
  const words = ['each', '--from', '-', '--journal', path, '--', 'repos', 'dispatch', '{}', 'build'];
  const { stderr, code } = await run(words, { env: platform.env, stdin: 'acme/site\nacme/docs\n' });
  expect(stderr).toContain('1 done, 1 unknown\n');
  expect(stderr).toContain('forgectl: The outcome of 1 of 2 targets is unknown.\n');
  expect(code).toBe(9);
  const other = words.map((word) => (word === path ? `${path}.2` : word));
  const stdin = 'acme/site\nacme/docs\nacme/wiki\n';
  expect((await run(other, { env: platform.env, stdin })).stderr).toContain(
    'forgectl: 1 of 3 targets failed, 1 unknown.\n',
  );
  expect(platform.requests.filter(({ url }) => url.includes('/site/'))).toHaveLength(2);
});

describe('a command that can write', () => {
  const topics: Script = {
    'GET /repos/acme/site/topics': { body: { names: ['web'] } },
    'PUT /repos/acme/site/topics': { body: { names: ['api'] } },
  };

  it('keeps no journal if it only reads', async () => {
    const ended = await each(['--from', '-', '--', 'repos', 'topics', '{}'], topics, { stdin: 'acme/site' });
    expect(ended).toMatchObject({ code: 0, stderr: '1 done\n', journals: [] });
  });

  it('keeps one if it writes', async () => {
    const words = ['--from', '-', '--', 'repos', 'topics', '{}', '--set', 'api'];
    const { stderr, journals } = await each(words, topics, { stdin: 'acme/site' });
    expect({ stderr, journals }).toEqual({
      stderr: expect.stringMatching(/^Journal: /),
      journals: [expect.stringContaining('"sending":"PUT /repos/acme/site/topics"')],
    });
  });

  it('keeps one from its first write on, with the outcomes before', async () => {
    const words = ['--from', '-', '--concurrency', '1', '--yes', '--expect', '2'];
    const command = ['orgs', 'immutable-releases', 'remove', '{org}', '{}'];
    const { journals } = await each(
      [...words, '--', ...command],
      {
        'GET /repos/acme/site': { body: { id: 9, full_name: 'acme/site' } },
        'DELETE /orgs/acme/settings/immutable-releases/repositories/9': { status: 204 },
      },
      { stdin: 'acme/gone\nacme/site' },
    );
    const lines = journals.flatMap((text) => text.trimEnd().split('\n').slice(1)).map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { targets: [{ name: 'acme/gone' }, { name: 'acme/site' }] },
      { target: 'acme/gone', outcome: 'failed' },
      { target: 'acme/site', sending: 'DELETE /orgs/acme/settings/immutable-releases/repositories/9' },
      { target: 'acme/site', received: expect.any(String), status: 204 },
      { target: 'acme/site', outcome: 'ok' },
    ]);
  });

  it('writes nothing if its journal cannot be opened', async () => {
    const directory = await temporaryDirectory();
    const state = join(directory, 'file');
    writeFileSync(state, '');
    const platform = await scriptedPlatform({ 'GET /repos/acme/site': { body: { id: 9 } } });
    const words = [
      'each',
      '--from',
      '-',
      '--yes',
      '--expect',
      '2',
      '--',
      'orgs',
      'immutable-releases',
      'remove',
      '{org}',
    ];
    const { code, stderr } = await run([...words, 'acme/site', '--jq', '{}'].slice(0, -2), {
      env: { ...platform.env, XDG_STATE_HOME: state },
      stdin: 'acme/site\nacme/api',
    });
    expect({ code, stderr, methods: platform.requests.map(({ method }) => method) }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`Cannot create a journal: ${state} is not a directory. Nothing was sent.`),
      methods: expect.not.arrayContaining(['DELETE']),
    });
  });

  it.each([
    ['is damaged', 'no journal\n', ['--resume'], 'is not a journal'],
    [
      'is of another command',
      '{"journal":2,"platform":"PLATFORM","command":["x"]}\n{"targets":[{"name":"acme/site"}]}\n',
      ['--resume'],
      'another command line',
    ],
    [
      'is not to be resumed',
      '{"journal":2,"platform":"PLATFORM","command":["repos","topics","{}"]}\n{"targets":[{"name":"acme/site"}]}\n',
      ['--journal'],
      'already contains a run',
    ],
  ])('sends nothing if its journal %s', async (_what, text, [flag = ''], message) => {
    const platform = await scriptedPlatform(topics);
    const path = join(await temporaryDirectory(), 'run.ndjson');
    const content = text.replace('PLATFORM', platform.baseUrl);
    writeFileSync(path, content, { mode: 0o600 });
    const { code, stderr } = await run(['each', 'repos', 'acme', flag, path, '--', 'repos', 'topics', '{}'], {
      env: platform.env,
    });
    expect({ code, stderr, requests: platform.requests, text: readFileSync(path, 'utf8') }).toEqual({
      code: 2,
      stderr: expect.stringContaining(message),
      requests: [],
      text: content,
    });
  });
});

it('requires confirmation of a deletion that first looks up its object', async () => {
  const budget = (id: string) => ({ id: `${id}-6f69-4299-81be-cc06404bf63c`, budget_scope: 'organization' });
  const script: Script = {
    'GET /organizations/acme/settings/billing/budgets': {
      body: { budgets: [budget('5698c621')], has_next_page: false },
    },
    'DELETE /organizations/acme/settings/billing/budgets/5698c621-6f69-4299-81be-cc06404bf63c': {
      body: { message: 'Deleted', id: 'x' },
    },
  };
  const words = (...flags: string[]) => ['--from', '-', ...flags, '--', 'budgets', 'delete', '{}', '5698'];
  const refused = await each(words(), script, { stdin: 'acme' });
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Nothing was sent. This deletes budget 5698 of organization every target; confirm'),
    asked: [],
  });
  expect(await each(words('--yes', '--expect', '1'), script, { stdin: 'acme' })).toMatchObject({ code: 0 });
});

it('changes no other repository that has the name of one from a file by then', async () => {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  let id = 9;
  const platform = await scriptedPlatform({
    'GET /repos/acme/site': () => ({ body: { id, full_name: 'acme/site' } }),
    'DELETE /repos/acme/site': { status: 422, body: { message: 'Locked.' } },
  });
  const line = (flags: string) => `each --from - --yes ${flags} ${path} -- repos delete {}`.split(' ');
  const again = (flags: string) => run(line(flags), { env: platform.env, stdin: 'acme/site' });
  expect(await again('--expect 1 --journal')).toMatchObject({ code: 9 });
  id = 10;
  const { code, stdout } = await again('--expect 1 --resume');
  expect({ code, stdout }).toEqual({
    code: 9,
    stdout:
      'acme/site\tfailed\t\tacme/site is now a different repository: its ID is 10, not 9. Nothing was sent to it.\n',
  });
  expect(platform.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});
