/** All declared resources by name. */
export * from './alerts.ts';
export * from './budgets.ts';
export * from './bypass.ts';
export * from './comments.ts';
export * from './dismissals.ts';
export * from './grants.ts';
export * from './hooks.ts';
export * from './labels.ts';
export * from './members.ts';
export * from './migrations.ts';
export * from './orgs.ts';
export * from './properties.ts';
export * from './registries.ts';
export * from './repos.ts';
export * from './rulesets.ts';
export * from './teams.ts';
export * from './views.ts';
