/** Declares kinds of objects; the code that they share is here. */
import { pendingSecret } from '../../../client/seal.ts';
import type { Endpoint } from '../../../platform/endpoint.ts';
import type { Given } from '../../../platform/validate.ts';
import type { PlannedChange, Step } from '../live/change.ts';
import type { Reader, Reading } from '../live/requests.ts';
import type { Absent, Wanted } from '../wanted/model.ts';
import { elements } from '../wanted/placed.ts';
import { pathOf } from '../wanted/target.ts';
import type { Exported, ExportReadings, KindDeclaration, ListedObject, Live, StepRequest } from './kind.ts';
import { sections } from './names.ts';
import type { ListedIdentity, ObjectDeclaration, Objects } from './object-declaration.ts';
import { nameKey, operationsOf, withDefaults } from './object-defaults.ts';
import { planObjects, wholeBody } from './object-plan.ts';

/** Returns the declaration of a kind of objects: its section, and how its objects are planned and applied. */
export function objectKind<W extends Wanted & K, K extends object, L extends ListedObject>(
  declared: ObjectDeclaration<W, K, L>,
): KindDeclaration<W, K> {
  const kind = withDefaults(declared as ObjectDeclaration);
  const section = sections[kind.name];
  const declaration: KindDeclaration = {
    ...kind,
    section,
    bodies: (list) => elements(list).map((body, index) => [`[${index}]`, body]),
    parse: (list) => elements(list).flatMap((object) => kind.parseObject(object) ?? []),
    parseAbsent: (list) =>
      elements(list).flatMap((element): readonly Absent[] => {
        const key = kind.parseKey(element);
        return key ? [{ ...key, kind: section, place: element.place }] : [];
      }),
    comparison: () => kind.bodyComparison,
    plan: (wanted, readings, ofOwner) => planObjects(kind, wanted, readings, ofOwner),
    live: (change, reader) => liveObject(kind, change, reader),
    request: (change) => requestOf(kind, change),
    listed: (target, reader) => ownObjects(kind, target, reader),
    export: (target, readings) => exportObjects(kind, target, readings),
  };
  return declaration as KindDeclaration<W, K>;
}

/** Returns the request that makes a change of an object. */
function requestOf(kind: Objects, change: PlannedChange): StepRequest {
  const { action, target, writeOnly, secret } = change;
  const { create, update, delete: remove, unset } = operationsOf(kind, target);
  const owner = pathOf(target);
  const sent = { body: { ...kind.sentBody(change), ...writeOnly, ...(secret && pendingSecret) } };
  if (action === 'create' && create) return { endpoint: create, input: { path: owner, ...sent } };
  const path = { ...owner, [kind.idParameter]: kind.idValue(change) };
  const removes = action === 'delete' ? remove : action === 'unset' ? unset : undefined;
  return removes ? { endpoint: removes, input: { path } } : { endpoint: update as Endpoint, input: { path, ...sent } };
}

/** Reads the object of a change by its ID, or finds it by its key. */
async function liveObject(kind: Objects, change: Step, reader: Reader): Promise<Live> {
  const { target, id } = change;
  const seenIn = async (live: ListedObject, whole: ListedIdentity): Promise<Live> => {
    if (!kind.isMeant(change, live)) return { ambiguous: true };
    const body = await wholeBody(kind, target, whole, reader);
    if ('unreadable' in body) return body;
    return { value: kind.seen(body.value, change), id: live.id };
  };
  const read = id === undefined ? undefined : await kind.read?.(target, { id } as ListedIdentity, reader);
  if (read && 'value' in read) return seenIn(read.value, read.value);
  const listed = await kind.list(target, reader);
  if ('unreadable' in listed) return listed;
  const found = listed.value.filter((live) => (id === undefined ? kind.isKeyed(change, live) : live.id === id));
  const [only, ...others] = found.filter((live) => kind.isThere(change, live));
  if (others.length) return { ambiguous: true };
  // A hook without a setting of its own has a name, too.
  if (!only) return found.some((live) => !kind.isMeant(change, live)) ? { ambiguous: true } : { value: undefined };
  if (read) return { unreadable: 'hidden' };
  // The record in a list may be older than the object.
  return seenIn(only, kind.bodyOf(only) ? only : ({ id: only.id } as ListedIdentity));
}

/** Lists the objects that belong to the target itself. */
async function ownObjects(kind: Objects, target: string, reader: Reader): Promise<Reading<readonly ListedObject[]>> {
  const listed = await kind.list(target, reader);
  return 'unreadable' in listed ? listed : { value: listed.value.filter((live) => kind.isOwn(live, target)) };
}

/** Returns the objects of a target in the form of policies. */
async function exportObjects(kind: Objects, target: string, readings: ExportReadings): Promise<Exported> {
  const own = await ownObjects(kind, target, readings.reader);
  if ('unreadable' in own) {
    readings.notExported(kind.plural, target, own);
    return [];
  }
  const byName = Map.groupBy(own.value, ({ name }) => nameKey(kind, name));
  const exported: Given[] = [];
  for (const live of own.value.toSorted((a, b) => (kind.sortKey(a) < kind.sortKey(b) ? -1 : 1))) {
    const twins = byName.get(nameKey(kind, live.name)) ?? [];
    const wanted = await kind.exported(live, { target, readings, twins });
    if (wanted) exported.push(wanted);
  }
  return exported;
}
