import type { Ruleset, RulesetSummary } from '../../platform/records.ts';
import type { Caller } from '../callers.ts';
import type { SandboxPlatform } from '../platform.ts';
import { hasLevel, hasRole, userOf } from '../roles.ts';
import type { SettingsOwner } from '../state/repositories.ts';
import type { RulesetState } from '../state/rulesets.ts';
import { nodeId } from './actor.ts';
import { fullName } from './repository.ts';

/** The owner of a ruleset, in rulesets and applied rules. */
export function sourceOf(
  platform: SandboxPlatform,
  { organization, repository }: SettingsOwner,
): [type: string, name: string] {
  return organization ? ['Organization', organization.login] : ['Repository', fullName(platform, repository)];
}

/** Specification, Ruleset, summary form. */
export function rulesetSummary(platform: SandboxPlatform, owner: SettingsOwner, ruleset: RulesetState): RulesetSummary {
  const { id, name, target, enforcement, created_at, updated_at } = ruleset;
  const [source_type, source] = sourceOf(platform, owner);
  const [api, html] = owner.organization
    ? [`/orgs/${source}/rulesets/${id}`, `/organizations/${source}/settings/rules/${id}`]
    : [`/repos/${source}/rulesets/${id}`, `/${source}/rules/${id}`];
  return {
    id,
    name,
    target,
    source_type,
    source,
    enforcement,
    node_id: nodeId('RepositoryRuleset', id),
    _links: { self: { href: platform.baseUrl + api }, html: { href: platform.origin + html } },
    created_at,
    updated_at,
  };
}

/** A ruleset with its parts; bypass actors only for callers who may change it. */
export function rulesetView(
  platform: SandboxPlatform,
  owner: SettingsOwner,
  ruleset: RulesetState,
  caller: Caller,
  mayChange: boolean,
): Ruleset {
  const { bypass_actors, conditions, rules } = ruleset;
  return {
    ...rulesetSummary(platform, owner, ruleset),
    ...(mayChange && { bypass_actors: [...bypass_actors] }),
    conditions,
    rules: [...rules],
    current_user_can_bypass: bypassOf(platform, owner, ruleset, caller),
  };
}

/** Id of the administrator role of repositories, as on the public platform. */
const repositoryAdministrator = 5;

function bypassOf(
  platform: SandboxPlatform,
  owner: SettingsOwner,
  { bypass_actors }: RulesetState,
  caller: Caller,
): string {
  const user = userOf(platform, caller);
  const organization = owner.organization ?? platform.accounts.organizationById(owner.repository.owner_id);
  const isOwner = organization !== undefined && hasRole(platform, caller, organization, 'owner');
  const administers = owner.repository ? hasLevel(platform, caller, owner.repository, 'admin') : isOwner;
  const actor = bypass_actors.find(({ actor_type: type, actor_id: id }) => {
    if (!user) return false;
    if (type === 'OrganizationAdmin') return isOwner;
    if (type === 'EnterpriseOwner') return user.site_admin;
    if (type === 'RepositoryRole') return id === repositoryAdministrator && administers;
    return type === 'User' && id === user.id;
  });
  if (!actor) return 'never';
  const modes: Readonly<Record<string, string>> = { pull_request: 'pull_requests_only', exempt: 'exempt' };
  return modes[actor.bypass_mode ?? ''] ?? 'always';
}
