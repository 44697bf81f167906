/** The facts that checks judge, by name: where they come from, as data. What fetches them is in topics. */
import type { Endpoint } from '../../platform/endpoint.ts';
import { listEnterpriseBudgets } from '../../platform/endpoints/budgets.ts';
import { getOrganization, listOrganizationMembers } from '../../platform/endpoints/orgs.ts';
import { listOrganizationRepositories } from '../../platform/endpoints/repos.ts';
import type { Budget, Member, Organization, Repository } from '../../platform/records.ts';

export type Scope = 'organization' | 'repository' | 'enterprise';

declare const read: unique symbol;

/** A fact about one target. `T` is the type of its value. */
export interface ReadingDeclaration<T = unknown> {
  /** All that may be read. */
  readonly endpoints: readonly Endpoint[];
  /** The most requests for one repository, beside lists of the organization; only readings of repositories have it. */
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
  'security_and_analysis',
] as const satisfies readonly (keyof Repository)[];

export type AuditedRepository = Pick<Repository, (typeof repositoryFields)[number]>;

export const organizationReadings = {
  organization: reading<Organization>([getOrganization]),
  owners: reading<readonly Member[]>([listOrganizationMembers]),
  repositories: reading<readonly AuditedRepository[]>([listOrganizationRepositories]),
};

export const repositoryReadings = {
  /** As listed in the organization. */
  repository: reading<AuditedRepository>([listOrganizationRepositories], { requests: 0 }),
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
