/** `api` sends what `gh api` sends: the requests of `gh` 2.23.0, recorded for each command line, and what its manual says. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

interface Recorded {
  readonly args: readonly string[];
  readonly method?: string;
  readonly url?: string;
  readonly body?: unknown;
  readonly accept?: string;
  readonly extra?: Readonly<Record<string, string>>;
  /** Why `gh` refuses the command line. */
  readonly error?: string;
}

const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('gh-api-requests.json', import.meta.url), 'utf8'),
);

/** Two command lines of which `gh` sends something else than typed: a rounded number, and an empty name. */
const rounded = '-F a=9007199254740993';
const nameless = '-F []=1';
const isDefect = ({ args }: Recorded) => [rounded, nameless].includes(args.slice(1).join(' '));

const parameters = (url: string) => [...new URL(url, 'http://x').searchParams].sort();

describe('the recorded requests', () => {
  it('are all 46', () => expect(recorded).toHaveLength(46));

  it.each(recorded.filter((each) => !isDefect(each)).map((each) => [each.args.join(' '), each] as const))(
    'gh api %s',
    async (_, { args, method, url = '', body, accept, extra, error }) => {
      const folder = await temporaryDirectory();
      writeFileSync(join(folder, 'file.txt'), 'from a file\n');
      writeFileSync(join(folder, 'body.json'), '{"from":"input"}');
      const words = args.map((word, at) =>
        args[at - 1] === '-f' ? word : word.replace(/(^|@)(file\.txt|body\.json)$/, `$1${folder}/$2`),
      );
      const platform = await scriptedPlatform(() => ({ body: {} }));
      const confirmed = method === 'DELETE' ? ['--yes'] : [];
      const options = { env: platform.env, stdin: '{"from":"stdin"}' };
      const { code, stderr } = await run(['api', ...words, ...confirmed], options);
      if (error !== undefined) {
        expect({ code, requests: platform.requests }).toEqual({ code: 2, requests: [] });
        return;
      }
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(platform.requests).toHaveLength(1);
      const [request] = platform.requests;
      expect(request?.method).toBe(method);
      expect(request?.url.split('?')[0]).toBe('/api/v3/x');
      expect(parameters(request?.url ?? '')).toEqual(parameters(url));
      expect(request?.body ? JSON.parse(request.body) : undefined).toEqual(body);
      if (accept) expect(request?.headers.accept).toBe(accept);
      expect(request?.headers).toMatchObject(extra ?? {});
    },
  );

  it('keeps an integer exact that gh rounds', async () => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    await run(['api', '/x', ...rounded.split(' ')], { env: platform.env });
    await run(['api', '-X', 'GET', '/x', ...rounded.split(' ')], { env: platform.env });
    expect(platform.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/api/v3/x', '{"a":9007199254740993}'],
      ['GET', '/api/v3/x?a=9007199254740993', ''],
    ]);
  });
});

