import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const owner = { login: 'riverotter', id: 2, type: 'User', site_admin: false };

describe('members list', () => {
  it('shows logins, and sends the filters', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/members': { body: [owner] } });
    const words = ['members', 'list', 'acme', '--role', 'admin', '--filter', '2fa_insecure'];
    const { stdout, code } = await run(words, platform);
    expect({ stdout, code }).toEqual({ stdout: 'riverotter\t2\tfalse\n', code: 0 });
    expect(platform.requests[0]?.url).toBe('/api/v3/orgs/acme/members?role=admin&filter=2fa_insecure');
    const json = await run(['members', 'list', 'acme', '--json'], platform);
    expect(JSON.parse(json.stdout)).toEqual([owner]);
  });

  it('names who may use the filter if the platform refuses it', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/members': { status: 422, body: { message: 'Only owners can use this filter.' } },
    });
    const { stderr, code } = await run(['members', 'list', 'acme', '--filter', '2fa_disabled'], platform);
    expect(stderr).toContain('Only organization owners can use --filter.');
    expect(code).toBe(6);
  });

  it('rejects an unknown role and an unknown filter at once', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['members', 'list', 'acme', '--role', 'owner', '--filter', '2fa'], platform);
    expect(stderr).toContain('role must be one of all, admin, member');
    expect(stderr).toContain('filter must be one of 2fa_disabled, 2fa_insecure, all');
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });
});
