/** Entries with `override`, which win over the other entries that select the same repositories, field by field. */
import type { KindDeclaration } from '../kinds/kind.ts';
import { kindsIn } from '../kinds/lookup.ts';
import type { Section } from '../kinds/names.ts';
import { type Absent, absentOf, type RepositoryEntry, type Wanted, wantedOf } from './model.ts';
import { type Place, without, withParts } from './placed.ts';

/** The entries that win, of those that select the same repositories. */
export const overridingIn = (entries: readonly RepositoryEntry[]): readonly RepositoryEntry[] =>
  entries.filter(({ override }) => override);

/** Returns the key of a declaration among those that select one repository. */
export const combinedName = (kind: KindDeclaration, declared: Wanted): string =>
  kind.combinedName?.(declared) ?? keyOf(kind, declared);

/** Returns the name of a declared or absent object as it is compared. */
export const keyOf = (kind: KindDeclaration, declared: object): string => compared(kind, kind.nameOf(declared));

/** Returns a name as it is compared. */
export const compared = ({ ignoresCase }: KindDeclaration, name: string): string =>
  ignoresCase ? name.toLowerCase() : name;

/** Returns where an entry declares a field of an object that another one declares; undefined if it does not. */
export function placeOfField(
  kind: KindDeclaration,
  declared: Wanted,
  field: string,
  entries: readonly RepositoryEntry[],
): Place | undefined {
  const name = combinedName(kind, declared);
  const same = entries
    .flatMap((entry) => wantedOf(entry, kind.section))
    .filter((each) => combinedName(kind, each) === name);
  const rows = same.flatMap((each) => kind.explain(each));
  return rows.find((row) => kind.areFields || row.field === field)?.place;
}

/** Returns where an entry deletes an object that another one declares; undefined if it does not. */
export const placeOfAbsence = (
  kind: KindDeclaration,
  declared: Wanted,
  entries: readonly RepositoryEntry[],
): Place | undefined =>
  entries.flatMap((entry) => absentOf(entry, kind.section)).find((each) => keyOf(kind, each) === keyOf(kind, declared))
    ?.place;

/** Returns where an entry declares an object that another one deletes; undefined if it does not. */
export const placeOfDeclaration = (
  kind: KindDeclaration,
  absent: Absent,
  entries: readonly RepositoryEntry[],
): Place | undefined =>
  entries.flatMap((entry) => wantedOf(entry, kind.section)).find((each) => keyOf(kind, each) === keyOf(kind, absent))
    ?.body.place;

/** Returns where an entry declares whether undeclared objects of a section are deleted; undefined if it does not. */
export const placeOfExtent = (section: Section, entries: readonly RepositoryEntry[]): Place | undefined =>
  entries.map(({ managed, unmanaged }) => managed.get(section) ?? unmanaged?.get(section)).find((place) => place);

/** Returns an entry without everything that other entries override. */
export function withoutOverridden(entry: RepositoryEntry, overriding: readonly RepositoryEntry[]): RepositoryEntry {
  if (overriding.length === 0) return entry;
  const kinds = kindsIn('repository');
  return {
    ...entry,
    wanted: new Map(
      kinds.map((kind) => [
        kind.section,
        wantedOf(entry, kind.section).flatMap((each) => partLeft(kind, each, overriding)),
      ]),
    ),
    absent: kinds.flatMap((kind) =>
      absentOf(entry, kind.section).filter((each) => !placeOfDeclaration(kind, each, overriding)),
    ),
    managed: new Map([...entry.managed].filter(([section]) => !placeOfExtent(section, overriding))),
  };
}

/** Returns a declaration without its overridden fields; none if it is overridden as a whole. */
function partLeft(kind: KindDeclaration, declared: Wanted, overriding: readonly RepositoryEntry[]): readonly Wanted[] {
  if (placeOfAbsence(kind, declared, overriding)) return [];
  const fields = kind
    .explain(declared)
    .map(({ field }) => field)
    .filter((field) => placeOfField(kind, declared, field, overriding));
  if (fields.length === 0) return [declared];
  if (kind.areFields) return [];
  const { was, ...rest } = declared;
  return [{ ...rest, ...(!fields.includes('was') && { was }), body: without(declared.body, fields) }];
}

/** Returns a declaration with the fields of another that overrides it. */
export function overlaid(base: Wanted, over: Wanted): Wanted {
  const { was = base.was } = over;
  const body = withParts(over.body, [...base.body.parts, ...over.body.parts]);
  return { ...base, ...over, ...(was !== undefined && { was }), body };
}
