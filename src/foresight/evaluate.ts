/** Judges a push by rulesets of all levels, which add up. About rulesets, Rule layering. */
import { isObject } from '../json/exact-json.ts';
import { valueNamed } from '../platform/custom-properties.ts';
import type { Given } from '../platform/validate.ts';
import type { Evidence, JudgedRuleset, Judgement, Push, Verdict } from './facts.ts';
import { matchesName } from './name-pattern.ts';
import { judge } from './rules.ts';

export interface RuleVerdict {
  readonly ruleset: JudgedRuleset;
  readonly type: string;
  readonly verdict: Verdict;
  /** What a ruleset in `evaluate` would say if it were active. */
  readonly would?: Verdict;
  readonly evidence: readonly Evidence[];
  readonly missing?: string;
}

export interface PushVerdict {
  readonly verdict: Verdict;
  readonly rules: readonly RuleVerdict[];
}

/** Judges a push by every rule that applies to its ref. */
export async function evaluatePush(push: Push, rulesets: readonly JudgedRuleset[]): Promise<PushVerdict> {
  const rules: RuleVerdict[] = [];
  for (const ruleset of rulesets) {
    const applies = appliesTo(ruleset, push);
    if (applies === false || ruleset.enforcement === 'disabled') continue;
    const isCertain = applies === true && ['active', 'evaluate'].includes(ruleset.enforcement);
    for (const rule of ruleset.rules) {
      const judgement = await judge(rule, push);
      const { verdict, missing } = forPusher(isCertain ? judgement : ifItApplied(judgement, ruleset), ruleset, push);
      const { evidence } = judgement;
      const isEvaluated = ruleset.enforcement === 'evaluate';
      rules.push({
        ruleset,
        type: rule.type,
        verdict: isEvaluated ? 'allowed' : verdict,
        ...(isEvaluated && { would: verdict }),
        evidence,
        ...(missing !== undefined && { missing }),
      });
    }
  }
  const order: readonly Verdict[] = ['refused', 'unknown', 'bypassed'];
  return { verdict: order.find((each) => rules.some(({ verdict }) => verdict === each)) ?? 'allowed', rules };
}

function ifItApplied(judgement: Judgement, { name }: JudgedRuleset): Judgement {
  if (judgement.verdict === 'allowed') return judgement;
  return { verdict: 'unknown', evidence: judgement.evidence, missing: `whether ruleset ${name} applies to the ref` };
}

/** Each ruleset keeps its own bypass list. */
function forPusher(
  judgement: Judgement,
  { bypass, name }: JudgedRuleset,
  { isMerge }: Push,
): { readonly verdict: Verdict; readonly missing?: string } {
  if (judgement.verdict === 'allowed') return judgement;
  if (bypass === 'always' || bypass === 'exempt' || (bypass === 'pull_requests_only' && isMerge))
    return { verdict: 'bypassed' };
  if (judgement.verdict === 'refused' && bypass !== 'never' && bypass !== 'pull_requests_only')
    return { verdict: 'unknown', missing: `whether the pusher may bypass ruleset ${name}` };
  return judgement;
}

/**
 * Returns whether a ruleset applies to a push; undefined if that is not known, as for one without a condition on refs. Push
 * rulesets apply to all refs.
 */
export function appliesTo({ target, conditions }: JudgedRuleset, push: Push): boolean | undefined {
  const answers = [selectsRepository(conditions, push), selectsRef(target, conditions.ref_name, push)];
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

/** What conditions on repositories ask about. What is undefined is not known. */
export interface RepositoryFacts {
  /** The name, without its owner. */
  readonly repository: string | undefined;
  readonly repositoryId?: number | undefined;
  /** The values of custom properties. */
  readonly properties?: Given | undefined;
}

/** Conditions on other things than the repository. Lists have only the rulesets that apply to the organization. */
const otherConditions: readonly string[] = [
  'ref_name',
  'organization_id',
  'organization_name',
  'organization_property',
];

/** Returns whether the conditions of a ruleset select a repository; undefined if that is not known. */
export function selectsRepository(
  { repository_name: byName, repository_id: byId, repository_property: byProperty, ...others }: Given,
  { repository, repositoryId, properties }: RepositoryFacts,
): boolean | undefined {
  // A newer platform may have conditions of other kinds.
  const isKnown = ([name, value]: [string, unknown]) => value === null || otherConditions.includes(name);
  if (!Object.entries(others).every(isKnown)) return undefined;
  const condition = byName ?? byId ?? byProperty ?? undefined;
  if (condition === undefined) return true;
  if (!isObject(condition)) return undefined;
  if (condition === byName) return selects(condition, repository, {});
  if (condition !== byId) return selectsProperties(condition, properties);
  const { repository_ids: ids } = condition;
  return repositoryId === undefined || !Array.isArray(ids) ? undefined : ids.includes(repositoryId);
}

/** All properties that are included must match, and none that is excluded. REST API endpoints for rules, repository_property. */
function selectsProperties({ include, exclude }: Given, properties: Given | undefined): boolean | undefined {
  const matches = (conditions: unknown) =>
    elementsOf(conditions).map((each) => (isObject(each) ? hasProperty(each, properties) : undefined));
  const [included, excluded] = [matches(include), matches(exclude)];
  if (included.includes(false) || excluded.includes(true)) return false;
  // Whether a condition that includes nothing selects all repositories or none is not documented.
  return included.length === 0 || [...included, ...excluded].includes(undefined) ? undefined : true;
}

function hasProperty({ name, property_values: values, source }: Given, properties: Given | undefined) {
  // Properties of the system, such as the language, are no custom properties.
  if (properties === undefined || source === 'system' || typeof name !== 'string' || !Array.isArray(values))
    return undefined;
  const value = valueNamed(name, properties);
  return [value].flat().some((each) => values.includes(each));
}

const prefixes: ReadonlyMap<string, string> = new Map([
  ['branch', 'refs/heads/'],
  ['tag', 'refs/tags/'],
]);

function selectsRef(target: string, condition: unknown, { ref, isDefaultBranch }: Push): boolean | undefined {
  if (target === 'push') return true;
  // These rulesets are about the repository itself: its name, visibility and deletion.
  if (target === 'repository') return false;
  const prefix = prefixes.get(target);
  if (prefix === undefined) return undefined;
  if (!ref.startsWith(prefix)) return false;
  return isObject(condition) ? selects(condition, ref, { '~DEFAULT_BRANCH': isDefaultBranch }) : undefined;
}

type Words = Readonly<Record<string, boolean | undefined>>;

/** Returns whether a condition selects a name, which may not be known. `words` are its words for certain names. */
function selects({ include, exclude }: Given, name: string | undefined, words: Words): boolean | undefined {
  const isIncluded = anyMatches(include, name, words);
  const isExcluded = anyMatches(exclude, name, words);
  if (isIncluded === false || isExcluded === true) return false;
  return isIncluded && isExcluded === false ? true : undefined;
}

function anyMatches(patterns: unknown, name: string | undefined, words: Words): boolean | undefined {
  const answers = elementsOf(patterns).map((pattern) => {
    if (typeof pattern !== 'string') return undefined;
    if (pattern === '~ALL') return true;
    if (pattern.startsWith('~')) return words[pattern];
    return name === undefined ? undefined : matchesName(pattern, name);
  });
  if (answers.includes(true)) return true;
  return answers.includes(undefined) ? undefined : false;
}

/** Returns the elements of a list. Anything else may contain what matches, and what does not. */
const elementsOf = (list: unknown): readonly unknown[] =>
  list === undefined ? [] : Array.isArray(list) ? list : [undefined];
