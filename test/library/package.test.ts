/** The library as a TypeScript project has it: out of the packed package, with what docs/library.md shows. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.ts';
import { root } from '../contracts/commands.ts';
import { temporaryDirectory } from '../support/run.ts';

const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
/** The first is the file that the others import. */
const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```)?/gm)].map(
  ([, code = '', output = ''], index) => ({ name: index === 0 ? 'client.ts' : `example-${index}.ts`, code, output }),
);

let sandbox: Sandbox;
let project: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  project = await temporaryDirectory();
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', project];
  const tarball = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim();
  const installed = join(project, 'node_modules/forgectl');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(project, tarball), '--strip-components=1', '-C', installed]);
  mkdirSync(join(project, 'node_modules/@types'));
  symlinkSync(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'));
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
});
afterAll(() => sandbox.close());

/** Runs a file of the project; not blocking, as the platform is in this process. */
async function runFile(name: string, code: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  writeFileSync(join(project, name), code);
  const env = {
    FORGECTL_BASE_URL: sandbox.baseUrl,
    FORGECTL_TOKEN: sandbox.tokens.classic,
    NPM_TOKEN: 'not a real token',
    ...variables,
  };
  const child = spawn(process.execPath, [name], { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => chunks.push(chunk));
  await once(child, 'close');
  return Buffer.concat(chunks).toString();
}

/** What the compiler says of files of the project. */
function typeCheck(names: readonly string[], module: string, moduleResolution: string): string {
  const options = [
    ...['--noEmit', '--strict', '--allowImportingTsExtensions', '--types', 'node', '--target', 'es2024'],
    ...['--module', module, '--moduleResolution', moduleResolution],
  ];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  try {
    return execFileSync(process.execPath, [tsc, ...options, ...names], { cwd: project, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const types = `
import { type Budget, createClient, createRepositoryRuleset, getComment, getOrganization, listEnterpriseBudgets, seal } from 'forgectl';
import type { ApiEndpoint, Organization, Page } from 'forgectl';

const client = createClient({ baseUrl: 'https://ghe.example.com' });
const typed: ApiEndpoint<{ path: { org: string } }, Organization> = getOrganization;
const organization: Promise<Organization> = client.call(typed, { path: { org: 'acme' } });
const pages: AsyncIterable<Page<Budget>> = client.pages(listEnterpriseBudgets, { path: { enterprise: 'acme' } }, { limit: 5 });
const plan = client.plan(createRepositoryRuleset, {
  path: { owner: 'acme', repo: 'site' },
  body: { name: 'a', enforcement: 'active', rules: [{ type: 'deletion' }] },
});
const created: Promise<number> = client.send(plan).then(({ data }) => data.id);
const sealed: Promise<{ key_id: string }> = seal({ key_id: '1', key: '' }, new Uint8Array());
export { created, organization, pages, sealed };

// @ts-expect-error: the parameter is called org
client.call(getOrganization, { path: { organization: 'acme' } });
// @ts-expect-error: a single record has no pages
client.pages(getOrganization, { path: { org: 'acme' } });
// @ts-expect-error: a comment id is a number
client.call(getComment, { path: { owner: 'acme', repo: 'site', comment_id: 'one' } });
client.call(createRepositoryRuleset, {
  path: { owner: 'acme', repo: 'site' },
  // @ts-expect-error: not an enforcement
  body: { name: 'a', enforcement: 'sometimes' },
});
// @ts-expect-error: baseUrl is required
createClient({ token: 'a' });
`;

it.each([
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['preserve', 'bundler'],
])(
  'types and the examples of README.md and docs/library.md compile with module %s and moduleResolution %s',
  (module, resolution) => {
    const [, shown = ''] = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
    const files = [{ name: 'types.ts', code: types }, { name: 'readme.ts', code: shown }, ...examples];
    for (const { name, code } of files) writeFileSync(join(project, name), code);
    expect(files).toHaveLength(8);
    expect(
      typeCheck(
        files.map(({ name }) => name),
        module,
        resolution,
      ),
    ).toBe('');
  },
);

it('the examples of docs/library.md print what they show', async () => {
  for (const { name, code, output } of examples) expect(await runFile(name, code)).toBe(output);
});

it('the example that seals a secret sends nothing without one', async () => {
  const [{ name, code } = { name: '', code: '' }] = examples.filter((example) => example.code.includes('seal('));
  expect(await runFile(name, code, { NPM_TOKEN: '' })).toContain('Error: NPM_TOKEN is not set\n');
});

it('exports every endpoint, the functions and the error classes, and nothing else', async () => {
  const code = `
