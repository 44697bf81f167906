import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathOf, scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

const policy = `organizations: [acme]
manage: { rulesets: all }
settings:
  company: Acme
rulesets:
  - name: Guard
    was: Protect main
    enforcement: active
registries:
  - registry_type: npm_registry
    url: https://npm.example.com
    visibility: selected
    repositories: ["svc-*"]
    secret: { env: NPM_TOKEN }
hooks: [{ name: no-secrets, enforcement: inherit }]
absent: { rulesets: [old] }
repositories:
  - select: { names: ["s*"] }
    settings: { has_wiki: false }
    properties: { tier: gold }
  - select: { names: ["site"], visibility: [private] }
    rulesets: [{ name: Tags, target: tag }]
  - select: { names: ["api"] }
    settings: { has_wiki: true }
`;

async function file(text = policy): Promise<string> {
  const path = join(await temporaryDirectory(), 'acme.yaml');
  writeFileSync(path, text);
  return path;
}

describe('policy explain', () => {
  it('lists declarations for an organization, offline', async () => {
    const path = await file();
    const { stdout, code } = await run(['policy', 'explain', 'ACME', path, '-o', 'tsv']);
    expect(stdout.replaceAll(path, 'F')).toBe(
      `settings\t\tcompany\tAcme\tF:4\t
rulesets\tGuard\twas\tProtect main\tF:6\t
rulesets\tGuard\tenforcement\tactive\tF:8\t
hooks\tno-secrets\tenforcement\tinherit\tF:15\t
rulesets\told\tabsent\ttrue\tF:16\t
rulesets\t\tmanage\tall\tF:2\t
registries\tnpm_registry https://npm.example.com\tvisibility\tselected\tF:12\t
registries\tnpm_registry https://npm.example.com\trepositories\tsvc-*\tF:13\t
registries\tnpm_registry https://npm.example.com\tsecret\t{"env":"NPM_TOKEN"}\tF:14\t
`,
    );
    expect(code).toBe(0);
  });

  it('lists the entries for a repository, offline if their selectors use only names', async () => {
    const path = await file();
    const { stdout, code } = await run(['policy', 'explain', 'acme/svc-api', path, '--json']);
    expect(JSON.parse(stdout)).toEqual([
      { kind: 'settings', field: 'has_wiki', value: false, source: `${path}:19` },
      { kind: 'properties', field: 'tier', value: 'gold', source: `${path}:20` },
    ]);
    expect(code).toBe(0);
  });

  it('shows which entry overrides another', async () => {
    const path = await file(`organizations: [acme]
repositories:
  - select: {}
    manage: { rulesets: all }
    settings: { has_wiki: false, has_projects: false }
    rulesets:
      - { name: Guard, enforcement: active, rules: [] }
      - { name: Tags, enforcement: active }
    absent: { rulesets: [Old] }
  - select: { names: [legacy] }
    override: true
    manage: { rulesets: declared }
    settings: { has_wiki: true }
    rulesets: [{ name: Guard, enforcement: evaluate }, { name: Old, enforcement: disabled }]
    absent: { rulesets: [Tags] }
`);
    const { stdout, code } = await run(['policy', 'explain', 'acme/legacy', path, '-o', 'csv']);
    expect(stdout.replaceAll(path, 'F')).toBe(
      `kind,name,field,value,source,overridden_by
settings,,has_wiki,false,F:5,F:13
settings,,has_projects,false,F:5,
rulesets,Guard,enforcement,active,F:7,F:14
rulesets,Guard,rules,[],F:7,
rulesets,Tags,enforcement,active,F:8,F:15
rulesets,Old,absent,true,F:9,F:14
rulesets,,manage,all,F:4,F:12
settings,,has_wiki,true,F:13,
rulesets,Guard,enforcement,evaluate,F:14,
rulesets,Old,enforcement,disabled,F:14,
rulesets,Tags,absent,true,F:15,
rulesets,,manage,declared,F:12,
`,
    );
    expect(code).toBe(0);
  });

  it.each([
    ['private', ['has_wiki', 'tier', 'target']],
    ['public', ['has_wiki', 'tier']],
  ])('reads a repository if its selectors need more: %s', async (visibility, fields) => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site': { body: { name: 'site', visibility } } });
    const { stdout, code } = await run(['policy', 'explain', 'acme/site', await file(), '--jq', 'map(.field)'], {
      env: platform.env,
    });
    expect(JSON.parse(stdout)).toEqual(fields);
    expect(platform.requests.map((request) => `${request.method} ${pathOf(request)}`)).toEqual([
      'GET /repos/acme/site',
    ]);
    expect(code).toBe(0);
  });

  it.each([
    ['error', 'The jq filter “error” failed for site: its message is not shown, as it may quote the record\n'],
    [
      'def f: f; f',
      'The jq filter “def f: f; f” failed: it did not end within 1 s. Simplify it, or allow more time with --timeout.\n',
    ],
  ])(
    'prints nothing of the repository if an expression fails, and stops it after --timeout: %s',
    async (where, said) => {
      const path = await file(
        `organizations: [acme]\nrepositories: [{ select: { where: "${where}" }, settings: { has_wiki: true } }]\n`,
      );
      const platform = await scriptedPlatform({
        'GET /repos/acme/site': { body: { name: 'site', homepage: 'hidden' } },
      });
      const words = ['policy', 'explain', 'acme/site', path, '--timeout', '1s', '-o', 'tsv'];
      const { stdout, stderr, code } = await run(words, { env: platform.env });
      expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: `forgectl: ${said}`, code: 2 });
    },
  );

  it('reports a repository that no entry selects', async () => {
    const { stdout, stderr, code } = await run(['policy', 'explain', 'acme/web', await file()], { tty: true });
    expect(stdout + stderr).toBe('The policy declares nothing for acme/web.\n');
    expect(code).toBe(0);
  });

  it.each(['globex', 'globex/site', 'enterprise:acme'])(
    'ends with exit code 3 if no file mentions %s',
    async (target) => {
      const { stdout, stderr, code } = await run(['policy', 'explain', target, await file()], { tty: true });
      expect(stdout + stderr).toBe(`forgectl: No policy file covers ${target.split('/')[0]}.\n`);
      expect(code).toBe(3);
    },
  );

  it('keeps an enterprise apart from an organization of the same name', async () => {
    const budget = (scope: string, amount: number) =>
      `budgets: [{ budget_scope: ${scope}, budget_entity_name: acme, budget_type: ProductPricing, budget_product_sku: actions, budget_amount: ${amount} }]`;
    const folder = join(await file(), '..');
    writeFileSync(join(folder, 'acme.yaml'), `organizations: [acme]\n${budget('organization', 1)}\n`);
    writeFileSync(join(folder, 'enterprise.yaml'), `enterprise: acme\n${budget('enterprise', 2)}\n`);
    const amounts = async (target: string) =>
      (await run(['policy', 'explain', target, folder, '--jq', '.[].value'])).stdout;
    expect(await amounts('acme')).toBe('1\n');
    expect(await amounts('enterprise:acme')).toBe('2\n');
  });

  it('rejects an invalid policy with every problem and its position', async () => {
    const path = await file('organizations: [acme]\nsettings: { blogg: x, has_organization_projects: 1 }\n');
    const { stderr, code } = await run(['policy', 'explain', 'acme', path]);
    expect(stderr).toBe(
      `forgectl: The policy has 2 errors; nothing was sent.
${path}:2:13: settings.blogg is not a known field (did you mean blog?)
${path}:2:23: settings.has_organization_projects must be true or false
`,
    );
    expect(code).toBe(2);
  });
});
