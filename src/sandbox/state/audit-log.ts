/** The audit log: what this sandbox has done since it was started, after a past that follows from the seed. */
import type { Endpoint } from '../../platform/endpoint.ts';
import type { SandboxPlatform } from '../platform.ts';
import { pick } from '../seed/chance.ts';
import { isLax, isStrict } from '../seed/postures.ts';
import type { User } from './accounts.ts';

export interface AuditRecord {
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly action: string;
  readonly actor?: string | undefined;
  /** Login of the person whom the action affects. */
  readonly user?: string | undefined;
  readonly org?: string | undefined;
  readonly repo?: string | undefined;
}

const recorded = ({ store }: SandboxPlatform) => store.collection<AuditRecord>('audit log');

/** Adds a write that has happened. */
export function recordWrite(platform: SandboxPlatform, event: Omit<AuditRecord, 'id' | 'time'>): void {
  const number = platform.store.next('audit log', 1);
  recorded(platform).set(number, { ...event, id: `event-${number}`, time: platform.clock().getTime() });
}

/** Content rather than administration, and tokens, which the platform does not record either. */
const unrecorded = ['comments', 'labels', 'dispatches', 'snapshots', 'access_tokens', 'token', 'lock'];

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'destroy' };

type Values = Readonly<Record<string, unknown>>;
type Action = string | ((path: Values, body: Values) => string);

const budget = '/settings/billing/budgets';
const hook = 'pre-receive-hooks/{pre_receive_hook_id}';

/** Actions that the public platform does not name after the last segment of the path. */
const actions: Readonly<Record<string, Action>> = {
  'PATCH /orgs/{org}': 'org.update',
  'PUT /orgs/{org}/memberships/{username}': 'org.update_member',
  'DELETE /orgs/{org}/memberships/{username}': 'org.remove_member',
  'PUT /orgs/{org}/outside_collaborators/{username}': 'org.add_outside_collaborator',
  'DELETE /orgs/{org}/outside_collaborators/{username}': 'org.remove_outside_collaborator',
  'PATCH /user/memberships/orgs/{org}': 'org.add_member',
  'PATCH /orgs/{org}/teams/{team_slug}': (_, body) => teamChangeOf(body),
  'PUT /orgs/{org}/teams/{team_slug}/memberships/{username}': 'team.add_member',
  'DELETE /orgs/{org}/teams/{team_slug}/memberships/{username}': 'team.remove_member',
  'PUT /orgs/{org}/teams/{team_slug}/repos/{owner}/{repo}': 'team.add_repository',
  'DELETE /orgs/{org}/teams/{team_slug}/repos/{owner}/{repo}': 'team.remove_repository',
  'PUT /repos/{owner}/{repo}/collaborators/{username}': 'repo.add_member',
  'DELETE /repos/{owner}/{repo}/collaborators/{username}': 'repo.remove_member',
  'PATCH /repos/{owner}/{repo}/invitations/{invitation_id}': 'repository_invitation.update',
  'DELETE /repos/{owner}/{repo}/invitations/{invitation_id}': 'repository_invitation.cancel',
  'PATCH /user/repository_invitations/{invitation_id}': 'repository_invitation.accept',
  'PUT /repos/{owner}/{repo}/vulnerability-alerts': 'repository_vulnerability_alerts.enable',
  'DELETE /repos/{owner}/{repo}/vulnerability-alerts': 'repository_vulnerability_alerts.disable',
  'PUT /repos/{owner}/{repo}/automated-security-fixes': 'repository_dependabot_security_updates.enable',
  'DELETE /repos/{owner}/{repo}/automated-security-fixes': 'repository_dependabot_security_updates.disable',
  'POST /repos/{template_owner}/{template_repo}/generate': 'repo.create',
  'POST /orgs/{org}/repos': 'repo.create',
  'POST /repos/{owner}/{repo}/forks': 'repo.create',
  'PATCH /repos/{owner}/{repo}': (_, body) => changeOf(body),
  'DELETE /repos/{owner}/{repo}': 'repo.destroy',
  'POST /repos/{owner}/{repo}/transfer': 'repo.transfer',
  'PUT /repos/{owner}/{repo}/topics': 'repo.update_topics',
  'PATCH /orgs/{org}/properties/values': 'custom_property_value.update',
  'POST /orgs/{org}/{security_product}/{enablement}': ({ security_product: product, enablement }) =>
    securityActions[String(product)]?.[enablement === 'enable_all' ? 0 : 1] ??
    `${product}.${enablement === 'enable_all' ? 'enable' : 'disable'}`,
  'DELETE /orgs/{org}/settings/immutable-releases/repositories/{repository_id}': 'immutable_releases.remove_repository',
  [`PATCH /orgs/{org}/${hook}`]: 'pre_receive_hook.enforcement',
  [`DELETE /orgs/{org}/${hook}`]: 'pre_receive_hook.enforcement',
  [`PATCH /repos/{owner}/{repo}/${hook}`]: 'pre_receive_hook.enforcement',
  [`DELETE /repos/{owner}/{repo}/${hook}`]: 'pre_receive_hook.enforcement',
  [`POST /organizations/{org}${budget}`]: 'billing.budget_create',
  [`PATCH /organizations/{org}${budget}/{budget_id}`]: 'billing.budget_update',
  [`DELETE /organizations/{org}${budget}/{budget_id}`]: 'billing.budget_delete',
  [`POST /enterprises/{enterprise}${budget}`]: 'billing.budget_create',
  [`PATCH /enterprises/{enterprise}${budget}/{budget_id}`]: 'billing.budget_update',
  [`DELETE /enterprises/{enterprise}${budget}/{budget_id}`]: 'billing.budget_delete',
  'PATCH /repos/{owner}/{repo}/bypass-requests/secret-scanning/{bypass_request_number}': (_, { status }) =>
    `secret_scanning_push_protection_request.${status === 'approve' ? 'approve' : 'deny'}`,
  'DELETE /repos/{owner}/{repo}/bypass-responses/secret-scanning/{bypass_response_id}':
    'secret_scanning_push_protection_request.dismiss_response',
  'POST /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}': 'dependabot_alert_closure_request.request',
  'PATCH /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}': (_, { status }) =>
    `dependabot_alert_closure_request.${status === 'approve' ? 'approve' : 'deny'}`,
  'DELETE /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}': 'dependabot_alert_closure_request.cancel',
  'POST /orgs/{org}/projectsV2/{project_number}/views': 'project_view.create',
  'POST /users/{user_id}/projectsV2/{project_number}/views': 'project_view.create',
  'DELETE /user/migrations/{migration_id}/archive': 'migration.destroy_file',
};

