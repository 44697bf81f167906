/** Combines what is wanted of a target from all declarations for it. */
import { isSame } from '../../../platform/resource.ts';
import type { KindDeclaration } from '../kinds/kind.ts';
import { kindsIn } from '../kinds/lookup.ts';
import {
  absentOf,
  type ListedRepository,
  type OwnerPolicy,
  type RepositoryEntry,
  type Wanted,
  type WantedTarget,
  wantedOf,
} from './model.ts';
import { type Place, PolicyError, type PolicyProblem, placeText } from './placed.ts';
import { targetOfOwner } from './target.ts';

/** Returns what is wanted of an organization or an enterprise itself. */
export const wantedOfOwner = (owner: OwnerPolicy): WantedTarget => ({ ...owner, target: targetOfOwner(owner) });

/**
 * Merges the wanted state of a repository from all entries that select it. Throws PolicyError, with both positions, for
 * conflicting entries.
 */
export function wantedOfRepository(
  { full_name: target }: ListedRepository,
  entries: readonly RepositoryEntry[],
): WantedTarget {
  const problems: PolicyProblem[] = [];
  const kinds = kindsIn('repository');
  const wanted: WantedTarget = {
    target,
    wanted: new Map(kinds.map((kind) => [kind.section, combined(kind, target, entries, problems)])),
    absent: entries.flatMap((entry) => entry.absent),
    managed: new Map(entries.flatMap(({ managed }) => [...managed])),
  };
  for (const kind of kinds) problems.push(...absenceProblems(kind, wanted), ...renamingProblems(kind, wanted));
  if (problems.length) throw new PolicyError(problems);
  return wanted;
}

/** Returns what the entries declare of a kind, each object once. */
function combined(
  kind: KindDeclaration,
  target: string,
  entries: readonly RepositoryEntry[],
  problems: PolicyProblem[],
): readonly Wanted[] {
  const all = new Map<string, Wanted>();
  for (const each of entries.flatMap((entry) => wantedOf(entry, kind.section))) {
    const name = kind.combinedName?.(each) ?? kind.nameOf(each);
    const other = all.get(name);
    if (!other) all.set(name, each);
    else if (each.was !== other.was || !isSame('', each.body.value, other.body.value, kind.bodyComparison.sets))
      problems.push(clash(target, kind.areFields ? name : `“${name}”`, each.body.place, other.body.place));
  }
  return [...all.values()];
}

/** Returns the problems of objects that are both declared and absent. */
function absenceProblems(kind: KindDeclaration, wanted: WantedTarget): readonly PolicyProblem[] {
  const declared = wantedOf(wanted, kind.section);
  return absentOf(wanted, kind.section).flatMap((absent): readonly PolicyProblem[] => {
    const name = kind.nameOf(absent);
    const other = declared.find((each) => kind.nameOf(each) === name);
    return other ? [clash(wanted.target, `“${name}”`, absent.place, other.body.place)] : [];
  });
}

/** Returns the problems of earlier names that other entries declare, rename or delete. */
function renamingProblems(kind: KindDeclaration, wanted: WantedTarget): readonly PolicyProblem[] {
  const declared = wantedOf(wanted, kind.section);
  const uses = [
    ...declared.map((each) => ({ name: kind.nameOf(each), place: each.body.place, how: 'declared' })),
    ...absentOf(wanted, kind.section).map((each) => ({ name: kind.nameOf(each), place: each.place, how: 'absent' })),
    ...declared.map(({ was, body: { place } }) => ({ name: was, place, how: 'renamed' })),
  ];
  return declared.flatMap((each): readonly PolicyProblem[] => {
    const { was, body } = each;
    const other = was === undefined ? undefined : uses.find((use) => use.name === was && use.place !== body.place);
    if (!other) return [];
    const where = `${other.how} at ${placeText(other.place)}, which selects it too`;
    const message = `“${was}” of ${wanted.target} is renamed to “${kind.nameOf(each)}”, and ${where}`;
    return [{ place: body.place, message }];
  });
}

const clash = (target: string, what: string, place: Place, other: Place): PolicyProblem => ({
  place,
  message: `${what} of ${target} differs from ${placeText(other)}, which selects it too`,
});
