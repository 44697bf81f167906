/** Rulesets in the form of the platform's API, as files of exported rulesets and other tools have them. */
import { elements, type Placed, textOf, withParts } from '../../../fleet/policy/wanted/placed.ts';
import { isObject, ownMember } from '../../../json/exact-json.ts';
import { organizationRulesetFields } from '../../../platform/ruleset.ts';
import type { KeyTranslation } from './model.ts';
import { byName, type Item, type Lose, listAt, placedAt } from './source.ts';

/** Keys of rulesets that policies have, too. */
export const rulesetKeys: readonly string[] = Object.keys(organizationRulesetFields);

/** The note about keys that say nothing about what is wanted. */
const readOnly = 'Set by the platform; not imported';

/** Keys that only the platform sets. Of exported rulesets, `source` and `source_type` say whose they are. */
const readOnlyRulesetKeys: readonly string[] = [
  'id',
  'node_id',
  'source',
  'source_type',
  'created_at',
  'updated_at',
  'current_user_can_bypass',
  '_links',
];

/** Returns the table of rulesets at a path of a source. */
export const rulesetTable = (prefix: string, owner = ''): readonly KeyTranslation[] => [
  ...rulesetKeys.map((key) => ({ key: `${prefix}${key}`, policy: `${owner && `${owner}.`}rulesets[*].${key}` })),
  ...readOnlyRulesetKeys.map((key) => ({ key: `${prefix}${key}`, note: readOnly })),
];

/** Values of required parameters that the platform assumes if a request omits them. */
const assumed = byName<Readonly<Record<string, unknown>>>({
  pull_request: {
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 0,
    required_review_thread_resolution: false,
  },
  required_status_checks: { strict_required_status_checks_policy: false },
});

/** Returns a ruleset for the list of an owner. */
export function rulesetItem(ruleset: Placed, lose: Lose): Item {
  const members: [string, Placed][] = [];
  for (const [name, part] of ruleset.parts) {
    const key = String(name);
    if (readOnlyRulesetKeys.includes(key)) continue;
    if (!rulesetKeys.includes(key)) lose(part, 'Rulesets have no such key');
    else if (part.value !== null) members.push([key, key === 'rules' ? withAssumed(part) : part]);
  }
  const ordered = members.toSorted(([a], [b]) => rulesetKeys.indexOf(a) - rulesetKeys.indexOf(b));
  return { path: ['rulesets', String(textOf(ruleset, 'name'))], value: withParts(ruleset, ordered) };
}

/** Returns rules with the parameters that policies require. */
function withAssumed(rules: Placed): Placed {
  if (!Array.isArray(rules.value)) return rules;
  const each = elements(rules).map((rule) => {
    const defaults = ownMember(assumed, textOf(rule, 'type') ?? '');
    const parameters = rule.parts.get('parameters') ?? placedAt({}, rule.place);
    if (!defaults || !isObject(parameters.value)) return rule;
    const all = withParts(parameters, [...placedAt(defaults, parameters.place).parts, ...parameters.parts]);
    return withParts(rule, [...rule.parts, ['parameters', all]]);
  });
  return listAt(rules.place, each);
}