/** The actions of enabling and of disabling a feature in all repositories; of others they are `enable` and `disable`. */
const securityActions: Readonly<Record<string, readonly [enabled: string, disabled: string]>> = {
  advanced_security: ['org.advanced_security_enabled_on_all_repos', 'org.advanced_security_disabled_on_all_repos'],
  code_scanning_default_setup: ['org.codeql_enabled', 'org.codeql_disabled'],
};

/** Returns the name of a write in the log; undefined for one that the log does not contain. */
export function actionOf({ route, method, template }: Endpoint, path: Values, body: Values): string | undefined {
  const named = actions[route];
  if (named !== undefined) return typeof named === 'string' ? named : named(path, body);
  const segments = template.split('/').filter((segment) => segment !== '' && !/[{<]/.test(segment));
  const last = segments.at(-1) ?? '';
  if (unrecorded.includes(last)) return undefined;
  const subject = last === 'rulesets' ? 'repository_ruleset' : last.replace(/ies$/, 'y').replace(/s$/, '');
  return `${subject.replaceAll('-', '_')}.${verbs[method]}`;
}

function changeOf(body: Values): string {
  if (body.archived !== undefined) return body.archived ? 'repo.archived' : 'repo.unarchived';
  if (body.name !== undefined) return 'repo.rename';
  return body.visibility !== undefined || body.private !== undefined ? 'repo.access' : 'repo.update';
}

function teamChangeOf(body: Values): string {
  if (body.name !== undefined) return 'team.rename';
  if (body.parent_team_id !== undefined) return 'team.change_parent_team';
  return body.privacy !== undefined ? 'team.change_privacy' : 'team.update';
}

const pastEvents = 45;
const hour = 60 * 60 * 1000;

/** Returns all events, newest first. */
export const allEvents = (platform: SandboxPlatform): AuditRecord[] => [
  ...recorded(platform).values().toReversed(),
  ...[...past(platform), ...audited(platform)].toSorted((a, b) => b.time - a.time),
];

/** The people of the strict organization work, and somebody has removed protection in the lax one. */
function audited({ accounts, started }: SandboxPlatform): AuditRecord[] {
  const organizations = Array.from({ length: accounts.organizationCount }, (_, index) =>
    accounts.organizationAt(index),
  );
  return organizations
    .filter((each) => !each.isEmpty)
    .flatMap((organization) => {
      const { login } = organization;
      const event = (actor: string, action: string, days: number): AuditRecord => ({
        id: `past-${login}-${actor}-${action}`,
        time: started - days * 24 * hour,
        action,
        actor,
        org: login,
        repo: `${login}/site`,
      });
      if (isLax(organization))
        return [
          event('riverotter', 'repository_ruleset.destroy', 9),
          event('paperfox', 'repository_secret_scanning_push_protection.disable', 16),
        ];
      const members = accounts.users.filter((user) => accounts.isSeededMember(user, organization));
      return isStrict(organization) ? members.map((user, place) => event(user.login, 'repo.create', 20 + place)) : [];
    });
}

const pastActions = ['repo.create', 'repo.access', 'org.add_member', 'repo.destroy', 'git.push'] as const;

/** The gaps grow towards the past; there are git events among them. */
function past({ accounts, repositories, chance, started }: SandboxPlatform): AuditRecord[] {
  return Array.from({ length: pastEvents }, (_, place): AuditRecord => {
    const { login, ...organization } = accounts.organizationAt(
      Math.floor(chance('audit org', place) * accounts.organizationCount),
    );
    const all = repositories.of({ login, ...organization });
    const [repository] = all.slice(place % all.total, (place % all.total) + 1);
    const action = pick(pastActions, chance('audit action', place));
    const actor = pick(accounts.users as [User, ...User[]], chance('audit actor', place)).login;
    return {
      id: `past-${pastEvents - place}`,
      time: Math.round(started - (place ** 2 + 1 + chance('audit minutes', place)) * hour),
      action,
      actor,
      user:
        action === 'org.add_member'
          ? pick(accounts.users as [User, ...User[]], chance('audit user', place)).login
          : undefined,
      org: login,
      repo: action === 'org.add_member' || !repository ? undefined : `${login}/${repository.name}`,
    };
  });
}

export const isGit = ({ action }: AuditRecord): boolean => action.startsWith('git.');
