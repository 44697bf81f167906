/** Declarations of kinds of objects: how they are found, compared, written and exported. */
import type { ResourceDeclaration } from '../../../platform/resource.ts';
import type { Given } from '../../../platform/validate.ts';
import type { Action, PlannedChange, Step } from '../live/change.ts';
import type { OwnerReadings } from '../live/owner-readings.ts';
import type { Reader, Reading } from '../live/requests.ts';
import type { Wanted } from '../wanted/model.ts';
import type { Place, Placed } from '../wanted/placed.ts';
import type { FieldUpdate } from './field-update.ts';
import type { ExportReadings, KindDeclaration, ListedObject } from './kind.ts';

/** The declaration of a kind of objects: `W` is a declared object, `K` its key, and `L` a live object. */
export type ObjectDeclaration<
  W extends Wanted = Wanted,
  K extends object = object,
  L extends ListedObject = ListedObject,
> = Pick<Objects<W, K, L>, Required> & Partial<Objects<W, K, L>>;

type Required = 'name' | 'targets' | 'schema' | 'checkedAs' | 'resource' | 'idParameter' | 'list' | 'bodyOf';

/** A kind of objects with its defaults, which are in `object-defaults.ts`. */
export interface Objects<W extends Wanted = Wanted, K extends object = object, L extends ListedObject = ListedObject>
  extends Omit<KindDeclaration<W, K>, Derived>,
    ObjectSection<W, K>,
    LiveObjects<W, K, L> {}

/** The parts that follow from the rest. */
type Derived =
  | 'section'
  | 'bodies'
  | 'parse'
  | 'parseAbsent'
  | 'plan'
  | 'live'
  | 'request'
  | 'comparison'
  | 'listed'
  | 'export';

/** The parts of a section of objects. */
interface ObjectSection<W extends Wanted, K extends object> {
  /** Parses an object of the section; undefined for one without a key (default: by name, with `was`). */
  parseObject(object: Placed): W | undefined;
  /** Parses an element of `absent` (default: none can be absent). */
  parseKey(element: Placed): K | undefined;
  /** The fields that `explain` omits, because the name has them (default: name). */
  readonly keyFields: readonly string[];
}

/** How live objects are found, compared and exported. */
interface LiveObjects<W extends Wanted, K extends object, L extends ListedObject> {
  readonly resource: ResourceDeclaration;
  /** The path parameter with the ID of an object. */
  readonly idParameter: string;
  /** Returns the value of that parameter for the object of a change (default: its ID). */
  idValue(change: PlannedChange): number | string;
  /** Returns the body that a change sends (default: that of the plan). */
  sentBody(change: PlannedChange): Given;
  /** Lists the objects of a target; for a plan, also what it reads of declared ones that the platform does not list. */
  list(target: string, reader: Reader, planned?: PlannedList<K>): Promise<Listed<L>>;
  /** Lists the objects that a repository will have when it is created, if they can be known (default: none). */
  listNew?(target: string, reader: Reader): Promise<Listed<L>>;
  /** Reads a whole object, which may be listed. Absent if lists have whole objects. */
  read?(target: string, object: ListedIdentity<L>, reader: Reader): Promise<Reading<L>>;
  /** Returns the part of an object that a body can set; undefined if a list has only a summary of it. */
  bodyOf(live: L): Given | undefined;
  /** Finds the live objects of a key (default: those of its name, or else of its earlier one). */
  find(key: K, listed: readonly L[], all: readonly K[]): Found<L>;
  /** The fields that identify objects, in messages about several with the same key (default: name). */
  readonly keyText: string;
  /** True if `absent` deletes all objects with a key. By default several are ambiguous. */
  readonly deletesTwins?: true;
  /** Returns whether an object belongs to the target itself, so that it can be deleted (default: all do). */
  isOwn(live: L, target: string): boolean;
  /** Returns why an undeclared object is not deleted, and the name that it has then; undefined if it is. */
  spared?(live: L, listed: readonly L[]): (Refusal & { readonly name: string }) | undefined;
  /** True if plans list the mark of undeclared objects after the other fields: the order of keys is part of their digest. */
  readonly marksLast?: true;
  /** Returns the changes of an object from its live state to the wanted one (default: `createdBody`, `updateOf`). */
  changesOf(wanted: W, live: L | undefined, context: ObjectContext<L>): Changes | Promise<Changes>;
  /** Returns the body of a creation (default: the declared one). */
  createdBody(wanted: W): Given;
  /** Returns why an object cannot be created that its endpoint would accept; undefined if it can. */
  whyNotCreated?(wanted: W, readings: OwnerReadings): Promise<string | undefined>;
  /** Returns the update of an object; undefined if nothing differs (default: of the declared fields that differ). */
  updateOf(wanted: W, live: L): FieldUpdate | undefined;
  /** Returns whether an object is the one of a change without an ID (default: by name). */
  isKeyed(change: PlannedChange, live: L): boolean;
  /** Returns whether the object with the ID of a change is the planned one (default: by name). */
  isMeant(change: Step, live: L): boolean;
  /** Returns whether a change can treat an object as existing (default: always). */
  isThere(change: PlannedChange, live: L): boolean;
  /** Returns the part of a body that a change compares (default: the fields that it starts from or sends). */
  seen(body: Given, change: PlannedChange): Given;
  /** Returns the stored body according to the response to a change (default: the response). */
  stored(change: PlannedChange, data: Given, reader: Reader): Given | Promise<Given>;
  /** Returns the sort key of exported objects (default: the name). */
  sortKey(live: L): string;
  /** Returns an object in the form of policies; undefined, after a notice, if it cannot be exported (default: its body). */
  exported(live: L, context: ExportContext<L>): Given | undefined | Promise<Given | undefined>;
}

