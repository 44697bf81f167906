/** The seeded tokens and their access. */
import { type Level, levels } from '../../platform/permission-map.ts';
import { allRequirements, permissionSets } from '../../platform/permissions.ts';
import { widestScopes } from '../../platform/scopes.ts';
import type { Grant } from '../callers.ts';
import { randomToken } from '../state/token-text.ts';
import type { Store } from '../store.ts';
import { organizationNames, people } from './words.ts';

const [[login]] = people;

/** All scopes, as on the classic token's form, including those that endpoints require. */
const allScopes = widestScopes(allRequirements.flatMap(({ scopes }) => scopes ?? []));

/** Permissions of the seeded app: those of all endpoints, at the highest required level. */
export const appPermissions: Readonly<Record<string, Level>> = Object.fromEntries(
  allRequirements
    .flatMap(({ permission }) => (permission ? permissionSets(permission).flat() : []))
    .sort((a, b) => a.permission.localeCompare(b.permission) || levels.indexOf(a.level) - levels.indexOf(b.level))
    .map(({ permission, level }) => [permission, level]),
);

/** The classic token of a person with a role in the first organization; limited only by the role. */
const person = (name: (typeof people)[number][0]): Grant => ({ kind: 'classic', login: name, scopes: allScopes });

/**
 * The classic token and the app's user token have all access of their kinds. The OAuth token lacks `admin:org`, and the
 * fine-grained one can only read private registries, to demonstrate refusals; the weak one has no scopes.
 */
export const seededGrants = {
  classic: { kind: 'classic', login, scopes: allScopes },
  oauth: { kind: 'oauth', login, scopes: ['read:org', 'repo', 'security_events', 'user'] },
  fine_grained: { kind: 'fine_grained', login, permissions: { '*': 'admin', organization_private_registries: 'read' } },
  app_user: { kind: 'app_user', login, permissions: appPermissions },
  installation: { kind: 'installation', account: organizationNames[0], permissions: appPermissions },
  owner: person('riverotter'),
  member: person('paperfox'),
  outside_collaborator: person('copperbee'),
  bypass_reviewer: person('stonewren'),
  billing_manager: person('velvetmole'),
  security_manager: person('lunarcrab'),
  weak: { kind: 'classic', login, scopes: [] },
} satisfies Readonly<Record<string, Grant>>;

export type TokenName = keyof typeof seededGrants;

/**
 * Returns the tokens of this sandbox: random ones, which are stored. They do not depend on the seed, since any web page
 * may call the sandbox (Specification, Cross-origin access, 1) and would know them.
 */
export function keptTokens(store: Store): Record<TokenName, string> {
  const kept = store.collection<string>('tokens');
  const entries = Object.entries(seededGrants).map(([name, { kind }]) => {
    const token = kept.get(name) ?? randomToken(kind);
    kept.set(name, token);
    return [name, token];
  });
  return Object.fromEntries(entries) as Record<TokenName, string>;
}
