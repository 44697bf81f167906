/** The seeded tokens, and what each of them may do. */
import { randomInt } from 'node:crypto';
import type { TokenKind } from '../../platform/endpoint.ts';
import type { Level } from '../../platform/permission-map.ts';
import { allRequirements, permissionSets } from '../../platform/permissions.ts';
import { widestScopes } from '../../platform/scopes.ts';
import type { Grant } from '../callers.ts';
import type { Store } from '../store.ts';
import { organizationNames, people } from './words.ts';

const [[login]] = people;

/** Every scope there is, as the classic token's owner would have ticked them: those that endpoints ask for are among them. */
const allScopes = widestScopes(allRequirements.flatMap(({ scopes }) => scopes ?? []));

/**
 * What the seeded app may do: everything that an endpoint asks for, by name, at the highest level that one asks for. Its
 * installations tell it, and its tokens hold it.
 */
export const appPermissions: Readonly<Record<string, Level>> = Object.fromEntries(
  allRequirements
    .flatMap(({ permission }) => (permission ? permissionSets(permission).flat() : []))
    .sort((a, b) => a.permission.localeCompare(b.permission) || a.level.localeCompare(b.level))
    .map(({ permission, level }) => [permission, level]),
);

/** The classic token of somebody with a role in the first organization: nothing but the role limits it. */
const person = (name: (typeof people)[number][0]): Grant => ({ kind: 'classic', login: name, scopes: allScopes });

/**
 * The classic token and the app's user token may do all that their kinds can. The OAuth token lacks `admin:org` and the
 * fine-grained one may only read private registries, so that refusals can be seen, too; the weak one
 * has no scopes.
 */
export const seededGrants = {
  classic: { kind: 'classic', login, scopes: allScopes },
  oauth: { kind: 'oauth', login, scopes: ['read:org', 'repo', 'security_events', 'user'] },
  fine_grained: { kind: 'fine_grained', login, permissions: { '*': 'write', organization_private_registries: 'read' } },
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

/** What the public platform's tokens of each kind look like: a prefix and the lengths of their random parts. */
const forms: Readonly<Record<TokenKind, readonly [prefix: string, ...lengths: number[]]>> = {
  classic: ['ghp', 36],
  oauth: ['gho', 36],
  fine_grained: ['github_pat', 22, 59],
  app_user: ['ghu', 36],
  installation: ['ghs', 36],
};

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/**
 * Returns the tokens of this sandbox: random ones, which the store keeps. They do not follow from the seed, as any web page may
 * ask the sandbox (Specification, Cross-origin access, 1) and would know them.
 */
export function keptTokens(store: Store): Record<TokenName, string> {
  const kept = store.collection<string>('tokens');
  const entries = Object.entries(seededGrants).map(([name, { kind }]) => {
    const [prefix, ...lengths] = forms[kind];
    const token = kept.get(name) ?? [prefix, ...lengths.map(randomText)].join('_');
    kept.set(name, token);
    return [name, token];
  });
  return Object.fromEntries(entries) as Record<TokenName, string>;
}
