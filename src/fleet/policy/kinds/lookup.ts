/** Finds kinds by name and by target. */
import { isDeepStrictEqual } from 'node:util';
import type { PlannedChange } from '../live/change.ts';
import { kindOfTarget, type TargetKind } from '../wanted/target.ts';
import { kinds } from './index.ts';
import type { KindDeclaration } from './kind.ts';
import type { PlannedKind } from './names.ts';

const byName = new Map(kinds.map((kind) => [kind.name, kind]));

/** Returns the kind with a name from plans. */
export const kindNamed = (name: PlannedKind): KindDeclaration => byName.get(name) as KindDeclaration;

/** Returns the kinds of objects that targets of a kind have. */
export const kindsIn = (target: TargetKind): readonly KindDeclaration[] =>
  kinds.filter(({ targets }) => targets.includes(target));

/** Returns the kinds of objects that a target has. */
export const kindsOf = (target: string): readonly KindDeclaration[] => kindsIn(kindOfTarget(target));

/**
 * True for a change that is made after all others of its target, and only if these are made: it removes an object, may
 * loosen protection, or takes access away, and no repository needs it.
 */
export function isMadeLast(change: PlannedChange): boolean {
  const { action, kind, effect, before, body, new_repository } = change;
  // A new repository has no protection to lose.
  if (new_repository) return false;
  const { takesAccess, madeFirst, replacesInherited } = kindNamed(kind);
  if (takesAccess) return takesAccess(change);
  if (action === 'delete' || action === 'unset') return true;
  if (action === 'update' && madeFirst) return !isDeepStrictEqual(madeFirst(before, body), body);
  return (action === 'update' || (action === 'create' && replacesInherited === true)) && effect !== 'tightens';
}

/** Returns what loses the object of a deletion. Guards consider the deletions of a scope together. */
export const scopeOf = (deletion: PlannedChange): string =>
  kindNamed(deletion.kind).scopeOf?.(deletion) ?? deletion.target;

/** True for the creation of a target itself. */
export const isCreation = ({ action, kind }: PlannedChange): boolean =>
  action === 'create' && kindNamed(kind).createsTarget === true;