describe('fields', () => {
  const bodyOf = async (...fields: readonly string[]) => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const { code } = await run(['api', '/x', ...fields], { env: platform.env });
    expect(code).toBe(0);
    return platform.requests[0]?.body;
  };

  it.each<[fields: string, body: string]>([
    ['-F a[][b]=1 -F a[][c][]=x -F a[][c][]=y', '{"a":[{"b":1,"c":["x","y"]}]}'],
    ['-f a[b][]', '{"a":{"b":[]}}'],
    [`-f a${'[b]'.repeat(999)}=1`, `{"a":${'{"b":'.repeat(999)}"1"${'}'.repeat(1000)}`],
    ['-F a=+5 -F b=-0 -F c=123456789012345678901234567890', '{"a":5,"b":0,"c":123456789012345678901234567890}'],
    ['-f __proto__[x]=1 -f constructor=y', '{"__proto__":{"x":"1"},"constructor":"y"}'],
    ['-f a:b=1 -F c=NULL -F d=1e3', '{"a:b":"1","c":"NULL","d":"1e3"}'],
  ])('%s', async (fields, body) => {
    expect(await bodyOf(...fields.split(' '))).toBe(body);
  });

  it.each([
    ['-F []=1', '--field must have the form key=value, key[sub]=value or key[]=value'],
    ['-f =1', '--raw-field must have the form key=value, key[sub]=value or key[]=value'],
    ['-f a[b=1', '--raw-field must have the form key=value, key[sub]=value or key[]=value'],
    ['-f a[b]c=1', '--raw-field must have the form key=value, key[sub]=value or key[]=value'],
    ['-f a[][]=1', '--raw-field a[][] is a list of lists; use --input'],
    [`-f a${'[b]'.repeat(1000)}=1`, '--raw-field a[b][b][b][b][b][b][… is nested more than 1000 levels deep'],
    ['-f a[b]', '--raw-field must have the form key=value'],
    ['-f a[]=1 -f a[b]=2', '--raw-field a cannot be both an object and another value'],
    ['-F a=null -F a[]=2', '--field a cannot be both a list and another value'],
  ])('refuses %s', async (fields, message) => {
    const platform = await scriptedPlatform({});
    const { code, stderr } = await run(['api', '/x', ...fields.split(' ')], { env: platform.env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `forgectl: ${message}. Nothing was sent.\n` });
    expect(platform.requests).toEqual([]);
  });

  it('sends a text with any number of brackets', async () => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const stdin = `a${'[b]'.repeat(100_000)}=1`;
    const words = ['api', 'POST', '/x', '-H', 'Content-Type: text/plain', '--input', '-'];
    expect((await run(words, { env: platform.env, stdin })).code).toBe(0);
    expect(platform.requests.at(-1)?.body).toBe(stdin);
  });

  it('warns that JSON is sent as text', async () => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const { stderr } = await run(['api', '/x', '-F', 'topics=["a"]', '-F', 'b=[x]'], { env: platform.env });
    expect(platform.requests[0]?.body).toBe('{"topics":"[\\"a\\"]","b":"[x]"}');
    expect(stderr).toBe(
      '--field topics is sent as text. For lists and objects, use key[]=value, key[sub]=value or --input.\n',
    );
  });

  it('rejects a file that is not UTF-8', async () => {
    const file = join(await temporaryDirectory(), 'latin1');
    writeFileSync(file, Buffer.from([0xe9]));
    const platform = await scriptedPlatform({});
    const { code, stderr } = await run(['api', '/x', '-F', `a=@${file}`], { env: platform.env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `forgectl: --field ${file} is not UTF-8 text.\n` });
    expect(platform.requests).toEqual([]);
  });

  it('keeps the names of objects in a query, where gh drops them, and rejects lists of objects', async () => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const get = (...fields: string[]) => run(['api', '-X', 'GET', '/x', ...fields], { env: platform.env });
    await get('-f', 'a[b]=1', '-F', 'c[]=2', '-F', 'c[]=true', '-F', 'd=null');
    expect(parameters(platform.requests[0]?.url ?? '')).toEqual([
      ['a[b]', '1'],
      ['c[]', '2'],
      ['c[]', 'true'],
      ['d', ''],
    ]);
    expect((await get('-f', 'a[][b]=1')).code).toBe(2);
    expect(platform.requests).toHaveLength(1);
  });

  it('override the body of --input', async () => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const words = ['api', '-X', 'PUT', '/x', '--input', '-', '-F', 'a[b]=1'];
    await run(words, { env: platform.env, stdin: '{"a":{"c":2},"d":3}' });
    expect(platform.requests[0]).toMatchObject({ method: 'PUT', url: '/api/v3/x', body: '{"a":{"b":1},"d":3}' });
  });
});

