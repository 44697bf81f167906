/** A policy cannot make forgectl send its own credentials, or files of the system, as the secret of a registry. */
import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classicToken, pathOf, scriptedPlatform } from '../support/platform.ts';
import { start } from '../support/process.ts';
import { run, temporaryDirectory } from '../support/run.ts';
import { inPlan, withDigest } from './forging.ts';

const registry = (source: string) =>
  `organizations: [acme]\nregistries:\n  - { registry_type: npm_registry, url: "https://npm.example.com", visibility: all, secret: { ${source} } }\n`;

const create = 'registries create --registry-type npm_registry --url https://npm.example.com --visibility all';

const commands = [['validate'], ['plan'], ['apply', '--yes']];

describe.each(commands)('policy %s', (verb = '', ...flags) => {
  async function refused(source: string) {
    const folder = await temporaryDirectory();
    const platform = await scriptedPlatform({});
    symlinkSync('/proc/self/environ', join(folder, 'innocent'));
    writeFileSync(join(folder, 'p.yaml'), registry(source.replace('FOLDER', folder)));
    const { code, stdout, stderr } = await run(['policy', verb, join(folder, 'p.yaml'), ...flags], {
      env: { ...platform.env, GITHUB_TOKEN: classicToken },
    });
    expect({ code, requests: platform.requests }).toEqual({ code: 2, requests: [] });
    return `${stdout}${stderr}`.replaceAll(folder, 'FOLDER');
  }

  it.each([
    'FORGECTL_TOKEN',
    'FORGECTL_TOKEN_4',
    'FORGECTL_TOKEN_FILE',
    'forgectl_token',
    'FORGECTL_APP_PRIVATE_KEY',
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'GH_ENTERPRISE_TOKEN',
    'GITHUB_ENTERPRISE_TOKEN',
  ])('rejects the variable %s', async (name) => {
    expect(await refused(`env: ${name}`)).toContain(
      `FOLDER/p.yaml:3:85: registries[0].secret cannot come from ${name}, which is a credential of forgectl itself\n`,
    );
  });

  it('rejects the tokens of CI runners', async () => {
    expect(await refused('env: ACTIONS_ID_TOKEN_REQUEST_TOKEN')).toContain(
      'secret cannot come from ACTIONS_ID_TOKEN_REQUEST_TOKEN, which is a credential of the CI runner\n',
    );
  });

  it.each(['/proc/self/environ', '/tmp/../sys/kernel/notes', '//dev/stdin', 'FOLDER/innocent'])(
    'rejects the file %s',
    async (file) => {
      expect(await refused(`file: ${file}`)).toContain(
        `FOLDER/p.yaml:3:85: registries cannot take a secret from ${file}, which is below /proc, /sys or /dev\n`,
      );
    },
  );
});

it('a file with a name that plans would mask is no secret of a registry', async () => {
  const folder = await temporaryDirectory();
  const name = ['authorization: Bearer ', 'abcdefghij0123456789'].join('');
  writeFileSync(join(folder, 'p.yaml'), registry(`file: "${name}/../victim"`));
  const { code, stdout } = await run(['policy', 'validate', join(folder, 'p.yaml')]);
  expect({ code, stdout }).toEqual({
    code: 2,
    stdout: expect.stringContaining(', which looks like a secret and would be masked in plans'),
  });
});

/** A namespace of mounts, and one of processes, as that of a mounted /proc must be the caller's own. */
const ownMounts = ['unshare', '--map-root-user', '--mount', '--pid', '--fork'];

it.skipIf(spawnSync(ownMounts[0] ?? '', [...ownMounts.slice(1), 'mount', '-t', 'proc', 'none', '/mnt']).status !== 0)(
  'a second mount of /proc is no source either',
  async () => {
    const folder = await temporaryDirectory();
    const platform = await scriptedPlatform({});
    writeFileSync(join(folder, 'p.yaml'), registry(`file: ${folder}/copy/self/environ`));
    mkdirSync(join(folder, 'copy'));
    const { code, stdout, stderr } = await start(['policy', 'plan', join(folder, 'p.yaml')], {
      env: platform.env,
      through: [...ownMounts, 'sh', '-c', `mount -t proc none ${folder}/copy && exec "$@"`, 'sh'],
    }).ended;
    expect({ code, stdout, stderr, requests: platform.requests }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(
        `registries cannot take a secret from ${folder}/copy/self/environ, which is below /proc, /sys or /dev`,
      ),
      requests: [],
    });
  },
);

