/** The names of kinds. */

/** Names in the order of plans, with their sections in policies. */
export const sections = {
  member: 'members',
  team: 'teams',
  team_member: 'team_members',
  repository: 'create',
  settings: 'settings',
  property: 'property_schema',
  ruleset: 'rulesets',
  registry: 'registries',
  budget: 'budgets',
  hook: 'hooks',
  properties: 'properties',
  grant: 'access',
  topics: 'topics',
  alerts: 'alerts',
  label: 'labels',
} as const;

export type PlannedKind = keyof typeof sections;
export type Section = (typeof sections)[PlannedKind];

export const plannedKinds = Object.keys(sections) as readonly PlannedKind[];
