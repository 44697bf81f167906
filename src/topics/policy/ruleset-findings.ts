import { setImmediate } from 'node:timers/promises';
import { type Policy, wantedOf } from '../../fleet/policy/wanted/model.ts';
import { type PolicyProblem, partAt, placeText } from '../../fleet/policy/wanted/placed.ts';
import { lintRuleset, type RulesetFinding } from '../../foresight/lint-ruleset.ts';
import type { Given } from '../../platform/validate.ts';

type PlacedFinding = PolicyProblem & Pick<RulesetFinding, 'code' | 'severity'>;

/** Checks the rulesets of a policy as `rulesets lint` does. */
export async function rulesetFindings({ owners }: Policy): Promise<readonly PlacedFinding[]> {
  const found = new Map<string, PlacedFinding>();
  // A ruleset of several organizations is declared once.
  const bodies = new Map(
    owners
      .flatMap((owner) => [owner, ...owner.repositories])
      .flatMap((declarations) => wantedOf(declarations, 'rulesets').map(({ body }) => [placeText(body.place), body])),
  );
  for (const body of bodies.values()) {
    // Ctrl-C ends the check.
    await setImmediate();
    for (const { field, code, severity, message } of await lintRuleset(body.value as Given)) {
      const { place } = partAt(body, field);
      found.set(`${placeText(place)} ${code}`, { place, code, severity, message: `${field} ${message}` });
    }
  }
  return [...found.values()];
}