it('no file of the settings and no key of an app is a secret of a registry, by any name', async () => {
  const folder = await temporaryDirectory();
  const settings = join(folder, 'settings');
  const usual = join(folder, '.config/forgectl');
  mkdirSync(settings, { mode: 0o700 });
  mkdirSync(join(folder, 'tokens/7'), { recursive: true });
  mkdirSync(usual, { recursive: true, mode: 0o700 });
  const at = (name: string) => join(folder, name);
  for (const name of [
    ...['app.pem', 'work.pem', 'stored', 'settings/cache.key', '.config/forgectl/credentials.json'],
    ...['tokens/7/token', 'sign.pem', 'service.pem', 'usual.pem', 'at.jwk', 'option.jwk', 'shell.jwk', 'url.jwk'],
  ])
    writeFileSync(at(name), '{}', { mode: 0o600 });
  symlinkSync(at('stored'), join(settings, 'credentials.json'));
  symlinkSync(at('app.pem'), at('npm'));
  linkSync(at('settings/cache.key'), at('copy-of-cache-key'));
  linkSync(at('work.pem'), at('copy-of-key'));
  symlinkSync(at('work.pem'), at('key-of-profile'));
  const app = { id: '1', 'private-key-file': at('key-of-profile') };
  const profiles = {
    other: { token: { storage: 'file', origin: 'https://ghe.example.com', app } },
    broken: { token: { app: { 'private-key-file': at('npm') } } },
    signing: { token: { app: { 'sign-command': ['sign', `--key=file:${at('sign.pem')}`] } } },
  };
  writeFileSync(join(settings, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  const ofOtherRuns = { usual: { token: { app: { 'private-key-file': at('usual.pem') } } } };
  writeFileSync(join(usual, 'config.json'), JSON.stringify({ profiles: ofOtherRuns }), { mode: 0o600 });
  const own = ['settings/credentials.json', 'stored', 'copy-of-cache-key', '.config/forgectl/credentials.json'];
  const files = [
    ...own,
    'npm',
    'app.pem',
    'work.pem',
    'copy-of-key',
    'key-of-profile',
    'tokens/7/token',
    'sign.pem',
    'service.pem',
    'usual.pem',
    'at.jwk',
    'option.jwk',
    'shell.jwk',
    'url.jwk',
  ].map(at);
  const platform = await scriptedPlatform({
    'GET /orgs/acme/private-registries': { body: { total_count: 0, configurations: [] } },
    'GET /orgs/acme': { body: { login: 'acme', id: 1 } },
    'GET /user': { body: { login: 'admin' } },
  });
  const env = {
    ...platform.env,
    XDG_STATE_HOME: folder,
    XDG_CONFIG_HOME: at('other-settings'),
    HOME: folder,
    FORGECTL_APP_PRIVATE_KEY_FILE: at('app.pem'),
    FORGECTL_APP_SIGN_COMMAND: JSON.stringify([
      ...['sh', '-c', `sign --key '${at('shell.jwk')}' | base64`, '-sign', at('service.pem')],
      ...[`@${at('at.jwk')}`, `-i${at('option.jwk')}`, `file://localhost${at('url.jwk')}?type=jwk`],
    ]),
    FORGECTL_TOKEN_FILE: at('tokens/{index}/token'),
  };
  const onPlatform = { configDir: settings, env };
  const policy = at('p.yaml');
  for (const file of files) {
    writeFileSync(policy, registry(`file: ${file}`));
    for (const [verb = '', ...flags] of commands) {
      const { code, stdout, stderr } = await run(['policy', verb, policy, ...flags], onPlatform);
      const why = `registries cannot take a secret from ${file}, which is a credential of forgectl itself\n`;
      expect(stdout + stderr).toContain(`${policy}:3:85: ${why}`);
      expect(code).toBe(2);
    }
  }
  expect(platform.requests).toEqual([]);

  writeFileSync(at('harmless'), 'a secret');
  writeFileSync(policy, registry(`file: ${at('harmless')}`));
  expect(await run(['policy', 'plan', policy, '--out', at('plan')], onPlatform)).toMatchObject({ code: 0 });
  rmSync(at('harmless'));
  symlinkSync(at('work.pem'), at('harmless'));
  const { code, stderr } = await run(
    ['policy', 'apply', at('plan'), '--yes', '--allow-secret', at('harmless')],
    onPlatform,
  );
  expect(stderr).toContain(`${policy}:3: file ${at('harmless')} is a credential of forgectl itself\n`);
  expect({ code, writes: platform.requests.filter(({ method }) => method !== 'GET') }).toEqual({ code: 2, writes: [] });
});

it.skipIf(process.getuid === undefined || process.getuid() === 0)(
  'a token file in a folder that cannot be listed is no secret of a registry',
  async () => {
    const folder = await temporaryDirectory();
    const tokens = join(folder, 'tokens');
    mkdirSync(tokens);
    writeFileSync(join(folder, 'token'), 'a token');
    symlinkSync('../token', join(tokens, '12'));
    chmodSync(tokens, 0o311);
    writeFileSync(join(folder, 'p.yaml'), registry(`file: ${join(tokens, '12')}`));
    const env = { FORGECTL_TOKEN_FILE: join(tokens, '{index}') };
    const { code, stdout } = await run(['policy', 'validate', join(folder, 'p.yaml')], { env });
    chmodSync(tokens, 0o700);
    expect(stdout).toContain('tokens/12, which is a credential of forgectl itself\n');
    expect(code).toBe(2);
  },
);

it('policies may use variables that only look like those of forgectl', async () => {
  const folder = await temporaryDirectory();
  for (const name of ['NPM_TOKEN', 'MY_GITHUB_TOKEN', 'GITHUB_TOKEN_FOR_NPM', 'FORGECTL_APPLE']) {
    writeFileSync(join(folder, 'p.yaml'), registry(`env: ${name}`));
    expect(await run(['policy', 'validate', join(folder, 'p.yaml')])).toMatchObject({ code: 0, stdout: '' });
  }
});

it.each([
  ['ghp_567890123456', 'GET /orgs/acme returned a secret of this run'],
  ['ghp_56789012345', 'blog: "x ghp_56789012345" → ""'],
])('a secret of the run is recognized in responses from 16 characters: %s', async (short, shown) => {
  const platform = await scriptedPlatform({ 'GET /orgs/acme': { body: { id: 7, login: 'acme', blog: `x ${short}` } } });
  const policy = join(await temporaryDirectory(), 'p.yaml');
  writeFileSync(policy, 'organizations: [acme]\nsettings: { blog: "" }\n');
  const { stdout } = await run(['policy', 'plan', policy], { env: { ...platform.env, FORGECTL_TOKEN: short } });
  expect(stdout).toContain(shown);
});

it('a secret that is one of our own words hides no change', async () => {
  const platform = await scriptedPlatform({
    'GET /user': { body: { login: 'admin' } },
    'GET /orgs/acme': { body: { id: 7, login: 'acme', blog: 'x' } },
    'PATCH /orgs/acme': { body: { id: 7, login: 'acme', blog: '' } },
  });
  const folder = await temporaryDirectory();
  const policy = join(folder, 'p.yaml');
  writeFileSync(policy, 'organizations: [acme]\nsettings: { blog: "" }\n');
  for (const word of ['settings', 'update', 'changes', 'path', 'from', 'body', 'a', 'e', 'o', 's', 't']) {
    const env = { ...platform.env, FORGECTL_TOKEN: word, XDG_STATE_HOME: folder };
    const { code, stderr } = await run(['policy', 'apply', policy, '--yes'], { env });
    expect({ word, code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/^~ .*\n {4}\S*:/) });
  }
});

it('a secret of the run that the platform returns is in no plan, undo plan, journal or export', async () => {
  const folder = await temporaryDirectory();
  const leak = `x ${Buffer.from(classicToken).toString('base64')}`;
  const platform = await scriptedPlatform({
    'GET /orgs/acme': { body: { id: 7, login: 'acme', blog: leak, description: null } },
    'PATCH /orgs/acme': { body: { id: 7, login: 'acme', blog: '', description: 'new' } },
  });
  const files = join(folder, 'files');
  mkdirSync(files);
  const policy = join(folder, 'p.yaml');
  writeFileSync(policy, 'organizations: [acme]\nsettings: { blog: "", description: new }\n');
  const forgectl = (words: string) =>
    run(words.split(' '), { env: { ...platform.env, XDG_STATE_HOME: join(files, 'state') } });
  expect(await forgectl(`policy plan ${policy} --out ${files}/plan.ndjson`)).toMatchObject({
    code: 5,
    stdout: '?\tsettings\t\tacme\t\tGET /orgs/acme returned a secret of this run\n',
  });
  const made = ['--undo-out', join(files, 'undo.ndjson'), '--journal', join(files, 'run.ndjson')];
  expect(await forgectl(`policy apply ${policy} --yes ${made.join(' ')}`)).toMatchObject({ code: 5 });
  await forgectl(`policy export acme --dir ${files}`);
  expect(platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const written = readdirSync(files, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(written).not.toEqual([]);
  for (const { parentPath, name } of written) expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(leak);
});

it.each([
  ['policy apply', 'policy apply FOLDER/p.yaml --yes --debug --journal FOLDER/run.ndjson'],
  ['registries create', `${create} acme --secret-stdin --debug`],
  ['registries update', 'registries update acme NPM --secret-stdin --debug'],
  ['each', `each --from FOLDER/orgs --yes --debug --journal FOLDER/run.ndjson -- ${create} {} --secret-stdin`],
])('secrets that a refusal repeats are in no journal and no message of %s', async (_command, words) => {
  const secret = ['swordfish', '8877665544'].join('-');
  const folder = await temporaryDirectory();
  writeFileSync(join(folder, 'p.yaml'), registry('env: NPM_SECRET'));
  writeFileSync(join(folder, 'orgs'), 'acme\n');
  const platform = await scriptedPlatform(({ method, url }) => {
    if (method !== 'GET') return { status: 422, body: { message: `Cannot use ${classicToken}, ${secret}` } };
    if (url.endsWith('/public-key')) return { body: { key_id: '1', key: `${'a'.repeat(42)}o=` } };
    if (url.includes('/private-registries')) return { body: { total_count: 0, configurations: [] } };
    return { body: { id: 101, login: 'acme' } };
  });
  const { stdout, stderr } = await run(words.replaceAll('FOLDER', folder).split(' '), {
    env: { ...platform.env, NPM_SECRET: secret, XDG_STATE_HOME: join(folder, 'state') },
    stdin: secret,
  });
  expect(stderr).toContain('Cannot use ********, ********');
  const written = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = written.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  for (const text of [stdout, stderr, ...texts]) {
    expect(text).not.toContain(classicToken);
    expect(text).not.toContain(secret);
  }
});

it('values of properties with the name of a secret are in no plan and no dry run', async () => {
  const old = ['hunter', '2-of-old'].join('');
  const properties = [
    { property_name: 'dbPassword', value: old },
    { property_name: 'deploy_token', value: [`${old}-a`, `${old}-b`] },
  ];
  const platform = await scriptedPlatform((request) => {
    const repository = { id: 7, name: 'site', full_name: 'acme/site', owner: { login: 'acme' }, archived: false };
    switch (pathOf(request)) {
      case '/orgs/acme/repos':
        return { body: [repository] };
      case '/orgs/acme/properties/schema':
        return {
          body: [
            { property_name: 'dbPassword', value_type: 'string' },
            { property_name: 'deploy_token', value_type: 'multi_select', allowed_values: [`${old}-a`, `${old}-b`] },
          ],
        };
      case '/orgs/acme/properties/values':
        return { body: [{ repository_id: 7, repository_name: 'site', repository_full_name: 'acme/site', properties }] };
      default:
        return { body: { id: 1, login: 'acme' } };
    }
  });
  const folder = await temporaryDirectory();
  const [policy, plan] = [join(folder, 'p.yaml'), join(folder, 'plan.ndjson')];
  const declared = 'properties: { dbPassword: null, deploy_token: null }';
  writeFileSync(policy, `organizations: [acme]\nrepositories: [{ select: { names: [site] }, ${declared} }]\n`);
  const shown = (...words: string[]) => run(['policy', ...words], { env: platform.env });
  expect(await shown('plan', policy, '--out', plan, '-o', 'tsv')).toMatchObject({
    code: 0,
    stdout:
      '~\tproperties\t\tacme/site\t\tdbPassword: "********" → null; deploy_token: ["********","********"] → null\n',
  });
  for (const flags of [['-o', 'json'], ['-o', 'ndjson'], ['--markdown'], ['--expand'], ['-o', 'table'], ['-o', 'csv']])
    for (const words of [
      ['plan', policy],
      ['show', plan],
    ]) {
      const { code, stdout } = await shown(...words, ...flags);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('********') });
      expect(stdout).not.toContain(old);
    }
  const body = { dbPassword: `${old}-new`, deploy_token: [`${old}-b`] };
  writeFileSync(plan, withDigest(inPlan(readFileSync(plan, 'utf8'), { 1: (change) => ({ ...change, body }) })));
  for (const format of ['json', 'table']) {
    const { code, stdout, stderr } = await shown('apply', plan, '--dry-run', '-o', format);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining('********'), stderr });
    expect(stdout + stderr).not.toContain(old);
  }
});