describe('the method', () => {
  it.each([
    [['api', 'patch', '/x', '-f', 'a=1'], 'PATCH'],
    [['api', '/x', '-Xput', '-f', 'a=1'], 'PUT'],
    [['api', '/x', '--method=post'], 'POST'],
    [['api', 'HEAD', '/x'], 'HEAD'],
  ])('%j', async (words, method) => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    await run(words, { env: platform.env });
    expect(platform.requests.map((request) => request.method)).toEqual([method]);
  });

  it.each([
    [['-X', 'GET', 'POST', '/x'], '--method cannot be used with METHOD'],
    [['-X', 'FETCH', '/x'], '--method must be one of GET, HEAD, POST, PUT, PATCH, DELETE (did you mean PATCH?)'],
    [['-X', 'GET', '/x', '--input', '-'], '--input is a body, but GET requests have none'],
    [['/x', '--paginate', '-f', 'a=1'], '--paginate requires GET; add -X GET to send fields in the query'],
  ])('refuses %j', async (words, message) => {
    const platform = await scriptedPlatform({});
    const { code, stderr } = await run(['api', ...words], { env: platform.env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `forgectl: ${message}. Nothing was sent.\n` });
    expect(platform.requests).toEqual([]);
  });

  it('DELETE requires --yes', async () => {
    const platform = await scriptedPlatform({ 'DELETE /x': { status: 204 } });
    const { code, stderr } = await run(['api', '-X', 'DELETE', '/x'], { env: platform.env });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'forgectl: Nothing was sent. This removes /x; confirm with --yes.\n',
    });
    expect(platform.requests).toEqual([]);
    const done = await run(['api', '-X', 'DELETE', '/x', '--yes'], { env: platform.env });
    expect(done).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('headers', () => {
  const headersOf = async (...words: readonly string[]) => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const { code, stderr } = await run(['api', '/x', ...words], { env: platform.env, stdin: '# Title' });
    return { code, stderr, ...platform.requests[0]?.headers, body: platform.requests[0]?.body };
  };

  it('combines previews with each other and with an Accept header', async () => {
    expect(await headersOf('-p', 'mercy,nebula', '-p', 'luke-cage')).toMatchObject({
      accept:
        'application/vnd.github.mercy-preview+json, application/vnd.github.nebula-preview, application/vnd.github.luke-cage-preview',
    });
    expect(await headersOf('-H', 'Accept: text/plain', '-p', 'mercy')).toMatchObject({
      accept: 'text/plain, application/vnd.github.mercy-preview+json',
    });
  });

  it('joins a header that is given twice', async () => {
    expect(await headersOf('-H', 'X-Tag: a', '-H', 'x-tag: b', '-H', 'X-Empty:')).toMatchObject({
      'x-tag': 'a, b',
      'x-empty': '',
    });
  });

  it('rejects a value that no header can have, without showing it', async () => {
    expect(await headersOf('-H', 'X-A: s3cret\nX-B: 1')).toEqual({
      code: 2,
      stderr: 'forgectl: --header X-A contains characters that are not allowed in headers. Nothing was sent.\n',
      body: undefined,
    });
  });

  it.each(['X-HTTP-Method-Override', 'x-method-override', 'X-HTTP-Method'])(
    'rejects %s, which would replace the method that is confirmed',
    async (name) => {
      expect(await headersOf('-H', `${name}: DELETE`)).toEqual({
        code: 2,
        stderr: `forgectl: --header must not contain ${name}; use --method. Nothing was sent.\n`,
        body: undefined,
      });
    },
  );

  it('sends --input unchanged as another media type', async () => {
    expect(await headersOf('--input', '-', '-H', 'Content-Type: text/x-markdown')).toMatchObject({
      'content-type': 'text/x-markdown',
      body: '# Title',
    });
  });
});

describe('flags of gh with other names here', () => {
  it.each([
    [
      ['--hostname', 'ghe.example.com'],
      '--hostname',
      'Choose the platform with --base-url https://HOST or --profile NAME.',
    ],
    [['--verbose'], '--verbose', 'Print requests and responses with --debug.'],
    [
      ['--cache', '1h'],
      '--cache',
      'Responses are cached, and reused only if the platform confirms that they have not changed.',
    ],
    [['-t', '{{.login}}'], '-t', 'Format the response with --jq.'],
  ])('%j', async (words, flag, advice) => {
    const platform = await scriptedPlatform({});
    const { code, stderr } = await run(['api', '/user', ...words], { env: platform.env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `forgectl: Unknown flag ${flag}.\n${advice}\n` });
    expect(platform.requests).toEqual([]);
  });
});

/** Three pages: two list items, one, none. */
const paged = (name: (page: string) => unknown) =>
  scriptedPlatform({
    'GET /things': ({ url, headers }) => {
      const page = new URL(url, 'http://x').searchParams.get('page') ?? '1';
      const next = `<http://${headers.host}/api/v3/things?per_page=100&page=${Number(page) + 1}>; rel="next"`;
      return { body: name(page), ...(page === '3' ? {} : { headers: { link: next } }) };
    },
  });

