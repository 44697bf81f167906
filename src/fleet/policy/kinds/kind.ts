/** The interface between the general code and a kind of object, which each kind implements in one place. */
import type * as v from 'valibot';
import { asText } from '../../../json/exact-json.ts';
import type { AnyInput, Endpoint, Route } from '../../../platform/endpoint.ts';
import type { CustomProperty } from '../../../platform/records.ts';
import type { Checkable, Given, Problem } from '../../../platform/validate.ts';
import type { Comparison, FieldChange } from '../../diff.ts';
import type { PlannedChange, Step } from '../live/change.ts';
import type { Effect, KindEffects } from '../live/effects.ts';
import type { Names } from '../live/names.ts';
import type { OwnerReadings } from '../live/owner-readings.ts';
import type { Reader, Reading, Unreadable } from '../live/requests.ts';
import type { Absent, SelectableRepository, Wanted, WantedTarget } from '../wanted/model.ts';
import type { Place, Placed, PolicyProblem } from '../wanted/placed.ts';
import type { JsonForm } from '../wanted/schema-parts.ts';
import type { TargetKind } from '../wanted/target.ts';
import type { PlannedKind, Section } from './names.ts';

/** `W` is a declared object or field, and `K` its key. */
export interface KindDeclaration<W extends Wanted = Wanted, K extends object = object>
  extends PolicySection<W, K>,
    LiveKind {
  readonly name: PlannedKind;
  /** The targets that have such objects. */
  readonly targets: readonly TargetKind[];
}

/** How policy files declare a kind. */
export interface PolicySection<W extends Wanted = Wanted, K extends object = object> {
  readonly section: Section;
  /** What messages call several objects. */
  readonly plural: string;
  /** The schema of the section, by the targets that have it. */
  readonly schema: ByTarget<v.GenericSchema>;
  /** The schema of the objects to delete; absent if there are none. */
  readonly absentSchema?: ByTarget<v.GenericSchema>;
  /** True if the kind is allowed in `manage`: undeclared objects are then deleted or reset. */
  readonly isManageable: boolean;
  /** The paths of bodies whose unknown fields are sent, as a regular expression. Other unknown fields are errors. */
  readonly openPaths?: string | undefined;
  /** Fields that a policy cannot manage, with the reason. */
  readonly unmanageable?: readonly (readonly [path: RegExp, reason: string])[];
  /** The endpoint with the rules across the fields of a body. */
  readonly checkedAs: ByTarget<Checkable>;
  /** Returns the problems of what policies add to a body. */
  rules?(body: Given): readonly Problem[];
  /** Returns an object with its short forms expanded. */
  expand?(object: Placed, refuse: (part: Placed, field: string, message: string) => void): Placed;
  /** Returns the owner of a section, such as an entry of `repositories`, with what the section declares in others. */
  expandOwner?(owner: Placed, refuse: (part: Placed, field: string, message: string) => void): Placed;
  /** Return the JSON Schemas of the short forms of the elements of a list, from that of its elements, by the field of the list. */
  readonly shortForms?: Readonly<Record<string, (element: JsonForm) => readonly JsonForm[]>>;
  /** Returns the bodies in the value of a section, with their paths in it. */
  bodies(section: Placed): readonly (readonly [path: string, body: Placed])[];
  /** True if the section is a mapping of fields of the target, not a list of objects. */
  readonly areFields?: true;
  /** Parses the value of a section; omits elements without a key. */
  parse(section: Placed): readonly W[];
  /** Parses the value of `absent`. */
  parseAbsent(section: Placed): readonly Absent<K>[];
  /** Returns the name of an object in plans. */
  nameOf(declared: K): string;
  /** Returns the name of a declaration in problems. */
  labelOf(declared: K): string;
  /** Returns the key of a declaration among those that select one repository (default: `nameOf`). */
  combinedName?(declared: W): string;
  /** True if names are compared without case. */
  readonly ignoresCase?: true;
  /** Returns the problems of all objects that are declared for one owner together. */
  problemsOf?(declared: readonly W[]): readonly PolicyProblem[];
  /** Returns where a declaration names a person (default: nowhere). */
  placesOf?(declared: W, login: string): readonly Place[];
  /** Returns the rows of `policy explain`. */
  explain(declared: W): readonly ExplainedField[];
  /** Returns the name in the rows of `policy explain` (default: `nameOf`). */
  explainedName?(declared: K): string;
  /** Returns the section as data, for the digest of a policy (default: a list). */
  digested?(declared: readonly W[]): unknown;
  /** True for kinds of the first plans: digests have their sections even if they are empty. Later kinds must not. */
  readonly isInEveryDigest?: true;
  /** How declared bodies are compared: their sets have no order. */
  readonly bodyComparison: Comparison;
  /** Returns whether an object that a document declares for several owners belongs to this one. */
  belongsTo?(declared: W, owner: string, owners: readonly string[]): boolean;
  /** Returns the fields that selectors read of a repository that does not exist yet, as far as it is declared. */
  selectable?(declared: readonly W[]): Partial<SelectableRepository>;
  /** Returns a declaration for one organization as that for another. */
  asOf?<T extends K>(declared: T, from: string, to: string): T;
}

