/** Plans the changes of objects: creations, updates, deletions, and objects that cannot be planned. */
import type { Given } from '../../../platform/validate.ts';
import type { PlannedChange } from '../live/change.ts';
import type { OwnerReadings } from '../live/owner-readings.ts';
import type { Reader, Reading } from '../live/requests.ts';
import { absentOf, type WantedTarget, wantedOf } from '../wanted/model.ts';
import { type Place, sourceText } from '../wanted/placed.ts';
import type { ListedObject } from './kind.ts';
import { sections } from './names.ts';
import type { Draft, ListedIdentity, Objects } from './object-declaration.ts';
import { nameKey } from './object-defaults.ts';

/** Returns the changes that make the objects of a target match its policy. */
export async function planObjects(
  kind: Objects,
  wanted: WantedTarget,
  readings: OwnerReadings,
  ofOwner: readonly PlannedChange[],
): Promise<readonly PlannedChange[]> {
  const { target } = wanted;
  const section = sections[kind.name];
  const declared = wantedOf(wanted, section);
  const absent = absentOf(wanted, section);
  const managed = wanted.managed.get(section);
  if (declared.length === 0 && absent.length === 0 && !managed) return [];
  const change: Draft = (action, name, place, rest) =>
    ({ action, kind: kind.name, target, name, source: sourceText(place), changes: [], ...rest }) as PlannedChange;
  const keys = [...declared, ...absent];
  const listed = wanted.isNew
    ? ((await kind.listNew?.(target, readings.reader)) ?? { value: [] })
    : await kind.list(target, readings.reader, { keys, isManaged: managed !== undefined, readings, ofOwner });
  if ('unreadable' in listed) {
    const reason = listed.unreadable;
    return [
      ...declared.map((each) => change('unreadable', kind.nameOf(each), each.body.place, { reason })),
      ...absent.map((each) => change('unreadable', kind.nameOf(each), each.place, { reason })),
      ...(managed ? [change('unreadable', '', managed, { reason })] : []),
    ];
  }
  const deletions = new Deletions(kind, target, listed.value, change, readings.reader);
  const changes: PlannedChange[] = [];
  for (const each of declared) {
    const { live, all, refused } = kind.find(each, listed.value, declared);
    deletions.spare(all);
    if (refused) changes.push(change(refused.action, kind.nameOf(each), each.body.place, { reason: refused.reason }));
    else {
      const deletion = (one: ListedObject, place: Place) => deletions.of(one, place);
      changes.push(...(await kind.changesOf(each, live, { target, readings, ofOwner, change, deletion })));
    }
  }
  for (const each of absent) {
    const { live, all, refused } = kind.find(each, listed.value, [each]);
    if (refused && !kind.deletesTwins) {
      deletions.spare(all);
      changes.push(change(refused.action, kind.nameOf(each), each.place, { reason: refused.reason }));
    } else changes.push(...(await deletions.ofAll(kind.deletesTwins ? all : [live ?? []].flat(), each.place)));
  }
  if (!managed) return changes;
  const { incomplete: reason } = listed;
  if (reason !== undefined) return [...changes, change('unreadable', '', managed, { reason })];
  return [...changes, ...(await deletions.ofUndeclared(managed))];
}

/** The deletions of a target's objects. */
class Deletions {
  readonly #kind: Objects;
  readonly #target: string;
  readonly #listed: readonly ListedObject[];
  readonly #own: ReadonlySet<ListedObject>;
  readonly #byName: ReadonlyMap<string, readonly ListedObject[]>;
  readonly #change: Draft;
  readonly #reader: Reader;
  /** Objects that are declared, or deleted already. */
  readonly #spared = new Set<ListedObject>();

  constructor(kind: Objects, target: string, listed: readonly ListedObject[], change: Draft, reader: Reader) {
    this.#kind = kind;
    this.#target = target;
    this.#listed = listed;
    this.#own = new Set(listed.filter((live) => kind.isOwn(live, target)));
    this.#byName = Map.groupBy(this.#own, ({ name }) => nameKey(kind, name));
    this.#change = change;
    this.#reader = reader;
  }

  spare(objects: readonly ListedObject[]): void {
    for (const each of objects) this.#spared.add(each);
  }

  /** Returns the deletions of objects under `absent`, except spared ones. */
  async ofAll(objects: readonly ListedObject[], place: Place): Promise<readonly PlannedChange[]> {
    const changes: PlannedChange[] = [];
    for (const live of objects.filter((each) => !this.#spared.has(each))) changes.push(await this.of(live, place));
    this.spare(objects);
    return changes;
  }

  async ofUndeclared(place: Place): Promise<readonly PlannedChange[]> {
    const changes: PlannedChange[] = [];
    for (const live of this.#own) {
      if (this.#spared.has(live)) continue;
      const spared = this.#kind.spared?.(live, this.#listed);
      changes.push(
        spared
          ? this.#change(spared.action, spared.name, place, { reason: spared.reason })
          : await this.of(live, place, { undeclared: true }),
      );
    }
    return changes;
  }

  async of(live: ListedObject, place: Place, mark: Pick<PlannedChange, 'undeclared'> = {}): Promise<PlannedChange> {
    const { deletion: effect, actions, marksLast } = this.#kind;
    const twins = this.#byName.get(nameKey(this.#kind, live.name)) ?? [];
    const name = twins.length > 1 ? `${live.name} (${live.id})` : live.name;
    const body = await wholeBody(this.#kind, this.#target, live, this.#reader);
    if ('unreadable' in body) return this.#change('unreadable', live.name, place, { reason: body.unreadable });
    const of = this.#own.has(live) ? this.#own.size : 0;
    const { userId: user_id } = live;
    const known = { of, id: live.id, before: body.value, ...(user_id !== undefined && { user_id }) };
    return this.#change(actions.includes('unset') ? 'unset' : 'delete', name, place, {
      effect,
      ...(marksLast ? { ...known, ...mark } : { ...mark, ...known }),
    });
  }
}

/** Returns the body of an object, which is read if the list contains only a summary. */
export async function wholeBody(
  kind: Objects,
  target: string,
  live: ListedIdentity,
  reader: Reader,
): Promise<Reading<Given>> {
  const body = kind.bodyOf(live as ListedObject);
  if (body) return { value: body };
  const read = (await kind.read?.(target, live, reader)) ?? { unreadable: '' };
  return 'unreadable' in read ? read : { value: kind.bodyOf(read.value) ?? {} };
}
