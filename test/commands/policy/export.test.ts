/** Exports to folders with links, and names from the platform that could become paths. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { start } from '../../support/process.ts';
import { run, temporaryDirectory } from '../../support/run.ts';
import { onSandbox } from './support.ts';

describe('policy export', () => {
  it.each([
    ['policy.schema.json', 'precious'],
    ['acme', 'elsewhere'],
    ['acme/rulesets', 'elsewhere'],
    ['acme/repositories', 'elsewhere'],
  ])('sends nothing if %s is a link', async (link, target) => {
    const { folder } = await onSandbox();
    const platform = await scriptedPlatform({});
    writeFileSync(join(folder, 'precious'), 'mine');
    mkdirSync(join(folder, 'elsewhere'));
    const path = join(folder, 'policy', link);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(folder, target), path);
    const words = ['policy', 'export', 'acme', '--dir', join(folder, 'policy'), '--repositories', '--force'];
    const { code, stdout, stderr } = await run(words, { env: platform.env });
    expect(stderr).toMatch(/^forgectl: Cannot write \S+: .*is a symbolic link\. Nothing was sent\.\n$/);
    expect(stderr).toContain(link === 'policy.schema.json' ? 'it is' : `${path} is`);
    expect({ code, stdout, requests: platform.requests }).toEqual({ code: 2, stdout: '', requests: [] });
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('mine');
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
  });

  it('prints nothing about budgets of organizations, which self-managed platforms lack, and one line about the hooks of all repositories', async () => {
    const dir = await temporaryDirectory();
    const repository = (name: string, id: number) => ({ id, name, full_name: `acme/${name}`, archived: false });
    const refused = { status: 403, body: { message: 'Forbidden' } };
    const platform = await scriptedPlatform({
      'GET /orgs/acme': { body: { login: 'acme', default_repository_permission: 'read' } },
      'GET /orgs/acme/repos': { body: [repository('api', 7), repository('site', 8)] },
      'GET /orgs/acme/rulesets': { body: [] },
      'GET /orgs/acme/private-registries': { body: { total_count: 0, configurations: [] } },
      'GET /orgs/acme/pre-receive-hooks': refused,
      'GET /repos/acme/api': { body: repository('api', 7) },
      'GET /repos/acme/site': { body: repository('site', 8) },
      'GET /repos/acme/api/rulesets': { body: [] },
      'GET /repos/acme/site/rulesets': { body: [] },
      'GET /repos/acme/api/pre-receive-hooks': refused,
      'GET /repos/acme/site/pre-receive-hooks': refused,
      'GET /orgs/acme/properties/values': { body: [] },
      'GET /orgs/acme/properties/schema': { body: [] },
    });
    const { code, stderr } = await run(['policy', 'export', 'acme', '--repositories', '--dir', dir], {
      env: platform.env,
    });
    expect(code).toBe(9);
    expect(platform.requests.some(({ url }) => url?.includes('/billing/budgets'))).toBe(true);
    expect(stderr.split('\n').filter((line) => !/^\d/.test(line))).toEqual([
      'The hooks of acme were not exported: GET /orgs/acme/pre-receive-hooks returned 403: needs organization_pre_receive_hooks (read).',
      'The members of acme were not exported: GET /orgs/acme/members returned 404: needs members (read).',
      'The teams of acme were not exported: GET /orgs/acme/teams returned 404: needs members (read).',
      'The hooks of 2 repositories of acme were not exported: GET /repos/{owner}/{repo}/pre-receive-hooks returned 403: needs repository_pre_receive_hooks (read).',
      'The labels of 2 repositories of acme were not exported: GET /repos/{owner}/{repo}/labels returned 404: needs issues (read) or pull_requests (read).',
      'The grants of 2 repositories of acme were not exported: GET /repos/{owner}/{repo}/teams returned 404: needs administration (read).',
      'The topics of 2 repositories of acme were not exported: GET /repos/{owner}/{repo}/topics returned 404: needs metadata (read).',
      'The alerts of 2 repositories of acme were not exported: GET /repos/{owner}/{repo}/vulnerability-alerts returned 404: needs administration (read).',
      'The alerts of 2 repositories of acme were not exported: GET /repos/{owner}/{repo}/automated-security-fixes returned 404: needs administration (read).',
      'forgectl: The files of acme are incomplete.',
      'The missing parts are listed above. Export them with --force once the token can read them.',
      '',
    ]);
  });

  it('ignores fields with the names of methods', async () => {
    const dir = await temporaryDirectory();
    const methods = { __defineGetter__: true, constructor: 'x', toString: 7 };
    const site = { id: 8, name: 'site', full_name: 'acme/site', archived: false, has_wiki: true, ...methods };
    const platform = await scriptedPlatform({
      'GET /orgs/acme': { body: { login: 'acme', blog: 'b', ...methods } },
      'GET /orgs/acme/repos': { body: [site] },
      'GET /repos/acme/site': { body: site },
    });
    const words = ['policy', 'export', 'acme', '--repositories', '--dir', dir];
    expect((await run(words, { env: platform.env })).stderr).not.toContain('Internal error');
    const settings = readFileSync(join(dir, 'acme/repositories/site.yaml'), 'utf8');
    expect(settings).toContain('has_wiki: true');
    expect(settings).not.toMatch(/__defineGetter__|constructor|toString/);
  });

  it('writes no files of an organization if one of them is a link', async () => {
    const { forgectl, folder } = await onSandbox();
    writeFileSync(join(folder, 'precious'), 'mine');
    mkdirSync(join(folder, 'policy/acme/rulesets'), { recursive: true });
    const link = join(folder, 'policy/acme/rulesets/version-tags.yaml');
    symlinkSync(join(folder, 'precious'), link);
    const { code, stderr } = await forgectl('policy export acme --dir FOLDER/policy --force');
    expect(stderr.split('\n').at(-2)).toBe(
      `forgectl: Cannot write ${link}: it is a symbolic link. Nothing was written.`,
    );
    expect(code).toBe(2);
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('mine');
    expect([readdirSync(join(folder, 'policy')), readdirSync(join(folder, 'policy/acme'))]).toEqual([
      ['acme'],
      ['rulesets'],
    ]);
  });

  it('writes below a link of the user that is the folder itself', async () => {
    const { forgectl, folder } = await onSandbox();
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'policy'));
    expect((await forgectl('policy export acme --dir FOLDER/policy')).code).toBe(0);
    expect(readdirSync(join(folder, 'real'))).toEqual(['acme', 'policy.schema.json']);
  });

  it('replaces no other schema, nor files behind the parent of a link, without --force', async () => {
    const { forgectl, folder } = await onSandbox();
    mkdirSync(join(folder, 'policy/acme'), { recursive: true });
    mkdirSync(join(folder, 'policy/deep'));
    symlinkSync('policy/deep', join(folder, 'link'));
    for (const [name, dir] of [
      ['policy/policy.schema.json', 'policy'],
      ['policy/acme/settings.yaml', 'link/..'],
    ] as const) {
      writeFileSync(join(folder, name), 'mine');
      expect(await forgectl(`policy export acme --dir FOLDER/${dir}`)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('already exists. Nothing was sent.\n'),
      });
      expect(readFileSync(join(folder, name), 'utf8')).toBe('mine');
      rmSync(join(folder, name));
    }
    for (const owner of ['acme', 'globex'])
      expect((await forgectl(`policy export ${owner} --dir FOLDER/policy`)).code).toBe(0);
  });

  it('leaves the mode of files and folders to the umask', async () => {
    const before = process.umask(0o027);
    onTestFinished(() => void process.umask(before));
    const { forgectl, folder } = await onSandbox();
    expect((await forgectl('policy export acme --dir FOLDER/policy')).code).toBe(0);
    const mode = (path: string) => statSync(join(folder, path)).mode & 0o777;
    expect(['policy/acme', 'policy/acme/settings.yaml', 'policy/policy.schema.json'].map(mode)).toEqual([
      0o750, 0o640, 0o640,
    ]);
  });

  it('leaves no partial file on a full disk', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme': { body: { login: 'acme', name: 'x'.repeat(5000) } } });
    const folder = await temporaryDirectory();
    // A file-size limit is the nearest thing to a full disk on every system.
    const { code, stderr } = await start(['policy', 'export', 'acme', '--dir', join(folder, 'policy'), '--no-cache'], {
      env: { ...platform.env, HOME: folder },
      through: ['sh', '-c', 'ulimit -f 2; exec "$@"', 'sh'],
    }).ended;
    const file = join(folder, 'policy/acme/profile.yaml');
    expect(stderr.split('\n').at(-2)).toBe(
      `forgectl: Cannot write ${file}: the file is too large for the file system.`,
    );
    expect(code).toBe(1);
    expect(readdirSync(join(folder, 'policy/acme'))).toEqual([]);
  });

  it.each(['CON', 'a:b', 'acme.', '.acme'])('rejects %s, which cannot be the name of a folder', async (name) => {
    const { env, requests } = await scriptedPlatform({});
    for (const [words, flag] of [
      [[name], 'ORG'],
      [['--enterprise', name], '--enterprise'],
    ] as const)
      expect(await run(['policy', 'export', ...words], { env })).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`${flag} “${name}” cannot name a folder`),
      });
    expect(requests).toEqual([]);
  });

  it('rejects an organization that has the folder of the enterprise', async () => {
    const { env, requests } = await scriptedPlatform({});
    const words = ['policy', 'export', 'acme', 'Enterprise-sandbox', '--enterprise', 'sandbox', '--dir', 'fleet'];
    const { code, stderr } = await run(words, { env });
    expect(stderr).toBe(
      'forgectl: The organization enterprise-sandbox and the enterprise sandbox would share the folder fleet/enterprise-sandbox. Nothing was written.\nExport them to different folders with --dir.\n',
    );
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });
});

/** Exports acme with repositories of these names and full names, into a folder that a link could lead out of. */
async function exportRepositories(repositories: readonly object[]) {
  const common = { archived: false, private: true, visibility: 'private', description: 'x' };
  const list = repositories.map((repository, at) => ({ id: at + 1, ...common, ...repository }));
  const platform = await scriptedPlatform(({ method, url }) => {
    if (url.startsWith('/api/v3/orgs/acme/repos')) return { body: list };
    if (method === 'GET' && /^\/api\/v3\/repos\/[^/]+\/[^/?]+$/.test(url)) return { body: { ...common } };
    return { status: 404, body: { message: 'Not Found' } };
  });
  const folder = await temporaryDirectory();
  const words = ['policy', 'export', 'acme', '--repositories', '--dir', join(folder, 'a/b/policy')];
  const { code, stdout, stderr } = await run(words, { env: { ...platform.env, XDG_CACHE_HOME: folder } });
  const last = stderr.trimEnd().split('\n').at(-1);
  return { code, stdout, last, folder, files: existsSync(join(folder, 'a')) ? readdirSync(folder) : [] };
}

