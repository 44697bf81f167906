import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import nacl from 'tweetnacl';
import { describe, expect, it } from 'vitest';
import { openSealedBox } from '../../support/open-sealed-box.ts';
import { type RecordedRequest, type ScriptedAnswer, scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';
import { onSandbox } from './support.ts';

const secret = ['hunter', '2-of-npm'].join('');

const npm = `organizations: [acme]
registries:
  - registry_type: npm_registry
    url: https://npm.example.com
    visibility: selected
    repositories: ["s*", "nosuch"]
    secret: { env: NPM_TOKEN }
`;

const maven = 'registry_type: maven_repository, url: "https://maven.acme.example/releases"';

describe('policies with private registries', () => {
  it('create registries with a sealed secret, which later plans cannot verify', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('p.yaml', npm);
    const plan = await forgectl('policy plan FOLDER/p.yaml');
    expect(plan.stdout).toBe(
      '+\tregistry\tnpm_registry https://npm.example.com\tacme\tneutral\tsecret from $NPM_TOKEN\n',
    );
    expect(plan.stderr).toContain(`${folder}/p.yaml:6:26: nosuch matches no repository of acme.\n`);
    const applied = await forgectl('policy apply FOLDER/p.yaml --yes', 'classic', { NPM_TOKEN: secret });
    expect(applied).toMatchObject({
      code: 0,
      stdout: 'acme\tok\tcreate registry “npm_registry https://npm.example.com”\t\n',
    });
    expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({
      code: 0,
      stdout:
        '=\tregistry\tnpm_registry https://npm.example.com\tacme\t\trepositories, secret from $NPM_TOKEN cannot be verified\n',
    });
    expect((await forgectl('policy plan FOLDER/p.yaml --json --jq .summary')).stdout).toBe(
      '{"create":0,"update":0,"delete":0,"unchanged":1,"skipped":0,"unreadable":0}\n',
    );
    expect((await forgectl('registries get acme NPM_REGISTRY_SECRET --jq .visibility')).stdout).toBe('selected\n');
  });

  it('update what they declare, and plan the rest as JSON', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      `organizations: [acme]\nregistries:\n  - { ${maven}, visibility: private, secret: { file: /run/maven } }\n`,
    );
    const { stdout } = await forgectl('policy plan FOLDER/p.yaml --json --jq .changes');
    const common = {
      kind: 'registry',
      target: 'acme',
      organization_id: 101,
      name: 'maven_repository https://maven.acme.example/releases',
      source: expect.stringMatching(/p\.yaml:3$/),
      id: 'MAVEN_REPOSITORY_SECRET',
    };
    expect(JSON.parse(stdout)).toEqual([
      {
        ...common,
        action: 'update',
        changes: [{ path: 'visibility', from: 'all', to: 'private' }],
        effect: 'tightens',
        before: { visibility: 'all' },
        body: { visibility: 'private' },
      },
      {
        ...common,
        action: 'unverified',
        changes: [{ path: 'secret', to: { file: '/run/maven' } }],
        before: {},
        secret: { file: '/run/maven', source: expect.stringMatching(/p\.yaml:3$/) },
      },
    ]);
    expect(await forgectl('policy apply FOLDER/p.yaml --yes')).toMatchObject({
      code: 0,
      stdout: 'acme\tok\tupdate registry “maven_repository https://maven.acme.example/releases”\t\n',
    });
  });

  it('list every secret that cannot be read, with its line, before the first write', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write(
      'p.yaml',
      `${npm}  - { registry_type: cargo_registry, url: "https://c.example.com", visibility: all, secret: { file: FOLDER/nosuch } }
  - { registry_type: helm_registry, url: "https://h.example.com", visibility: all, secret: { file: FOLDER/empty } }
  - { registry_type: helm_registry, url: "https://r.example.com", visibility: all, secret: { file: FOLDER/marked } }
  - { registry_type: helm_registry, url: "https://t.example.com", visibility: all, secret: { env: LATIN_1 } }
  - { registry_type: helm_registry, url: "https://u.example.com", visibility: all, secret: { env: toString } }
`.replaceAll('FOLDER', folder),
    );
    write('empty', '\n');
    write('marked', '\uFEFFs3cret\n');
    // Node decodes p\xe9s\xff like this.
    const env = { LATIN_1: 'p\uFFFDs\uFFFD' };
    const { stderr, code } = await forgectl('policy apply FOLDER/p.yaml --yes', 'classic', env);
    expect(stderr).toContain(`forgectl: 6 secrets cannot be read. Nothing was written.
${folder}/p.yaml:7: environment variable NPM_TOKEN is not set
${folder}/p.yaml:8: file ${folder}/nosuch cannot be read: no such file
${folder}/p.yaml:9: file ${folder}/empty is empty
${folder}/p.yaml:10: file ${folder}/marked starts with a byte order mark
${folder}/p.yaml:11: environment variable LATIN_1 contains bytes that are not UTF-8, or U+FFFD
${folder}/p.yaml:12: environment variable toString is not set
`);
    expect(code).toBe(2);
    expect((await forgectl('registries list acme --jq .[].name')).stdout).toBe(
      'MAVEN_REPOSITORY_SECRET\nPYTHON_INDEX_SECRET\n',
    );
    expect((await forgectl('policy apply FOLDER/p.yaml --dry-run --json --jq .[0].body.encrypted_value')).stdout).toBe(
      '********\n',
    );
  });

  it('never print or store a secret, sealed or not', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('p.yaml', npm);
    const env = { NPM_TOKEN: secret };
    const lines = [
      'policy plan FOLDER/p.yaml -o json --out FOLDER/plan.ndjson --debug',
      'policy apply FOLDER/plan.ndjson --dry-run --json',
      'policy apply FOLDER/plan.ndjson --yes --allow-secret NPM_TOKEN --debug --undo-out FOLDER/undo.ndjson',
      'policy apply FOLDER/p.yaml --yes --debug --rotate-secrets -o json',
      'policy apply FOLDER/p.yaml --yes --rotate-secret nosuch',
    ];
    const printed: string[] = [];
    for (const line of lines) {
      const { stdout, stderr } = await forgectl(line, 'classic', env);
      printed.push(stdout, stderr);
    }
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const stored = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(files.length).toBeGreaterThan(4);
    for (const text of [...printed, ...stored]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('base64'));
      expect(text).not.toMatch(/"encrypted_value":"(?!\*{8}"|\(sealed later\)")/);
    }
    expect(printed.join('')).toContain('"encrypted_value":"********"');
  });

  it('delete what is listed as absent, and what is undeclared with --prune', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', `organizations: [acme]\nmanage: { registries: all }\nabsent: { registries: [{ ${maven} }] }\n`);
    expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toBe(
      `-\tregistry\tmaven_repository https://maven.acme.example/releases\tacme\tneutral\t
-\tregistry\tpython_index https://python.acme.example/simple\tacme\tneutral\tnot declared; deleted only with --prune
`,
    );
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    await forgectl('policy apply FOLDER/plan.ndjson --yes --undo-out FOLDER/undo.ndjson');
    expect(await forgectl('policy apply FOLDER/undo.ndjson --yes')).toMatchObject({ code: 9, stdout: '' });
    expect((await forgectl('registries list acme --jq .[].name')).stdout).toBe('PYTHON_INDEX_SECRET\n');
    expect(await forgectl('policy apply FOLDER/p.yaml --yes --prune')).toMatchObject({
      code: 12,
      stderr: expect.stringContaining(
        '1 registry would be deleted; deleted secrets cannot be recovered. To allow that, add --allow-deletes 1. Nothing was written.',
      ),
    });
    await forgectl('policy apply FOLDER/p.yaml --yes --prune --allow-deletes 1');
    expect((await forgectl('registries list acme --jq .[].name')).stdout).toBe('');
  });

  it('report what a creation lacks, and reject what cannot be changed', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      `organizations: [acme]
registries:
  - { registry_type: npm_registry, url: "https://npm.example.com", visibility: selected }
  - { ${maven}, auth_type: token }
  - { registry_type: python_index, url: "https://python.acme.example/simple", visibility: selected }
`,
    );
    expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({
      code: 9,
      stdout: `?\tregistry\tmaven_repository https://maven.acme.example/releases\tacme\t\tunresolved: auth_type cannot be changed from username_password to token: delete and recreate the registry
?\tregistry\tnpm_registry https://npm.example.com\tacme\t\tunresolved: cannot be created: repositories is required when visibility is selected; secret is required with auth_type token
?\tregistry\tpython_index https://python.acme.example/simple\tacme\t\tunresolved: repositories is required to change visibility to selected
`,
    });
  });

  it('are exported with placeholders for secrets, and a plan without changes', async () => {
    const { forgectl, folder } = await onSandbox();
    const { stderr } = await forgectl('policy export acme --dir FOLDER/policy');
    expect(stderr).toContain(
      'Add the secret of registry MAVEN_REPOSITORY_SECRET of acme, which the platform does not return.\n',
    );
    expect(readFileSync(join(folder, 'policy/acme/registries.yaml'), 'utf8')).toBe(
      `# yaml-language-server: $schema=../policy.schema.json
# The platform does not return secrets: supply each as the environment variable that its registry names, or change
# its secret to { file: PATH }. Nor does it return which repositories are selected: add them as repositories, by pattern.
organizations:
  - acme
registries:
  - registry_type: maven_repository
    url: https://maven.acme.example/releases
    auth_type: username_password
    replaces_base: false
    username: builder
    visibility: all
    secret:
      env: MAVEN_REPOSITORY_SECRET
  - registry_type: python_index
    url: https://python.acme.example/simple
    auth_type: token
    replaces_base: true
    username: null
    visibility: private
    secret:
      env: PYTHON_INDEX_SECRET
`,
    );
    expect((await forgectl('policy plan FOLDER/policy --exit-code')).code).toBe(0);
  });

  const registries = 'GET /orgs/acme/private-registries';
  const one = `${registries}/NPM_REGISTRY_SECRET`;
  const patch = 'PATCH /orgs/acme/private-registries/NPM_REGISTRY_SECRET';
  const key = `${registries}/public-key`;
  const live = {
    name: 'NPM_REGISTRY_SECRET',
    registry_type: 'npm_registry',
    url: 'https://npm.example.com',
    visibility: 'all',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  };
  const listed = (...configurations: object[]) => ({
    body: { total_count: configurations.length, configurations },
  });

  async function applyTo(
    script: Readonly<Record<string, ScriptedAnswer | ((request: RecordedRequest) => ScriptedAnswer)>>,
    text: string,
    ...words: readonly string[]
  ) {
    const { folder, write } = await onSandbox();
    write('p.yaml', text);
    const platform = await scriptedPlatform({ 'GET /orgs/acme': { body: { id: 101 } }, ...script });
    const result = await run(['policy', 'apply', join(folder, 'p.yaml'), '--yes', ...words], {
      env: { ...platform.env, XDG_STATE_HOME: join(folder, 'state'), NPM_TOKEN: secret },
    });
    return { ...result, sent: platform.requests.filter(({ method }) => method !== 'GET') };
  }

  const declared = (fields: string) =>
    `organizations: [acme]\nregistries: [{ registry_type: npm_registry, url: "https://npm.example.com", ${fields} }]\n`;

  it('seal a rotated secret with a fresh key, and once more if the platform changes the key in between', async () => {
    const [first, second] = [nacl.box.keyPair(), nacl.box.keyPair()];
    const keys = [
      { key_id: '1', key: Buffer.from(first.publicKey).toString('base64') },
      { key_id: '2', key: Buffer.from(second.publicKey).toString('base64') },
    ];
    let fetched = 0;
    const { sent, code, stdout } = await applyTo(
      {
        [registries]: listed(live),
        [one]: { body: live },
        [key]: () => ({ body: keys[fetched++] }),
        [patch]: ({ body }) =>
          JSON.parse(body).key_id === '2'
            ? { status: 204 }
            : { status: 422, body: { message: 'Validation Failed', errors: [{ field: 'key_id', code: 'invalid' }] } },
      },
      declared('secret: { env: NPM_TOKEN }'),
      '--rotate-secret',
      'npm_registry_secret',
    );
    expect({ stdout, code, fetched }).toEqual({
      stdout: 'acme\tok\tresend registry “npm_registry https://npm.example.com”\t\n',
      code: 0,
      fetched: 2,
    });
    const bodies = sent.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ key_id }) => key_id)).toEqual(['1', '2']);
    const opened = openSealedBox(Buffer.from(bodies[1].encrypted_value, 'base64'), second);
    expect(Buffer.from(opened ?? []).toString('utf8')).toBe(secret);
    expect(Object.keys(bodies[1]).toSorted()).toEqual(['encrypted_value', 'key_id']);
  });

  it('count a secret that is sent again as a change, in addition to what cannot be verified', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      declared('auth_type: token, visibility: selected, repositories: [site], secret: { env: NPM_TOKEN }'),
    );
    const apply = (flags: string) =>
      forgectl(`policy apply FOLDER/p.yaml --yes --journal FOLDER/run.ndjson${flags}`, 'classic', {
        NPM_TOKEN: secret,
      });
    await apply('');
    const { stderr } = await apply('2 --rotate-secrets');
    expect(stderr.split('\n').slice(0, 5).join('\n')).toBe(`~ registry npm_registry https://npm.example.com · acme
    secret from $NPM_TOKEN sent again

Cannot be verified, as the platform does not return them: repositories of 1 registry.
1 change (1 to send again). 4 requests.`);
  });

  it('report a refused secret after one attempt if the key is the same', async () => {
    const publicKey = { key_id: '1', key: Buffer.from(nacl.box.keyPair().publicKey).toString('base64') };
    const { sent, code } = await applyTo(
      {
        [registries]: listed(live),
        [one]: { body: live },
        [key]: { body: publicKey },
        [patch]: { status: 422, body: { message: 'Validation Failed' } },
      },
      declared('secret: { env: NPM_TOKEN }'),
      '--rotate-secrets',
    );
    expect({ code, sent: sent.length }).toEqual({ code: 9, sent: 1 });
  });

  it('send selected repositories again only with --resend-selection', async () => {
    const script = {
      [registries]: listed({ ...live, visibility: 'selected' }),
      [one]: { body: { ...live, visibility: 'selected' } },
      'GET /orgs/acme/repos': {
        body: [
          { id: 7, name: 'svc-b', full_name: 'acme/svc-b' },
          { id: 3, name: 'SVC-a', full_name: 'acme/SVC-a' },
          { id: 5, name: 'site', full_name: 'acme/site' },
        ],
      },
      [patch]: { status: 204 },
    };
    const text = declared('visibility: selected, repositories: ["svc-*"]');
    expect((await applyTo(script, text, '--rotate-secrets')).sent).toEqual([]);
    const { sent } = await applyTo(script, text, '--resend-selection');
    expect(sent.map(({ body }) => body)).toEqual(['{"selected_repository_ids":[3,7]}']);
  });

  it('send no selected repositories if the visibility has changed since the plan', async () => {
    let reads = 0;
    const { stdout, code, sent } = await applyTo(
      {
        [registries]: listed({ ...live, visibility: 'selected' }),
        [one]: () => {
          reads++;
          return { body: { ...live, visibility: 'all' } };
        },
        'GET /orgs/acme/repos': { body: [{ id: 7, name: 'svc-b', full_name: 'acme/svc-b' }] },
        [patch]: { status: 204 },
      },
      declared('visibility: selected, repositories: ["svc-*"]'),
      '--resend-selection',
    );
    expect({ code, reads, sent }).toEqual({ code: 9, reads: 1, sent: [] });
    expect(stdout).toBe(
      'acme\tfailed\t\tregistry “npm_registry https://npm.example.com” of acme changed after the plan, so nothing was sent. Plan again.\n',
    );
  });

  it('reject repositories if the visibility is different and not declared', async () => {
    const { stderr, code, sent } = await applyTo(
      {
        [registries]: listed({ ...live, visibility: 'all' }),
        'GET /orgs/acme/repos': { body: [{ id: 7, name: 'svc-b', full_name: 'acme/svc-b' }] },
      },
      declared('repositories: ["svc-*"]'),
      '--resend-selection',
    );
    expect({ code, sent }).toEqual({ code: 9, sent: [] });
    expect(stderr).toContain('repositories is only valid with visibility selected, and it is all');
  });

  it('report a field that the platform accepts but does not keep', async () => {
    const { stdout, code, sent } = await applyTo(
      { [registries]: listed(live), [one]: { body: live }, [patch]: { status: 204 } },
      declared('visibility: private'),
    );
    expect(stdout).toBe(
      'acme\tfailed\t\tThe platform accepted the change of registry “npm_registry https://npm.example.com” of acme, but did not keep visibility.\n',
    );
    expect({ code, bodies: sent.map(({ body }) => body) }).toEqual({ code: 9, bodies: ['{"visibility":"private"}'] });
  });

  it('are ambiguous if several have one type and URL, unless a name selects one', async () => {
    const script = {
      [registries]: listed(live, { ...live, name: 'NPM_REGISTRY_SECRET_2' }),
      [one]: { body: { ...live, visibility: 'private' } },
    };
    const twins = await applyTo(script, declared('visibility: private'));
    expect(twins).toMatchObject({ code: 9, stdout: '', sent: [] });
    const absent = `organizations: [acme]\nabsent: { registries: [{ registry_type: npm_registry, url: "https://npm.example.com" }] }\n`;
    expect(await applyTo(script, absent)).toMatchObject({ code: 9, sent: [] });
    const named = await applyTo(script, declared('visibility: all, name: NPM_REGISTRY_SECRET_2'));
    expect(named).toMatchObject({ code: 0, sent: [] });
  });

  it('create and delete nothing if the list or the URL of a registry cannot be read', async () => {
    const text = declared('visibility: private, secret: { env: NPM_TOKEN }');
    expect(await applyTo({}, text)).toMatchObject({ code: 5, stdout: '', sent: [] });
    const { url: _hidden, ...withoutUrl } = live;
    const hidden = await applyTo(
      { [registries]: listed(withoutUrl) },
      `${text}manage: { registries: all }\n`,
      '--prune',
    );
    expect(hidden).toMatchObject({ code: 5, stdout: '', sent: [] });
  });
});