type ByTarget<T> = { readonly [K in TargetKind]?: T };

/** A declared value, as `policy explain` lists it. */
export interface ExplainedField {
  /** The name of the object; absent for a field of the target. */
  readonly name?: string;
  readonly field: string;
  readonly value: unknown;
  readonly place: Place;
}

/** Changes of repositories that an apply makes only if a flag allows them. */
export type GuardedChange = 'archived' | 'visibility';

/** How objects of a kind are read, compared, written and exported. */
export interface LiveKind extends KindEffects {
  /** What changes do with such objects. */
  readonly actions: readonly ('create' | 'update' | 'delete' | 'unset')[];
  /** Which changes of existing objects have an ID; `always`: those of new ones, too. */
  readonly ids: 'always' | 'existing' | 'never';
  /** True if all IDs are numbers. */
  readonly numericIds?: true;
  /** True if the response to a creation has the ID of its object. */
  readonly returnsId?: true;
  /** True if other changes name objects of this kind: the undo of a deletion has the ID that its object had. */
  readonly isNamedByOthers?: true;
  /** True if changes may have write-only fields and secrets. */
  readonly hasWriteOnly?: true;
  /** True if a creation replaces something inherited, which may be stricter. */
  readonly replacesInherited?: true;
  /**
   * For objects that give people access: returns whether a change takes it away. Such changes are made last, in reverse
   * order, so that nobody loses access before an addition that replaces it; no others are.
   */
  takesAccess?(change: PlannedChange): boolean;
  /** Returns changes of a target in the order in which they are made (default: that of plans). */
  inOrder?(steps: readonly Step[]): readonly Step[];
  /**
   * Returns the name that the object of a change has before the changes made with it (default: the same); undefined if it is
   * part of one that they create, and is undone with that.
   */
  nameBefore?(change: PlannedChange, made: readonly PlannedChange[]): string | undefined;
  /** Returns the names in a change whose IDs it has (default: none): of a team, of a person, and of the parent of a team. */
  peopleIn?(change: PlannedChange): { readonly team?: string; readonly user?: string; readonly parent?: string };
  /** True if no change of other objects needs one of this kind: after a refused addition, the others are made. */
  readonly standsAlone?: true;
  /** True if a creation makes the target itself, before all of its other changes. */
  readonly createsTarget?: true;
  /** True for a change before or after which the target accepts no others: it is made first or last. */
  opensTarget?(change: PlannedChange): boolean;
  closesTarget?(change: PlannedChange): boolean;
  /** True if an update replaces the whole object: a field that its body lacks is reset. */
  readonly updatesReplace?: true;
  /** True if parts may move from one object to another, so that updates may be made in two steps. */
  readonly partsMove?: true;
  /**
   * Returns what an update of an organization makes before its repositories change, because their changes may need it; the rest
   * is made after them. Absent if its effect decides.
   */
  madeFirst?(before: Given, body: Given): Given;
  /** The routes that plans and applies read, and those that applies write. */
  readonly reads: readonly Route[];
  readonly writes: readonly Route[];
  /** Returns whether a change is of the object that it names, and has only fields and types that policies have, which its rows show. */
  isNamed(change: PlannedChange): boolean;
  /**
   * Returns the changes that make a target match its policy. `ofOwner`: those of the repository's organization. A repository
   * that `isNew` cannot be read: its changes start from whatever it has once it is created.
   */
  plan(
    wanted: WantedTarget,
    readings: OwnerReadings,
    ofOwner: readonly PlannedChange[],
  ): Promise<readonly PlannedChange[]>;
  /** Reads the object of a change, in the form of `before`. */
  live(change: Step, reader: Reader): Promise<Live>;
  /**
   * The most targets of one organization of which one request can make the same change; absent if it is one. The response
   * to such a request has no values.
   */
  readonly mostTargets?: number;
  /** Returns the request that makes a change, of several `targets` if there can be several. */
  request(change: PlannedChange, targets: readonly string[]): StepRequest;
  /** Returns the stored value according to the response to a change. Omitted fields prove nothing. */
  kept(change: PlannedChange, data: Given, reader: Reader): Given | Promise<Given>;
  /** Returns how the values of a change compare. */
  comparison(change: Pick<PlannedChange, 'body'>): Comparison;
  /** Returns the effect of a creation; undefined if it is unknown. */
  creation(body: Given): Effect | undefined;
  /** The effect of a deletion or reset. */
  readonly deletion: Effect;
  /** Returns changes as people read them (default: as they are). */
  inNames?(change: PlannedChange, changes: readonly FieldChange[], names: Names): Promise<readonly FieldChange[]>;
  /** Returns what loses the objects of deletions, in words that follow “of” (default: the target). */
  scopeOf?(deletion: PlannedChange): string;
  /** Lists the objects that a target, or a scope of it, has of those that deletions of a plan may delete. */
  listed?(
    target: string,
    reader: Reader,
    deletions: readonly PlannedChange[],
    plan: readonly PlannedChange[],
  ): Promise<Reading<readonly Pick<ListedObject, 'name'>[]>>;
  /**
   * Returns what a deletion would delete beside its object, in words such as “would also delete …”; undefined if nothing. Throws
   * the client's errors.
   */
  deletesMore?(deletion: PlannedChange, reader: Reader): Promise<string | undefined>;
  /** Returns why the deletion of undeclared objects is always guarded; undefined if it is not. */
  guarded?(count: number): string;
  /** The fewest deletions in a target that are guarded if they are more than a quarter (default: ten, in all targets). */
  readonly guardedFrom?: number;
  /** Returns why changes of this kind in one target are not made, unless a flag allows them. */
  guard?(changes: readonly PlannedChange[], context: GuardContext): Promise<readonly string[]>;
  /** Returns the fields of an update whose values require confirmation (default: none). */
  confirmedFields?(body: Given, before: Given | undefined): readonly string[];
  /** The fields of repositories whose changes are hard to undo, with the names of the changes in flags. */
  readonly guardedFields?: ReadonlyMap<string, GuardedChange>;
  /** Returns the flag that must allow a creation; undefined if it needs none. */
  guardedCreation?(body: Given): GuardedChange | undefined;
  /** What the platform deletes with such objects, and an undo does not restore. */
  readonly lostWith?: string;
  /** Why an undo does not delete what a creation made; by default it does. */
  readonly notUndone?: string;
  /** Returns why an object cannot be created again from what can be read of it; undefined if it can. */
  irreplaceable?(body: Given): string | undefined;
  /** Returns why a field cannot be changed back to an earlier value; undefined if it can. */
  irreversible?(field: string, earlier: unknown, target: string): string | undefined;
  /** Returns values without those that a target has only as defaults of its organization. */
  ownValues?(values: Given, definitions: ReadonlyMap<string, CustomProperty>): Given;
  /** Returns the value of a body for a field whose live value is null (default: null). */
  cleared?(field: string, target: string): unknown;
  /** Returns the objects of a target in the form of policies; empty if there are none. */
  export(target: string, readings: ExportReadings): Promise<Exported>;
  /** The comment of an exported file, about what it lacks. */
  readonly comment?: string;
  /** Returns the files of an organization's objects, by path. By default all are in one, named after the section. */
  files?(exported: Exported): readonly (readonly [path: string, part: Exported])[];
}

