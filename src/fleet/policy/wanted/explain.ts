/** What a policy declares for one target, field by field, with its sources. */
import type { ExplainedField, KindDeclaration } from '../kinds/kind.ts';
import { kindsIn } from '../kinds/lookup.ts';
import type { Section } from '../kinds/names.ts';
import { type Declarations, type OwnerPolicy, type RepositoryEntry, wantedOf } from './model.ts';
import { sourceText } from './placed.ts';

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
}

/** Returns what is declared for an organization or an enterprise itself. */
export const declaredOfOwner = (owner: OwnerPolicy): Declared[] => declaredOf(owner, kindsIn('organization'));

/** Returns what an entry of `repositories` declares for each repository that it selects. */
export const declaredOfEntry = (entry: RepositoryEntry): Declared[] => declaredOf(entry, kindsIn('repository'));

function declaredOf(declarations: Declarations, kinds: readonly KindDeclaration[]): Declared[] {
  const rowsOf = (kind: KindDeclaration) =>
    wantedOf(declarations, kind.section).flatMap((wanted) =>
      kind.explain(wanted).map((row) => rowOf(kind.section, row)),
    );
  const absent = declarations.absent.flatMap((each) => {
    const kind = kinds.find(({ section }) => section === each.kind);
    const name = kind?.explainedName?.(each) ?? kind?.nameOf(each) ?? '';
    return rowOf(each.kind, { name, field: 'absent', value: true, place: each.place });
  });
  const managed = [...declarations.managed].map(([section, place]) =>
    rowOf(section, { field: 'manage', value: 'all', place }),
  );
  // Keys shared by organizations and repositories come first.
  const isCommon = ({ targets }: KindDeclaration) => targets.includes('organization') && targets.includes('repository');
  const others = kinds.filter((kind) => !isCommon(kind));
  return [...kinds.filter(isCommon).flatMap(rowsOf), ...absent, ...managed, ...others.flatMap(rowsOf)];
}

const rowOf = (section: Section, { name, field, value, place }: ExplainedField): Declared => ({
  kind: section,
  ...(name === undefined ? {} : { name }),
  field,
  value,
  source: sourceText(place),
});
