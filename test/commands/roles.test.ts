import { describe, expect, it } from 'vitest';
import { nockedEnv as env, platform, useNock } from '../support/nocked.ts';
import { run } from '../support/run.ts';

useNock();

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
    platform()
      .get('/api/v3/orgs/acme/custom-repository-roles')
      .times(3)
      .reply(200, { total_count: 1, custom_roles: [role] });
    const { stdout, code } = await run(['roles', 'list', 'acme'], { env });
    expect(stdout).toBe(
      '8030\tSecurity Engineer\tmaintain\tdelete_alerts_code_scanning, edit_repo_metadata\t2022-07-04T22:20:11Z\tAble to maintain the security pipeline\n',
    );
    expect(code).toBe(0);
    expect(JSON.parse((await run(['roles', 'list', 'acme', '--json'], { env })).stdout)).toEqual([role]);
    expect((await run(['roles', 'list', 'acme', '--quiet'], { env })).stdout).toBe('8030\n');
  });

  it('reports role, scopes and permission after a 403', async () => {
    platform().get('/api/v3/orgs/acme/custom-repository-roles').reply(403, { message: 'Forbidden' });
    const { stderr, code } = await run(['roles', 'list', 'acme'], { env });
    expect(stderr).toContain('administrator of the organization or of one of its repositories');
    expect(code).toBe(5);
  });
});
