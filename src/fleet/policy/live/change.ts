/** One object in a plan: the change, its effect on protection, and everything needed to apply it later. */
import type { Given } from '../../../platform/validate.ts';
import type { FieldChange } from '../../diff.ts';
import { type PlannedKind, plannedKinds } from '../kinds/names.ts';
import type { SecretReference } from '../wanted/model.ts';
import type { Effect } from './effects.ts';

/**
 * `unset` removes an owner's own setting of a hook. `unverified` lists write-only fields of an existing object; flags of
 * `apply` make it `resend`, which sends them again. `unreadable`, `unresolved` and `ambiguous` change nothing: a value that
 * cannot be read, a name that does not exist or a creation that lacks fields, and several objects with one key.
 */
export const actions = [
  'create',
  'update',
  'delete',
  'unset',
  'unverified',
  'resend',
  'unreadable',
  'unresolved',
  'ambiguous',
] as const;
export type Action = (typeof actions)[number];

/** A change of an object, by action. Fields that an action does not have are undefined. */
export type PlannedChange = Creation | Update | Removal | UnverifiedChange | Resend | UnplannedChange;

/** The fields of all changes. */
interface Common {
  readonly kind: PlannedKind;
  /** An organization, as acme, a repository, as acme/site, or an enterprise, as enterprise:sandbox. */
  readonly target: string;
  /** The ID of a target that is a repository: another one may have its name later. */
  readonly repository_id?: number;
  /** True for a target that the same plan creates: the change starts from whatever the new repository has. */
  readonly new_repository?: true;
  /** The ID of a target that is an organization, for the same reason. */
  readonly organization_id?: number;
  /** The ID of the team that the name of a team member or of access names: slugs are reused. */
  readonly team_id?: number;
  /** The ID of the person whom the name names: logins are reused. */
  readonly user_id?: number;
  /** The ID of the team that becomes the parent of a team. */
  readonly parent_id?: number;
  /** The name of the ruleset or hook, or what identifies the registry or budget; empty for settings and properties. */
  readonly name: string;
  /** The file and line of the policy that declares it. */
  readonly source: string;
  readonly changes: readonly FieldChange[];
  /** Absent if unknown. */
  readonly effect?: Effect;
}

/** The fields of some actions. */
interface Others {
  readonly reason?: undefined;
  readonly undeclared?: undefined;
  readonly of?: undefined;
  readonly least?: undefined;
  readonly id?: undefined;
  readonly inherited?: undefined;
  readonly before?: undefined;
  readonly body?: undefined;
  readonly writeOnly?: undefined;
  readonly secret?: undefined;
  readonly sent?: undefined;
  readonly between?: undefined;
}

interface WriteOnly {
  /** Fields that are sent too, and that responses do not contain. */
  readonly writeOnly?: Given;
  /** The source of the secret that is sent too. */
  readonly secret?: SecretReference;
}

/** The start of a change that undoes an earlier write. */
interface Undoing {
  /**
   * True if `before` is what an earlier write sends: the platform may add defaults to it. If that write was not made and the
   * object is as wanted, nothing is sent.
   */
  readonly sent?: true;
}

/** Creates an object, or an owner's own setting of a hook. */
export interface Creation
  extends Common,
    WriteOnly,
    Undoing,
    Omit<Others, 'id' | 'body' | keyof WriteOnly | keyof Undoing> {
  readonly action: 'create';
  readonly id?: number | string;
  /** The body to send. */
  readonly body: Given;
}

/** Changes fields of an object. */
export interface Update
  extends Common,
    WriteOnly,
    Undoing,
    Omit<Others, 'id' | 'inherited' | 'least' | 'before' | 'body' | 'between' | keyof WriteOnly | keyof Undoing> {
  readonly action: 'update';
  readonly id?: number | string;
  /** True for an update of a hook whose setting is inherited. */
  readonly inherited?: true;
  /** The number of owners that must remain, if the policy declares it. */
  readonly least?: number;
  /** The live value that the change starts from. */
  readonly before: Given;
  /** The body to send. */
  readonly body: Given;
  /** With `sent`: another value that the change can start from, if the earlier write had two steps. */
  readonly between?: Given;
}

/** Deletes an object, or removes an owner's own setting of a hook. */
export interface Removal
  extends Common,
    Undoing,
    Omit<Others, 'id' | 'undeclared' | 'of' | 'least' | 'before' | keyof Undoing> {
  readonly action: 'delete' | 'unset';
  readonly id?: number | string;
  /** True for an object that no policy declares; only `--prune` deletes it. */
  readonly undeclared?: true;
  /** The number of objects of this kind that the target, or a part of it, has; 0 if this one is not among them. Absent if unknown. */
  readonly of?: number;
  /** The number of owners that must remain, if the policy declares it. */
  readonly least?: number;
  /** The live value that the change starts from. */
  readonly before: Given;
}

/** Lists write-only fields of an existing object, which nothing can compare. */
export interface UnverifiedChange extends Common, WriteOnly, Omit<Others, 'id' | 'before' | keyof WriteOnly> {
  readonly action: 'unverified';
  readonly id: number | string;
  /** The live value that sending them requires. */
  readonly before?: Given;
}

/** Sends write-only fields of an existing object again. */
export interface Resend extends Common, WriteOnly, Omit<Others, 'id' | 'before' | keyof WriteOnly> {
  readonly action: 'resend';
  readonly id: number | string;
  readonly before?: Given;
}

/** Changes nothing, because the object cannot be planned. */
export interface UnplannedChange extends Common, Omit<Others, 'reason'> {
  readonly action: 'unreadable' | 'unresolved' | 'ambiguous';
  readonly reason: string;
}

/** A change that is made. */
export type ApplicableChange = Exclude<PlannedChange, UnverifiedChange | UnplannedChange>;

/** A change as it is made: as a whole, or in two steps, of which the first makes only what tightens. */
export type Step = ApplicableChange & {
  /** For the first of two steps: the body after both. */
  readonly leadsTo?: Given;
  /** For the second of two steps: the first. */
  readonly after?: Step;
  /** For a creation that was made: the ID of its object, if the response had it. */
  readonly createdId?: number;
};

/** Returns the ID of the target of a change, if it is known. */
export const targetIdOf = ({ repository_id, organization_id }: PlannedChange): number | undefined =>
  repository_id ?? organization_id;

/** True for a change that can be made. */
export const isStep = (change: PlannedChange): change is ApplicableChange =>
  change.action !== 'unverified' && !isRefused(change);

/** True for an object that is left unchanged because it cannot be planned. */
export const isRefused = (change: PlannedChange): change is UnplannedChange =>
  change.action === 'unreadable' || change.action === 'unresolved' || change.action === 'ambiguous';

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of a plan: by target, kind and name, regardless of the order of files and responses. */
export const byTarget = (a: PlannedChange, b: PlannedChange): number =>
  compareText(a.target.toLowerCase(), b.target.toLowerCase()) ||
  plannedKinds.indexOf(a.kind) - plannedKinds.indexOf(b.kind) ||
  compareText(a.name, b.name) ||
  actions.indexOf(a.action) - actions.indexOf(b.action);

/** Returns the number of changes by what they do; resets count as deletions. */
export function countOf(changes: readonly PlannedChange[]) {
  const count = (...those: Action[]) => changes.filter(({ action }) => those.includes(action)).length;
  return { create: count('create'), update: count('update'), delete: count('delete', 'unset') };
}
