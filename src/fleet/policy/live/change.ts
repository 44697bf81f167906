/** One object in a plan: the change, its effect on protection, and everything needed to apply it later. */
import { isObject } from '../../../json/exact-json.ts';
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

export interface PlannedChange {
  readonly action: Action;
  readonly kind: PlannedKind;
  /** An organization, as acme, a repository, as acme/site, or an enterprise, as enterprise:sandbox. */
  readonly target: string;
  /** The ID of a target that is a repository: another one may have its name later. */
  readonly repository_id?: number;
  /** The name of the ruleset or hook, or what identifies the registry or budget; empty for settings and properties. */
  readonly name: string;
  /** The file and line of the policy that declares it. */
  readonly source: string;
  readonly changes: readonly FieldChange[];
  /** Absent if unknown. */
  readonly effect?: Effect;
  /** Why no change is made. */
  readonly reason?: string;
  /** True for an object that no policy declares; only `--prune` deletes it. */
  readonly undeclared?: true;
  /** For a deletion: the number of objects of this kind that the target has, 0 if this one is gone already. */
  readonly of?: number;
  readonly id?: number | string;
  /** True for an update of a hook whose setting is inherited. */
  readonly inherited?: true;
  /** The live value that the change starts from. */
  readonly before?: Given;
  /** The body to send. */
  readonly body?: Given;
  /** Fields that are sent too, and that responses do not contain. */
  readonly writeOnly?: Given;
  /** The source of the secret that is sent too. */
  readonly secret?: SecretReference;
  /**
   * True if `before` is what an earlier write sends: the platform may add defaults to it. If that write was not made and the
   * object is as wanted, nothing is sent.
   */
  readonly sent?: true;
  /** With `sent`: another value that the change can start from, if the earlier write had two steps. */
  readonly between?: Given;
}

/** A change as it is made: as a whole, or in two steps, of which the first makes only what tightens. */
export interface Step extends PlannedChange {
  /** For the first of two steps: the body after both. */
  readonly leadsTo?: Given;
  /** For the second of two steps: the first. */
  readonly after?: Step;
}

/** True for a change that can be made. */
export const isStep = ({ action }: PlannedChange): boolean =>
  action === 'create' || action === 'update' || action === 'delete' || action === 'unset' || action === 'resend';

/** True for an object that is left unchanged because it cannot be planned. */
export const isRefused = ({ action }: PlannedChange): boolean =>
  action === 'unreadable' || action === 'unresolved' || action === 'ambiguous';

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of a plan: by target, kind and name, regardless of the order of files and responses. */
export const byTarget = (a: PlannedChange, b: PlannedChange): number =>
  compareText(a.target.toLowerCase(), b.target.toLowerCase()) ||
  plannedKinds.indexOf(a.kind) - plannedKinds.indexOf(b.kind) ||
  compareText(a.name, b.name) ||
  actions.indexOf(a.action) - actions.indexOf(b.action);

/** Returns a value as one line of text. */
export const shownValue = (value: unknown): string =>
  isObject(value) || Array.isArray(value) || typeof value === 'string' ? JSON.stringify(value) : String(value);
