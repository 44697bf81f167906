/** Checks of a single requirement of default branches. */
import type { RulesetRule } from '../../platform/records.ts';
import { type Check, check, type Evidence, type Fix, fail, pass, type Threshold, unreadable } from './check.ts';
import { type BranchFacts, type Discounted, effective, type Requirement } from './effective-protection.ts';
import { repositoryPolicy } from './fixes.ts';

type Limits = Readonly<Record<string, number>>;

interface RuleCheck extends Pick<Check, 'id' | 'severity' | 'title' | 'description' | 'documents' | 'maps'> {
  readonly thresholds?: Readonly<Record<string, Threshold>>;
  readonly requirement: Requirement | ((limits: Limits) => Requirement);
  /** A clause that follows the name of the branch: “accepts force pushes”. */
  readonly missing: string | ((limits: Limits) => string);
  /** The rule to add, and the name of a ruleset that has nothing else. */
  readonly fix: { readonly name: string; readonly rule: RulesetRule | ((limits: Limits) => RulesetRule) } | Fix;
}

const given = <T>(value: T | ((limits: Limits) => T), limits: Limits): T =>
  typeof value === 'function' ? (value as (limits: Limits) => T)(limits) : value;

export const defaultBranchRule = ({ requirement, missing, fix, ...declaration }: RuleCheck): Check =>
  check({
    ...declaration,
    scope: 'repository',
    reads: ['repository', 'protection'],
    judge({ repository, protection }, { target }, limits) {
      const branch = repository.default_branch ?? 'the default branch';
      const found = effective(branch, protection, given(requirement, limits));
      if (found.status === 'required') return pass;
      if (found.status === 'unknown') return unreadable(found.missing);
      const message = `${branch} ${given(missing, limits)}${countedOut(found.discounted)}.`;
      const mended =
        'rule' in fix ? rulesetFix({ target, protection, name: fix.name }, [given(fix.rule, limits)]) : fix;
      const { html_url: url } = repository;
      return fail(message, [{ name: 'default_branch', value: branch, url }, ...evidenceOf(found.discounted)], mended);
    },
  });

/** Returns a clause about the layers that do not count. */
const countedOut = (discounted: readonly Discounted[]): string =>
  discounted.map(({ layer, reason }) => `; ${layer} does not count, because ${reason}`).join('');

const evidenceOf = (discounted: readonly Discounted[]): Evidence[] =>
  discounted.map(({ layer, reason }) => ({ name: layer, value: reason }));

const conditions = { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } };

/** The ruleset in which policies collect the rules that default branches lack. */
const collecting = 'Protect the default branch';

interface LackingBranch {
  readonly target: string;
  readonly protection: BranchFacts;
  /** The name of a ruleset that has nothing but the rules. */
  readonly name: string;
}

/**
 * Adds rules that nobody bypasses: the command as a ruleset of their own, so that the commands of several findings can be
 * run, the policy to one ruleset for all findings. Rulesets and classic protection add up.
 */
export function rulesetFix({ target, protection, name }: LackingBranch, rules: readonly RulesetRule[]): Fix {
  const common = { target: 'branch', enforcement: 'active', bypass_actors: [], conditions };
  const flags = [
    ...['--name', name, '--target', 'branch', '--enforcement', 'active', '--bypass-actors', '[]'],
    ...['--conditions', JSON.stringify(conditions), '--rules', JSON.stringify(rules)],
  ];
  const earlier = [...protection.rulesets.values()].flatMap((fact) =>
    'value' in fact && fact.value.source_type === 'Repository' && fact.value.name === collecting
      ? (fact.value.rules ?? [])
      : [],
  );
  // The policy must not take rules from a ruleset that was not read.
  const isWhole = protection.rules.every(({ ruleset_id: id, ruleset_source_type: source }) => {
    const fact = id === undefined || source !== 'Repository' ? undefined : protection.rulesets.get(id);
    return fact === undefined || 'value' in fact;
  });
  const command = ['rulesets', 'create', target, ...flags];
  if (!isWhole) return { command };
  return {
    command,
    policy: repositoryPolicy(target, {
      rulesets: [{ name: collecting, ...common, rules: strictest([...earlier, ...rules]) }],
    }),
  };
}

/** Joins rules of the same type: the fixes differ only in flags that are true, and in numbers. */
function strictest(rules: readonly RulesetRule[]): RulesetRule[] {
  return [...Map.groupBy(rules, ({ type }) => type)].map(([type, same]) => {
    const parameters: Record<string, unknown> = {};
    for (const [name, value] of same.flatMap(({ parameters: each = {} }) => Object.entries(each))) {
      const known = parameters[name];
      const isStricter = typeof value === 'number' ? typeof known === 'number' && known < value : value === true;
      if (known === undefined || isStricter) parameters[name] = value;
    }
    return { type, ...(Object.keys(parameters).length > 0 && { parameters }) };
  });
}

/** Returns a rule that requires pull requests, and nothing else of them but `parameters`. */
export const pullRequestRule = (parameters: Readonly<Record<string, boolean | number>> = {}): RulesetRule => ({
  type: 'pull_request',
  parameters: {
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 0,
    required_review_thread_resolution: false,
    ...parameters,
  },
});

export const ruleDocuments = [
  'https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/available-rules-for-rulesets',
  'https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-protected-branches/about-protected-branches',
];
