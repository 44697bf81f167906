/** Compares the pre-receive hooks of a target with the settings that policies want. */
import type { PreReceiveHook } from '../../platform/records.ts';
import { preReceiveHooks } from '../../platform/resources/hooks.ts';
import type { Given } from '../../platform/validate.ts';
import type { PlannedChange } from './change.ts';
import { type Place, sourceText } from './placed.ts';
import type { Reader, Reading } from './requests.ts';
import { updateOf } from './settings.ts';
import type { TargetPath, WantedTarget } from './target.ts';

export function listHooks(reader: Reader, path: TargetPath): Promise<Reading<readonly PreReceiveHook[]>> {
  const { repository, organization } = preReceiveHooks.owners;
  return 'repo' in path ? reader.list(repository.list, { path }) : reader.list(organization.list, { path });
}

/** Returns whether the setting of a hook is the target's own, not inherited: that is where it is configured. */
export function isOwnSetting({ configuration_url: url = '' }: PreReceiveHook, path: TargetPath): boolean {
  const owner = 'repo' in path ? `/repos/${path.owner}/${path.repo}/` : `/orgs/${path.org}/`;
  return url.toLowerCase().includes(`${owner}pre-receive-hooks/`.toLowerCase());
}

/** Returns the part of a hook that a body can set. */
export const hookBody = ({ enforcement, allow_downstream_configuration: allowed }: PreReceiveHook): Given => ({
  enforcement,
  ...(allowed !== undefined && { allow_downstream_configuration: allowed }),
});

export async function planHooks(wanted: WantedTarget, reader: Reader): Promise<PlannedChange[]> {
  const { target, path, hooks } = wanted;
  const managed = wanted.managed.get('hooks');
  if (hooks.length === 0 && !managed) return [];
  const listed = await listHooks(reader, path);
  const change = (action: PlannedChange['action'], name: string, place: Place, rest: Partial<PlannedChange>) =>
    ({ action, kind: 'hook', target, name, source: sourceText(place), changes: [], ...rest }) as const;
  if ('unreadable' in listed) {
    const reason = listed.unreadable;
    const all = hooks.map(({ name, body }) => change('unreadable', name, body.place, { reason }));
    return managed ? [...all, change('unreadable', '', managed, { reason })] : all;
  }
  const own = listed.value.filter((hook) => isOwnSetting(hook, path));
  const unset = (hook: PreReceiveHook, place: Place, rest: Partial<PlannedChange> = {}) =>
    change('unset', hook.name, place, {
      effect: 'loosens',
      of: own.length,
      id: hook.id,
      before: hookBody(hook),
      ...rest,
    });
  const changes: PlannedChange[] = [];
  for (const { name, inherits, body } of hooks) {
    const hook = listed.value.find((each) => each.name === name);
    if (!hook) changes.push(change('unresolved', name, body.place, { reason: `${target} has no such hook` }));
    else if (inherits) {
      if (own.includes(hook)) changes.push(unset(hook, body.place));
    } else {
      const update = updateOf('hook', body.value, hookBody(hook));
      if (update) changes.push(change('update', name, body.place, { id: hook.id, ...update }));
    }
  }
  if (!managed) return changes;
  const undeclared = own.filter((hook) => !hooks.some(({ name }) => name === hook.name));
  return [...changes, ...undeclared.map((hook) => unset(hook, managed, { undeclared: true }))];
}
