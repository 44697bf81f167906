import { describe, expect, it } from 'vitest';
import { nockedEnv as env, platform, useNock } from '../support/nocked.ts';
import { run } from '../support/run.ts';

useNock();

const owner = { login: 'riverotter', id: 2, type: 'User', site_admin: false };

describe('members list', () => {
  it('shows logins, and sends the filters', async () => {
    platform().get('/api/v3/orgs/acme/members?role=admin&filter=2fa_insecure').reply(200, [owner]);
    const words = ['members', 'list', 'acme', '--role', 'admin', '--filter', '2fa_insecure'];
    const { stdout, code } = await run(words, { env });
    expect({ stdout, code }).toEqual({ stdout: 'riverotter\t2\tfalse\n', code: 0 });
    platform().get('/api/v3/orgs/acme/members').reply(200, [owner]);
    const json = await run(['members', 'list', 'acme', '--json'], { env });
    expect(JSON.parse(json.stdout)).toEqual([owner]);
  });

  it('reports who may use the filter if the platform refuses it', async () => {
    platform()
      .get('/api/v3/orgs/acme/members?filter=2fa_disabled')
      .reply(422, { message: 'Only owners can use this filter.' });
    const { stderr, code } = await run(['members', 'list', 'acme', '--filter', '2fa_disabled'], { env });
    expect(stderr).toContain('Only organization owners can use --filter.');
    expect(code).toBe(6);
  });

  it('rejects an unknown role and an unknown filter at once', async () => {
    const { stderr, code } = await run(['members', 'list', 'acme', '--role', 'owner', '--filter', '2fa'], { env });
    expect(stderr).toContain('role must be one of all, admin, member');
    expect(stderr).toContain('filter must be one of 2fa_disabled, 2fa_insecure, all');
    expect(code).toBe(2);
  });
});