const named = (name: unknown) => ({ name, full_name: `acme/${name}` });

describe('an organization', () => {
  it('whose login is a path is an invalid response, and nothing is written', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme': { body: { id: 1, login: '../evil', blog: 'x' } },
      'GET /user': { body: { login: 'ada' } },
    });
    const folder = await temporaryDirectory();
    const { code, stdout, stderr } = await run(['policy', 'export', 'acme', '--dir', join(folder, 'policy')], {
      env: { ...platform.env, XDG_CACHE_HOME: folder },
    });
    expect({ code, stdout, files: existsSync(join(folder, 'policy')) }).toEqual({ code: 8, stdout: '', files: false });
    expect(stderr).toBe('forgectl: GET /orgs/acme returned an organization with the invalid login "../evil".\n');
  });
});

describe('a repository', () => {
  it.each<[shown: string, repository: object]>([
    ['"acme/x/../../../evil"', named('x/../../../evil')],
    ['"acme/.."', named('..')],
    ['"acme/."', named('.')],
    ['"acme/"', named('')],
    [String.raw`"acme/a\u0000b"`, named('a\0b')],
    [String.raw`"acme/a\nb"`, named('a\nb')],
    [String.raw`"acme/a\\b"`, named(String.raw`a\b`)],
    ['"acme/a:b"', named('a:b')],
    ['"acme/é"', named('é')],
    [`"acme/${'x'.repeat(74)}…`, named('x'.repeat(300))],
    ['"globex/site"', { name: 'site', full_name: 'globex/site' }],
    ['"acme/other"', { name: 'site', full_name: 'acme/other' }],
  ])('with the full_name %s is an invalid response, and nothing is written', async (shown, repository) => {
    const { code, stdout, last, files } = await exportRepositories([named('site'), repository]);
    expect(last).toBe(`forgectl: GET /orgs/acme/repos returned a repository with the invalid full_name ${shown}.`);
    expect({ code, stdout, files }).toEqual({ code: 8, stdout: '', files: [] });
  });

  it('with the full_name of another is an invalid response for a plan, too', async () => {
    const repository = { id: 1, name: 'site', full_name: 'globex/site', archived: false };
    const platform = await scriptedPlatform({ 'GET /orgs/acme/repos': { body: [repository] } });
    const stdin = 'organizations: [acme]\nrepositories: [{ select: {}, settings: { has_wiki: false } }]\n';
    expect(await run(['policy', 'plan', '-'], { env: platform.env, stdin })).toEqual({
      code: 8,
      stdout: '',
      stderr: 'forgectl: GET /orgs/acme/repos returned a repository with the invalid full_name "globex/site".\n',
    });
  });

  it.each(['CON', 'nul', 'Com1', 'lpt9'])('named %s, as a device, is an invalid response', async (name) => {
    const { code, stdout, last, files } = await exportRepositories([named('site'), named(name)]);
    expect(last).toBe(
      `forgectl: GET /orgs/acme/repos returned a repository named ${name}, which is the name of a device on Windows.`,
    );
    expect({ code, stdout, files }).toEqual({ code: 8, stdout: '', files: [] });
  });

  it('gets a file with a number if names differ only in case, and with an underscore if its name is hidden', async () => {
    const names = ['foo', 'Foo', 'foo-2', 'FOO', '.github', '_.github', 'nul.js'];
    const { code, folder } = await exportRepositories(names.map(named));
    expect(code).toBe(9);
    const files = readdirSync(join(folder, 'a/b/policy/acme/repositories')).sort();
    const select = (file: string) =>
      /names:\n\s+- (\S+)/.exec(readFileSync(join(folder, 'a/b/policy/acme/repositories', file), 'utf8'))?.[1];
    expect(files.map((file) => `${file} ${select(file)}`)).toEqual([
      'FOO.yaml FOO',
      'Foo-2.yaml Foo',
      '_.github.yaml .github',
      '__.github.yaml _.github',
      '_nul.js.yaml nul.js',
      'foo-2-2.yaml foo-2',
      'foo-3.yaml foo',
    ]);
  });
});

