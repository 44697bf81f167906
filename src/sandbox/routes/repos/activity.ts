import type { listRepositoryActivity } from '../../../platform/endpoints/repos.ts';
import type { Activity } from '../../../platform/records.ts';
import { type Continued, cursorPage } from '../../paging.ts';
import type { SandboxPlatform } from '../../platform.ts';
import type { Call } from '../../route.ts';
import { isoSeconds } from '../../state/accounts.ts';
import { refChanges } from '../../state/pushes/activity.ts';
import type { RefChange } from '../../state/pushes/history.ts';
import type { RepositoryState } from '../../state/repositories.ts';
import { windowStart } from '../../state/windows.ts';
import { actorView, nodeId } from '../../views/actor.ts';

type Wanted = Call<typeof listRepositoryActivity>['query'];

/** Returns a page of the ref changes that match a query. */
export function activityPage(
  platform: SandboxPlatform,
  repository: RepositoryState,
  query: Wanted,
  perPage: number,
): Continued<Activity> {
  const matching = refChanges(platform, repository).filter((change) => isWanted(platform, change, query));
  const ordered = query.direction === 'asc' ? matching.reverse() : matching;
  const view = (change: RefChange) => activityView(platform, change);
  return cursorPage(ordered, query, { perPage, resource: 'Activity', view });
}

function isWanted(platform: SandboxPlatform, change: RefChange, query: Wanted): boolean {
  const { activity_type: type, ref, actor, time_period: period } = query;
  if (type !== undefined && change.type !== type) return false;
  if (ref !== undefined && change.ref !== ref && change.ref !== `refs/heads/${ref}`) return false;
  if (actor !== undefined && change.actor.login !== actor.toLowerCase()) return false;
  return period === undefined || change.time > windowStart(platform, period);
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
