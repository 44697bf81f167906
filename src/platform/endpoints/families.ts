/**
 * The declarations of all endpoint families, for the library's exports and for code that iterates over all endpoints.
 */
export * from './accounts.ts';
export * from './alerts.ts';
export * from './apps.ts';
export * from './audit-log.ts';
export * from './branches.ts';
export * from './budgets.ts';
export * from './bypass.ts';
export * from './comments.ts';
export * from './commits.ts';
export * from './dismissals.ts';
export * from './forks.ts';
export * from './grants.ts';
export * from './hooks.ts';
export * from './installations.ts';
export * from './labels.ts';
export * from './members.ts';
export * from './migrations.ts';
export * from './orgs.ts';
export * from './properties.ts';
export * from './registries.ts';
export * from './repos.ts';
export * from './rulesets.ts';
export * from './snapshots.ts';
export * from './teams.ts';
export * from './views.ts';
