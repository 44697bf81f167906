/** What a table on a terminal shows after a change: what changed, and one line for what was made. */
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';

const before = {
  login: 'acme',
  default_repository_permission: 'write',
  blog: null,
  plan: { name: 'team', seats: 5 },
  updated_at: '2026-01-01T00:00:00Z',
};
const after = {
  ...before,
  default_repository_permission: 'read',
  plan: { name: 'team', seats: 6 },
  updated_at: '2026-03-01T00:00:00Z',
};

const organization = (changed: object = after) =>
  scriptedPlatform({ 'GET /orgs/acme': { body: before }, 'PATCH /orgs/acme': { body: changed } });

const sent = ({ requests }: Awaited<ReturnType<typeof organization>>) => requests.map(({ method }) => method);

const update = ['orgs', 'update', 'acme', '--default-repository-permission', 'read'];

describe('after a change', () => {
  it('a table on a terminal shows old and new values of changed fields', async () => {
    const platform = await organization();
    const { stdout, stderr, code } = await run(update, { env: platform.env, tty: true });
    expect({ stdout, stderr, code }).toEqual({
      stdout: 'default_repository_permission  write → read\nplan.seats                     5 → 6\n',
      stderr: '',
      code: 0,
    });
    expect(sent(platform)).toEqual(['GET', 'PATCH']);
  });

  it.each([
    [false, []],
    [true, ['-o', 'tsv']],
    [true, ['--json']],
    [true, ['--jq', '.login']],
    [true, ['--quiet']],
    [true, ['--fields', 'login']],
    [true, ['--dry-run']],
  ])('does not read the record elsewhere: on a terminal %s, %j', async (tty, words) => {
    const platform = await organization();
    const { stdout } = await run([...update, ...words], { env: platform.env, tty });
    expect(stdout).not.toContain('→');
    expect(sent(platform)).toEqual(words[0] === '--dry-run' ? [] : ['PATCH']);
  });

  it('an unordered list in another order is unchanged', async () => {
    const ruleset = {
      id: 7,
      name: 'Guard',
      bypass_actors: [
        { actor_id: 5, actor_type: 'Team', bypass_mode: 'always' },
        { actor_id: 6, actor_type: 'Team', bypass_mode: 'always' },
      ],
      conditions: { ref_name: { include: ['main', 'release/*'], exclude: [] } },
    };
    const reordered = {
      ...ruleset,
      name: 'Guard main',
      bypass_actors: ruleset.bypass_actors.toReversed(),
      conditions: { ref_name: { include: ['release/*', 'main'], exclude: [] } },
    };
    const { env } = await scriptedPlatform({
      'GET /repos/acme/site/rulesets/7': { body: ruleset },
      'PUT /repos/acme/site/rulesets/7': { body: reordered },
    });
    const words = ['rulesets', 'update', 'acme/site', '7', '--name', 'Guard main'];
    expect((await run(words, { env, tty: true })).stdout).toBe('name  Guard → Guard main\n');
  });

  it('reports that nothing changed', async () => {
    const { env } = await organization(before);
    expect(await run(update, { env, tty: true })).toEqual({
      stdout: '',
      stderr: 'Nothing changed: every field already had this value.\n',
      code: 0,
    });
  });

  it('prints the whole record if the old one cannot be read', async () => {
    const { env } = await scriptedPlatform({ 'PATCH /orgs/acme': { body: after } });
    const { stdout, code } = await run(update, { env, tty: true });
    expect(code).toBe(0);
    expect(stdout).toContain('Login');
  });

  it('uses the sent values if the response is empty, and never shows the secret', async () => {
    const { env } = await scriptedPlatform({
      'GET /orgs/acme/private-registries/NPM': { body: { name: 'NPM', url: 'https://old.example.com' } },
      'GET /orgs/acme/private-registries/public-key': {
        body: { key_id: '1', key: '2Sg8iYjAxxmI2LvUXpJjkYrMxURPc8r+dB7TJyvvcCU=' },
      },
      'PATCH /orgs/acme/private-registries/NPM': { status: 204 },
    });
    const words = ['registries', 'update', 'acme', 'NPM', '--secret-stdin'];
    const moved = await run([...words, '--url', 'https://new.example.com'], { env, tty: true, stdin: 's' });
    expect(moved).toEqual({
      stdout: 'url  https://old.example.com → https://new.example.com\n',
      stderr: 'Updated registry NPM of acme.\n',
      code: 0,
    });
    expect((await run(words, { env, tty: true, stdin: 's' })).stdout).toBe('');
  });

  it('counts the items of lists, and unwraps a budget from its response', async () => {
    const id = '2066deda-923f-43f9-88d2-62395a28c0cd';
    const ruleset = {
      id: 7,
      name: 'Guard',
      rules: [{ type: 'deletion' }],
      conditions: { ref_name: { include: ['a'] } },
    };
    const { env } = await scriptedPlatform({
      'GET /orgs/acme/rulesets/7': { body: ruleset },
      'PUT /orgs/acme/rulesets/7': {
        body: {
          ...ruleset,
          name: '\u001b[2JGuard',
          rules: [{ type: 'deletion' }, { type: 'update' }],
          conditions: { ref_name: { include: ['a', 'b'] } },
        },
      },
      [`GET /organizations/acme/settings/billing/budgets/${id}`]: { body: { id, budget_amount: 5 } },
      [`PATCH /organizations/acme/settings/billing/budgets/${id}`]: {
        body: { message: 'Changed.', budget: { id, budget_amount: 9 } },
      },
    });
    const rules = '[{"type":"deletion"},{"type":"update"}]';
    const replaced = await run(['rulesets', 'update', 'acme', '7', '--rules', rules], { env, tty: true });
    expect(replaced.stdout).toBe(
      [
        String.raw`name                         Guard → \u001b[2JGuard`,
        'rules                        1 item → 2 items',
        'conditions.ref_name.include  a → a, b',
        '',
      ].join('\n'),
    );
    const budget = await run(['budgets', 'update', 'acme', id, '--budget-amount', '9'], { env, tty: true });
    expect(budget.stdout).toBe('budget_amount  5 → 9\n');
  });
});

