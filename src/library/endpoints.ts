/** The endpoints that the library exports. Its declarations are written by scripts/library-types.ts. */
export * from '../platform/endpoints/accounts.ts';
export * from '../platform/endpoints/budgets.ts';
export * from '../platform/endpoints/bypass.ts';
export * from '../platform/endpoints/comments.ts';
export * from '../platform/endpoints/dismissals.ts';
export * from '../platform/endpoints/forks.ts';
export * from '../platform/endpoints/hooks.ts';
export * from '../platform/endpoints/installations.ts';
export * from '../platform/endpoints/migrations.ts';
export * from '../platform/endpoints/orgs.ts';
export * from '../platform/endpoints/registries.ts';
export * from '../platform/endpoints/repos.ts';
export * from '../platform/endpoints/rulesets.ts';
export * from '../platform/endpoints/snapshots.ts';
export * from '../platform/endpoints/views.ts';
