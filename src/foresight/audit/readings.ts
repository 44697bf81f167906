/** The facts that checks judge, by name: where they come from, as data. What fetches them is in topics. */
import type { Endpoint } from '../../platform/endpoint.ts';
import { getVulnerabilityAlerts } from '../../platform/endpoints/alerts.ts';
import { listOrganizationAuditLog } from '../../platform/endpoints/audit-log.ts';
import { getBranch, getBranchProtection } from '../../platform/endpoints/branches.ts';
import { listEnterpriseBudgets, listOrganizationBudgets } from '../../platform/endpoints/budgets.ts';
import { listOrganizationBypassRequests, listPushRuleBypassRequests } from '../../platform/endpoints/bypass.ts';
import { listCheckRuns, listLatestStatuses } from '../../platform/endpoints/commits.ts';
import { listOrganizationDismissals } from '../../platform/endpoints/dismissals.ts';
import { listOrganizationHooks } from '../../platform/endpoints/hooks.ts';
import { listOrganizationInstallations } from '../../platform/endpoints/installations.ts';
import { listOrganizationMigrations } from '../../platform/endpoints/migrations.ts';
import {
  getImmutableReleases,
  getOrganization,
  listCustomRepositoryRoles,
  listOrganizationMembers,
  listOutsideCollaborators,
} from '../../platform/endpoints/orgs.ts';
import { listPropertyValues } from '../../platform/endpoints/properties.ts';
import { listRegistries } from '../../platform/endpoints/registries.ts';
import {
  listCodeownersErrors,
  listCollaborators,
  listOrganizationRepositories,
} from '../../platform/endpoints/repos.ts';
import {
  getOrganizationRuleset,
  getOrganizationRulesetVersion,
  getRepositoryRuleset,
  listBranchRules,
  listOrganizationRuleSuites,
  listOrganizationRulesets,
  listOrganizationRulesetVersions,
} from '../../platform/endpoints/rulesets.ts';
import { listTeamMembers, listTeams } from '../../platform/endpoints/teams.ts';
import type {
  AuditEvent,
  Budget,
  CodeownersError,
  Collaborator,
  CustomRepositoryRole,
  ImmutableReleases,
  Installation,
  Member,
  Migration,
  Organization,
  PreReceiveHook,
  PrivateRegistry,
  Repository,
  RuleSuite,
  Ruleset,
  RulesetVersionState,
  Team,
} from '../../platform/records.ts';
import type { Given } from '../../platform/validate.ts';
import type { BranchFacts } from './effective-protection.ts';

export type Scope = 'organization' | 'repository' | 'enterprise';

declare const read: unique symbol;

/** A fact about one target. `T` is the type of its value. */
export interface ReadingDeclaration<T = unknown> {
  /** All that may be read. */
  readonly endpoints: readonly Endpoint[];
  /**
   * The most requests for one repository, beside lists of the organization, and with --deep beside rulesets of its own
   * beyond the second; only readings of repositories have it.
   */
  readonly requests?: number;
  /** True if it is read only with --deep. */
  readonly deep?: true;
  readonly [read]?: T;
}

const reading = <T>(endpoints: readonly Endpoint[], others: Omit<ReadingDeclaration, 'endpoints'> = {}) =>
  ({ endpoints, ...others }) as ReadingDeclaration<T>;

/** The fields of listed repositories that checks may use: thousands are kept in memory. */
export const repositoryFields = [
  'id',
  'name',
  'full_name',
  'html_url',
  'archived',
  'private',
  'visibility',
  'fork',
  'default_branch',
  'pushed_at',
  'created_at',
  'size',
  'topics',
  'allow_forking',
  'forks_count',
  'permissions',
  'security_and_analysis',
] as const satisfies readonly (keyof Repository)[];

/** A team that a bypass list names. */
export interface BypassTeam {
  readonly slug: string;
  readonly members: number;
}

/** A request for review that nobody has decided, or that expired undecided. */
export interface OpenRequest {
  readonly number: number;
  readonly repository: string | null;
  readonly requester: string;
  readonly status: string;
  readonly created_at: string;
  readonly html_url?: string;
}

export type AuditedRepository = Pick<Repository, (typeof repositoryFields)[number]>;

