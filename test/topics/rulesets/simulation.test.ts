import { expect, it } from 'vitest';
import type { Push } from '../../../src/foresight/facts.ts';
import { simulatedPush } from '../../../src/topics/rulesets/simulation.ts';

it('has at most 100 pieces of evidence of a rule, and how many there are', () => {
  const ruleset = { id: 7, name: 'guard', source: 'acme' };
  const evidence = Array.from({ length: 101 }, (_, at) => ({ commit: String(at) }));
  const verdict = { verdict: 'refused', rules: [{ ruleset, type: 'update', verdict: 'refused', evidence }] } as never;
  const update = { ref: 'refs/heads/main', from: undefined, to: undefined };
  const { rules } = simulatedPush('acme/site', update, { ref: update.ref, update: 'update' } as Push, verdict);
  expect(rules[0]?.evidence).toHaveLength(100);
  expect(rules[0]).toMatchObject({ evidence_total: 101 });
});
