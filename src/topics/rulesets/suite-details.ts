/** The details of a rule suite: the push and the result of each rule. */
import type { Column } from '../../output/table/columns.ts';
import type { RuleSuiteEvaluations } from '../../platform/records.ts';
import { grouped } from '../detail-words.ts';

export const ruleSuiteDetails: readonly Column<RuleSuiteEvaluations>[] = [
  ...grouped<RuleSuiteEvaluations>('Push', [
    { header: 'ID', get: 'id' },
    { header: 'Result', get: 'result', as: 'state' },
    { header: 'Evaluated', get: ({ evaluation_result: evaluated }) => evaluated ?? undefined, as: 'state' },
    { header: 'Actor', get: 'actor_name' },
    { header: 'Repository', get: 'repository_name' },
    { header: 'Ref', get: 'ref' },
    { header: 'Before', get: 'before_sha' },
    { header: 'After', get: 'after_sha' },
    { header: 'Pushed', get: 'pushed_at', as: 'age' },
  ]),
  ...grouped<RuleSuiteEvaluations>('Rule results', [{ header: 'By ruleset', get: verdicts, exactNames: true }]),
];

/** Returns the rule results, grouped by ruleset. */
function verdicts({ rule_evaluations: evaluations }: RuleSuiteEvaluations) {
  if (!evaluations?.length) return undefined;
  const sources: Record<string, Record<string, string>> = {};
  for (const { rule_source: source, enforcement, rule_type: rule, result, details } of evaluations) {
    const name = [source?.name ?? source?.type ?? 'rules', source?.id].filter(Boolean).join(' ');
    const rules = sources[`${name}, ${enforcement}`] ?? {};
    const verdict = details ? `${result}: ${details}` : result;
    // A ruleset can have several rules of a type.
    rules[rule] = rules[rule] === undefined ? verdict : `${rules[rule]}; ${verdict}`;
    sources[`${name}, ${enforcement}`] = rules;
  }
  return sources;
}
