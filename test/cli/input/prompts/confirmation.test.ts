/** What cannot be undone is shown before it goes, and its name is typed. */
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../../support/platform.ts';
import { run } from '../../../support/run.ts';

const ruleset = { id: 7, name: 'Guard main', target: 'branch', source_type: 'Repository', source: 'acme/site' };

const rulesetPlatform = () =>
  scriptedPlatform({
    'GET /repos/acme/site/rulesets/7': { body: ruleset },
    'DELETE /repos/acme/site/rulesets/7': { status: 204 },
  });

const asked = ({ requests }: Awaited<ReturnType<typeof rulesetPlatform>>) =>
  requests.map(({ method, url }) => `${method} ${url.replace('/api/v3', '')}`);

describe('a confirmation at a terminal', () => {
  it.each(['Guard main', 'guard MAIN', '7'])('shows the deletion preview, and accepts %j', async (typed) => {
    const platform = await rulesetPlatform();
    const { stderr, code } = await run(['rulesets', 'delete', 'acme/site', '7'], {
      env: platform.env,
      person: [['This deletes ruleset 7 of acme/site. Type “Guard main” to confirm:', `${typed}\r`]],
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^ID +7\nName +Guard main\nTarget +branch\n/);
    expect(stderr).toContain('Repository acme/site');
    expect(asked(platform)).toEqual([
      'GET /repos/acme/site/rulesets/7',
      'GET /repos/acme/site/rulesets/7',
      'DELETE /repos/acme/site/rulesets/7',
    ]);
  });

  it('deletes nothing after any other input', async () => {
    const platform = await rulesetPlatform();
    const { stderr, code } = await run(['rulesets', 'delete', 'acme/site', '7'], {
      env: platform.env,
      person: [['to confirm:', 'yes\r']],
    });
    expect(code).toBe(2);
    expect(stderr).toContain('forgectl: The answer does not match “Guard main”. Nothing was sent.\n');
    expect(asked(platform)).toEqual(['GET /repos/acme/site/rulesets/7']);
  });

  it.each([5, {}, ' '])('asks for the ID of a ruleset whose name is %j', async (name) => {
    const { env } = await scriptedPlatform({ 'GET /repos/acme/site/rulesets/7': { body: { id: 7, name } } });
    const person = [['Type “7” to confirm:', 'no\r']] as const;
    expect(await run(['rulesets', 'delete', 'acme/site', '7'], { env, person })).toMatchObject({ code: 2 });
  });

  it('a missing record ends with exit code 3, without a prompt', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['registries', 'delete', 'acme', 'NPM'], { env: platform.env, person: [] });
    expect(code).toBe(3);
    expect(stderr).toContain('GET /orgs/acme/private-registries/NPM returned 404 Not Found');
    expect(asked(platform)).toEqual([
      'GET /orgs/acme/private-registries/NPM',
      // For a suggestion.
      'GET /orgs/acme/private-registries?per_page=100',
    ]);
  });

  it('--yes shows no preview and no prompt', async () => {
    const platform = await rulesetPlatform();
    await run(['rulesets', 'delete', 'acme/site', '7', '--yes'], { env: platform.env, person: [] });
    expect(asked(platform)).toEqual(['DELETE /repos/acme/site/rulesets/7']);
  });

  it('--dry-run prints the request without a prompt', async () => {
    const platform = await rulesetPlatform();
    const { stdout } = await run(['rulesets', 'delete', 'acme/site', '7', '--dry-run'], {
      env: platform.env,
      person: [],
    });
    expect(stdout).toContain('DELETE ');
    expect(asked(platform)).toEqual([]);
  });

  it('answers to other prompts are printed with --yes, as a script needs them', async () => {
    const platform = await rulesetPlatform();
    const { stderr } = await run(['rulesets', 'delete', 'acme/site'], {
      env: platform.env,
      person: [
        ['Ruleset ID (ID):', '7\r'],
        ['to confirm:', 'Guard main\r'],
      ],
    });
    expect(stderr).toContain('  forgectl rulesets delete acme/site 7 --yes\n');
  });

  it('shows the repositories of a token before it is revoked', async () => {
    const platform = await scriptedPlatform({
      'GET /installation/repositories': {
        body: { repositories: [{ full_name: 'acme/site' }, { full_name: 'acme/api' }] },
      },
      'DELETE /installation/token': { status: 204 },
    });
    const env = { ...platform.env, FORGECTL_TOKEN: ['ghs', 'i'.repeat(36)].join('_') };
    const { stderr, code } = await run(['installations', 'revoke-token'], {
      env,
      person: [['This revokes the installation token in use. Type “token” to confirm:', 'token\r']],
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Reaches +acme\/site, acme\/api\n/);
    expect(asked(platform)).toEqual(['GET /installation/repositories', 'DELETE /installation/token']);
  });

  it.each<[line: string, get: string, body: object, says: string, then?: string]>([
    [
      'registries delete acme NPM',
      '/orgs/acme/private-registries/NPM',
      { name: 'NPM', registry_type: 'npm_registry', visibility: 'all' },
      'This deletes registry NPM of acme and its secret. Type “NPM” to confirm:',
      'GET /orgs/acme',
    ],
    [
      'budgets delete --enterprise e monthly',
      '/enterprises/e/settings/billing/budgets/monthly',
      { id: 'monthly', budget_scope: 'enterprise', budget_amount: 5 },
      'This deletes budget monthly of enterprise e. Type “monthly” to confirm:',
    ],
    [
      'budgets delete acme monthly',
      '/organizations/acme/settings/billing/budgets/monthly',
      { id: 'monthly', budget_scope: 'organization', budget_amount: 5 },
      'This deletes budget monthly of organization acme. Type “monthly” to confirm:',
    ],
    [
      'comments delete acme/site 7',
      '/repos/acme/site/comments/7',
      { id: 7, body: 'Why twice?', user: { login: 'ada' }, commit_id: 'ce587453' },
      'This deletes comment 7 of acme/site. Type “7” to confirm:',
    ],
    [
      'dismissals cancel acme/site 7',
      '/repos/acme/site/dismissal-requests/dependabot/7',
      { id: 21, number: 1, resource_identifier: '7', repository: { name: 'site' }, status: 'pending' },
      'This cancels the request to dismiss alert 7 of acme/site. Type “7” to confirm:',
    ],
    [
      'migrations delete 7',
      '/user/migrations/7',
      { id: 7, state: 'exported', repositories: [{ full_name: 'acme/site' }] },
      'This deletes the archive of migration 7. Type “7” to confirm:',
    ],
    [
      'migrations unlock 7 site',
      '/user/migrations/7',
      { id: 7, state: 'exported', repositories: [{ full_name: 'acme/site' }] },
      'This unlocks site and allows pushes to it again. Type “site” to confirm:',
    ],
    [
      'orgs immutable-releases remove acme acme/site',
      '/repos/acme/site',
      { id: 7, full_name: 'acme/site' },
      'This stops enforcing immutable releases for acme/site. Type “acme/site” to confirm:',
      'GET /orgs/acme',
    ],
  ])('%s reads the record first', async (line, get, body, says, ...then) => {
    const platform = await scriptedPlatform({ [`GET ${get}`]: { body } });
    const { stderr } = await run(line.split(' '), {
      env: platform.env,
      columns: 200,
      person: [[says.slice(0, 40), 'no\r']],
    });
    expect(stderr.replaceAll('\n', '')).toContain(says);
    expect(asked(platform)).toEqual([`GET ${get}`, ...then]);
  });
});