describe('--paginate', () => {
  const items: Readonly<Record<string, unknown>> = { 1: [1, 2], 2: [3], 3: [] };
  const lists = () => paged((page) => items[page]);
  const envelopes = () => paged((page) => ({ total_count: 3, things: items[page] }));
  const compact = (text: string) => text.replace(/\s+/g, '');
  const all = async ({ env }: { env: Readonly<Record<string, string>> }, ...words: string[]) => {
    const { stdout, code } = await run(['api', '/things', '--paginate', ...words], { env });
    expect(code).toBe(0);
    return stdout;
  };

  it('requests 100 records per page by default', async () => {
    const platform = await lists();
    await all(platform);
    await all(platform, '-X', 'GET', '-F', 'per_page=5');
    await run(['api', '/things?per_page=7', '--paginate'], { env: platform.env });
    const first = platform.requests.filter(({ url }) => !url.includes('&page='));
    expect(first.map(({ url }) => url)).toEqual([
      '/api/v3/things?per_page=100',
      '/api/v3/things?per_page=5',
      '/api/v3/things?per_page=7',
    ]);
  });

  it('joins lists, and prints other pages one after another', async () => {
    expect(compact(await all(await lists()))).toBe('[1,2,3]');
    expect(compact(await all(await envelopes()))).toBe(
      '{"total_count":3,"things":[1,2]}{"total_count":3,"things":[3]}{"total_count":3,"things":[]}',
    );
  });

  it('--jq filters each page', async () => {
    expect(await all(await lists(), '--jq', 'length')).toBe('2\n1\n0\n');
    expect(await all(await lists(), '--jq', '.[]')).toBe('1\n2\n3\n');
    expect(await all(await envelopes(), '--jq', '.things[]')).toBe('1\n2\n3\n');
  });

  it('--slurp prints one list of all pages, which --jq filters as a whole', async () => {
    expect(compact(await all(await lists(), '--slurp'))).toBe('[[1,2],[3],[]]');
    expect(compact(await all(await envelopes(), '--slurp', '--jq', 'map(.things)|add'))).toBe('[1,2,3]');
  });

  it('--include prints the headers of each page before it', async () => {
    const shown = await all(await lists(), '-i');
    expect(compact(shown.replace(/^(?!HTTP |\[|\]|\s+\d|$).*$/gm, ''))).toBe('HTTP200[1,2]HTTP200[3]HTTP200[]');
  });

  it('--silent prints nothing, and fetches all pages', async () => {
    const platform = await lists();
    expect(await all(platform, '--silent')).toBe('');
    expect(platform.requests).toHaveLength(3);
  });

  it.each([
    [['--slurp'], '--slurp requires --paginate'],
    [['--where', '.a'], '--where requires --paginate'],
    [['--paginate', '--slurp', '--where', '.a'], '--where cannot be used with --slurp'],
    [['--paginate', '--slurp', '-i'], '--include cannot be used with --slurp'],
    [['--paginate', '-i', '-o', 'csv'], '--include prints pages; with --paginate, only JSON has them'],
    [['--silent', '--jq', '.'], '--silent cannot be used with --jq'],
  ])('refuses %j', async (words, message) => {
    const platform = await scriptedPlatform({});
    const { code, stderr } = await run(['api', '/x', ...words], { env: { ...platform.env, CI: '' } });
    expect(code).toBe(2);
    expect(stderr).toContain(`${message}. Nothing was sent.`);
    expect(platform.requests).toEqual([]);
  });
});

