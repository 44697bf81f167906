import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nacl from 'tweetnacl';
import { describe, expect, it } from 'vitest';
import { openSealedBox } from '../support/open-sealed-box.ts';
import { scriptedPlatform } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const keyPair = nacl.box.keyPair();
const publicKey = { key_id: '012345678912345678', key: Buffer.from(keyPair.publicKey).toString('base64') };
const npm = {
  name: 'NPM_REGISTRY_SECRET',
  registry_type: 'npm_registry',
  username: null,
  visibility: 'all',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-02-28T12:00:00Z',
};

const bodyOf = (request: { body: string } | undefined) => JSON.parse(request?.body ?? '');
const opened = (body: { encrypted_value: string }) =>
  Buffer.from(openSealedBox(Buffer.from(body.encrypted_value, 'base64'), keyPair) ?? []).toString('utf8');

const create = ['registries', 'create', 'acme', '--registry-type', 'npm_registry', '--url', 'https://npm.example.com'];

describe('registries list, get and public-key', () => {
  it('lists the items of the envelope «configurations»', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/private-registries': { body: { total_count: 1, configurations: [npm] } },
    });
    const pipe = await run(['registries', 'list', 'acme'], { env: platform.env });
    expect(pipe.stdout).toBe('NPM_REGISTRY_SECRET\tnpm_registry\t\tall\t2026-02-28T12:00:00Z\n');
    const json = await run(['registries', 'list', 'acme', '--json'], { env: platform.env });
    expect(JSON.parse(json.stdout)).toEqual([npm]);
    const table = await run(['registries', 'list', 'acme'], { env: platform.env, tty: true });
    expect(table.stdout).toMatch(/^NAME +TYPE +USERNAME +VISIBILITY +UPDATED/);
    expect(table.stdout).toContain('1 day ago');
  });

  it('shows one by name, and reports a 404 with exit code 3', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/private-registries/NPM_REGISTRY_SECRET': { body: npm } });
    const { stdout } = await run(['registries', 'get', 'acme', 'NPM_REGISTRY_SECRET', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toEqual(npm);
    expect((await run(['registries', 'get', 'acme', 'OTHER'], { env: platform.env })).code).toBe(3);
  });

  it('shows which repositories are selected, and reports if the platform does not return them', async () => {
    const selected = { ...npm, visibility: 'selected', selected_repository_ids: [7, 8] };
    const { selected_repository_ids: _, ...untold } = selected;
    const { env } = await scriptedPlatform({
      'GET /orgs/acme/private-registries/TOLD': { body: selected },
      'GET /orgs/acme/private-registries/UNTOLD': { body: untold },
    });
    const told = await run(['registries', 'get', 'acme', 'TOLD'], { env, tty: true });
    expect(told.stdout).toMatch(/^Selected repository IDs +7, 8$/m);
    expect(told.stderr).toBe('');
    const other = await run(['registries', 'get', 'acme', 'UNTOLD'], { env, tty: true });
    expect(other.stderr).toBe('The platform does not return the selected repositories.\n');
  });

  it('shows the full public key, which is not a secret', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/private-registries/public-key': { body: publicKey } });
    const { stdout } = await run(['registries', 'public-key', 'acme', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toEqual(publicKey);
  });
});

describe('--selected-repositories', () => {
  const repositories = {
    'GET /orgs/acme/private-registries/public-key': { body: publicKey },
    'GET /repos/acme/site': { body: { id: 100001, full_name: 'acme/site' } },
    'GET /repos/acme/api': { body: { id: 100002, full_name: 'acme/api' } },
    'POST /orgs/acme/private-registries': { status: 201, body: npm },
    'PATCH /orgs/acme/private-registries/NPM': { status: 204 },
  };

  it('accepts names and sends their IDs', async () => {
    const platform = await scriptedPlatform(repositories);
    const selected = ['--visibility', 'selected', '--selected-repositories', 'acme/site, acme/api'];
    await run([...create, ...selected, '--secret-stdin'], { env: platform.env, stdin: 's' });
    const each = ['--selected-repositories', 'acme/site', '--selected-repositories', 'acme/api.git'];
    await run(['registries', 'update', 'acme', 'NPM', ...each], { env: platform.env });
    const [made, changed] = platform.requests.filter(({ method }) => method !== 'GET').map(bodyOf);
    expect(made.selected_repository_ids).toEqual([100001, 100002]);
    expect(changed).toEqual({ selected_repository_ids: [100001, 100002] });
  });

  it('is resolved before the secret is sealed: nothing is sent if a repository does not exist', async () => {
    const platform = await scriptedPlatform(repositories);
    const selected = ['--visibility', 'selected', '--selected-repositories', 'acme/site,acme/gone'];
    const words = [...create, ...selected, '--secret-stdin'];
    const { stderr, code } = await run(words, { env: platform.env, stdin: 's' });
    expect(code).toBe(3);
    expect(stderr).toContain('GET /repos/acme/gone');
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/v3/repos/acme/site',
      'GET /api/v3/repos/acme/gone',
    ]);
  });

  it.each([
    [
      ['--visibility', 'selected', '--selected-repositories', 'site'],
      '--selected-repositories must have the form OWNER/NAME',
    ],
    [['--visibility', 'all', '--selected-repositories', 'acme/site'], 'is only valid with --visibility selected'],
    [
      ['--visibility', 'selected', '--selected-repositories', 'acme/site', '--selected-repository-ids', '7'],
      '--selected-repositories and --selected-repository-ids cannot be used together',
    ],
  ])('%j is rejected, and nothing is sent', async (words, said) => {
    const platform = await scriptedPlatform(repositories);
    const { stderr, code } = await run([...create, ...words, '--secret-stdin'], { env: platform.env, stdin: 's' });
    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(platform.requests).toEqual([]);
  });
});

