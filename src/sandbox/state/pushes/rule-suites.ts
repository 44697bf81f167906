/** Rule results for each push, dated relative to the start, because the API has time windows. */
import type { RuleSuiteEvaluations } from '../../../platform/records.ts';
import type { SandboxPlatform } from '../../platform.ts';
import { pick } from '../../seed/chance.ts';
import { isStrict } from '../../seed/postures.ts';
import { isoSeconds, type User } from '../accounts.ts';
import { branches, commitSha } from '../git.ts';
import type { RepositoryState } from '../repositories.ts';
import { type RulesetState, rulesetsFor } from '../rulesets.ts';
import { type JudgedAttempt, pushesTo } from './history.ts';

export interface RuleSuiteState extends RuleSuiteEvaluations {
  /** Epoch milliseconds. */
  readonly time: number;
}

const hour = 60 * 60 * 1000;
/** Some in the last hour, day, week and month, and some earlier. */
const ages = [0.2, 3, 9, 20, 50, 90, 140, 300, 600, 1200] as const;
const results = ['pass', 'pass', 'fail', 'bypass', 'pass', 'fail'] as const;

/** Newest first. Every `site` has ten, other repositories at most one. */
export function ruleSuitesOf(platform: SandboxPlatform, repository: RepositoryState): RuleSuiteState[] {
  if (repository.size === 0) return [];
  const pushes = pushesTo(platform, repository);
  if (pushes)
    return pushes.flatMap((push, at) => (push.rules.length ? suiteOf(repository, push, pushes.length - at) : []));
  const chance = (label: string, place: number) => platform.chance('rule suite', repository.id, label, place);
  const count = repository.name === 'site' ? ages.length : chance('count', 0) < 0.5 ? 1 : 0;
  const rulesets = rulesetsFor(platform, repository);
  const organization = platform.accounts.organizationById(repository.owner_id);
  const allowsNoBypass = organization !== undefined && isStrict(organization);
  return ages.slice(0, count).map((age, place) => {
    const time = platform.started - age * hour;
    const actor = pick(platform.accounts.users as [User, ...User[]], chance('actor', place));
    const branch = pick(branches(repository) as [string, ...string[]], chance('branch', place) ** 2);
    const drawn = results[place % results.length] ?? 'pass';
    const result = drawn === 'bypass' && allowsNoBypass ? 'pass' : drawn;
    return {
      id: repository.id * 100 + place + 1,
      actor_id: actor.id,
      actor_name: actor.login,
      before_sha: commitSha(platform, repository, place + 1),
      after_sha: commitSha(platform, repository, place),
      ref: `refs/heads/${branch}`,
      repository_id: repository.id,
      repository_name: repository.name,
      pushed_at: isoSeconds(time),
      result,
      evaluation_result: place % 3 === 0 ? null : place % 2 === 0 ? 'fail' : 'pass',
      rule_evaluations: rulesets.flatMap((ruleset) => evaluations(ruleset, result)),
      time,
    };
  });
}

function suiteOf(
  repository: RepositoryState,
  { actor, before, after, ref, time, result, evaluation, rules }: JudgedAttempt,
  number: number,
): RuleSuiteState {
  return {
    id: repository.id * 100 + number,
    actor_id: actor.id,
    actor_name: actor.login,
    before_sha: before,
    after_sha: after,
    ref,
    repository_id: repository.id,
    repository_name: repository.name,
    pushed_at: isoSeconds(time),
    result,
    evaluation_result: evaluation,
    rule_evaluations: rules.map(({ ruleset, type, isBroken }) => evaluationOf(ruleset, type, isBroken === true)),
    time,
  };
}

function evaluations({ id, name, enforcement, rules }: RulesetState, result: string) {
  if (enforcement === 'disabled') return [];
  return rules.map(({ type }, place) => {
    const failed = result === 'fail' && place === 0;
    return evaluationOf({ id, name, enforcement }, type, failed);
  });
}

const evaluationOf = (
  { id, name, enforcement }: Pick<RulesetState, 'id' | 'name' | 'enforcement'>,
  type: string,
  failed: boolean,
) => ({
  rule_source: { type: 'ruleset', id, name },
  enforcement,
  result: failed ? 'fail' : 'pass',
  rule_type: type,
  details: failed ? `The push breaks the rule ${type} of ${name}` : null,
});