describe('{owner}, {repo} and {branch}', () => {
  /** Runs api in a checkout whose remotes are at these addresses; HOST is that of the platform. */
  async function inCheckout(remotes: Readonly<Record<string, string>>, ...words: readonly string[]) {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const folder = await temporaryDirectory();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
    git('init', '--quiet', '--initial-branch=fix/a#1');
    const { host } = new URL(platform.baseUrl);
    for (const [name, url] of Object.entries(remotes)) git('remote', 'add', name, url.replace('HOST', host));
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    try {
      const result = await run(['api', ...words], {
        env: { ...process.env, ...platform.env } as Record<string, string>,
      });
      return { ...result, requests: platform.requests.map(({ method, url, body }) => `${method} ${url} ${body}`) };
    } finally {
      vi.restoreAllMocks();
    }
  }

  const elsewhere = 'https://elsewhere.example/other/fork.git';

  it('are the repository of the remote on the platform, and its branch', async () => {
    const { code, requests } = await inCheckout(
      { upstream: elsewhere, origin: 'http://HOST/acme/site.git' },
      ...['repos/{owner}/{repo}/branches/{branch}', '-F', 'head={owner}:{branch}', '-f', 'raw={owner}'],
    );
    expect({ code, requests }).toEqual({
      code: 0,
      requests: ['POST /api/v3/repos/acme/site/branches/fix/a%231 {"raw":"{owner}","head":"acme:fix/a#1"}'],
    });
  });

  it('prefer the remote upstream, and may have a colon, as in gh', async () => {
    const remotes = { fork: 'http://HOST/me/site', origin: 'http://HOST/you/site', upstream: 'http://HOST/acme/site' };
    expect((await inCheckout(remotes, 'repos/:owner/:repo/labels')).requests).toEqual([
      'GET /api/v3/repos/acme/site/labels ',
    ]);
  });

  it('leave other braces unchanged', async () => {
    expect((await inCheckout({}, '/x', '-F', 'a={other} {OWNER} :ownership')).requests).toEqual([
      'POST /api/v3/x {"a":"{other} {OWNER} :ownership"}',
    ]);
  });

  it.each<Readonly<Record<string, string>>>([
    {},
    { origin: elsewhere },
    { origin: 'https://HOST@elsewhere.example/acme/site' },
    { origin: 'http://HOST/acme' },
  ])('are rejected without a remote on the platform: %j', async (remotes) => {
    const { code, stderr, requests } = await inCheckout(remotes, 'repos/{owner}/{repo}');
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toMatch(
      /^forgectl: No git remote of this folder is on 127\.0\.0\.1:\d+, so \{owner\} and \{repo\} have no value\. Nothing was sent\.\n/,
    );
  });

  it('are rejected within each', async () => {
    const platform = await scriptedPlatform({});
    const folder = await temporaryDirectory();
    writeFileSync(join(folder, 'targets'), 'acme/site\n');
    const words = ['each', '--from', join(folder, 'targets'), '--', 'api', 'repos/{owner}/{repo}', '-F', 'target={}'];
    const { code, stderr } = await run(words, { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain(
      '{owner}, {repo} and {branch} refer to the repository in this directory, not to the target.',
    );
    expect(platform.requests).toEqual([]);
  });
});

describe('graphql', () => {
  const query = 'query($n: Int, $endCursor: String) { viewer { login } }';

  it('sends all fields but query and operationName as variables, to the GraphQL address', async () => {
    const platform = await scriptedPlatform(() => ({ body: { data: { viewer: { login: 'octocat' } } } }));
    const words = ['api', 'graphql', '-F', 'n=3', '-f', `query=${query}`, '-f', 'operationName=Q'];
    const { stdout, code } = await run([...words, '--jq', '.data.viewer.login'], { env: platform.env });
    expect({ stdout, code }).toEqual({ stdout: 'octocat\n', code: 0 });
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /api/graphql']);
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({ query, operationName: 'Q', variables: { n: 3 } });
  });

  it('--paginate follows the cursor, and prints each page', async () => {
    const pages: Readonly<Record<string, object>> = {
      first: { nodes: [{ id: 1 }], pageInfo: { hasNextPage: true, endCursor: 'c1' } },
      c1: { nodes: [{ id: 2 }], pageInfo: { hasNextPage: false, endCursor: 'c2' } },
    };
    const platform = await scriptedPlatform(({ body }) => {
      const { variables } = JSON.parse(body) as { variables?: { endCursor?: string } };
      return { body: { data: { viewer: { repositories: pages[variables?.endCursor ?? 'first'] } } } };
    });
    const words = ['api', 'graphql', '--paginate', '-f', `query=${query}`, '-F', 'n=1'];
    const jq = ['--jq', '.data.viewer.repositories.nodes[].id'];
    expect(await run([...words, ...jq], { env: platform.env })).toEqual({ code: 0, stdout: '1\n2\n', stderr: '' });
    expect(platform.requests.map(({ body }) => JSON.parse(body).variables)).toEqual([
      { n: 1 },
      { n: 1, endCursor: 'c1' },
    ]);
  });

  it('fails with exit code 6 if the response has errors, and prints it', async () => {
    const body = { data: null, errors: [{ message: 'Field x does not exist' }] };
    const platform = await scriptedPlatform(() => ({ body }));
    const { stdout, stderr, code } = await run(['api', 'graphql', '-f', 'query={x}'], { env: platform.env });
    expect({ code, stdout: JSON.parse(stdout) }).toEqual({ code: 6, stdout: body });
    expect(stderr).toContain('Field x does not exist');
  });

  it('--dry-run sends nothing', async () => {
    const platform = await scriptedPlatform({});
    const words = ['api', 'graphql', '--paginate', '-f', 'query={x}', '--dry-run', '--jq', '"\\(.method) \\(.url)"'];
    const { stdout } = await run(words, { env: platform.env });
    expect(stdout).toBe(`POST ${platform.baseUrl.replace('/v3', '')}/graphql\n`);
    expect(platform.requests).toEqual([]);
  });
});
