import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classicToken, scriptedPlatform } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const bodyOf = (request: { body: string } | undefined) => JSON.parse(request?.body ?? '');

describe('api', () => {
  it('sends fields of a GET in the query', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/teams': { body: [{ slug: 'core' }] } });
    const words = ['api', 'GET', '/orgs/acme/teams', '-f', 'q=a b', '-F', 'per_page=5', '--json'];
    const { stdout, code } = await run(words, { env: platform.env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([{ slug: 'core' }]);
    expect(new URL(platform.requests[0]?.url ?? '', 'http://x').search).toMatch(/^\?q=a(\+|%20)b&per_page=5$/);
    expect(platform.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${classicToken}`,
      'x-github-api-version': '2022-11-28',
    });
  });

  it('sends fields and --input of everything else in the body, and headers that were given', async () => {
    const platform = await scriptedPlatform({ 'POST /orgs/acme/teams': { status: 201, body: { id: 1 } } });
    const words = [
      'api',
      'post',
      'orgs/acme/teams',
      '-f',
      'name=core',
      '-F',
      'n=1',
      '--input',
      '-',
      '-H',
      'X-Trace: 7',
    ];
    await run(words, { env: platform.env, stdin: 'name: other\nprivacy: closed\n' });
    expect(bodyOf(platform.requests[0])).toEqual({ name: 'core', privacy: 'closed', n: 1 });
    expect(platform.requests[0]?.headers['x-trace']).toBe('7');
  });

  it.each([
    ['-f', 'a=b'],
    ['-F', 'a=1'],
  ])('rejects %s with an --input that is not an object, and sends nothing', async (flag, field) => {
    const platform = await scriptedPlatform({});
    const post = (stdin: string) =>
      run(['api', 'POST', '/things', '--input', '-', flag, field], { env: platform.env, stdin });
    expect(await post('[1]')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'forgectl: Standard input contains a list; -f and -F require an object. Nothing was sent.\n',
    });
    expect((await post('7')).stderr).toContain('Standard input contains a number; ');
    expect((await post('9007199254740993')).stderr).toContain('Standard input contains a number; ');
    expect((await post('')).stderr).toContain('Standard input contains nothing; ');
    expect(platform.requests).toEqual([]);
  });

  it('sends an --input of any type unchanged', async () => {
    const platform = await scriptedPlatform({ 'POST /things': { status: 201, body: {} } });
    await run(['api', 'POST', '/things', '--input', '-'], { env: platform.env, stdin: '[1]' });
    expect(bodyOf(platform.requests[0])).toEqual([1]);
  });

  it.each([['/user'], ['user'], ['--no-cache', '/user']])('without METHOD sends a GET: %s %s', async (...words) => {
    const platform = await scriptedPlatform({ 'GET /user': { body: { login: 'octocat' } } });
    const { stdout, code } = await run(['api', ...words], { env: platform.env });
    expect({ stdout, code }).toEqual({ stdout: '{\n  "login": "octocat"\n}\n', code: 0 });
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /api/v3/user']);
  });

  it('prints usage if only METHOD is given', async () => {
    expect((await run(['api', 'post'])).stderr).toBe(
      'forgectl: PATH is required: path relative to the base URL, or graphql. Nothing was sent.\nUsage: forgectl api [METHOD] PATH [FLAGS]\n',
    );
  });

  it.each([true, false])('prints JSON by default, and text as text, on a terminal: %s', async (tty) => {
    const { env } = await scriptedPlatform({
      'GET /things': { body: [{ id: 1, tags: ['a'] }] },
      'GET /zen': { body: 'Keep it simple.', headers: { 'content-type': 'text/plain' } },
      'GET /gone': { status: 404, body: { message: 'Not Found' } },
    });
    const api = (...words: string[]) => run(['api', ...words], { env, tty });
    expect((await api('/things')).stdout).toBe('[\n  {\n    "id": 1,\n    "tags": [\n      "a"\n    ]\n  }\n]\n');
    expect((await api('/things', '-o', 'tsv')).stdout).toBe('1\ta\n');
    expect((await api('/things', '-o', 'ndjson')).stdout).toBe('{"id":1,"tags":["a"]}\n');
    expect((await api('/zen')).stdout).toBe('Keep it simple.\n');
    expect((await api('/zen', '--json')).stdout).toBe('"Keep it simple."\n');
    expect((await api('/gone')).stderr).toMatch(/^forgectl: GET \/gone /);
    expect((await api('PUT', '/things', '--dry-run')).stdout).toMatch(/^PUT http/);
  });

  it('--paginate prints all pages as one list', async () => {
    const platform = await scriptedPlatform({
      'GET /things': ({ url, headers }) =>
        url.includes('page=2')
          ? { body: [3] }
          : { body: [1, 2], headers: { link: `<http://${headers.host}/api/v3/things?page=2>; rel="next"` } },
    });
    const { stdout } = await run(['api', 'GET', '/things', '--paginate', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toEqual([1, 2, 3]);
  });

  it.each<[envelope: string, others: object]>([
    ['a count', { total_count: 3 }],
    ['a count and more', { total_count: 3, incomplete_results: false, repository_selection: 'all' }],
    ['only the list', {}],
  ])('--paginate takes the records out of an envelope with %s', async (_, others) => {
    const platform = await scriptedPlatform({
      'GET /things': ({ url, headers }) =>
        url.includes('page=2')
          ? { body: { total_count: 3, things: [{ id: 3 }] } }
          : {
              body: { ...others, things: [{ id: 1 }, { id: 2 }] },
              headers: { link: `<http://${headers.host}/api/v3/things?page=2>; rel="next"` },
            },
    });
    const { stdout } = await run(['api', 'GET', '/things', '--paginate', '-o', 'ndjson'], { env: platform.env });
    expect(stdout).toBe('{"id":1}\n{"id":2}\n{"id":3}\n');
  });

  it('--paginate takes the records of every page out of the envelope, even if a page looks like a record', async () => {
    const platform = await scriptedPlatform({
      'GET /things': ({ url, headers }) =>
        url.includes('page=2')
          ? { body: { things: [{ id: 3 }], warnings: [] } }
          : {
              body: { things: [{ id: 1 }, { id: 2 }] },
              headers: { link: `<http://${headers.host}/api/v3/things?page=2>; rel="next"` },
            },
    });
    const { stdout } = await run(['api', 'GET', '/things', '--paginate', '-o', 'ndjson'], { env: platform.env });
    expect(stdout).toBe('{"id":1}\n{"id":2}\n{"id":3}\n');
  });

  it('--paginate continues by has_next_page if there is no Link header', async () => {
    const platform = await scriptedPlatform({
      'GET /budgets': ({ url }) =>
        url.includes('page=2')
          ? { body: { budgets: [{ id: 'b' }], has_next_page: false, total_count: 2 } }
          : { body: { budgets: [{ id: 'a' }], has_next_page: true, total_count: 2 } },
    });
    const { stdout } = await run(['api', 'GET', '/budgets', '--paginate', '--jq', '.budgets[].id'], {
      env: platform.env,
    });
    expect(stdout).toBe('a\nb\n');
  });

  it.each<[kind: string, body: unknown]>([
    ['without a list', { id: 7, name: 'acme' }],
    ['with a list', { id: 7, events: ['push'] }],
    ['with two lists and a count', { total_count: 1, added: [1], removed: [2] }],
  ])('--paginate prints a record %s unchanged', async (_, body) => {
    const platform = await scriptedPlatform({ 'GET /things/7': { body } });
    const { stdout } = await run(['api', 'GET', '/things/7', '--paginate', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toEqual(body);
  });

  it('--paginate prints an empty list of an envelope as an empty list, and text as text', async () => {
    const { env } = await scriptedPlatform({
      'GET /things': { body: { total_count: 0, things: [] } },
      'GET /zen': { body: 'Keep it simple.', headers: { 'content-type': 'text/plain' } },
    });
    expect((await run(['api', 'GET', '/things', '--paginate', '-o', 'yaml'], { env })).stdout).toBe('[]\n');
    expect((await run(['api', 'GET', '/zen', '--paginate'], { env })).stdout).toBe('Keep it simple.\n');
  });

  it('reports that more pages exist after printing one', async () => {
    const platform = await scriptedPlatform({
      'GET /things': ({ headers }) => ({
        body: [1],
        headers: { link: `<http://${headers.host}/api/v3/things?page=2>; rel="next"` },
      }),
    });
    expect((await run(['api', 'GET', '/things'], { env: platform.env })).stderr).toContain('--paginate');
  });

  it('-i prints status and headers before the body', async () => {
    const platform = await scriptedPlatform({ 'GET /x': { body: { a: 1 }, headers: { 'x-thing': 'yes' } } });
    const { stdout } = await run(['api', 'GET', '/x', '-i', '--json'], { env: platform.env });
    expect(stdout).toMatch(/^HTTP 200\n/);
    expect(stdout).toContain('\nx-thing: yes\n');
    expect(stdout).toMatch(/\n\n\{\n {2}"a": 1\n\}\n$/);
  });

  it('prints {} for a 204', async () => {
    const platform = await scriptedPlatform({ 'PUT /x': { status: 204 } });
    expect((await run(['api', 'PUT', '/x', '--json'], { env: platform.env })).stdout).toBe('{}\n');
  });

  it('never sends the token to another origin or outside the base URL', async () => {
    const platform = await scriptedPlatform({});
    const other = await scriptedPlatform({});
    for (const path of [`${other.baseUrl}/orgs/acme`, '/../../secret', 'https://example.com/x'])
      expect((await run(['api', 'GET', path], { env: platform.env })).code).toBe(2);
    expect([...platform.requests, ...other.requests]).toEqual([]);
  });

  it.each(['//api/v3', '/API/v3'])('writes nothing to a full URL with %s in place of /api/v3', async (prefix) => {
    const platform = await scriptedPlatform({});
    const url = `${new URL(platform.baseUrl).origin}${prefix}/repos`;
    expect(await run(['api', 'DELETE', `${url}/acme/site`, '--yes'], { env: platform.env })).toMatchObject({
      code: 2,
      stderr: `forgectl: Nothing was sent: the URL of a write must start with ${platform.baseUrl}/.\n`,
    });
    const each = `each --from - --yes --expect 1 -- api PATCH ${url}/{} -f visibility=public`.split(' ');
    expect((await run(each, { env: platform.env, stdin: 'acme/site\n' })).code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it.each(['repos/acme/site%2F.', 'repos/acme/site/%252e', 'repos/x/%252e%252e/acme/site'])(
    'writes nothing to %s',
    async (path) => {
      const { env, requests } = await scriptedPlatform({});
      const stderr =
        'forgectl: Nothing was sent: the path of a write must not contain . or .. as an encoded segment.\n';
      expect(await run(['api', 'DELETE', path, '--yes'], { env })).toMatchObject({ code: 2, stderr });
      const each = `each --from - --yes --expect 1 -- api DELETE ${path.replace('acme/site', '{}')}`.split(' ');
      expect((await run(each, { env, stdin: 'acme/site\n' })).code).toBe(2);
      expect(requests).toEqual([]);
    },
  );

  const formType = 'content-type: application/x-www-form-urlencoded';

  it.each([
    ['repos/acme/site?_method=delete', ''],
    ['repos/acme/site?x=1&%5Fmethod[]=DELETE', ''],
    ['repos/acme/site -f _method=DELETE', ''],
    ['repos/acme/site -f _Method=DELETE --dry-run', ''],
    ['repos/acme/site --input -', '{"_method":"DELETE"}'],
    [`repos/acme/site --input - -H ${formType}`, 'x=1&_method=DELETE\n'],
    [`repos/acme/site --input - -H ${formType};charset=latin1`, '%5Fmethod=DELETE'],
    [
      'repos/acme/site --input - -H content-type: multipart/form-data',
      '--x\r\ncontent-disposition: form-data; name="_method"',
    ],
  ])('rejects a field that replaces the method: %s with %j', async (line, stdin) => {
    const { env, requests } = await scriptedPlatform({});
    const words = ['api', 'POST', ...line.split(/(?<!:) /), '--yes'];
    expect(await run(words, { env, stdin })).toMatchObject({
      code: 2,
      stderr: 'forgectl: The request must not contain _method; use --method. Nothing was sent.\n',
    });
    expect(requests).toEqual([]);
  });

  it('sends text that is about such a field', async () => {
    const { env, requests } = await scriptedPlatform({ 'POST /markdown/raw': { status: 204 } });
    const words = ['api', 'POST', 'markdown/raw', '-H', 'content-type: text/plain', '--input', '-'];
    expect((await run(words, { env, stdin: 'Rails reads _method.' })).code).toBe(0);
    expect(requests.map(({ body }) => body)).toEqual(['Rails reads _method.']);
  });

  it('a DELETE requires --yes when prompts are disabled; --dry-run sends nothing', async () => {
    const platform = await scriptedPlatform({ 'DELETE /x': { status: 204 } });
    expect((await run(['api', 'DELETE', '/x'], { env: platform.env })).code).toBe(2);
    const dry = await run(['api', 'DELETE', '/x', '--dry-run', '--json'], { env: platform.env });
    expect(JSON.parse(dry.stdout)).toMatchObject({ method: 'DELETE', url: `${platform.baseUrl}/x` });
    expect(platform.requests).toEqual([]);
    expect((await run(['api', 'DELETE', '/x', '--yes'], { env: platform.env })).code).toBe(0);
  });

  it.each<[what: string, type: string, text: string, shown: string]>([
    ['text', 'text/plain', 'Keep it\nsimple.', 'Keep it\nsimple.'],
    ['an empty text', 'text/plain', '', ''],
    ['a number in a text', 'text/plain', '1e3', '1e3'],
    ['a form', 'application/x-www-form-urlencoded', 'a=1&password=hunter2', 'a=1&password=********'],
    ['XML', 'text/xml', '<a href="//me:hunter2@h"/>', '<a href="//me:********@h"/>'],
  ])('shows a body that is not JSON in a dry run: %s', async (_what, type, stdin, shown) => {
    const platform = await scriptedPlatform({});
    const words = ['api', 'POST', '/things', '--input', '-', '-H', `Content-Type: ${type}`, '--dry-run'];
    const { stdout, code } = await run(words, { env: platform.env, stdin });
    expect([code, stdout.slice(stdout.indexOf('\n\n'))]).toEqual([0, `\n\n${shown}\n`]);
    const inJson = await run([...words, '--json'], { env: platform.env, stdin });
    expect(JSON.parse(inJson.stdout)).toMatchObject({ body: shown });
    expect(platform.requests).toEqual([]);
  });

  it('shows text as JSON in a dry run if it is sent as JSON', async () => {
    const platform = await scriptedPlatform({});
    const words = ['api', 'POST', '/things', '--input', '-', '--dry-run'];
    const { stdout } = await run(words, { env: platform.env, stdin: '"a"' });
    expect(stdout).toMatch(/\n\n"a"\n$/);
  });

  it('sends a body that is not JSON for each target', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { body: { id: 9, full_name: 'acme/site' } },
      'POST /repos/acme/site/labels': { status: 201, body: {} },
    });
    const path = join(await temporaryDirectory(), 'text');
    writeFileSync(path, 'Keep it simple.');
    const command = ['api', 'POST', '/repos/{}/labels', '--input', path, '-H', 'Content-Type: text/plain'];
    const each = (...flags: readonly string[]) =>
      run(['each', '--from', '-', ...flags, '--', ...command], { env: platform.env, stdin: 'acme/site' });
    expect(await each('--dry-run')).toMatchObject({ code: 0, stdout: expect.stringContaining('Keep it simple.') });
    expect(await each('--yes')).toMatchObject({ code: 0 });
    expect(platform.requests.at(-1)).toMatchObject({ method: 'POST', body: 'Keep it simple.' });
  });

  it('--paginate --dry-run prints the request for the first page, and sends nothing', async () => {
    const platform = await scriptedPlatform({});
    const words = ['api', '/orgs/acme/repos', '--paginate', '--dry-run', '--jq', '"\\(.method) \\(.url)"'];
    const { stdout, code } = await run(words, { env: platform.env });
    expect({ stdout, code }).toEqual({ stdout: `GET ${platform.baseUrl}/orgs/acme/repos?per_page=100\n`, code: 0 });
    expect(platform.requests).toEqual([]);
  });

  it('reports every invalid argument at once', async () => {
    const platform = await scriptedPlatform({});
    const words = ['api', 'FETCH', '/x', '-f', 'novalue', '-F', 'n', '-H', 'bad', '-p', 'a b'];
    const { stderr, code } = await run(words, { env: platform.env });
    expect(code).toBe(2);
    for (const name of ['METHOD', '--raw-field', '--field', '--header', '--preview']) expect(stderr).toContain(name);
    expect(stderr).toContain('METHOD must be one of GET, HEAD, POST, PUT, PATCH, DELETE (');
    expect(platform.requests).toEqual([]);
  });

  it('rejects an Authorization header: the token belongs to the profile', async () => {
    const platform = await scriptedPlatform({});
    const { code, stderr } = await run(['api', 'GET', '/x', '-H', 'Authorization: Bearer abc'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).not.toContain('abc');
    expect(platform.requests).toEqual([]);
  });

  it('masks a user agent of your own in a dry run', async () => {
    const platform = await scriptedPlatform({});
    const words = ['api', '/x', '-H', 'User-Agent: key-7', '--dry-run'];
    const { stdout } = await run(words, { env: platform.env });
    expect(stdout).toContain('********');
    expect(stdout).not.toContain('key-7');
  });
});