it('writes no secret that the platform returns in plain text, and names variables that a policy may name', async () => {
  const registry = (name: string, url: string) => ({
    ...{ name, url, registry_type: 'npm_registry', visibility: 'all', auth_type: 'token' },
  });
  const configurations = [
    registry('NPM', 'https://ada:hunter2@npm.example.com'),
    registry('GH_TOKEN', 'https://npm.example.org'),
    registry('my-registry', 'https://npm.example.net'),
  ];
  const site = { id: 1, name: 'site', full_name: 'acme/site', archived: false, has_wiki: true };
  const platform = await scriptedPlatform({
    'GET /orgs/acme': {
      body: { login: 'acme', description: 'https://h.example/?sig=hunter2', location: 'Lima', billing_email: '' },
    },
    'GET /orgs/acme/private-registries': { body: { total_count: 3, configurations } },
    'GET /orgs/acme/repos': { body: [site] },
    'GET /repos/acme/site': { body: { ...site, homepage: 'https://ada:hunter2@h.example' } },
  });
  const dir = await temporaryDirectory();
  const { stderr } = await run(['policy', 'export', 'acme', '--repositories', '--dir', dir], { env: platform.env });
  const why = 'was not exported: it contains a password, a signature, a private key or another secret.';
  for (const part of [
    'The description of acme',
    'The registry “https://ada:********@npm.example.com” of acme',
    'The homepage of acme/site',
  ])
    expect(stderr).toContain(`${part} ${why}\n`);
  expect(stderr).toContain('The billing_email of acme was not exported: policies do not accept its value.\n');
  const read = (name: string) => readFileSync(join(dir, 'acme', name), 'utf8');
  const files = ['profile.yaml', 'registries.yaml', 'repositories/site.yaml'].map(read);
  expect(`${files}${stderr}`).not.toContain('hunter2');
  expect(files[0]).toContain('location: Lima\n');
  expect(files[1]?.match(/env: .*/g)).toEqual(['env: REGISTRY_GH_TOKEN', 'env: REGISTRY_MY_REGISTRY']);
  expect(files[2]).toContain('has_wiki: true\n');
  expect(await run(['policy', 'validate', dir])).toMatchObject({ code: 0 });
});

