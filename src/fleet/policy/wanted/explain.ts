/** What a policy declares for one target, field by field, with its sources. */
import type { ExplainedField, KindDeclaration } from '../kinds/kind.ts';
import { kindsIn } from '../kinds/lookup.ts';
import type { Section } from '../kinds/names.ts';
import { type Declarations, type OwnerPolicy, type RepositoryEntry, wantedOf } from './model.ts';
import { overridingIn, placeOfAbsence, placeOfDeclaration, placeOfExtent, placeOfField } from './override.ts';
import { type Place, sourceText } from './placed.ts';

/** One declared value. */
export interface Declared {
  readonly kind: Section;
  /** The name of the ruleset or hook, or what identifies the registry or budget. Absent for settings and properties. */
  readonly name?: string;
  /** The field; `absent` for something to delete, `manage` for a kind of which the undeclared is deleted. */
  readonly field: string;
  readonly value: unknown;
  /** The file and the line, such as policy/acme.yaml:4. */
  readonly source: string;
  /** The file and the line of the entry with `override` that wins; absent for a value that applies. */
  readonly overridden_by?: string;
}

/** Returns what is declared for an organization or an enterprise itself. */
export const declaredOfOwner = (owner: OwnerPolicy): Declared[] => declaredOf(owner, kindsIn('organization'));

/** Returns what the entries of `repositories` that select the same repository declare for it. */
export function declaredOfEntries(entries: readonly RepositoryEntry[]): Declared[] {
  const overriding = overridingIn(entries);
  return entries.flatMap((entry) => declaredOf(entry, kindsIn('repository'), entry.override ? [] : overriding));
}

function declaredOf(
  declarations: Declarations & Pick<RepositoryEntry, 'unmanaged'>,
  kinds: readonly KindDeclaration[],
  overriding: readonly RepositoryEntry[] = [],
): Declared[] {
  const rowsOf = (kind: KindDeclaration) =>
    wantedOf(declarations, kind.section).flatMap((wanted) =>
      kind.explain(wanted).map((row) => {
        const winner = placeOfField(kind, wanted, row.field, overriding) ?? placeOfAbsence(kind, wanted, overriding);
        return rowOf(kind.section, row, winner);
      }),
    );
  const absent = declarations.absent.flatMap((each) => {
    const kind = kinds.find(({ section }) => section === each.kind);
    const name = kind?.explainedName?.(each) ?? kind?.nameOf(each) ?? '';
    const winner = kind && placeOfDeclaration(kind, each, overriding);
    return rowOf(each.kind, { name, field: 'absent', value: true, place: each.place }, winner);
  });
  const extents = (all: ReadonlyMap<Section, Place>, value: string) =>
    [...all].map(([section, place]) =>
      rowOf(section, { field: 'manage', value, place }, placeOfExtent(section, overriding)),
    );
  const managed = [
    ...extents(declarations.managed, 'all'),
    ...extents(declarations.unmanaged ?? new Map(), 'declared'),
  ];
  // Keys shared by organizations and repositories come first.
  const isCommon = ({ targets }: KindDeclaration) => targets.includes('organization') && targets.includes('repository');
  const others = kinds.filter((kind) => !isCommon(kind));
  return [...kinds.filter(isCommon).flatMap(rowsOf), ...absent, ...managed, ...others.flatMap(rowsOf)];
}

const rowOf = (section: Section, { name, field, value, place }: ExplainedField, winner?: Place): Declared => ({
  kind: section,
  ...(name === undefined ? {} : { name }),
  field,
  value,
  source: sourceText(place),
  ...(winner && { overridden_by: sourceText(winner) }),
});
