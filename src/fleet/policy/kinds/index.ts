/** The kinds of objects that policies manage, in the order of a policy file. */
import type { PlannedKind } from '../live/change.ts';
import { kindOfTarget } from '../wanted/target.ts';
import { budgets } from './budgets.ts';
import { hooks } from './hooks.ts';
import type { KindDeclaration } from './kind.ts';
import { properties } from './properties.ts';
import { registries } from './registries.ts';
import { rulesets } from './rulesets.ts';
import { settings } from './settings.ts';

export const kinds: Readonly<Record<PlannedKind, KindDeclaration>> = {
  settings,
  properties,
  ruleset: rulesets,
  registry: registries,
  budget: budgets,
  hook: hooks,
};

/** Returns the kinds of objects that a target has. */
export const kindsOf = (target: string): readonly KindDeclaration[] =>
  Object.values(kinds).filter(({ targets }) => targets.includes(kindOfTarget(target)));
