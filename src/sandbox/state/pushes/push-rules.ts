/**
 * Judges updates of refs by rulesets, as far as that takes neither commits nor files. It shares no code with the client, which
 * predicts the same. Available rules for rulesets.
 */
import type { RulesetRule } from '../../../platform/records.ts';
import { fnmatch } from '../fnmatch.ts';
import type { RepositoryState } from '../repositories.ts';
import { coversBranch, type RulesetState } from '../rulesets.ts';

/** An update of a ref as somebody tries it. */
export interface TriedUpdate {
  /** The whole ref. */
  readonly ref: string;
  readonly change: 'creation' | 'update' | 'deletion';
  readonly isForced: boolean;
  /** What makes the update in place of a push. */
  readonly merge?: 'pull request' | 'merge queue' | undefined;
}

type Result = 'pass' | 'fail' | 'bypass';

/** A rule that applies to an update; `isBroken` is undefined if that takes commits or files. */
interface AppliedRule {
  readonly ruleset: RulesetState;
  readonly type: string;
  readonly isBroken: boolean | undefined;
}

export interface JudgedUpdate {
  /** By the active rulesets. */
  readonly result: Result;
  /** By the rulesets in evaluate; null if none applies. */
  readonly evaluation: Result | null;
  readonly rules: readonly AppliedRule[];
}

/** What else is known about an update. */
export interface Judging {
  readonly repository: RepositoryState;
  /** Those for branches and tags that select the repository. */
  readonly rulesets: readonly RulesetState[];
  /** Whether the actor may bypass a ruleset in this way of updating. */
  readonly mayBypass: (ruleset: RulesetState) => boolean;
  /** Whether a rule is broken by commits or files. */
  readonly breaksByContent?: (rule: RulesetRule) => boolean | undefined;
}

/** Judges an update. Rules of all levels add up; each ruleset has a bypass list of its own. */
export function judgeUpdate(
  update: TriedUpdate,
  { repository, rulesets, mayBypass, breaksByContent }: Judging,
): JudgedUpdate {
  const applying = rulesets.filter(
    (ruleset) => ruleset.enforcement !== 'disabled' && covers(ruleset, repository, update.ref),
  );
  const rules = applying.flatMap((ruleset) =>
    ruleset.rules.map((rule) => ({
      ruleset,
      type: rule.type,
      isBroken: breaks(rule, update) ?? breaksByContent?.(rule),
    })),
  );
  const resultFor = (enforcement: string): Result => {
    const broken = rules.filter((rule) => rule.ruleset.enforcement === enforcement && rule.isBroken);
    if (broken.length === 0) return 'pass';
    return broken.every(({ ruleset }) => mayBypass(ruleset)) ? 'bypass' : 'fail';
  };
  const isEvaluated = applying.some(({ enforcement }) => enforcement === 'evaluate');
  return { result: resultFor('active'), evaluation: isEvaluated ? resultFor('evaluate') : null, rules };
}

const [heads, tags] = ['refs/heads/', 'refs/tags/'];

function covers(ruleset: RulesetState, repository: RepositoryState, ref: string): boolean {
  if (ruleset.target === 'branch')
    return ref.startsWith(heads) && coversBranch(ruleset, repository, ref.slice(heads.length));
  const { include = [], exclude = [] } = ruleset.conditions.ref_name ?? {};
  const matches = (pattern: string) => pattern === '~ALL' || fnmatch(pattern, ref);
  return ruleset.target === 'tag' && ref.startsWith(tags) && include.some(matches) && !exclude.some(matches);
}

/** Returns whether an update breaks a rule; undefined if that takes commits, files or what was reported about them. */
function breaks({ type, parameters = {} }: RulesetRule, update: TriedUpdate): boolean | undefined {
  const { change, isForced, merge } = update;
  const isDeletion = change === 'deletion';
  switch (type) {
    case 'creation':
    case 'update':
    case 'deletion':
      return change === type;
    case 'non_fast_forward':
      return change === 'update' && isForced && merge === undefined;
    case 'pull_request':
      if (change !== 'update') return false;
      // Reviews are not judged here.
      return merge === undefined ? true : undefined;
    case 'merge_queue':
      return change === 'update' && merge !== 'merge queue';
    case 'workflows':
      if (isDeletion || (change === 'creation' && parameters.do_not_enforce_on_create === true)) return false;
      return merge === undefined ? true : undefined;
    case 'branch_name_pattern':
    case 'tag_name_pattern':
      return change === 'creation' && !fits(update.ref.replace(/^refs\/(heads|tags)\//, ''), parameters);
    default:
      return isDeletion ? false : undefined;
  }
}

/** Returns whether a name satisfies a pattern. Expressions of the seeded rulesets mean the same in JavaScript as in RE2. */
function fits(name: string, { operator, pattern, negate }: Readonly<Record<string, unknown>>): boolean {
  const text = String(pattern);
  const tests: Readonly<Record<string, () => boolean>> = {
    starts_with: () => name.startsWith(text),
    ends_with: () => name.endsWith(text),
    contains: () => name.includes(text),
    regex: () => new RegExp(text).test(name),
  };
  return (tests[String(operator)]?.() ?? true) !== (negate === true);
}
