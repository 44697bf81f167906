/** Security features of repositories, and organization-wide switches. */

import type { InputOf } from '../../platform/endpoint.ts';
import type { setSecurityFeature } from '../../platform/endpoints/orgs.ts';
import type { SandboxPlatform } from '../platform.ts';
import { unprocessable } from '../refusals.ts';
import { isLocked, isStrict } from '../seed/postures.ts';
import type { Account, OrganizationState } from './accounts.ts';
import type { RepositoryState } from './repositories.ts';

type Input = InputOf<typeof setSecurityFeature>;
export type SecurityFeature = Input['path']['security_product'];
type QuerySuite = NonNullable<NonNullable<Input['body']>['query_suite']>;

export interface FeatureState {
  readonly enabled: boolean;
  /** Only code scanning has a query suite. */
  readonly query_suite: QuerySuite;
}

/** A change of one feature in all repositories of an organization. */
interface Switch extends FeatureState {
  /** When it takes effect, in epoch milliseconds: a whole second, like creation dates. */
  readonly at: number;
}

const second = 1000;

/** Time until a switch has taken effect in all repositories. */
const switching = 5 * second;

function switchesOf({ store }: SandboxPlatform, organizationId: number) {
  return store.collection<readonly Switch[]>('security switches', organizationId);
}

/** Starts to switch a feature. Throws 422 if a policy forbids it, or while another switch is in progress. */
export function switchFeature(
  platform: SandboxPlatform,
  organization: OrganizationState,
  feature: SecurityFeature,
  wanted: FeatureState,
): void {
  if (isLocked(organization))
    throw unprocessable(`A policy of the enterprise does not allow ${organization.login} to change this feature.`);
  const switches = switchesOf(platform, organization.id);
  const earlier = switches.get(feature) ?? [];
  const now = platform.clock().getTime();
  if (earlier.some(({ at }) => at > now))
    throw unprocessable('An enablement is already in progress for this organization. Please try again later.');
  const at = Math.ceil((now + switching) / second) * second;
  switches.set(feature, [...earlier, { ...wanted, at }]);
}

const ownSwitchesOf = ({ store }: SandboxPlatform, { id }: RepositoryState) =>
  store.collection<readonly Switch[]>('repository security switches', id);

/** Switches a feature of one repository at once. */
export function switchInRepository(
  platform: SandboxPlatform,
  repository: RepositoryState,
  feature: SecurityFeature,
  enabled: boolean,
): void {
  const switches = ownSwitchesOf(platform, repository);
  const at = platform.clock().getTime();
  switches.set(feature, [...(switches.get(feature) ?? []), { enabled, query_suite: 'default', at }]);
}

/**
 * Returns the state of a repository's feature, from its creation and later switches. Archived repositories do not
 * change.
 */
export function featureOf(
  platform: SandboxPlatform,
  repository: RepositoryState,
  feature: SecurityFeature,
): FeatureState {
  const initial: FeatureState = { enabled: isEnabledAtFirst(platform, repository, feature), query_suite: 'default' };
  if (repository.archived) return initial;
  const created = Date.parse(repository.created_at);
  const now = platform.clock().getTime();
  const ofOwner = (switchesOf(platform, repository.owner_id).get(feature) ?? []).filter(({ at }) => created < at);
  const own = ownSwitchesOf(platform, repository).get(feature) ?? [];
  return [...ofOwner, ...own]
    .filter(({ at }) => at <= now)
    .sort((a, b) => a.at - b.at)
    .reduce(
      (state, { enabled, query_suite }) => (enabled === state.enabled ? state : { enabled, query_suite }),
      initial,
    );
}

export const isEnabled = (platform: SandboxPlatform, repository: RepositoryState, feature: SecurityFeature): boolean =>
  featureOf(platform, repository, feature).enabled;

function isEnabledAtFirst(
  { accounts, chance }: SandboxPlatform,
  repository: RepositoryState,
  feature: SecurityFeature,
): boolean {
  const { id, name, owner_id: owner, security_features: chosen } = repository;
  if (chosen) return chosen.includes(feature);
  const organization = accounts.organizationById(owner);
  if (organization && isStrict(organization)) return true;
  if (feature === 'dependency_graph' || feature === 'dependabot_alerts') return true;
  if (feature === 'dependabot_security_updates') return name === 'site' || chance('security fixes', id) >= 0.5;
  return chance(feature, id) < 0.5;
}

const featuresWithDefault: readonly SecurityFeature[] = [
  'dependency_graph',
  'dependabot_alerts',
  'dependabot_security_updates',
  'advanced_security',
  'secret_scanning',
  'secret_scanning_push_protection',
];

/** Returns the features of new repositories of an account. */
export function defaultFeatures(owner: Account): readonly SecurityFeature[] {
  if (owner.type === 'User') return [];
  return featuresWithDefault.filter((feature) => owner.settings[`${feature}_enabled_for_new_repositories`] === true);
}
