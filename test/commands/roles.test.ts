import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const role = {
  id: 8030,
  name: 'Security Engineer',
  description: 'Able to maintain the security pipeline',
  base_role: 'maintain',
  permissions: ['delete_alerts_code_scanning', 'edit_repo_metadata'],
  created_at: '2022-07-04T22:19:11Z',
  updated_at: '2022-07-04T22:20:11Z',
};

describe('roles list', () => {
  it('shows the base role and the added permissions, out of the envelope', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/custom-repository-roles': { body: { total_count: 1, custom_roles: [role] } },
    });
    const { stdout, code } = await run(['roles', 'list', 'acme'], platform);
    expect(stdout).toBe(
      '8030\tSecurity Engineer\tmaintain\tdelete_alerts_code_scanning, edit_repo_metadata\t2022-07-04T22:20:11Z\tAble to maintain the security pipeline\n',
    );
    expect(code).toBe(0);
    expect(platform.requests.map(({ url }) => url)).toEqual(['/api/v3/orgs/acme/custom-repository-roles']);
    expect(JSON.parse((await run(['roles', 'list', 'acme', '--json'], platform)).stdout)).toEqual([role]);
    expect((await run(['roles', 'list', 'acme', '--quiet'], platform)).stdout).toBe('8030\n');
  });

  it('names role, scopes and permission after a 403', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/custom-repository-roles': { status: 403, body: { message: 'Forbidden' } },
    });
    const { stderr, code } = await run(['roles', 'list', 'acme'], platform);
    expect(stderr).toContain('administrator of the organization or of one of its repositories');
    expect(code).toBe(5);
  });
});
