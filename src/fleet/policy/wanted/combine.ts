/** Combines the declarations for a target into its wanted state. */
import { isDeepStrictEqual } from 'node:util';
import { isSame } from '../../../platform/resource.ts';
import type { KindDeclaration } from '../kinds/kind.ts';
import { kindsIn } from '../kinds/lookup.ts';
import {
  absentOf,
  type Candidate,
  type Declarations,
  type OwnerPolicy,
  type RepositoryEntry,
  type Wanted,
  type WantedTarget,
  wantedOf,
} from './model.ts';
import { combinedName, compared, keyOf, overlaid, overridingIn, withoutOverridden } from './override.ts';
import { type Place, PolicyError, type PolicyProblem, placeText } from './placed.ts';
import { targetOfOwner } from './target.ts';

/** Returns the wanted state of an organization or an enterprise itself. */
export const wantedOfOwner = (owner: OwnerPolicy): WantedTarget => ({ ...owner, target: targetOfOwner(owner) });

/** A contradiction between entries that select the same repositories. */
interface Overlap {
  readonly place: Place;
  /** Returns the message: `of` has the repositories, `it` is “it” or “them”. */
  readonly message: (of: string, it: string) => string;
}

/** Maximum number of overlaps in an error. */
const mostOverlaps = 20;

/** Maximum number of repositories named with an overlap. */
const mostNames = 3;

/**
 * Merges the wanted state of each repository of an owner from the entries that select it. Throws PolicyError for conflicting entries,
 * with both positions and the number of repositories.
 */
export function wantedOfRepositories(
  owner: string,
  selecting: ReadonlyMap<Candidate, readonly RepositoryEntry[]>,
): readonly WantedTarget[] {
  const all = [...new Set([...selecting.values()].flat())];
  const groups = Map.groupBy(selecting, ([, entries]) => entries.map((entry) => all.indexOf(entry)).join());
  const overlaps = new Map<string, { readonly overlap: Overlap; readonly targets: Set<string> }>();
  const wanted = new Map<Candidate, WantedTarget>();
  for (const group of groups.values()) {
    const merged = mergedEntries(group[0]?.[1] ?? []);
    for (const [repository] of group)
      wanted.set(repository, {
        ...merged.declarations,
        target: `${owner}/${repository.name}`,
        ...identityOf(repository),
      });
    for (const overlap of merged.overlaps) {
      const key = `${placeText(overlap.place)} ${overlap.message('', '')}`;
      const targets = overlaps.get(key)?.targets ?? new Set();
      // Two sections may declare the same field of a repository.
      for (const [{ name }] of group) targets.add(`${owner}/${name}`);
      overlaps.set(key, { overlap, targets });
    }
  }
  if (overlaps.size) throw new PolicyError([...overlaps.values()].slice(0, mostOverlaps).map(problemOf));
  return [...selecting.keys()].map((repository) => wanted.get(repository) as WantedTarget);
}

const identityOf = ({ id }: Candidate): Pick<WantedTarget, 'id' | 'isNew'> =>
  id === undefined ? { isNew: true } : { id };

function problemOf({
  overlap,
  targets,
}: {
  readonly overlap: Overlap;
  readonly targets: ReadonlySet<string>;
}): PolicyProblem {
  const { place, message } = overlap;
  const names = [...targets].slice(0, mostNames).join(', ');
  if (targets.size === 1) return { place, message: message(names, 'it') };
  const more = targets.size > mostNames ? ', …' : '';
  return { place, message: message(`${targets.size.toLocaleString('en')} repositories (${names}${more})`, 'them') };
}

function mergedEntries(entries: readonly RepositoryEntry[]) {
  const overlaps: Overlap[] = [];
  const kinds = kindsIn('repository');
  const overriding = overridingIn(entries);
  const others = entries.filter(({ override }) => !override).map((entry) => withoutOverridden(entry, overriding));
  const both = [...others, ...overriding];
  const declarations: Declarations = {
    wanted: new Map(
      kinds.map((kind) => [
        kind.section,
        withOverrides(kind, combined(kind, others, overlaps), combined(kind, overriding, overlaps)),
      ]),
    ),
    absent: both.flatMap((entry) => entry.absent),
    managed: new Map(both.flatMap(({ managed }) => [...managed])),
  };
  for (const kind of kinds)
    overlaps.push(...absenceOverlaps(kind, declarations), ...renamingOverlaps(kind, declarations));
  return { declarations, overlaps };
}

/** Returns the declarations of a kind in the entries, each object once. */
function combined(kind: KindDeclaration, entries: readonly RepositoryEntry[], overlaps: Overlap[]): readonly Wanted[] {
  const all = new Map<string, Wanted>();
  for (const each of entries.flatMap((entry) => wantedOf(entry, kind.section))) {
    const name = combinedName(kind, each);
    const other = all.get(name);
    if (!other) all.set(name, each);
    else if (
      !isDeepStrictEqual(each.was, other.was) ||
      !isSame('', each.body.value, other.body.value, kind.bodyComparison.sets)
    )
      overlaps.push(clash(kind.areFields ? name : `“${name}”`, each.body.place, other.body.place));
  }
  return [...all.values()];
}

/** Returns declarations with those that override them. */
function withOverrides(
  kind: KindDeclaration,
  declared: readonly Wanted[],
  overriding: readonly Wanted[],
): readonly Wanted[] {
  const all = new Map(declared.map((each) => [combinedName(kind, each), each]));
  for (const over of overriding) {
    const base = all.get(combinedName(kind, over));
    all.set(combinedName(kind, over), base ? overlaid(base, over) : over);
  }
  return [...all.values()];
}

/** Returns the overlaps of objects that are both declared and absent. */
function absenceOverlaps(kind: KindDeclaration, declarations: Declarations): readonly Overlap[] {
  const declared = wantedOf(declarations, kind.section);
  return absentOf(declarations, kind.section).flatMap((absent): readonly Overlap[] => {
    const other = declared.find((each) => keyOf(kind, each) === keyOf(kind, absent));
    return other ? [clash(`“${kind.nameOf(absent)}”`, absent.place, other.body.place)] : [];
  });
}

/** Returns the overlaps of earlier names that other entries declare or delete, or that an earlier entry renames. */
function renamingOverlaps(kind: KindDeclaration, declarations: Declarations): readonly Overlap[] {
  const declared = wantedOf(declarations, kind.section);
  const uses = [
    ...declared.map((each) => ({ name: kind.nameOf(each), place: each.body.place, how: 'declared' })),
    ...absentOf(declarations, kind.section).map((each) => ({
      name: kind.nameOf(each),
      place: each.place,
      how: 'absent',
    })),
  ];
  return declared.flatMap((each, index): readonly Overlap[] => {
    const { was = [], body } = each;
    const renamed = declared
      .slice(0, index)
      .flatMap((earlier) => (earlier.was ?? []).map((name) => ({ name, place: earlier.body.place, how: 'renamed' })));
    return was.flatMap((earlier): readonly Overlap[] => {
      const other = [...uses, ...renamed].find(
        (use) => compared(kind, use.name) === compared(kind, earlier) && use.place !== body.place,
      );
      if (!other) return [];
      const name = kind.nameOf(each);
      const message: Overlap['message'] = (of, it) =>
        `“${earlier}” of ${of} is renamed to “${name}”, and ${other.how} at ${placeText(other.place)}, which selects ${it} too`;
      return [{ place: body.place, message }];
    });
  });
}

const clash = (what: string, place: Place, other: Place): Overlap => ({
  place,
  message: (of, it) => `${what} of ${of} differs from ${placeText(other)}, which selects ${it} too`,
});
