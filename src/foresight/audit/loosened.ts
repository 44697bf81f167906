/** What a version of a ruleset protects less than the one before it. */
import { isDeepStrictEqual } from 'node:util';
import { asText, isObject } from '../../json/exact-json.ts';
import type { BypassActor } from '../../platform/records.ts';
import type { Given } from '../../platform/validate.ts';
import { checksIn } from './effective-protection.ts';
import { wideRoleOf } from './wide-bypass.ts';

/** Parameters that protect more while they are true. */
const strictFlags = [
  'dismiss_stale_reviews_on_push',
  'require_code_owner_review',
  'require_last_push_approval',
  'required_review_thread_resolution',
  'strict_required_status_checks_policy',
];

/** Returns clauses such as “rule deletion removed”; none if the earlier version enforced nothing. */
export function loosened(before: Given, after: Given): string[] {
  if (before.enforcement !== 'active') return [];
  return [
    ...(after.enforcement === 'active' ? [] : [`enforcement active → ${asText(after.enforcement)}`]),
    ...rulesLost(objectsIn(before.rules), objectsIn(after.rules)),
    ...actorsGained(objectsIn(before.bypass_actors), objectsIn(after.bypass_actors)),
    ...scopeLost(before.conditions, after.conditions),
  ];
}

const objectsIn = (value: unknown): readonly Given[] => (Array.isArray(value) ? value.filter(isObject) : []);

function rulesLost(before: readonly Given[], after: readonly Given[]): string[] {
  return before.flatMap((rule) => {
    const now = after.find(({ type }) => type === rule.type);
    if (!now) return [`rule ${asText(rule.type)} removed`];
    return parametersLost(
      isObject(rule.parameters) ? rule.parameters : {},
      isObject(now.parameters) ? now.parameters : {},
    );
  });
}

function parametersLost(before: Given, after: Given): string[] {
  const [had, has] = [before.required_approving_review_count, after.required_approving_review_count];
  const dropped = (checksIn(before) ?? []).filter((check) => !checksIn(after)?.includes(check));
  return [
    ...(typeof had === 'number' && typeof has === 'number' && has < had ? [`required approvals ${had} → ${has}`] : []),
    ...strictFlags.filter((name) => before[name] === true && after[name] === false).map((name) => `${name} turned off`),
    ...dropped.map((check) => `status check “${check}” no longer required`),
  ];
}

function actorsGained(before: readonly Given[], after: readonly Given[]): string[] {
  return after
    .filter((actor) => !before.some((each) => isDeepStrictEqual(each, actor)))
    .map((actor) => `bypass by ${actorName(actor as unknown as BypassActor)} allowed`);
}

function actorName(actor: BypassActor): string {
  const role = wideRoleOf(actor, true);
  if (role !== undefined) return `everyone with the role ${role}`;
  return typeof actor.actor_id === 'number' ? `${actor.actor_type} ${actor.actor_id}` : actor.actor_type;
}

function scopeLost(before: unknown, after: unknown): string[] {
  const [had, has] = [before, after].map((conditions) => (isObject(conditions) ? conditions : {}));
  return ['ref_name', 'repository_name'].flatMap((name) => {
    const [from, to] = [had?.[name], has?.[name]].map((condition) => (isObject(condition) ? condition : {}));
    const lacks = (list: unknown, value: unknown) => !(Array.isArray(list) && list.includes(value));
    const removed = listIn(from?.include).filter(
      (pattern) => lacks(to?.include, pattern) && lacks(to?.include, '~ALL'),
    );
    const excluded = listIn(to?.exclude).filter((pattern) => lacks(from?.exclude, pattern));
    return [
      ...removed.map((pattern) => `“${asText(pattern)}” no longer covered`),
      ...excluded.map((pattern) => `“${asText(pattern)}” excluded`),
    ];
  });
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
