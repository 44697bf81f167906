/** Shared by kinds whose section is a mapping of fields of the target, which are changed together. */
import { members, type Placed, sourceText } from '../wanted/placed.ts';
import type { ExplainedField, KindDeclaration, PolicySection } from './kind.ts';
import type { PlannedKind } from './names.ts';
import { sections } from './names.ts';

/** A declared field. */
export interface WantedField {
  readonly name: string;
  readonly body: Placed;
}

type Defaults =
  | 'section'
  | 'plural'
  | 'isManageable'
  | 'areFields'
  | 'bodies'
  | 'parse'
  | 'parseAbsent'
  | 'nameOf'
  | 'labelOf'
  | 'explain'
  | 'digested'
  | 'bodyComparison'
  | 'checkedAs'
  | 'ids'
  | 'isNamed'
  | 'comparison'
  | 'actions'
  | 'effects'
  | 'creation'
  | 'deletion';

type FieldsDeclaration = Omit<KindDeclaration<WantedField, WantedField>, Defaults> &
  Partial<KindDeclaration<WantedField, WantedField>> & { readonly name: PlannedKind };

/** Declares a kind of fields, which a target always has: they are only updated. */
export const fieldsKind = (declaration: FieldsDeclaration): KindDeclaration<WantedField, WantedField> => ({
  ...sectionOf(declaration.name),
  actions: ['update'],
  ids: 'never',
  isNamed: ({ name }) => name === '',
  comparison: () => ({}),
  effects: [],
  creation: () => undefined,
  deletion: 'loosens',
  ...declaration,
});

function sectionOf(name: PlannedKind): Pick<PolicySection<WantedField, WantedField>, Defaults & keyof PolicySection> {
  const section = sections[name];
  return {
    section,
    plural: section,
    isManageable: false,
    areFields: true,
    checkedAs: {},
    bodyComparison: {},
    bodies: (fields) => [['', fields]],
    parse: (fields) => members(fields).map(([field, body]) => ({ name: field, body })),
    parseAbsent: () => [],
    nameOf: (field) => field.name,
    labelOf: (field) => `${section}.${field.name}`,
    explain: ({ name: field, body: { value, place } }): readonly ExplainedField[] => [{ field, value, place }],
    digested: (fields) => new Map(fields.map((field) => [field.name, field.body])),
  };
}

/** Returns the source of a change of several fields: the first of theirs. */
export const sourceOf = (fields: readonly WantedField[]): string | undefined =>
  fields.map(({ body: { place } }) => sourceText(place)).toSorted()[0];