/** What guards of kinds know. */
export interface GuardContext {
  readonly target: string;
  readonly reader: Reader;
  /** True if the token’s owner may lose access, too, or the token has no owner. */
  readonly allowsSelf: boolean;
}

/** The value of a section. */
export type Exported = Given | readonly (Given | string)[];

/** What exports need beside the readings of plans. */
export interface ExportReadings extends OwnerReadings {
  /** Receives a part of a target, such as its hooks, that could not be read. */
  readonly notExported: (part: string, target: string, reading: Unreadable) => void;
  /** Receives a notice about another part that could not be read. */
  readonly lacks: (text: string) => void;
}

/**
 * The live value of a change's object; undefined only if a complete list shows its absence. `id` for an object that was
 * found by its key. `ambiguous`: several objects have the key, or the one with the ID has another name.
 */
export type Live =
  | { readonly value: Given | undefined; readonly id?: number | string }
  | { readonly unreadable: string }
  | { readonly ambiguous: true };

/** An object with its name in plans. */
export interface ListedObject {
  readonly id: number | string;
  readonly name: string;
  /** The ID of the person who is invited, if it is an invitation. */
  readonly userId?: number;
}

export interface StepRequest {
  readonly endpoint: Endpoint;
  readonly input: AnyInput;
}

/** Returns whether a change is of the object that it names. Only an update whose rows show a new name may have another. */
export function namesItself({ action, name, id, before, body, between }: PlannedChange): boolean {
  if (action === 'delete') return isCalled(name, asText(before.name), id);
  const isOwn = (given: Given | undefined) => given?.name === undefined || given.name === name;
  if (action === 'create' || body?.name !== undefined)
    return body?.name === name && (isOwn(between) || between?.name === before?.name);
  return isOwn(before) && isOwn(between);
}

/** Returns whether an object is called so in a plan. */
export const isCalled = (planned: string, name: string, id?: number | string): boolean =>
  planned === name || (id !== undefined && planned === `${name} (${id})`);
