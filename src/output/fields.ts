/** Field paths: `name`, `owner.login`, `rules.type`. In lists, a path applies to each element. */

/** Invalid path with an empty segment. */
export class FieldPathError extends Error {
  readonly path: string;
  constructor(path: string) {
    super(`“${path}” is not a valid field path. Separate names with single dots, for example owner.login.`);
    this.path = path;
  }
}

export type FieldPath = readonly string[];

/** Parses a dotted path. Throws `FieldPathError`. */
export function parsePath(text: string): FieldPath {
  const path = text.trim().split('.');
  if (path.includes('')) throw new FieldPathError(text);
  return path;
}

/** Returns the value at `path`, or undefined. In a list, returns the values of all elements. */
export function valueAt(value: unknown, path: FieldPath, from = 0): unknown {
  const name = path[from];
  if (name === undefined) return value;
  if (Array.isArray(value))
    return value.map((element) => valueAt(element, path, from)).filter((found) => found !== undefined);
  return hasMember(value, name) ? valueAt(value[name], path, from + 1) : undefined;
}

/** Tree of selected fields: a name maps to the fields selected below it, or to `whole`. */
type Selection = ReadonlyMap<string, Selection> | 'whole';

/** Returns the tree of several paths. */
export function selection(paths: readonly FieldPath[]): Selection {
  const byName = Map.groupBy(paths, ([name]) => name as string);
  return new Map(
    [...byName].map(([name, below]) => {
      const rests = below.map((path) => path.slice(1));
      return [name, rests.some((rest) => rest.length === 0) ? 'whole' : selection(rests)];
    }),
  );
}

/**
 * Returns the selected fields of `value`, in the order of the selection and with their nesting. Fields that the record
 * lacks stay absent.
 */
export function select(value: unknown, fields: Selection): unknown {
  if (fields === 'whole') return value;
  if (Array.isArray(value)) return value.map((element) => select(element, fields));
  if (typeof value !== 'object' || value === null) return value;
  const members: [string, unknown][] = [];
  for (const [name, below] of fields) if (hasMember(value, name)) members.push([name, select(value[name], below)]);
  // fromEntries defines fields, so a field named `__proto__` stays a field.
  return Object.fromEntries(members);
}

function hasMember(value: unknown, name: string): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}