export const organizationReadings = {
  organization: reading<Organization>([getOrganization]),
  owners: reading<readonly Member[]>([listOrganizationMembers]),
  repositories: reading<readonly AuditedRepository[]>([listOrganizationRepositories]),
  members: reading<readonly Member[]>([listOrganizationMembers]),
  membersWithoutTwoFactor: reading<readonly Member[]>([listOrganizationMembers]),
  membersWithInsecureTwoFactor: reading<readonly Member[]>([listOrganizationMembers]),
  outsideCollaborators: reading<readonly Member[]>([listOutsideCollaborators]),
  outsideWithoutTwoFactor: reading<readonly Member[]>([listOutsideCollaborators]),
  /** The logins of members whose latest event in the audit log is older than the period of activity. */
  inactive: reading<ReadonlySet<string>>([listOrganizationMembers, listOrganizationAuditLog], { deep: true }),
  /** In full. */
  rulesets: reading<readonly Ruleset[]>([listOrganizationRulesets, getOrganizationRuleset]),
  /** The versions of rulesets that changed lately or are in evaluate, newest first, as far back as checks look. */
  rulesetVersions: reading<ReadonlyMap<number, readonly RulesetVersionState[]>>([
    listOrganizationRulesetVersions,
    getOrganizationRulesetVersion,
  ]),
  teams: reading<readonly Team[]>([listTeams]),
  /** The members of teams that bypass lists name, child teams included, by ID; null for a team that does not exist. */
  bypassTeams: reading<ReadonlyMap<number, BypassTeam | null>>([listTeams, listTeamMembers]),
  installations: reading<readonly Installation[]>([listOrganizationInstallations]),
  /** By full name in lower case. */
  propertyValues: reading<ReadonlyMap<string, Given>>([listPropertyValues]),
  roles: reading<readonly CustomRepositoryRole[]>([listCustomRepositoryRoles]),
  hooks: reading<readonly PreReceiveHook[]>([listOrganizationHooks]),
  registries: reading<readonly PrivateRegistry[]>([listRegistries]),
  budgets: reading<readonly Budget[]>([listOrganizationBudgets]),
  secretRequests: reading<readonly OpenRequest[]>([listOrganizationBypassRequests]),
  pushRuleRequests: reading<readonly OpenRequest[]>([listPushRuleBypassRequests]),
  dismissalRequests: reading<readonly OpenRequest[]>([listOrganizationDismissals]),
  /** The rule suites of the last month that were bypassed. */
  bypasses: reading<readonly RuleSuite[]>([listOrganizationRuleSuites]),
  /** The events of the last month that took protection away. */
  loosenings: reading<readonly AuditEvent[]>([listOrganizationAuditLog]),
  immutableReleases: reading<ImmutableReleases>([getImmutableReleases]),
  migrations: reading<readonly Migration[]>([listOrganizationMigrations]),
};

export const repositoryReadings = {
  /** As listed in the organization. */
  repository: reading<AuditedRepository>([listOrganizationRepositories], { requests: 0 }),
  /** What protects the default branch. */
  protection: reading<BranchFacts>([listBranchRules, getBranch, getBranchProtection, getRepositoryRuleset], {
    requests: 4,
  }),
  alerts: reading<boolean>([getVulnerabilityAlerts], { requests: 1 }),
  /** The names of checks and statuses that the newest commit of the default branch has; null without commits. */
  reportedChecks: reading<ReadonlySet<string> | null>([listCheckRuns, listLatestStatuses], { requests: 2, deep: true }),
  administrators: reading<readonly Collaborator[]>([listCollaborators], { requests: 1, deep: true }),
  outsiders: reading<readonly Collaborator[]>([listCollaborators], { requests: 1, deep: true }),
  /** Null without a file of code owners. */
  codeownersErrors: reading<readonly CodeownersError[] | null>([listCodeownersErrors], { requests: 1, deep: true }),
};

export const enterpriseReadings = {
  budgets: reading<readonly Budget[]>([listEnterpriseBudgets]),
};

interface Readings {
  readonly organization: typeof organizationReadings;
  readonly repository: typeof repositoryReadings & typeof organizationReadings;
  readonly enterprise: typeof enterpriseReadings;
}

export type ReadingName<S extends Scope> = keyof Readings[S];

export type ValueOf<S extends Scope, K> = K extends keyof Readings[S]
  ? Readings[S][K] extends ReadingDeclaration<infer T>
    ? T
    : never
  : never;

const byScope: Readonly<Record<Scope, Readonly<Record<string, ReadingDeclaration>>>> = {
  organization: organizationReadings,
  repository: { ...organizationReadings, ...repositoryReadings },
  enterprise: enterpriseReadings,
};

/** Returns the declaration of a reading that a check names. */
export const readingOf = (scope: Scope, name: string): ReadingDeclaration => byScope[scope][name] as ReadingDeclaration;