import * as library from 'forgectl';
const endpoints = Object.entries(library).filter(([, value]) => typeof value === 'object');
console.log(endpoints.map(([, { route }]) => route).sort().join('\\n'));
console.log(Object.entries(library).filter(([, value]) => typeof value !== 'object').map(([name]) => name).join(' '));
`;
  const lines = (await runFile('exports.js', code)).trimEnd().split('\n');
  expect(lines.pop()).toBe(
    'ApiError ApiVersionError AuthenticationError BaseUrlError ClientError InvalidResponseError NetworkError NotFoundError ' +
      'OutcomeUnknownError PermissionError PublicKeyError RateLimitError RedirectError RenamedError ServerError UnsafeRequestError ' +
      'WebPageError createClient seal',
  );
  expect(lines).toEqual(allEndpoints.map(({ route }) => route).sort());
});

it('can be required from CommonJS', async () => {
  const code = `
const { createClient, getOrganization } = require('forgectl');
const client = createClient({ baseUrl: process.env.FORGECTL_BASE_URL, token: process.env.FORGECTL_TOKEN });
client.call(getOrganization, { path: { org: 'acme' } }).then(({ login }) => console.log(login));
`;
  expect(await runFile('required.cjs', code)).toBe('acme\n');
});

it('masks secrets in what the hooks receive', async () => {
  const code = `
import { createClient, getOrganization } from 'forgectl';
const lines = [];
const { FORGECTL_BASE_URL: baseUrl, FORGECTL_TOKEN: token } = process.env;
const client = createClient({ baseUrl, token, userAgent: 'test/1 ' + token, onDebug: (line) => lines.push(line) });
await client.call(getOrganization, { path: { org: 'acme' } });
console.log(lines.length > 5, lines.join().includes(token), lines.find((line) => line.includes('user-agent')));
`;
  expect(await runFile('hooks.js', code)).toBe('true false [1] > user-agent: test/1 ********\n');
});

it('changes nothing in the process: globals, listeners, flags of V8, umask, environment', async () => {
  const proxy = createServer().on('connect', ({ url = '' }, socket: Socket) => {
    const [host, port] = url.split(':');
    const platform = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      platform.pipe(socket).pipe(platform);
    });
    socket.on('error', () => platform.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const code = `
import module from 'node:module';
import v8 from 'node:v8';

const calls = [];
const watched = [[v8, 'setFlagsFromString'], [process, 'umask'], [process, 'chdir'], [module, 'enableCompileCache']];
for (const [owner, name] of watched) {
  const original = owner[name];
  owner[name] = (...given) => {
    calls.push(name);
    return original.apply(owner, given);
  };
}
module.syncBuiltinESMExports();

const state = () => [
  ...Reflect.ownKeys(globalThis).map(String),
  ...process.eventNames().map((name) => String(name) + process.listenerCount(name)),
  ...Object.entries(process.env).map(String),
];
const before = state();

const { createClient, getOrganization, listOrganizationRepositories, seal } = await import('forgectl');
const { FORGECTL_BASE_URL: baseUrl, FORGECTL_TOKEN: token, PROXY: proxy } = process.env;
for (const options of [{}, { proxy }]) {
  const client = createClient({ baseUrl, token, ...options });
  await client.call(getOrganization, { path: { org: 'acme' } });
  for await (const page of client.pages(listOrganizationRepositories, { path: { org: 'acme' } }, { perPage: 1 })) page.items;
  await client.close();
}
await seal({ key_id: '1', key: Buffer.alloc(32, 9).toString('base64') }, 'a secret');
console.log(calls, state().filter((entry) => !before.includes(entry)));
`;
  const { port } = proxy.address() as AddressInfo;
  expect(await runFile('state.js', code, { PROXY: `http://127.0.0.1:${port}` })).toBe('[] []\n');
  proxy.close();
});