describe('a created record', () => {
  it('is shown without the token that the platform returns in it', async () => {
    const { env } = await scriptedPlatform(({ headers: { authorization = '' } }) => ({
      status: 201,
      body: { id: 7, html_url: `https://ghe.example.com/${encodeURIComponent(String(authorization))}` },
    }));
    const words = ['comments', 'create', 'acme/site', 'ce58745', '--body', 'Well'];
    expect(await run(words, { env, tty: true })).toMatchObject({
      stdout: 'Created comment 7: https://ghe.example.com/Bearer%20********\n',
      code: 0,
    });
  });

  it('is no sentence if the platform returns less than it says, or did something else', async () => {
    const { env } = await scriptedPlatform({
      'POST /orgs/acme/repos': { status: 201, body: {} },
      'GET /repos/acme/site': { body: { id: 1, full_name: 'acme/site', archived: false } },
      'PATCH /repos/acme/site': { body: { id: 1, full_name: 'acme/site', archived: false } },
    });
    const created = await run(['repos', 'create', 'acme/handbook', '--visibility', 'private'], { env, tty: true });
    expect(created.stdout).not.toMatch(/Created|undefined/);
    const archived = await run(['repos', 'archive', 'acme/site', '--yes'], { env, tty: true });
    expect(archived.stdout).toMatch(/^ +Archived +no$/m);
  });

  it('is a sentence that wraps at words on a terminal, and the whole record elsewhere', async () => {
    const record = {
      full_name: 'acme/handbook',
      visibility: 'private',
      html_url: 'https://ghe.example.com/acme/handbook',
    };
    const { env } = await scriptedPlatform({ 'POST /orgs/acme/repos': { status: 201, body: record } });
    const words = ['repos', 'create', 'acme/handbook', '--visibility', 'private'];
    expect(await run(words, { env, tty: true })).toEqual({
      stdout: 'Created repository acme/handbook (private):\nhttps://ghe.example.com/acme/handbook\n',
      stderr: '',
      code: 0,
    });
    expect(JSON.parse((await run([...words, '--json'], { env, tty: true })).stdout)).toEqual(record);
    expect((await run(words, { env })).stdout).toBe(
      'full_name\tacme/handbook\nvisibility\tprivate\nhtml_url\thttps://ghe.example.com/acme/handbook\n',
    );
  });
});
