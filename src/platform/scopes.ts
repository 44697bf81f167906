import { ownMember } from '../json/exact-json.ts';

/** The scopes of classic and OAuth tokens, and the scopes that each one includes. */

/** The scopes that each scope directly includes. Public platform, Scopes for OAuth apps. */
const included: Readonly<Record<string, readonly string[]>> = {
  repo: ['repo:status', 'repo_deployment', 'public_repo', 'repo:invite', 'security_events'],
  user: ['read:user', 'user:email', 'user:follow'],
  project: ['read:project'],
  'admin:org': ['write:org', 'manage_runners:org'],
  'write:org': ['read:org'],
  'admin:enterprise': ['manage_runners:enterprise', 'manage_billing:enterprise', 'read:enterprise'],
  'admin:repo_hook': ['write:repo_hook'],
  'write:repo_hook': ['read:repo_hook'],
  'admin:public_key': ['write:public_key'],
  'write:public_key': ['read:public_key'],
  'admin:gpg_key': ['write:gpg_key'],
  'write:gpg_key': ['read:gpg_key'],
  'write:packages': ['read:packages'],
  'write:discussion': ['read:discussion'],
};

/** Scopes that neither include another scope nor are included in one. */
const single = [
  'admin:org_hook',
  'admin:pre_receive_hook',
  'delete_repo',
  'gist',
  'notifications',
  'site_admin',
  'workflow',
];

/** Returns whether the scopes held contain `needed` or a scope that includes it. */
export function holdsScope(held: readonly string[], needed: string): boolean {
  return held.some((scope) => scope === needed || holdsScope(ownMember(included, scope) ?? [], needed));
}

/** Returns the scopes, known here or `named` in declarations, that no wider scope includes. */
export function widestScopes(named: readonly string[]): string[] {
  const known = [...new Set([...Object.keys(included), ...single, ...named])];
  return known.filter((scope) => !known.some((other) => other !== scope && holdsScope([other], scope))).sort();
}
