/** Classic branch protection of other tools as rulesets. */
import { slugOfTeam } from '../../../fleet/policy/kinds/people/team-names.ts';
import { type Placed, partAt, withParts } from '../../../fleet/policy/wanted/placed.ts';
import { asRulesets } from '../../../foresight/classic-protection.ts';
import { isObject } from '../../../json/exact-json.ts';
import type { RulesetRule } from '../../../platform/records.ts';
import type { Given } from '../../../platform/validate.ts';
import type { KeyTranslation } from './model.ts';
import { byName, type Item, type Lose, placedAt } from './source.ts';

/** Returns what a value must be, if it is not. */
type Type = (value: unknown) => string | undefined;

const typed =
  (holds: (value: unknown) => boolean, what: string): Type =>
  (value) =>
    holds(value) ? undefined : `must be ${what}`;

const flag = typed((value) => typeof value === 'boolean', 'true or false');
const text = typed((value) => typeof value === 'string', 'text');
const whole = typed((value) => Number.isSafeInteger(value), 'a whole number');
const count = typed((value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 10, '0 to 10');
const none = typed((value) => isObject(value) && Object.keys(value).length === 0, 'a mapping');
const empty = typed((value) => Array.isArray(value) && value.length === 0, 'a list');

/** The leaves of classic protection in the form of the request that sets it, with their types. */
const knownLeaves = byName<Type>({
  enforce_admins: flag,
  required_linear_history: flag,
  required_signatures: flag,
  required_conversation_resolution: flag,
  allow_force_pushes: flag,
  allow_deletions: flag,
  block_creations: flag,
  lock_branch: flag,
  allow_fork_syncing: flag,
  restrictions: none,
  'restrictions.*': empty,
  'restrictions.*[]': text,
  required_status_checks: none,
  'required_status_checks.strict': flag,
  'required_status_checks.contexts': empty,
  'required_status_checks.contexts[]': text,
  'required_status_checks.checks': empty,
  'required_status_checks.checks[]': text,
  'required_status_checks.checks[].context': text,
  'required_status_checks.checks[].app_id': whole,
  required_pull_request_reviews: none,
  'required_pull_request_reviews.dismiss_stale_reviews': flag,
  'required_pull_request_reviews.require_code_owner_reviews': flag,
  'required_pull_request_reviews.require_last_push_approval': flag,
  'required_pull_request_reviews.required_approving_review_count': count,
  'required_pull_request_reviews.dismissal_restrictions': none,
  'required_pull_request_reviews.dismissal_restrictions.*': empty,
  'required_pull_request_reviews.dismissal_restrictions.*[]': text,
  'required_pull_request_reviews.bypass_pull_request_allowances': none,
  'required_pull_request_reviews.bypass_pull_request_allowances.*': empty,
  'required_pull_request_reviews.bypass_pull_request_allowances.*[]': text,
  bypass_force_push_allowances: none,
  'bypass_force_push_allowances.*': empty,
  'bypass_force_push_allowances.*[]': text,
});

type Row = readonly [
  request: string | undefined,
  terraform: string | undefined,
  policy: string | undefined,
  note: string,
];

const reviews = 'required_pull_request_reviews';
const checks = 'required_status_checks';
const type = 'rules[*].type';
const parameters = 'rules[*].parameters';
const restriction = 'Policies have rules for all but bypass actors, who bypass every rule of a ruleset';

/** The keys of classic protection, with those of Terraform’s `github_branch_protection` and those of a ruleset. */
const rows: readonly Row[] = [
  [
    'enforce_admins',
    'enforce_admins',
    'bypass_actors[]',
    'role:admin if false; non_fast_forward and deletion are then another ruleset',
  ],
  ['allow_force_pushes', 'allows_force_pushes', type, 'non_fast_forward if false'],
  ['allow_deletions', 'allows_deletions', type, 'deletion if false'],
  ['required_linear_history', 'required_linear_history', type, 'required_linear_history if true'],
  ['required_signatures', 'require_signed_commits', type, 'required_signatures if true'],
  ['lock_branch', 'lock_branch', type, 'update if true'],
  ['allow_fork_syncing', undefined, `${parameters}.update_allows_fetch_and_merge`, 'With lock_branch'],
  [reviews, reviews, type, 'pull_request unless null'],
  [
    `${reviews}.required_approving_review_count`,
    `${reviews}.required_approving_review_count`,
    `${parameters}.required_approving_review_count`,
    '',
  ],
  [
    `${reviews}.dismiss_stale_reviews`,
    `${reviews}.dismiss_stale_reviews`,
    `${parameters}.dismiss_stale_reviews_on_push`,
    '',
  ],
  [
    `${reviews}.require_code_owner_reviews`,
    `${reviews}.require_code_owner_reviews`,
    `${parameters}.require_code_owner_review`,
    '',
  ],
  [
    `${reviews}.require_last_push_approval`,
    `${reviews}.require_last_push_approval`,
    `${parameters}.require_last_push_approval`,
    '',
  ],
  [
    'required_conversation_resolution',
    'require_conversation_resolution',
    `${parameters}.required_review_thread_resolution`,
    'With required_pull_request_reviews',
  ],
  [
    `${reviews}.dismissal_restrictions.teams[]`,
    `${reviews}.dismissal_restrictions[]`,
    `${parameters}.dismissal_restriction.allowed_actors[].id`,
    'team:SLUG',
  ],
  [
    `${reviews}.dismissal_restrictions.users[]`,
    undefined,
    undefined,
    'Policies name the users that may dismiss reviews by ID alone',
  ],
  [
    `${reviews}.dismissal_restrictions.apps[]`,
    undefined,
    undefined,
    'Policies name the apps that may dismiss reviews by ID alone',
  ],
  [undefined, `${reviews}.restrict_dismissals`, `${parameters}.dismissal_restriction.enabled`, ''],
  [`${reviews}.bypass_pull_request_allowances`, `${reviews}.pull_request_bypassers`, undefined, restriction],
  [`${checks}.checks[].context`, undefined, `${parameters}.required_status_checks[].context`, ''],
  [
    `${checks}.checks[].app_id`,
    undefined,
    `${parameters}.required_status_checks[].integration_id`,
    'Absent for any app',
  ],
  [`${checks}.contexts[]`, `${checks}.contexts[]`, `${parameters}.required_status_checks[].context`, ''],
  [
    `${checks}.strict`,
    `${checks}.strict`,
    `${parameters}.strict_required_status_checks_policy`,
    'With at least one check',
  ],
  ['restrictions', 'restrict_pushes.push_allowances', undefined, restriction],
  ['block_creations', 'restrict_pushes.blocks_creations', undefined, restriction],
  ['bypass_force_push_allowances', 'force_push_bypassers', undefined, restriction],
];

/** Returns the table of classic protection at a path of a source, in the form of the request or of Terraform. */
export const protectionKeys = (prefix: string, form: 'request' | 'terraform'): readonly KeyTranslation[] =>
  rows.flatMap(([request, terraform, policy, note]): KeyTranslation[] => {
    const key = form === 'request' ? request : terraform;
    if (key === undefined) return [];
    return [
      {
        key: `${prefix}${key}`,
        ...(policy !== undefined && { policy: `repositories[*].rulesets[*].${policy}` }),
        ...(note && { note }),
      },
    ];
  });

/** A branch, or a pattern of branches, with its classic protection. */
export interface ClassicProtection {
  /** Undefined for the default branch, whatever its name. */
  readonly pattern: string | undefined;
  /** In the form of the request that sets it. */
  readonly protection: Placed;
}

/**
 * Returns the rulesets that say the same as classic protection, for the list of an owner.
 *
 * @param others the other protections of the same repository
 */
export function protectionItems(
  { pattern, protection }: ClassicProtection,
  others: readonly ClassicProtection[],
  lose: Lose,
): readonly Item[] {
  const known = withoutUnknown(protection, lose);
  if (!isObject(known.value) || Object.keys(known.value).length === 0) return [];
  const { body, teams } = withoutDismissals(known, lose);
  const patterns = others.flatMap((other) => other.pattern ?? []);
  const { rulesets, losses } = asRulesets(pattern ?? 'the default branch', withAllChecks(body), patterns);
  for (const { field, reason } of losses) lose(partAt(protection, field), reason);
  return rulesets.map((ruleset) => {
    const { bypass_actors: actors, conditions, rules, ...rest } = ruleset;
    const ref_name = { ...conditions.ref_name, ...(pattern === undefined && { include: ['~DEFAULT_BRANCH'] }) };
    const value = {
      ...rest,
      bypass_actors: actors.map(() => 'role:admin'),
      conditions: { ref_name },
      rules: rules.map((rule) => (rule.type === 'pull_request' ? withDismissals(rule, teams) : rule)),
    };
    return { path: ['rulesets', ruleset.name], value: placedAt(value, protection.place) };
  });
}

/** Returns protection without the leaves that are unknown, or of a wrong type. */
function withoutUnknown(protection: Placed, lose: Lose): Placed {
  const pruned = (part: Placed, path: readonly (string | number)[]): Placed | undefined => {
    if (part.parts.size === 0) {
      const problem = whyUnknown(path, part.value);
      if (problem === undefined) return part;
      lose(part, problem);
      return undefined;
    }
    const kept = [...part.parts].flatMap(([key, each]): [string | number, Placed][] => {
      const left = pruned(each, [...path, key]);
      return left ? [[key, left]] : [];
    });
    return withParts(part, Array.isArray(part.value) ? kept.map(([, each], index) => [index, each]) : kept);
  };
  return pruned(protection, []) ?? withParts({ ...protection, value: {} }, []);
}

const actorLists = /(^|\.)(restrictions|dismissal_restrictions|bypass_\w+_allowances)\.(?:users|teams|apps)\b/;

function whyUnknown(path: readonly (string | number)[], value: unknown): string | undefined {
  if (value === null) return undefined;
  if (path.length === 0) return value === null || isObject(value) ? undefined : 'classic protection must be a mapping';
  const key = path
    .map((each) => (typeof each === 'number' ? '[]' : `.${each}`))
    .join('')
    .slice(1);
  const known = knownLeaves[key.replace(actorLists, '$1$2.*')];
  return known ? known(value) : 'classic protection has no such key';
}

/** Returns protection with its required checks in one list. */
function withAllChecks(protection: Given): Given {
  const { required_status_checks: required } = protection;
  if (!isObject(required)) return protection;
  const { checks = [], contexts = [] } = required as { checks?: readonly unknown[]; contexts?: readonly unknown[] };
  const all = [...checks, ...contexts].map((check) => (isObject(check) ? check : { context: check }));
  const byContext = new Map(all.toReversed().map((check) => [check.context, check]));
  return { ...protection, required_status_checks: { ...required, checks: [...byContext.values()].toReversed() } };
}

/** Returns protection without those who may dismiss reviews, and the teams among them, which policies can name. */
function withoutDismissals(
  protection: Placed,
  lose: Lose,
): { readonly body: Given; readonly teams: readonly string[] } {
  const body = protection.value as Given;
  const dismissals = protection.parts.get(reviews)?.parts.get('dismissal_restrictions');
  const given = body[reviews];
  if (!isObject(given) || !isObject(dismissals?.value) || dismissals.parts.size === 0) return { body, teams: [] };
  for (const kind of ['users', 'apps'])
    for (const actor of dismissals.parts.get(kind)?.parts.values() ?? [])
      lose(actor, `Policies name the ${kind} that may dismiss reviews by ID alone`);
  const named = [...(dismissals.parts.get('teams')?.parts.values() ?? [])];
  return {
    body: { ...body, [reviews]: { ...given, dismissal_restrictions: { teams: [] } } },
    teams: named.map(({ value }) => slugOfTeam(String(value))),
  };
}

function withDismissals(rule: RulesetRule, teams: readonly string[]): RulesetRule {
  if (teams.length === 0) return rule;
  const allowed_actors = teams.map((slug) => ({ id: `team:${slug}`, type: 'Team' }));
  return { ...rule, parameters: { ...rule.parameters, dismissal_restriction: { enabled: true, allowed_actors } } };
}

/** Flags of Terraform’s `github_branch_protection`, with the keys of the request. */
const terraformFlags = byName<string>({
  enforce_admins: 'enforce_admins',
  required_linear_history: 'required_linear_history',
  require_signed_commits: 'required_signatures',
  require_conversation_resolution: 'required_conversation_resolution',
  allows_force_pushes: 'allow_force_pushes',
  allows_deletions: 'allow_deletions',
  blocks_creations: 'block_creations',
  lock_branch: 'lock_branch',
});

/** Lists of actors in Terraform’s protection and its blocks, with the keys of the request. */
const terraformActors = byName<string>({
  push_restrictions: 'restrictions',
  push_allowances: 'restrictions',
  force_push_bypassers: 'bypass_force_push_allowances',
  dismissal_restrictions: 'dismissal_restrictions',
  pull_request_bypassers: 'bypass_pull_request_allowances',
});

/** Lists of people, teams and apps in `github_branch_protection_v3`. */
const dismissalLists: Readonly<Record<string, string>> = {
  dismissal_users: 'users',
  dismissal_teams: 'teams',
  dismissal_apps: 'apps',
};

/**
 * Returns the rulesets of protection in the form of Terraform’s `github_branch_protection` and `…_v3`, whose blocks are
 * mappings, or lists of one.
 */
export function terraformProtectionItems(
  pattern: string,
  block: Placed,
  others: readonly string[],
  lose: Lose,
): readonly Item[] {
  const request = new RequestForm(lose);
  const protection = request.of(block);
  const losePart: Lose = (part, reason) => lose(request.sources.get(part) ?? part, reason);
  const patterns = others.map((other) => ({ pattern: other, protection: block }));
  return protectionItems({ pattern, protection }, patterns, losePart);
}

type Members = [string, Placed][];

/** Protection of Terraform in the form of the request that sets it. */
class RequestForm {
  /** The parts of the source that parts of the request stand for. */
  readonly sources = new Map<Placed, Placed>();
  readonly #lose: Lose;

  constructor(lose: Lose) {
    this.#lose = lose;
  }

  of(block: Placed): Placed {
    return this.#mapping(block, this.#members(block));
  }

  #mapping(source: Placed, members: Members): Placed {
    const mapping = withParts({ ...source, value: {} }, members);
    this.sources.set(mapping, source);
    return mapping;
  }

  #members(block: Placed): Members {
    return [...block.parts].flatMap(([name, part]): Members => {
      const key = String(name);
      if (part.value === null) return [];
      const flagKey = terraformFlags[key];
      if (flagKey !== undefined) return [[flagKey, part]];
      if (key in terraformActors) return part.parts.size > 0 ? [this.#actors(key, part)] : [];
      const inner = blockIn(part);
      if (key === 'restrict_pushes') return inner ? this.#restriction(inner) : [];
      if (key === reviews) return inner ? [[key, this.#reviews(inner)]] : [];
      if (key === 'required_status_checks') return inner ? [[key, this.#checks(inner)]] : [];
      if (key === 'restrictions') return inner ? [[key, inner]] : [];
      return [[key, part]];
    });
  }

  /** A block without allowances restricts pushes to administrators and maintainers. */
  #restriction(block: Placed): Members {
    const members = this.#members(block);
    const isNamed = members.some(([key]) => key === 'restrictions');
    return isNamed ? members : [...members, ['restrictions', this.#mapping(block, [])]];
  }

  #reviews(block: Placed): Placed {
    const members = [...block.parts].flatMap(([name, part]): Members => {
      const key = String(name);
      if (part.value === null || key in dismissalLists || key === 'restrict_dismissals') return [];
      if (key in terraformActors) return part.parts.size > 0 ? [this.#actors(key, part)] : [];
      const inner = key === 'bypass_pull_request_allowances' ? blockIn(part) : part;
      return inner ? [[key, inner]] : [];
    });
    const listed = Object.entries(dismissalLists).flatMap(([key, kind]): Members => {
      const list = block.parts.get(key);
      return list && list.parts.size > 0 ? [[kind, list]] : [];
    });
    const restricts = block.parts.get('restrict_dismissals');
    const isNamed = members.some(([key]) => key === 'dismissal_restrictions');
    if (isNamed || (listed.length === 0 && restricts?.value !== true)) return this.#mapping(block, members);
    const dismissals = this.#mapping(
      restricts ?? block,
      listed.length > 0 ? listed : [['teams', placedAt([], block.place)]],
    );
    return this.#mapping(block, [...members, ['dismissal_restrictions', dismissals]]);
  }

  /** A check of `…_v3` is `CONTEXT` or `CONTEXT:APP`. */
  #checks(block: Placed): Placed {
    const checks = block.parts.get('checks');
    if (!checks || checks.parts.size === 0)
      return withParts(
        block,
        [...block.parts].filter(([key]) => key !== 'checks'),
      );
    const each = [...checks.parts].map(([index, part]): [string | number, Placed] => {
      const [, context, app] = (typeof part.value === 'string' && /^(.+):(-?\d+)$/.exec(part.value)) || [];
      const check = placedAt(context === undefined ? part.value : { context, app_id: Number(app) }, part.place);
      this.sources.set(check, part);
      return [index, check];
    });
    return this.#mapping(block, [...block.parts, ['checks', withParts(checks, each)]] as Members);
  }

  /** Actors are `/LOGIN`, `ORG/TEAM`, or IDs of the GraphQL API. */
  #actors(key: string, list: Placed): [string, Placed] {
    const kinds: Record<'users' | 'teams' | 'apps', Placed[]> = { users: [], teams: [], apps: [] };
    for (const part of list.parts.values()) {
      const [, owner, name] = (typeof part.value === 'string' && /^([^/]*)\/([^/]+)$/.exec(part.value)) || [];
      if (name === undefined) {
        if (key === 'dismissal_restrictions')
          this.#lose(part, 'Policies name teams and people, not IDs of the GraphQL API');
        else kinds.users.push(part);
        continue;
      }
      const actor = { ...part, value: name };
      this.sources.set(actor, part);
      kinds[owner === '' ? 'users' : 'teams'].push(actor);
    }
    const members = Object.entries(kinds)
      .filter(([, actors]) => actors.length > 0)
      .map(([kind, actors]): [string, Placed] => [kind, withParts({ ...list, value: [] }, actors.entries())]);
    return [terraformActors[key] ?? key, this.#mapping(list, members)];
  }
}

/** Returns the content of a block; undefined if there is none. */
const blockIn = (part: Placed): Placed | undefined => (Array.isArray(part.value) ? part.parts.get(0) : part);
