import { describe, expect, it } from 'vitest';
import { pathOf, scriptedPlatform } from '../../support/platform.ts';
import { type RunOptions, run } from '../../support/run.ts';

const rulesets = [
  { id: 41, name: 'tags', source: 'acme', enforcement: 'active' },
  { id: 42, name: 'main-protection', source: 'acme', enforcement: 'active' },
];

const site = { name: 'site', full_name: 'acme/site' };
const migration = { id: 78, state: 'exported', repositories: [site, { name: 'api', full_name: 'acme/api' }] };

const registries = { configurations: [{ name: 'NPM', registry_type: 'npm_registry' }] };

const takesDryRun = (line: string) => !/ (get|history|wait|download|repos)\b/.test(line);

/** What was asked of the platform, in its order. */
const asked = ({ requests }: { readonly requests: readonly { readonly method: string; readonly url: string }[] }) =>
  requests.map(({ method, url }) => `${method} ${url}`);

describe('an ID that is omitted at a terminal', () => {
  it('is selected from the first hundred items, and included in the command line', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/rulesets': { body: rulesets },
      'GET /orgs/acme/rulesets/42': { body: rulesets[1] },
    });
    const { stdout, stderr, code } = await run(['rulesets', 'get', 'acme', '--json'], {
      env: platform.env,
      person: [['main-protection (42)', '\x1b[B\r']],
    });
    expect({ code, record: JSON.parse(stdout) }).toMatchObject({ code: 0, record: { id: 42 } });
    expect(asked(platform)).toEqual([
      'GET /api/v3/orgs/acme/rulesets?per_page=100',
      'GET /api/v3/orgs/acme/rulesets/42',
    ]);
    expect(stderr).toContain('Which ruleset?');
    expect(stderr).toContain('Without prompts:\n  forgectl rulesets get acme --json 42\n');
  });

  it('is prompted for after the values its list depends on: a repository’s own rulesets', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/rulesets': { body: rulesets } });
    const { stderr, code } = await run(['rulesets', 'delete', '--plain', '--dry-run'], {
      env: platform.env,
      person: [
        ['(TARGET)', 'acme/site\r'],
        ['Which ruleset?\n1. tags (41)\n2. main-protection (42)\n', '2\r'],
      ],
    });
    expect(code).toBe(0);
    expect(asked(platform)).toEqual(['GET /api/v3/repos/acme/site/rulesets?includes_parents=false&per_page=100']);
    expect(stderr).toContain('\n  forgectl rulesets delete --plain --dry-run acme/site 42\n');
  });

  const question = 'Choose one:\n1. ORG: Organization login\n2. --enterprise: Enterprise slug\n';

  it.each<[owner: string, typed: RunOptions['person'], place: string, words: string]>([
    [
      'organization',
      [
        [question, '1\r'],
        ['Organization login (ORG):', 'acme\r'],
      ],
      'organizations/acme',
      'acme ID',
    ],
    [
      'enterprise',
      [
        [question, '2\r'],
        ['Enterprise slug (--enterprise):', 'e\r'],
      ],
      'enterprises/e',
      'ID --enterprise e',
    ],
  ])('is prompted for after the owner, which is prompted for once: an %s', async (_, typed = [], place, words) => {
    const id = '5698c621-6f69-4299-81be-cc06404bf63c';
    const budget = { id, budget_scope: 'organization', budget_entity_name: 'acme', budget_product_sku: 'actions' };
    const platform = await scriptedPlatform({
      [`GET /${place}/settings/billing/budgets`]: { body: { budgets: [budget], has_next_page: false } },
      [`GET /${place}/settings/billing/budgets/${id}`]: { body: budget },
    });
    const { stderr, code } = await run(['budgets', 'get', '--plain'], {
      env: platform.env,
      person: [...typed, [`Which budget?\n1. actions, organization acme (${id})\n`, '1\r']],
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(asked(platform)).toEqual([
      `GET /api/v3/${place}/settings/billing/budgets?per_page=100`,
      `GET /api/v3/${place}/settings/billing/budgets/${id}`,
    ]);
    const line = `budgets get --plain ${words.replace('ID', id)}`;
    expect(stderr).toContain(`\n  forgectl ${line}\n`);
    expect(await run(line.split(' '), { env: platform.env })).toMatchObject({ code: 0 });
  });

  it.each<[line: string, list: string, answer: object, choice: string, word: string]>([
    ['rulesets history acme', '/orgs/acme/rulesets', [{ id: 42, name: 'tags' }], 'tags (42)', '42'],
    ['rulesets update acme --name x', '/orgs/acme/rulesets', [{ id: 42, name: 'tags' }], 'tags (42)', '42'],
    ['registries get acme', '/orgs/acme/private-registries', registries, 'NPM', 'NPM'],
    ['registries update acme --visibility all', '/orgs/acme/private-registries', registries, 'NPM', 'NPM'],
    ['registries delete acme', '/orgs/acme/private-registries', registries, 'NPM', 'NPM'],
    ['hooks get acme', '/orgs/acme/pre-receive-hooks', [{ id: 1, name: 'Commits' }], 'Commits (1)', '1'],
    [
      'hooks set acme/site --enforcement enabled',
      '/repos/acme/site/pre-receive-hooks',
      [{ id: 1, name: 'Commits' }],
      'Commits (1)',
      '1',
    ],
    ['hooks unset acme', '/orgs/acme/pre-receive-hooks', [{ id: 1, name: 'Commits' }], 'Commits (1)', '1'],
    ['migrations get', '/user/migrations', [migration], '78, exported, acme/site, acme/api', '78'],
    ['migrations wait', '/user/migrations', [migration], '78, exported, acme/site, acme/api', '78'],
    ['migrations delete', '/user/migrations', [migration], '78, exported, acme/site, acme/api', '78'],
    ['migrations repos', '/user/migrations', [{ id: 78, state: 'failed' }], '78, failed', '78'],
    ['migrations unlock 78', '/user/migrations/78/repositories', [site], 'acme/site', 'site'],
  ])('%s prompts with the items of GET %s', async (line, list, answer, choice, word) => {
    const next = /history|repos/.test(line) ? [] : { id: 78, name: 'NPM', state: 'exported' };
    const platform = await scriptedPlatform((request) => ({ body: pathOf(request) === list ? answer : next }));
    const words = [...line.split(' '), '--plain', ...(takesDryRun(line) ? ['--dry-run'] : [])];
    const { stderr } = await run(words, { env: platform.env, person: [[`?\n1. ${choice}\n`, '1\r']] });
    expect(stderr).toContain(`\n  forgectl ${words.join(' ')} ${word}\n`);
    expect(platform.requests[0]?.url).toBe(`/api/v3${list}?per_page=100`);
  });

  it('migrations download offers choices from GET /user/migrations', async () => {
    const platform = await scriptedPlatform({ 'GET /user/migrations': { body: [migration] } });
    await run(['migrations', 'download', '--plain'], {
      env: platform.env,
      person: [['?\n1. 78, exported, acme/site, acme/api\n', '1\r']],
    });
    expect(asked(platform)).toEqual([
      'GET /api/v3/user/migrations?per_page=100',
      'GET /api/v3/user/migrations/78/archive',
    ]);
  });

  it('can be typed if the list has more than a hundred items', async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, name: `r${index + 1}` }));
    const platform = await scriptedPlatform({
      'GET /orgs/acme/rulesets': {
        body: many,
        headers: { link: '<?per_page=100&page=2>; rel="next"' },
      },
      'GET /orgs/acme/rulesets/500': { body: { id: 500 } },
    });
    const { code } = await run(['rulesets', 'get', 'acme', '--plain'], {
      env: platform.env,
      person: [
        ['100. r100 (100)\n101. other (type it)\n', '101\r'],
        ['Ruleset ID (ID):', '500\r'],
      ],
    });
    expect(code).toBe(0);
    expect(asked(platform)).toEqual([
      'GET /api/v3/orgs/acme/rulesets?per_page=100',
      'GET /api/v3/orgs/acme/rulesets/500',
    ]);
  });

  it.each([
    ['is empty', { body: [] }],
    ['is refused', { status: 403, body: { message: 'Resource not accessible' } }],
    ['returns 404', { status: 404, body: { message: 'Not Found' } }],
    ['is not a list', { body: { message: 'hello' } }],
    ['has no usable IDs', { body: [{ name: 'no id' }, { id: '../../user', name: 'elsewhere' }] }],
  ])('is typed, without mention of the list, if the list %s', async (_how, list) => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/rulesets': list,
      'GET /orgs/acme/rulesets/42': { body: rulesets[1] },
    });
    const { stderr, code } = await run(['rulesets', 'get', 'acme', '--plain'], {
      env: platform.env,
      person: [['Ruleset ID (ID):', '42\r']],
    });
    expect(code).toBe(0);
    expect(stderr).toBe('Ruleset ID (ID): 42\r\nWithout prompts:\n  forgectl rulesets get acme --plain 42\n');
  });

  it('is selected from names without control characters', async () => {
    const hostile = { id: 42, name: '\x1b[2Jgood\u202e\nforgectl: deleted' };
    const platform = await scriptedPlatform({
      'GET /orgs/acme/rulesets': { body: [hostile] },
      'GET /orgs/acme/rulesets/42': { body: rulesets[1] },
    });
    const { code } = await run(['rulesets', 'get', 'acme', '--plain'], {
      env: platform.env,
      person: [['1. \\u001b[2Jgood\\u202e forgectl: deleted (42)\n', '1\r']],
    });
    expect(code).toBe(0);
  });

  it('is not listed if the command line has other errors', async () => {
    const platform = await scriptedPlatform({});
    const words = ['budgets', 'get', '--org', 'acme', '--enterprise', 'e'];
    const { stderr, code } = await run(words, { env: platform.env, person: [] });
    expect(code).toBe(2);
    expect(stderr).toContain('--enterprise and --org cannot be used together');
    expect(platform.requests).toEqual([]);
  });

  it.each<[where: string, words: readonly string[], options: object]>([
    ['in a pipe', [], {}],
    ['in CI', [], { person: [], env: { CI: 'true' } }],
    ['with --no-input', ['--no-input'], { person: [] }],
  ])('is missing %s, and nothing is listed', async (_where, words, options: { readonly env?: object }) => {
    const platform = await scriptedPlatform({});
    const env = { ...platform.env, ...options.env };
    const { stderr, code } = await run(['rulesets', 'get', 'acme', ...words], { ...options, env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^forgectl: ID is required: ruleset ID\. Nothing was sent\.\nUsage: /);
    expect(platform.requests).toEqual([]);
  });
});
