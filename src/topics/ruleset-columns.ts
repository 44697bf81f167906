/** What an admin decides on when looking at rulesets, and chooses one by. */

import type { PickList } from '../cli/command/picking.ts';
import { isRepo, type Target } from '../cli/input/args.ts';
import type { Column } from '../output/table/columns.ts';
import type { Ruleset, RulesetSummary } from '../platform/records.ts';
import { rulesets } from '../platform/resources/rulesets.ts';

export const rulesetListColumns: readonly Column<RulesetSummary>[] = [
  { header: 'Id', get: 'id', priority: 1 },
  { header: 'Name', get: 'name', as: 'name', priority: 1, link: true },
  { header: 'Target', get: 'target' },
  { header: 'Enforcement', get: 'enforcement', as: 'state', priority: 1 },
  { header: 'Source', get: 'source', as: 'text', priority: 3 },
  { header: 'Updated', get: 'updated_at', as: 'age', priority: 3 },
];

/** One ruleset: first how it stands and how much it holds, then its parts. */
export const rulesetColumns: readonly Column<Ruleset>[] = [
  { header: 'Id', get: 'id' },
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

/** The rulesets of a repository or an organization; of a repository also those from above unless told otherwise. */
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

/** Those that are changed where they are listed: a repository cannot change those from above. */
export const ownRulesets = ({ target }: { readonly target: Target }) => rulesetsOf(target, false);
