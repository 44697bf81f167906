/** The settings of pre-receive hooks in an organization or repository. */
import type { PreReceiveHook } from '../../../platform/records.ts';
import { preReceiveHooks } from '../../../platform/resources/hooks.ts';
import type { Given } from '../../../platform/validate.ts';
import { type FieldChange, fieldsOf } from '../../diff.ts';
import { isLoosening, type PlannedChange } from '../live/change.ts';
import { combined, type Effect, ranked } from '../live/effects.ts';
import type { Reader, Reading } from '../live/requests.ts';
import { type Place, sourceText } from '../wanted/placed.ts';
import { pathOf, type TargetPath, type WantedTarget } from '../wanted/target.ts';
import { fieldUpdate, keptFields, liveFields, touchedFields } from './field-update.ts';
import type { ExportReadings, KindDeclaration, OwnerReadings } from './kind.ts';

export const hooks: KindDeclaration = {
  section: 'hooks',
  targets: ['organization', 'repository'],
  actions: ['create', 'update', 'unset'],
  hasId: true,
  isNamed: () => true,
  plan: planHooks,
  async live(change, reader) {
    const { action, target, name, id } = change;
    const path = pathOf(target);
    const listed = await listHooks(reader, path);
    if ('unreadable' in listed) return listed;
    const hook = listed.value.find((each) => each.id === id);
    // An update starts from any setting; the other actions make and remove the target's own.
    if (!hook || (action !== 'update' && !isOwnSetting(hook, path))) return { value: undefined };
    return hook.name === name ? { value: touchedFields(hookBody(hook), change) } : { ambiguous: true };
  },
  request({ action, target, id: pre_receive_hook_id = 0, body = {} }) {
    const path = pathOf(target);
    const endpoints = 'repo' in path ? preReceiveHooks.owners.repository : preReceiveHooks.owners.organization;
    const at = { ...path, pre_receive_hook_id };
    return action === 'unset'
      ? { endpoint: endpoints.unset, input: { path: at } }
      : { endpoint: endpoints.update, input: { path: at, body } };
  },
  kept: ({ body = {} }, data) => keptFields(data, body),
  comparison: () => ({}),
  effect: (changes) => combined(changes.map(hookEffect)),
  creation: () => undefined,
  deletion: 'loosens',
  async listed(target, reader) {
    const path = pathOf(target);
    const listed = await listHooks(reader, path);
    return 'unreadable' in listed ? listed : { value: listed.value.filter((hook) => isOwnSetting(hook, path)) };
  },
  export: exportHooks,
};

function hookEffect(change: FieldChange): Effect | undefined {
  if (change.path === 'enforcement') return ranked(['disabled', 'testing', 'enabled'], change);
  return change.path === 'allow_downstream_configuration' ? ranked([true, false], change) : undefined;
}

function listHooks(reader: Reader, path: TargetPath): Promise<Reading<readonly PreReceiveHook[]>> {
  const { repository, organization } = preReceiveHooks.owners;
  return 'repo' in path ? reader.list(repository.list, { path }) : reader.list(organization.list, { path });
}

/** Returns whether the setting of a hook is certainly the target's own, not inherited. */
const isOwnSetting = (hook: PreReceiveHook, path: TargetPath): boolean =>
  preReceiveHooks.isOwn?.({ ...hook }, path) === true;

/** Returns the part of a hook that a body can set. */
const hookBody = ({ enforcement, allow_downstream_configuration: allowed }: PreReceiveHook): Given => ({
  enforcement,
  ...(allowed !== undefined && { allow_downstream_configuration: allowed }),
});

async function planHooks(
  wanted: WantedTarget,
  { reader }: OwnerReadings,
  ofOwner: readonly PlannedChange[],
): Promise<PlannedChange[]> {
  const { target, hooks: declared } = wanted;
  const path = pathOf(target);
  const managed = wanted.managed.get('hooks');
  if (declared.length === 0 && !managed) return [];
  const listed = await listHooks(reader, path);
  const change = (action: PlannedChange['action'], name: string, place: Place, rest: Partial<PlannedChange>) =>
    ({ action, kind: 'hook', target, name, source: sourceText(place), changes: [], ...rest }) as const;
  if ('unreadable' in listed) {
    const reason = listed.unreadable;
    const all = declared.map(({ name, body }) => change('unreadable', name, body.place, { reason }));
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
  for (const { name, inherits, body } of declared) {
    const hook = listed.value.find((each) => each.name === name);
    if (!hook) changes.push(change('unresolved', name, body.place, { reason: `${target} has no such hook` }));
    else if (inherits) {
      if (own.includes(hook)) changes.push(unset(hook, body.place));
    } else {
      const isOwn = own.includes(hook);
      const update = isOwn
        ? fieldUpdate(body.value, hookBody(hook), hooks.effect)
        : ownSetting(body.value, hook, ofOwner);
      const inherited = isOwn ? {} : { inherited: true as const };
      if (update) changes.push(change('update', name, body.place, { id: hook.id, ...inherited, ...update }));
    }
  }
  if (!managed) return changes;
  const undeclared = own.filter((hook) => !declared.some(({ name }) => name === hook.name));
  return [...changes, ...undeclared.map((hook) => unset(hook, managed, { undeclared: true }))];
}

/**
 * Returns the update that gives a target its own setting in place of an inherited one; undefined if it inherits the wanted
 * setting, also after the changes of its organization. Those that tighten come before it, the others after it.
 */
function ownSetting(wanted: Given, hook: PreReceiveHook, ofOwner: readonly PlannedChange[]) {
  const inherited = hookBody(hook);
  const change = ofOwner.find(({ kind, id }) => kind === 'hook' && id === hook.id);
  // What an organization inherits after a reset cannot be read.
  const later = change ? change.body && { ...inherited, ...change.body } : inherited;
  if (later && !fieldUpdate(wanted, later, hooks.effect)) return undefined;
  const before = later && change && !isLoosening(change) ? later : inherited;
  return (
    fieldUpdate(wanted, before, hooks.effect) ??
    ({ changes: fieldsOf(wanted), effect: 'neutral', before: liveFields(before, wanted), body: wanted } as const)
  );
}

async function exportHooks(target: string, { reader, notExported }: ExportReadings): Promise<readonly Given[]> {
  const path = pathOf(target);
  const listed = await listHooks(reader, path);
  if ('unreadable' in listed) {
    notExported('hooks', target, listed);
    return [];
  }
  return listed.value
    .filter((hook) => isOwnSetting(hook, path))
    .map((hook) => ({ name: hook.name, ...hookBody(hook) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