it('rulesets get files of their own, whatever their names', async () => {
  const names = ['../../evil', 'CON', 'a\0b', 'x'.repeat(300), 'Foo', 'foo', '***', '…'];
  const rulesets = names.map((name, at) => ({ id: at + 1, name, source_type: 'Organization', enforcement: 'active' }));
  const platform = await scriptedPlatform({
    'GET /orgs/acme/rulesets': { body: rulesets },
    ...Object.fromEntries(rulesets.map((each) => [`GET /orgs/acme/rulesets/${each.id}`, { body: each }])),
  });
  const folder = await temporaryDirectory();
  const words = ['policy', 'export', 'acme', '--dir', join(folder, 'policy')];
  expect((await run(words, { env: { ...platform.env, XDG_CACHE_HOME: folder } })).code).toBe(9);
  expect(readdirSync(join(folder, 'policy/acme/rulesets')).sort()).toEqual([
    'a-b.yaml',
    'evil.yaml',
    'foo-2.yaml',
    'foo.yaml',
    'ruleset-2.yaml',
    'ruleset-con.yaml',
    'ruleset.yaml',
    `${'x'.repeat(200)}.yaml`,
  ]);
  expect(readdirSync(join(folder, 'policy')).sort()).toEqual(['acme', 'policy.schema.json']);
});
