/** Classic branch protection of other tools as rulesets, which add up: each has bypass actors of its own. */
import { slugOfTeam } from '../../../../fleet/policy/kinds/people/team-names.ts';
import { elements, member, type Placed, partAt, without } from '../../../../fleet/policy/wanted/placed.ts';
import { asRuleset } from '../../../../foresight/classic-protection.ts';
import { matchesName } from '../../../../foresight/name-pattern.ts';
import { asText, isObject } from '../../../../json/exact-json.ts';
import type { RulesetRule } from '../../../../platform/records.ts';
import type { Given } from '../../../../platform/validate.ts';
import { commented, type Item, type Lose, placedAt } from '../source.ts';
import { withoutUnknown } from './known-keys.ts';

/** A branch, or a pattern of branches, with its classic protection. */
export interface ClassicProtection {
  /** Undefined for the default branch, whatever its name. */
  readonly pattern: string | undefined;
  /** In the form of the request that sets it. */
  readonly protection: Placed;
}

const reviews = 'required_pull_request_reviews';
const checks = 'required_status_checks';
const forcePushers = 'bypass_force_push_allowances';

/**
 * Returns the rulesets that together say the same as classic protection, for the list of an owner. Where they differ, the
 * rulesets are the stricter of the two.
 *
 * @param others the patterns of the other classic protections of the repository: those that name a branch apply instead of
 *   a pattern that matches it, whereas rulesets add up
 */
export function protectionItems(
  { pattern, protection }: ClassicProtection,
  others: readonly string[],
  lose: Lose,
): readonly Item[] {
  const known = withoutUnknown(protection, lose);
  if (!isObject(known.value) || Object.keys(known.value).length === 0) return [];
  const required = member(known, checks);
  const hadChecks = ['checks', 'contexts'].some((key) => elements(member(member(protection, checks), key)).length > 0);
  const hasChecks = ['checks', 'contexts'].some((key) => elements(member(required, key)).length > 0);
  const strict = member(required, 'strict');
  if (strict && hadChecks && !hasChecks) lose(strict, 'Applies to required checks, none of which is valid');
  const [given, creations] = ['restrictions', 'block_creations'].map((key) => member(protection, key));
  if (creations?.value === true && given && given.value !== null && !isObject(member(known, 'restrictions')?.value))
    lose(creations, 'Extends the restriction of pushes, which is not valid');
  const branch = pattern ?? 'the default branch';
  const { ruleset, losses } = asRuleset(branch, bodyOf(known));
  const isWithoutChecks = losses.some(({ field }) => field === `${checks}.strict`);
  for (const { field, reason } of losses) if (field !== `${checks}.strict`) lose(partAt(protection, field), reason);
  const dismissers = dismissersIn(known, lose);
  const rules = ruleset.rules.map((rule) => (rule.type === 'pull_request' ? withDismissers(rule, dismissers) : rule));
  const include = pattern === undefined ? ['~DEFAULT_BRANCH'] : ruleset.conditions.ref_name.include;
  const ref_name = { include, exclude: ownProtection(branch, others) };
  const layers = layersOf(branch, known, rules, lose);
  const isForAdminsAlone =
    member(known, 'enforce_admins')?.value === false && layers.every(({ bypass }) => !bypass.includes(administrators));
  return layers.map(({ name, bypass, rules: own }, index): Item => {
    const { target, enforcement } = ruleset;
    const value = { name, target, enforcement, bypass_actors: bypass, conditions: { ref_name }, rules: own };
    const placed = placedAt(value, protection.place);
    const comments = [...(isWithoutChecks ? [strictAlone] : []), ...(isForAdminsAlone ? [adminsAlone] : [])];
    return {
      path: ['rulesets', name],
      value: comments.length > 0 && index === 0 ? commented(placed, comments.join('; ')) : placed,
    };
  });
}

const adminsAlone = 'enforce_admins has no effect: administrators cannot bypass blocks of force pushes and deletions';
const strictAlone = 'strict has no effect without a status check';

