import { asText } from '../../../../json/exact-json.ts';
import type { Ruleset } from '../../../../platform/records.ts';
import { check, type Fact, type Fix, fail, pass, unreadable } from '../../check.ts';
import { ruleDocuments } from '../../default-branch-rule.ts';
import { checksIn, layersOf } from '../../effective-protection.ts';
import { repositoryPolicy } from '../../fixes.ts';

export const defaultBranchReportedChecks = check({
  id: 'default-branch-reported-checks',
  scope: 'repository',
  severity: 'medium',
  title: 'All required status checks are reported',
  description:
    'A required check that nobody reports blocks every pull request, until somebody bypasses the rule. Compares the required checks of all levels with the runs and statuses of the newest commit of the default branch.',
  documents: ruleDocuments,
  maps: {},
  reads: ['repository', 'protection', 'reportedChecks'],
  judge({ repository, protection, reportedChecks }, { target }) {
    if (reportedChecks === null) return undefined;
    const branch = repository.default_branch ?? 'the default branch';
    const layers = layersOf(branch, protection).map(({ name, rules }) => ({
      name,
      required: rules.flatMap(({ type, parameters }) =>
        type === 'required_status_checks' ? (checksIn(parameters) ?? []) : [],
      ),
    }));
    const missing = layers.flatMap(({ name, required }) =>
      required.filter((each) => !reportedChecks.has(each)).map((each) => ({ name: each, value: name })),
    );
    if (missing.length > 0)
      return fail(
        `${branch} requires checks that nobody reports: ${[...new Set(missing.map(({ name }) => name))].join(', ')}.`,
        missing,
        withoutChecks(target, protection.rulesets, reportedChecks),
      );
    const isUnknown = layersOf(branch, protection).some(({ rules }) =>
      rules.some(({ type, parameters }) => type === 'required_status_checks' && checksIn(parameters) === undefined),
    );
    if (isUnknown) return unreadable('the platform does not return the checks that a rule requires');
    if ('unreadable' in protection.classic) return unreadable(protection.classic.unreadable);
    return layers.some(({ required }) => required.length > 0) ? pass : undefined;
  },
});

const hint = 'Remove the checks from the rule that requires them, or have a build report them.';

/** Removes the checks from the ruleset of the repository, if only one requires them. */
function withoutChecks(
  target: string,
  rulesets: ReadonlyMap<number, Fact<Ruleset>>,
  reported: ReadonlySet<string>,
): Fix {
  const all = [...rulesets.values()].flatMap((fact) => ('value' in fact ? [fact.value] : []));
  const requiring = all.filter(({ rules = [] }) =>
    rules.some(({ parameters = {} }) => checksIn(parameters)?.some((each) => !reported.has(each))),
  );
  const [ruleset] = requiring;
  if (!ruleset?.rules || requiring.length > 1 || ruleset.source_type !== 'Repository') return { hint };
  const rules = ruleset.rules.flatMap(({ type, parameters = {} }) => {
    const { required_status_checks: checks } = parameters;
    if (!Array.isArray(checks)) return [{ type, ...(Object.keys(parameters).length > 0 && { parameters }) }];
    const kept = checks.filter(({ context }) => reported.has(asText(context)));
    return kept.length > 0 ? [{ type, parameters: { ...parameters, required_status_checks: kept } }] : [];
  });
  return {
    command: ['rulesets', 'update', target, String(ruleset.id), '--rules', JSON.stringify(rules)],
    policy: repositoryPolicy(target, { rulesets: [{ name: ruleset.name, rules }] }),
  };
}
