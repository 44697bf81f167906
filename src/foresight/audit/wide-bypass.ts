import type { BypassActor } from '../../platform/records.ts';

/** The base roles below admin that bypass lists can contain, by ID. */
const baseRoles: ReadonlyMap<unknown, string> = new Map([
  [2, 'maintain'],
  [4, 'write'],
]);

/**
 * Returns the name of the role below admin whose holders may all bypass, or undefined. Bypassing in pull requests only counts
 * `onMerge`.
 */
export function wideRoleOf(
  { actor_type: type, actor_id: id, bypass_mode: mode }: BypassActor,
  onMerge: boolean,
): string | undefined {
  return type === 'RepositoryRole' && (onMerge || mode !== 'pull_request') ? baseRoles.get(id) : undefined;
}
