/** Shared by kinds whose objects are declared in the section of another kind. */
import type { PolicySection } from './kind.ts';
import { type PlannedKind, sections } from './names.ts';

/** Returns the section of a kind that policy files do not have. `plural`: the objects in messages. */
export const declaredElsewhere = (name: PlannedKind, plural: string): PolicySection => ({
  section: sections[name],
  plural,
  schema: {},
  isManageable: false,
  checkedAs: {},
  bodies: () => [],
  parse: () => [],
  parseAbsent: () => [],
  nameOf: () => '',
  labelOf: () => '',
  explain: () => [],
  bodyComparison: {},
});
