/** A record as `get` printed it is an `--input` of the commands that create and change. */
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

async function sent(line: string, input: object, ...flags: string[]) {
  const platform = await scriptedPlatform(() => ({ body: { id: 7, budget: {} } }));
  const words = [...line.split(' '), '--input', '-', ...flags];
  const { code, stderr } = await run(words, { env: platform.env, stdin: JSON.stringify(input) });
  const body = platform.requests.at(-1)?.body;
  return { code, stderr, body: body ? (JSON.parse(body) as unknown) : undefined };
}

const organization = {
  login: 'acme',
  id: 7,
  node_id: 'O_7',
  url: 'https://git.example.com/api/v3/orgs/acme',
  avatar_url: 'https://git.example.com/avatars/7',
  description: null,
  name: 'Acme',
  company: null,
  blog: '',
  is_verified: false,
  public_repos: 3,
  created_at: '2026-01-01T00:00:00Z',
  archived_at: null,
  plan: { name: 'enterprise', space: 1, private_repos: 2 },
  default_repository_permission: null,
  members_can_create_pages: false,
  two_factor_requirement_enabled: null,
};

describe('an organization', () => {
  it('is updated to match another, except for fields that only the platform sets', async () => {
    expect(await sent('orgs update globex', organization)).toEqual({
      code: 0,
      body: { description: '', name: 'Acme', company: '', blog: '', members_can_create_pages: false },
      stderr:
        'Ignored read-only or null fields of --input: login, id, node_id, url, avatar_url, is_verified, public_repos, created_at, archived_at, plan, default_repository_permission, two_factor_requirement_enabled.\n',
    });
  });

  it('without changeable fields is rejected', async () => {
    const { code, stderr } = await sent('orgs update globex', { login: 'acme', id: 7 });
    expect(stderr).toContain('No changes given');
    expect(code).toBe(2);
  });
});

it('a repository is created from another', async () => {
  const repository = {
    id: 7,
    name: 'site',
    full_name: 'acme/site',
    owner: { login: 'acme' },
    archive_url: 'https://git.example.com/{archive_format}{/ref}',
    description: null,
    homepage: null,
    private: true,
    has_wiki: false,
    stargazers_count: 4,
    temp_clone_token: '********',
    permissions: { admin: true },
    visibility: 'private',
  };
  expect((await sent('repos create acme/other', repository)).body).toEqual({
    name: 'other',
    private: true,
    has_wiki: false,
    visibility: 'private',
  });
});

it('a budget of one user is created from another, without its alerting', async () => {
  const budget = {
    id: 'b1',
    budget_type: 'SkuPricing',
    budget_product_sku: 'premium_requests',
    budget_scope: 'user',
    budget_entity_name: '',
    budget_amount: 50,
    prevent_further_usage: true,
    budget_alerting: { will_alert: false, alert_recipients: [] },
    consumed_amount: 3,
    user: 'octocat',
  };
  expect((await sent('budgets create --enterprise sandbox', budget)).body).toEqual({
    budget_type: 'SkuPricing',
    budget_product_sku: 'premium_requests',
    budget_scope: 'user',
    budget_entity_name: '',
    budget_amount: 50,
    prevent_further_usage: true,
    user: 'octocat',
  });
});

it('a comment is updated to the text of another', async () => {
  const comment = { id: 7, body: 'Hello', path: null, position: null, line: null, commit_id: 'ce58745', user: null };
  expect((await sent('comments update acme/site 8', comment)).body).toEqual({ body: 'Hello' });
  expect((await sent('comments create acme/site ce58745', comment)).body).toEqual({ body: 'Hello' });
});

it('a migration is started for the repositories of another', async () => {
  const migration = {
    id: 7,
    guid: 'g',
    state: 'exported',
    lock_repositories: false,
    repositories: [{ id: 1, full_name: 'acme/site' }],
    created_at: '2026-01-01T00:00:00Z',
  };
  expect((await sent('migrations start', migration)).body).toEqual({
    lock_repositories: false,
    repositories: ['acme/site'],
  });
});

it.each(['__proto__', 'constructor', 'toString'])('a field called %s is unknown, and sent', async (name) => {
  const platform = await scriptedPlatform(() => ({ body: {} }));
  const { code, stderr } = await run(['orgs', 'update', 'acme', '--input', '-'], {
    env: platform.env,
    stdin: `{"${name}":null}`,
  });
  expect(stderr).toBe(`${name} is not a known field; sending it anyway.\n`);
  expect(code).toBe(0);
  expect(platform.requests[0]?.body).toBe(`{"${name}":null}`);
});

describe('a masked value', () => {
  it.each<[line: string, input: object, field: string]>([
    ['registries update acme NPM', { encrypted_value: '********', key_id: '7' }, 'encrypted_value'],
    ['registries update acme NPM', { url: 'https://ada:********@npm.example.com' }, 'url'],
    ['orgs update acme', { blog: 'https://example.com/?a=b&token=********' }, 'blog'],
    [
      'rulesets update acme 7',
      { rules: [{ type: 'quantum_lock', parameters: { secret: '********' } }] },
      'rules[0].parameters.secret',
    ],
  ])('is rejected by %s', async (line, input, field) => {
    expect(await sent(line, input)).toEqual({
      code: 2,
      stderr: `forgectl: ${field} is masked: get the record with --show-secrets, or omit the field. Nothing was sent.\n`,
      body: undefined,
    });
  });

  it('is different from asterisks in text', async () => {
    expect((await sent('comments update acme/site 8', { body: 'Above\n\n********\n\nBelow' })).code).toBe(0);
  });
});