describe('registries create', () => {
  const script = {
    'GET /orgs/acme/private-registries/public-key': { body: publicKey },
    'POST /orgs/acme/private-registries': { status: 201, body: npm },
  };

  it('seals the secret from standard input, without one trailing newline, with a freshly fetched key', async () => {
    const platform = await scriptedPlatform(script);
    const words = [
      ...create,
      '--visibility',
      'all',
      '--username',
      'bot',
      '--replaces-base',
      '--secret-stdin',
      '--json',
    ];
    const result = await run(words, { env: platform.env, stdin: 'sec:ret/ünï\n\n' });
    expect(result.code).toBe(0);
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/v3/orgs/acme/private-registries/public-key',
      'POST /api/v3/orgs/acme/private-registries',
    ]);
    const { encrypted_value, ...rest } = bodyOf(platform.requests[1]);
    expect(rest).toEqual({
      registry_type: 'npm_registry',
      url: 'https://npm.example.com',
      visibility: 'all',
      username: 'bot',
      replaces_base: true,
      key_id: '012345678912345678',
    });
    expect(opened({ encrypted_value })).toBe('sec:ret/ünï\n');
    expect(result.stdout + result.stderr).not.toContain('sec:ret');
    expect(JSON.parse(result.stdout)).toEqual(npm);
  });

  it('reads the secret from a file', async () => {
    const platform = await scriptedPlatform(script);
    const file = join(await temporaryDirectory(), 'secret');
    await writeFile(file, 'from-a-file\r\n');
    const words = [...create, '--visibility', 'private', '--secret-file', file];
    expect((await run(words, { env: platform.env })).code).toBe(0);
    expect(opened(bodyOf(platform.requests[1]))).toBe('from-a-file');
  });

  it('sends a secret that is already sealed unchanged', async () => {
    const platform = await scriptedPlatform(script);
    const words = [...create, '--visibility', 'all', '--encrypted-value', 'c2VhbGVk', '--key-id', '7'];
    expect((await run(words, { env: platform.env })).code).toBe(0);
    expect(bodyOf(platform.requests[0])).toMatchObject({ encrypted_value: 'c2VhbGVk', key_id: '7' });
  });

  it('masks the sealed secret in a dry run, and uploads nothing', async () => {
    const platform = await scriptedPlatform(script);
    const words = [...create, '--visibility', 'all', '--secret-stdin', '--dry-run', '--json'];
    const { stdout, code } = await run(words, { env: platform.env, stdin: 'secret' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).body).toMatchObject({ key_id: '012345678912345678', encrypted_value: '********' });
    expect(platform.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it.each([
    ['oidc_azure', ['tenant_id', 'client_id']],
    ['oidc_aws', ['aws_region', 'account_id', 'role_name', 'domain', 'domain_owner']],
    ['oidc_jfrog', ['jfrog_oidc_provider_name']],
    ['oidc_cloudsmith', ['namespace', 'service_slug', 'audience']],
    ['oidc_gcp', ['workload_identity_provider']],
  ])('%s reports every missing field, and sends nothing', async (authType, fields) => {
    const platform = await scriptedPlatform(script);
    const words = [...create, '--visibility', 'all', '--auth-type', authType, '--json'];
    const { stderr, code } = await run(words, { env: platform.env });
    expect(code).toBe(2);
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
    expect(error.fields.map(({ field }: { field: string }) => field)).toEqual(fields);
    expect(platform.requests).toEqual([]);
  });

  it('sends an OIDC registry without a secret', async () => {
    const platform = await scriptedPlatform(script);
    const words = [...create, '--visibility', 'all', '--auth-type', 'oidc_aws', '--aws-region', 'eu-west-1'];
    const aws = ['--account-id', '1', '--role-name', 'r', '--domain', 'd', '--domain-owner', '2', '--audience', 'a'];
    expect((await run([...words, ...aws], { env: platform.env })).code).toBe(0);
    expect(bodyOf(platform.requests[0])).toEqual({
      registry_type: 'npm_registry',
      url: 'https://npm.example.com',
      visibility: 'all',
      auth_type: 'oidc_aws',
      aws_region: 'eu-west-1',
      account_id: '1',
      role_name: 'r',
      domain: 'd',
      domain_owner: '2',
      audience: 'a',
    });
  });

  it.each([
    [
      'a secret with an OIDC type',
      ['--visibility', 'all', '--auth-type', 'oidc_jfrog', '--jfrog-oidc-provider-name', 'p', '--secret-stdin'],
      'encrypted_value',
    ],
    [
      'fields of another type',
      ['--visibility', 'all', '--secret-stdin', '--tenant-id', 't'],
      '--tenant-id is only valid with auth_type oidc_azure',
    ],
    ['selected without repositories', ['--visibility', 'selected', '--secret-stdin'], 'selected_repository_ids'],
    [
      'repositories without selected',
      ['--visibility', 'all', '--secret-stdin', '--selected-repository-ids', '1,2'],
      '--selected-repository-ids is only valid with --visibility selected',
    ],
    [
      'username_password without a user',
      ['--visibility', 'all', '--secret-stdin', '--auth-type', 'username_password'],
      'username',
    ],
    [
      'no secret when prompts are disabled',
      ['--visibility', 'all'],
      '--secret-file or --secret-stdin is required when prompts are disabled',
    ],
    ['a sealed value without its key', ['--visibility', 'all', '--encrypted-value', 'x'], 'key_id'],
    [
      'two sources of the secret',
      ['--visibility', 'all', '--secret-stdin', '--secret-file', 'f'],
      '--secret-file and --secret-stdin',
    ],
    ['no visibility', ['--secret-stdin'], 'visibility'],
  ])('rejects %s, exit code 2, and sends nothing', async (_what, flags, named) => {
    const platform = await scriptedPlatform(script);
    const { stderr, code } = await run([...create, ...flags], { env: platform.env, stdin: 'secret' });
    expect(code).toBe(2);
    expect(stderr).toContain(named);
    expect(platform.requests).toEqual([]);
  });

  it('accepts lists of IDs with commas, repeated or as JSON', async () => {
    const platform = await scriptedPlatform(script);
    const flag = '--selected-repository-ids';
    for (const ids of [
      [flag, '1,2'],
      [flag, '1', flag, '2'],
      [flag, '[1, 2]'],
    ])
      await run([...create, '--visibility', 'selected', '--secret-stdin', ...ids], { env: platform.env, stdin: 's' });
    const posts = platform.requests.filter(({ method }) => method === 'POST').map(bodyOf);
    expect(posts.map((body) => body.selected_repository_ids)).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  it.each([
    ['not base64 of 32 bytes', { key_id: '1', key: 'c2hvcnQ=' }],
    ['no key at all', { key_id: '1' }],
  ])('rejects a public key that is %s', async (_what, key) => {
    const platform = await scriptedPlatform({
      ...script,
      'GET /orgs/acme/private-registries/public-key': { body: key },
    });
    const words = [...create, '--visibility', 'all', '--secret-stdin'];
    const { stderr, code } = await run(words, { env: platform.env, stdin: 'sec-ret' });
    expect(code).toBe(8);
    expect(stderr).toContain('key');
    expect(stderr).not.toContain('sec-ret');
    expect(platform.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('registries update, delete and seal', () => {
  it('update sends PATCH with only the given fields', async () => {
    const platform = await scriptedPlatform({ 'PATCH /orgs/acme/private-registries/NPM': { status: 204 } });
    const words = [
      'registries',
      'update',
      'acme',
      'NPM',
      '--url',
      'https://new.example.com',
      '--no-replaces-base',
      '--json',
    ];
    const { stdout, code } = await run(words, { env: platform.env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({});
    expect(bodyOf(platform.requests[0])).toEqual({ url: 'https://new.example.com', replaces_base: false });
  });

  it('update seals a new secret', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/private-registries/public-key': { body: publicKey },
      'PATCH /orgs/acme/private-registries/NPM': { status: 204 },
    });
    await run(['registries', 'update', 'acme', 'NPM', '--secret-stdin'], { env: platform.env, stdin: 'rotated' });
    const body = bodyOf(platform.requests[1]);
    expect(Object.keys(body).sort()).toEqual(['encrypted_value', 'key_id']);
    expect(opened(body)).toBe('rotated');
  });

  it('update without fields first prompts whether to change the secret', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/private-registries/public-key': { body: publicKey },
      'PATCH /orgs/acme/private-registries/NPM': { status: 204 },
    });
    const { code, stderr } = await run(['registries', 'update', 'acme', 'NPM'], {
      env: platform.env,
      person: [
        ['What do you want to change?', '\r'],
        ['Registry secret:', 'rotated\r'],
      ],
    });
    expect(code).toBe(0);
    expect(opened(bodyOf(platform.requests[1]))).toBe('rotated');
    expect(stderr).toContain('\n  forgectl registries update acme NPM --secret-stdin\n');
  });

  it('update prompts for the other fields if the secret stays', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/private-registries/NPM': { body: { name: 'NPM' } },
      'PATCH /orgs/acme/private-registries/NPM': { status: 204 },
    });
    const { stdout } = await run(['registries', 'update', 'acme', 'NPM', '--plain'], {
      env: platform.env,
      person: [
        ['2. another field', '2\r'],
        ['2. url: ', '2\r'],
        ['(--url)', 'https://new.example.com\r'],
      ],
    });
    expect(platform.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'PATCH']);
    expect(bodyOf(platform.requests[2])).toEqual({ url: 'https://new.example.com' });
    expect(stdout).toBe('url  - → https://new.example.com\n');
  });

  it('update explains after a 422 that auth_type cannot be changed', async () => {
    const platform = await scriptedPlatform({
      'PATCH /orgs/acme/private-registries/NPM': { status: 422, body: { message: 'Validation Failed' } },
    });
    const { stderr, code } = await run(['registries', 'update', 'acme', 'NPM', '--auth-type', 'token'], {
      env: platform.env,
    });
    expect(code).toBe(6);
    expect(stderr).toContain('cannot be changed');
  });

  it('delete requires --yes when prompts are disabled', async () => {
    const platform = await scriptedPlatform({ 'DELETE /orgs/acme/private-registries/NPM': { status: 204 } });
    const refused = await run(['registries', 'delete', 'acme', 'NPM'], { env: platform.env });
    expect(refused.code).toBe(2);
    expect(platform.requests).toEqual([]);
    expect((await run(['registries', 'delete', 'acme', 'NPM', '--yes'], { env: platform.env })).code).toBe(0);
    expect(platform.requests.map(({ method }) => method)).toEqual(['DELETE']);
  });

  it('seal prints the sealed secret, and uploads nothing', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/private-registries/public-key': { body: publicKey } });
    const { stdout, code } = await run(['registries', 'seal', 'acme', '--secret-stdin', '--json'], {
      env: platform.env,
      stdin: 'seal me',
    });
    expect(code).toBe(0);
    const sealed = JSON.parse(stdout);
    expect(sealed.key_id).toBe('012345678912345678');
    expect(opened(sealed)).toBe('seal me');
    expect(platform.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('a registry that does not exist', () => {
  const registries = [{ name: 'NPM_SECRET' }, { name: 'PYTHON_INDEX_SECRET' }, { name: 'MAVEN_SECRET' }];
  const answered = (line: string, listed: readonly object[] | null = registries) =>
    scriptedPlatform({
      ...(listed && {
        'GET /orgs/acme/private-registries': { body: { total_count: listed.length, configurations: listed } },
      }),
    }).then(({ env }) => run(line.split(' '), { env }));

  it.each([
    ['registries get acme PYTHON_INDEX', 'PYTHON_INDEX_SECRET'],
    ['registries update acme python_index --visibility all', 'PYTHON_INDEX_SECRET'],
    ['registries delete acme NMP_SECRET --yes', 'NPM_SECRET'],
  ])('%s suggests the nearest name', async (line, name) => {
    const { code, stderr } = await answered(line);
    expect(code).toBe(3);
    expect(stderr).toMatch(new RegExp(`returned 404 Not Found\\nDid you mean ${name}\\?\\n`));
  });

  it.each<[why: string, line: string, listed: readonly object[] | null]>([
    ['no name is near', 'registries get acme RUBY', registries],
    ['the registry is listed', 'registries update acme NPM_SECRET --visibility all', registries],
    ['they cannot be listed', 'registries get acme PYTHON_INDEX', null],
    ['names are not text', 'registries delete acme NPM_SECRET --yes', [{}, { name: 7 }, { name: ['NPM_SECRET'] }]],
  ])('suggests nothing if %s', async (_, line, listed) => {
    const { code, stderr } = await answered(line, listed);
    expect(code).toBe(3);
    expect(stderr).toContain('Check the spelling.');
    expect(stderr).not.toContain('Did you mean');
  });
});
