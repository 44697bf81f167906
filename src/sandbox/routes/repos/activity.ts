import type { Activity } from '../../../platform/records.ts';
import { invalid } from '../../../platform/validate.ts';
import type { Continued } from '../../paging.ts';
import type { SandboxPlatform } from '../../platform.ts';
import { validationFailed } from '../../refusals.ts';
import { isoSeconds } from '../../state/accounts.ts';
import { type RefChange, refChanges } from '../../state/activity.ts';
import type { RepositoryState } from '../../state/repositories.ts';
import { windowStart } from '../../state/windows.ts';
import { actorView, nodeId } from '../../views/actor.ts';

interface Wanted {
  readonly activity_type?: string | undefined;
  readonly ref?: string | undefined;
  readonly actor?: string | undefined;
  readonly time_period?: string | undefined;
  readonly direction?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Returns the page after or before a cursor; the link to the next page contains the cursor. */
export function activityPage(
  platform: SandboxPlatform,
  repository: RepositoryState,
  query: Wanted,
  perPage: number,
): Continued<Activity> {
  const matching = refChanges(platform, repository).filter((change) => isWanted(platform, change, query));
  const ordered = query.direction === 'asc' ? matching.reverse() : matching;
  const after = place(ordered, 'after', query.after);
  const before = place(ordered, 'before', query.before);
  const start = after === undefined ? Math.max(0, (before ?? 0) - perPage) : after + 1;
  const end = Math.min(start + perPage, before ?? ordered.length);
  const shown = ordered.slice(start, end);
  const last = shown.at(-1);
  const elements = shown.map((change) => activityView(platform, change));
  return last && end < ordered.length ? { elements, next: { after: cursor(last) } } : { elements };
}

function isWanted(platform: SandboxPlatform, change: RefChange, query: Wanted): boolean {
  const { activity_type: type, ref, actor, time_period: period } = query;
  if (type !== undefined && change.type !== type) return false;
  if (ref !== undefined && change.ref !== ref && change.ref !== `refs/heads/${ref}`) return false;
  if (actor !== undefined && change.actor.login !== actor.toLowerCase()) return false;
  return period === undefined || change.time > windowStart(platform, period);
}

const cursor = ({ id }: RefChange): string => Buffer.from(`activity:${id}`).toString('base64url');

function place(changes: readonly RefChange[], name: string, wanted: string | undefined): number | undefined {
  if (wanted === undefined) return undefined;
  const found = changes.findIndex((change) => cursor(change) === wanted);
  if (found < 0) throw validationFailed('Activity', [invalid(name, 'is not a cursor of this list')]);
  return found;
}

/** With the members of the specification and of the public platform. */
function activityView(platform: SandboxPlatform, change: RefChange): Activity {
  const time = isoSeconds(change.time);
  const actor = actorView(platform, change.actor);
  return {
    id: change.id,
    node_id: nodeId('PushEvent', change.id),
    before: change.before,
    after: change.after,
    ref: change.ref,
    pushed_at: time,
    push_type: change.type,
    pusher: actor,
    timestamp: time,
    activity_type: change.type,
    actor,
  };
}
