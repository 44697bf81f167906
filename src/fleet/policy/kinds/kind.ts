/** What plans, applies and exports need of a kind of object. */
import type { AnyInput, Endpoint } from '../../../platform/endpoint.ts';
import type { CustomProperty } from '../../../platform/records.ts';
import type { Given } from '../../../platform/validate.ts';
import type { Comparison, FieldChange } from '../../diff.ts';
import type { PlannedChange, Step } from '../live/change.ts';
import type { Effect } from '../live/effects.ts';
import type { Names } from '../live/names.ts';
import type { Reader, Reading, Unreadable } from '../live/requests.ts';
import type { ListedRepository } from '../wanted/model.ts';
import type { TargetKind, WantedTarget } from '../wanted/target.ts';

export interface KindDeclaration {
  /** The key of the objects in policies, which is also their plural in messages. */
  readonly section: 'settings' | 'properties' | 'rulesets' | 'registries' | 'budgets' | 'hooks';
  /** The targets that have such objects. */
  readonly targets: readonly TargetKind[];
  /** What changes do with such objects. */
  readonly actions: readonly ('create' | 'update' | 'delete' | 'unset')[];
  /** True if an existing object has an ID. */
  readonly hasId: boolean;
  /** Returns whether the name of a change is that of its values, as far as they have it. */
  isNamed(change: PlannedChange): boolean;
  /** Returns the changes that make a target match its policy. `ofOwner`: those of the repository's organization. */
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
  /** Returns the combined effect of changes; undefined if it is unknown. */
  effect(changes: readonly FieldChange[]): Effect | undefined;
  /** Returns the effect of a creation; undefined if it is unknown. */
  creation(body: Given): Effect | undefined;
  /** The effect of a deletion or reset. */
  readonly deletion: Effect;
  /** Returns changes as people read them (default: as they are). */
  inNames?(change: PlannedChange, changes: readonly FieldChange[], names: Names): Promise<readonly FieldChange[]>;
  /** Lists the objects of a target that can be deleted. Only kinds with an ID have one. */
  listed?(target: string, reader: Reader): Promise<Reading<readonly ListedObject[]>>;
  /** Returns why an object cannot be created again from what can be read of it; undefined if it can. */
  irreplaceable?(body: Given): string | undefined;
  /** Returns why a field cannot be changed back to an earlier value; undefined if it can. */
  irreversible?(field: string, earlier: unknown, target: string): string | undefined;
  /** Returns the value of a body for a field whose live value is null (default: null). */
  cleared?(field: string, target: string): unknown;
  /** Returns the objects of a target in the form of policies; empty if there are none. */
  export(target: string, readings: ExportReadings): Promise<Exported>;
  /** The comment of an exported file, about what it lacks. */
  readonly comment?: string;
  /** Returns the files of an organization's objects, by path. By default all are in one, named after the section. */
  files?(exported: Exported): readonly (readonly [path: string, part: Exported])[];
}

/** The value of a section. */
export type Exported = Given | readonly Given[];

/** Reads what targets of one owner have in common. */
export interface OwnerReadings {
  readonly reader: Reader;
  readonly names: Names;
  readonly repositories: () => Promise<Reading<readonly ListedRepository[]>>;
  readonly propertyValues: () => Promise<Reading<PropertyValues>>;
  readonly propertyDefinitions: () => Promise<Reading<PropertyDefinitions>>;
  /** Receives notices that are not errors, such as a part that cannot be exported. */
  readonly warn: (text: string) => void;
}

/** What exports need beside the readings of plans. */
export interface ExportReadings extends OwnerReadings {
  /** Receives a part of a target, such as its hooks, that could not be read. */
  readonly notExported: (part: string, target: string, reading: Unreadable) => void;
}

/** The custom properties of an organization, by lower-case name. */
export type PropertyDefinitions = ReadonlyMap<string, CustomProperty>;

/** The property values of repositories, by lower-case full name. */
export type PropertyValues = ReadonlyMap<string, Given>;

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
}

export interface StepRequest {
  readonly endpoint: Endpoint;
  readonly input: AnyInput;
}

/** Returns the name of a change of an existing object: with the ID, if several have this name. */
export const ownName = (name: string, id: number | string, all: readonly unknown[]): string =>
  all.length > 1 ? `${name} (${id})` : name;

/** Returns whether an object is called so in a plan. */
export const isCalled = (planned: string, name: string, id?: number | string): boolean =>
  planned === name || planned === `${name} (${id})`;
