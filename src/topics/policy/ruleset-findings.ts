import { type Policy, wantedOf } from '../../fleet/policy/wanted/model.ts';
import { type PolicyProblem, partAt, placeText } from '../../fleet/policy/wanted/placed.ts';
import { lintRuleset, type RulesetFinding } from '../../foresight/lint-ruleset.ts';
import type { Given } from '../../platform/validate.ts';

type PlacedFinding = PolicyProblem & Pick<RulesetFinding, 'code' | 'severity'>;

/** Checks the rulesets of a policy as `rulesets lint` does. */
export async function rulesetFindings({ owners }: Policy): Promise<readonly PlacedFinding[]> {
  // A ruleset of several organizations is declared once.
  const found = new Map<string, PlacedFinding>();
  for (const declarations of owners.flatMap((owner) => [owner, ...owner.repositories]))
    for (const { body } of wantedOf(declarations, 'rulesets'))
      for (const { field, code, severity, message } of await lintRuleset(body.value as Given)) {
        const { place } = partAt(body, field);
        found.set(`${placeText(place)} ${code}`, { place, code, severity, message: `${field} ${message}` });
      }
  return [...found.values()];
}
