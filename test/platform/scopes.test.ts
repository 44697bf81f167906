import { describe, expect, it } from 'vitest';
import { holdsScope, widestScopes } from '../../src/platform/scopes.ts';

describe('scopes', () => {
  it.each([
    ['repo', 'public_repo'],
    ['repo', 'security_events'],
    ['admin:org', 'write:org'],
    ['admin:org', 'read:org'],
    ['write:org', 'read:org'],
    ['user', 'read:user'],
    ['user', 'user:email'],
    ['admin:enterprise', 'manage_billing:enterprise'],
  ])('%s includes %s', (held, needed) => {
    expect(holdsScope([held], needed)).toBe(true);
  });

  it.each([
    ['public_repo', 'repo'],
    ['write:org', 'admin:org'],
    ['read:org', 'write:org'],
    ['read:user', 'user'],
    ['repo', 'admin:org'],
    ['admin:org_hook', 'read:org'],
    ['constructor', 'repo'],
    ['__proto__', 'repo'],
  ])('%s does not include %s', (held, needed) => {
    expect(holdsScope([held], needed)).toBe(false);
  });

  it('each include themselves, even unknown ones', () => {
    expect(holdsScope(['gist', 'brand_new'], 'brand_new')).toBe(true);
    expect(holdsScope([], 'repo')).toBe(false);
  });

  it('are all included in the widest ones, including those that declarations require', () => {
    const widest = widestScopes(['read:org', 'brand_new']);
    expect(widest).toEqual(expect.arrayContaining(['admin:org', 'brand_new', 'gist', 'repo', 'site_admin']));
    expect(widest).not.toContain('read:org');
  });
});
