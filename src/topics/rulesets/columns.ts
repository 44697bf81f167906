/** Columns and choices of rulesets. */

import type { PickList } from '../../cli/command/picking.ts';
import { isRepo, type Target } from '../../cli/input/args.ts';
import type { Column } from '../../output/table/columns.ts';
import type { Ruleset, RulesetSummary } from '../../platform/records.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';

export const rulesetListColumns: readonly Column<RulesetSummary>[] = [
  { header: 'ID', get: 'id', priority: 1 },
  { header: 'Name', get: 'name', as: 'name', priority: 1, link: true },
  { header: 'Target', get: 'target' },
  { header: 'Enforcement', get: 'enforcement', as: 'state', priority: 1 },
  { header: 'Source', get: 'source', as: 'text', priority: 3 },
  { header: 'Updated', get: 'updated_at', as: 'age', priority: 3 },
];

/** The details of a ruleset: a summary, then its parts. */
export const rulesetColumns: readonly Column<Ruleset>[] = [
  { header: 'ID', get: 'id' },
  { header: 'Name', get: 'name', link: true },
  { header: 'Target', get: 'target' },
  { header: 'Enforcement', get: 'enforcement', as: 'state' },
  { header: 'Source', get: ({ source_type, source }) => `${source_type} ${source}` },
  { header: 'You may bypass', get: 'current_user_can_bypass' },
  { header: 'Created', get: 'created_at', as: 'age' },
  { header: 'Updated', get: 'updated_at', as: 'age' },
  { header: 'Number of rules', get: ({ rules }) => rules?.length },
  { header: 'Number of bypass actors', get: ({ bypass_actors }) => bypass_actors?.length },
  { header: 'Conditions', get: (ruleset) => ruleset.conditions },
  { header: 'Bypass actors', get: (ruleset) => ruleset.bypass_actors },
  { header: 'Rules', get: (ruleset) => ruleset.rules },
];

/**
 * Returns the rulesets of a repository or organization to choose from; those of a repository include inherited ones
 * by default.
 */
export function rulesetsOf(target: Target, includes_parents?: boolean): PickList<RulesetSummary> {
  return {
    question: 'Which ruleset?',
    list: (session, cut) => {
      const query = isRepo(target) ? { includes_parents } : {};
      return session.list(rulesets.of(target).list, { path: { ...target }, query }, cut, {});
    },
    choice: ({ id, name }) => ({ name: `${name} (${id})`, value: id }),
  };
}

/** Returns only the rulesets owned by the target: a repository cannot change inherited ones. */
export const ownRulesets = ({ target }: { readonly target: Target }) => rulesetsOf(target, false);
