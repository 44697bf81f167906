import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { appKey } from '../support/app.ts';
import { selfSignedCertificate } from '../support/certificate.ts';
import { temporaryDirectory } from '../support/run.ts';
import { json, startServer } from '../support/server.ts';
import { root } from './commands.ts';

/** Prints at the end, on stderr, the files below this package and the modules of Node that the process loaded. */
const preload = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  import vm from 'node:vm';
  import { fileURLToPath } from 'node:url';
  const files = [];
  const own = ${JSON.stringify(root)};
  const note = (file) => file?.startsWith(own) && files.push(file.slice(own.length));
  registerHooks({ load(url, context, next) {
    if (url.startsWith('file:')) note(fileURLToPath(url));
    return next(url, context);
  } });
  vm.Script = class extends vm.Script {
    constructor(text, options) {
      super(text, options);
      note(options.filename);
    }
  };
  process.on('exit', () => {
    const modules = process.moduleLoadList.map((line) => /^NativeModule (\\w+)$/.exec(line)?.[1]).filter(Boolean);
    writeSync(2, JSON.stringify({ files, modules }));
  });`;

async function loadedBy(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const HOME = await temporaryDirectory();
  const preloaded = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
  const { stderr } = await promisify(execFile)(process.execPath, [...preloaded, join(root, 'bin/run.js'), ...words], {
    env: { PATH: process.env.PATH, HOME, ...env },
    // Commands that fail say what they loaded, too.
  }).catch((error: { readonly stderr: string }) => error);
  return JSON.parse(stderr.slice(stderr.lastIndexOf('{"files"'))) as { files: string[]; modules: string[] };
}

it('--version loads nothing', async () => {
  const { files } = await loadedBy(['--version']);
  expect(files).toEqual(['bin/run.js']);
});

it('a list loads only its command, the endpoints of its topic and the client', async () => {
  const { origin } = await startServer((response) => json(response, []));
  const env = { FORGECTL_BASE_URL: `${origin}/api/v3`, FORGECTL_TOKEN: 'ghp_000000000000000000000000000000000000' };
  const { files, modules } = await loadedBy(['orgs', 'list', '-o', 'json'], env);
  expect(files.sort()).toEqual([
    'bin/run.js',
    'dist/cli/run/base.js',
    'dist/cli/run/client.js',
    'dist/cli/run/command.js',
    'dist/cli/run/main.js',
    'dist/cli/run/orgs.js',
    'dist/cli/run/rolldown-runtime.js',
    'dist/commands/orgs/list.js',
    'dist/start.js',
  ]);
  // Without TLS no certificates are parsed.
  for (const module of ['tls', 'https', 'http2', 'child_process', 'readline', 'worker_threads'])
    expect(modules, module).not.toContain(module);
});

/** The modules that only logins as an app need. */
const forApps = /^dist\/cli\/run\/(?:key|login|sign-command|identify|installation-tokens|open-app)\.js$/;

it('with a token, commands load no modules for apps; as an app, those for its kind of key', async () => {
  const { origin } = await startServer((response, { url = '' }) => {
    const token = { token: `ghs_${'0'.repeat(36)}`, expires_at: '2999-01-01T00:00:00Z' };
    json(response, url.endsWith('/access_tokens') ? token : url.includes('/organizations') ? [] : { login: 'acme' });
  });
  const platform = { FORGECTL_BASE_URL: `${origin}/api/v3` };
  const withToken = { ...platform, FORGECTL_TOKEN: 'ghp_000000000000000000000000000000000000' };
  const asApp = {
    ...platform,
    FORGECTL_APP_ID: '41',
    FORGECTL_APP_PRIVATE_KEY: appKey,
    FORGECTL_APP_INSTALLATION: '7',
  };
  const loaded = async (line: string, env: Readonly<Record<string, string>>) =>
    (await loadedBy(line.split(' '), env)).files.filter((file) => forApps.test(file)).sort();
  expect(await loaded('orgs get acme -o json', withToken)).toEqual([]);
  expect(await loaded('each orgs -o ndjson -- orgs get {}', withToken)).toEqual([]);
  expect(await loaded('orgs get acme -o json', asApp)).toEqual([
    'dist/cli/run/installation-tokens.js',
    'dist/cli/run/login.js',
    'dist/cli/run/open-app.js',
  ]);
});

it('the help of a topic loads no command, no endpoints and no client', async () => {
  const { files } = await loadedBy(['repos', '--help']);
  expect(files.sort()).toEqual([
    'bin/run.js',
    'dist/cli/run/base.js',
    'dist/cli/run/main.js',
    'dist/cli/run/rolldown-runtime.js',
    'dist/cli/run/show.js',
    'dist/cli/run/usage.js',
    'dist/start.js',
  ]);
});

it('a lockfile loads its own parser, and a finished snapshot none', async () => {
  const folder = await temporaryDirectory();
  const lockfile = join(folder, 'package-lock.json');
  await writeFile(lockfile, '{"packages": {}}');
  const job = ['--job-id', '1', '--correlator', 'c', '--sha', '0'.repeat(40), '--ref', 'refs/heads/main'];
  const parsers = async (...words: readonly string[]) => {
    const { files } = await loadedBy(['snapshots', ...words]);
    const sources = readdirSync(join(root, 'src/dependencies'), { recursive: true, encoding: 'utf8' });
    const known = new Set(sources.map((file) => `${basename(file, '.ts')}.js`));
    return files.map((file) => basename(file)).filter((file) => known.has(file));
  };
  const snapshot = join(folder, 'snapshot.json');
  expect(await parsers('create', lockfile, ...job, '--file', snapshot)).toEqual([
    'sbom.js',
    'npm.js',
    'npm-package.js',
    'source-url.js',
  ]);
  expect(await parsers('lint', snapshot)).toEqual([]);
});

it('all pages of a list over HTTP/1.1 load neither undici nor its WebAssembly', async () => {
  const { origin, requests } = await startServer((response, { url }) => {
    const page = Number(new URL(url, origin).searchParams.get('page') ?? 1);
    const at = (to: number) => `<${origin}/api/v3/user/orgs?per_page=100&page=${to}>`;
    json(response, [{ id: page }], page < 3 ? { link: `${at(page + 1)}; rel="next", ${at(3)}; rel="last"` } : {});
  });
  const env = { FORGECTL_BASE_URL: `${origin}/api/v3`, FORGECTL_TOKEN: 'ghp_000000000000000000000000000000000000' };
  const { files } = await loadedBy(['orgs', 'list', '--mine', '--all', '-o', 'ndjson'], env);
  expect(requests).toHaveLength(3);
  expect(files).toContain('dist/cli/run/client.js');
  expect(files.filter((file) => file.includes('undici'))).toEqual([]);
});

it('plans of policies read over undici, and the targets of each do not', async () => {
  const { origin, requests } = await startServer((response, { url = '' }) =>
    json(response, url.includes('/repos') ? [] : {}),
  );
  const env = { FORGECTL_BASE_URL: `${origin}/api/v3`, FORGECTL_TOKEN: 'ghp_000000000000000000000000000000000000' };
  const folder = await temporaryDirectory();
  const [policy, targets] = [join(folder, 'acme.yaml'), join(folder, 'targets')];
  await writeFile(policy, 'organizations: [acme]\nrepositories: [{ select: {}, settings: { has_wiki: false } }]\n');
  await writeFile(targets, 'acme\n');
  const undici = async (...words: readonly string[]) => {
    const { files } = await loadedBy(words, env);
    return files.filter((file) => file.includes('undici'));
  };
  expect(await undici('policy', 'plan', policy)).toEqual(['dist/cli/run/undici.js']);
  expect(await undici('each', '--from', targets, '--', 'orgs', 'get', '{}')).toEqual([]);
  expect(requests.map(({ url }) => url.replace(/\?.*/, '')).sort()).toEqual([
    '/api/v3/orgs/acme',
    '/api/v3/orgs/acme/repos',
    '/api/v3/user',
  ]);
});

it('deferred modules load on demand: a proxy', async () => {
  const { origin } = await startServer((response) => response.writeHead(502).end());
  const HOME = await temporaryDirectory();
  const env = { FORGECTL_BASE_URL: `${origin}/api/v3`, HTTP_PROXY: 'http://127.0.0.1:9', HOME };
  const run = promisify(execFile)(
    process.execPath,
    [join(root, 'bin/run.js'), 'orgs', 'get', 'acme', '--max-wait', '1s'],
    { env },
  );
  await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining('GET /orgs/acme failed') });
});

it('deferred modules load on demand: HTTP/2', async () => {
  const certificate = selfSignedCertificate();
  const versions: string[] = [];
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion);
    const page = Number(new URL(request.url, 'https://x').searchParams.get('page') ?? 1);
    const at = (to: number) => `</api/v3/user/orgs?per_page=100&page=${to}>`;
    if (page < 3) response.setHeader('link', `${at(page + 1)}; rel="next", ${at(3)}; rel="last"`);
    response.setHeader('content-type', 'application/json');
    const body = `[{"id":${page}}]`;
    // Without a length nothing tells over HTTP/2 that a response is whole, and forgectl goes on over HTTP/1.1.
    response.setHeader('content-length', body.length);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const HOME = await temporaryDirectory();
  await writeFile(join(HOME, 'ca.pem'), certificate.cert);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'bin/run.js'), 'orgs', 'list', '--mine', '--all', '-o', 'ndjson'],
    {
      env: {
        FORGECTL_BASE_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`,
        NODE_EXTRA_CA_CERTS: join(HOME, 'ca.pem'),
        HOME,
      },
    },
  );
  expect(stdout).toBe('{"id":1}\n{"id":2}\n{"id":3}\n');
  expect(versions).toEqual(['2.0', '2.0', '2.0']);
});

it('only a report loads what draws its plots', async () => {
  const { files } = await loadedBy(['policy', 'show', 'missing.ndjson']);
  expect(files).toContain('dist/commands/policy/show.js');
  expect(files.filter((file) => /echarts|plots|run\/report/.test(file))).toEqual([]);
});