/** Returns the branches that a pattern matches and that have their own protection. */
const ownProtection = (pattern: string, others: readonly string[]): readonly string[] =>
  others
    .filter((other) => other !== pattern && !/[*?[\\]/.test(other) && matchesName(pattern, other) !== false)
    .toSorted()
    .map((name) => `refs/heads/${name}`);

/** Returns protection without the people, teams and apps to whom it does not apply, and with its checks in one list. */
function bodyOf(protection: Placed): Given {
  const {
    [checks]: required,
    [reviews]: given,
    ...rest
  } = without<Given>(protection, ['restrictions', 'block_creations', forcePushers]).value;
  const {
    dismissal_restrictions: dismissals,
    bypass_pull_request_allowances: _bypass,
    ...review
  } = (given ?? {}) as Given;
  const isRestricted = isObject(dismissals) && Object.keys(dismissals).length > 0;
  return {
    ...rest,
    enforce_admins: true,
    [checks]: isObject(required) ? { ...required, checks: checksIn(required) } : required,
    [reviews]: isObject(given) ? { ...review, ...(isRestricted && { dismissal_restrictions: { teams: [] } }) } : given,
  };
}

/** Returns required checks in one list, each context once. */
function checksIn({ checks: list, contexts }: Given): readonly Given[] {
  const all = [list, contexts].flatMap((each): readonly unknown[] => (Array.isArray(each) ? each : []));
  const objects = all.map((check) => (isObject(check) ? check : { context: check }));
  return [...new Map(objects.toReversed().map((check) => [check.context, check])).values()].toReversed();
}

/** A ruleset to be, with the references of those who bypass all of its rules. */
interface Layer {
  readonly name: string;
  readonly bypass: readonly string[];
  readonly rules: readonly RulesetRule[];
}

/** The rules that administrators cannot bypass in classic protection. */
const historyRules = ['non_fast_forward', 'deletion'];

const administrators = 'role:admin';

/** Returns the rules in groups, each with those who bypass exactly these in classic protection. */
function layersOf(branch: string, protection: Placed, rules: readonly RulesetRule[], lose: Lose): readonly Layer[] {
  const admins = member(protection, 'enforce_admins')?.value === true ? [] : [administrators];
  const mayForce = member(protection, forcePushers);
  const isForceAllowed = member(protection, 'allow_force_pushes')?.value === true;
  if (isForceAllowed && mayForce) lose(mayForce, 'allow_force_pushes already lets everybody force-push');
  const exempt = new Map([
    ['non_fast_forward', referencesIn(mayForce)],
    ['pull_request', referencesIn(member(member(protection, reviews), 'bypass_pull_request_allowances'))],
  ]);
  const isExempt = ({ type }: RulesetRule) => (exempt.get(type) ?? []).length > 0;
  const common = rules.filter((rule) => !isExempt(rule));
  const history = common.filter(({ type }) => historyRules.includes(type));
  const others = common.filter(({ type }) => !historyRules.includes(type));
  const isOne = admins.length === 0 || others.length === 0;
  const layers: readonly Layer[] = [
    { name: `Protect ${branch}`, bypass: isOne ? [] : admins, rules: isOne ? common : others },
    { name: `Protect the history of ${branch}`, bypass: [], rules: isOne ? [] : history },
    ...rules.filter(isExempt).map((rule) => {
      const bypass = exempt.get(rule.type) ?? [];
      return rule.type === 'pull_request'
        ? { name: `Require pull requests for ${branch}`, bypass: [...admins, ...bypass], rules: [rule] }
        : { name: `Block force pushes to ${branch}`, bypass, rules: [rule] };
    }),
    ...pushLayers(branch, protection),
  ];
  const filled = layers.filter((layer) => layer.rules.length > 0);
  return filled.length > 0 ? filled : layers.slice(0, 1);
}

/** About protected branches: people with admin permissions are always able to push to a branch with push restrictions. */
function pushLayers(branch: string, protection: Placed): readonly Layer[] {
  const restrictions = member(protection, 'restrictions');
  if (!isObject(restrictions?.value)) return [];
  const blocksCreation = member(protection, 'block_creations')?.value === true;
  const rules: readonly RulesetRule[] = [{ type: 'update' }, ...(blocksCreation ? [{ type: 'creation' }] : [])];
  return [{ name: `Restrict pushes to ${branch}`, bypass: [administrators, ...referencesIn(restrictions)], rules }];
}

/** Returns references to people, teams and apps, each once. */
const referencesIn = (actors: Placed | undefined): readonly string[] => [
  ...new Set([
    ...namesIn(actors, 'users').map((name) => `user:${name}`),
    ...namesIn(actors, 'teams').map((name) => `team:${slugOfTeam(name)}`),
    ...namesIn(actors, 'apps').map((name) => `app:${name}`),
  ]),
];

const namesIn = (actors: Placed | undefined, kind: 'users' | 'teams' | 'apps'): readonly string[] =>
  elements(member(actors, kind)).map(({ value }) => asText(value));

/** Returns those who may dismiss reviews, as in rulesets; reports apps. */
function dismissersIn(protection: Placed, lose: Lose): readonly Given[] {
  const dismissals = member(member(protection, reviews), 'dismissal_restrictions');
  for (const app of elements(member(dismissals, 'apps'))) lose(app, 'Apps that may dismiss reviews are declared by ID');
  return [
    ...namesIn(dismissals, 'users').map((name) => ({ id: `user:${name}`, type: 'User' })),
    ...namesIn(dismissals, 'teams').map((name) => ({ id: `team:${slugOfTeam(name)}`, type: 'Team' })),
  ];
}

function withDismissers(rule: RulesetRule, dismissers: readonly Given[]): RulesetRule {
  if (dismissers.length === 0) return rule;
  const dismissal_restriction = { enabled: true, allowed_actors: dismissers };
  return { ...rule, parameters: { ...rule.parameters, dismissal_restriction } };
}