/** What the plan of a target needs of a list. */
export interface PlannedList<K> {
  /** The keys of the objects that the policy declares, or deletes. */
  readonly keys: readonly K[];
  /** True if undeclared objects are deleted, so that none may be missing. */
  readonly isManaged: boolean;
  readonly readings: OwnerReadings;
  /** The planned changes of the organization of a repository. */
  readonly ofOwner: readonly PlannedChange[];
}

/** Listed objects. `incomplete`: why some that exist may be missing. */
export type Listed<L> = Reading<readonly L[]> & { readonly incomplete?: string };

/** An object with a known ID, and its record in a list, if it was listed. */
export type ListedIdentity<L extends ListedObject = ListedObject> = Pick<L, 'id'> & Partial<L>;

type Changes = readonly PlannedChange[];

/** The objects of a key; none of them is deleted as undeclared. `refused`: why no single one is chosen. */
export interface Found<L = ListedObject> {
  readonly live?: L | undefined;
  readonly all: readonly L[];
  readonly refused?: Refusal;
}

export interface Refusal {
  readonly action: 'unreadable' | 'unresolved' | 'ambiguous';
  readonly reason: string;
}

/** The context of the changes of an object. */
export interface ObjectContext<L> {
  readonly target: string;
  readonly readings: OwnerReadings;
  /** The planned changes of the organization of a repository; of an organization itself, those of the sections before. */
  readonly ofOwner: readonly PlannedChange[];
  /** Returns a change of the object. */
  readonly change: Draft;
  /** Returns the deletion or reset of a live object. */
  readonly deletion: (live: L, place: Place) => Promise<PlannedChange>;
}

/** Returns a change; objects that no policy names have no name. */
export type Draft = <A extends Action>(action: A, name: string, place: Place, details: Details<A>) => PlannedChange;

/** The fields of a change other than its action, its object and its source. */
export type Details<A extends Action> = DetailsOf<WithAction<A>>;

type WithAction<A extends Action, C = PlannedChange> = C extends { readonly action: infer B }
  ? A extends B
    ? C
    : never
  : never;

type DetailsOf<C extends PlannedChange> = Omit<
  C,
  'action' | 'kind' | 'target' | 'repository_id' | 'name' | 'source' | 'changes'
> &
  Partial<Pick<C, 'changes'>>;

export interface ExportContext<L> {
  readonly target: string;
  readonly readings: ExportReadings;
  /** All objects with the same name, this one included. */
  readonly twins: readonly L[];
}
