/** Field paths: `name`, `owner.login`, `rules.type`. A list on the way is gone through element by element. */

/** A path that cannot be one: a segment is empty. */
export class FieldPathError extends Error {
  override readonly name = 'FieldPathError';
  readonly path: string;
  constructor(path: string) {
    super(`“${path}” is not a valid field path. Separate names with single dots, for example owner.login.`);
    this.path = path;
  }
}

export type FieldPath = readonly string[];

/** The segments of a dotted path. Throws `FieldPathError`. */
export function parsePath(text: string): FieldPath {
  const path = text.trim().split('.');
  if (path.includes('')) throw new FieldPathError(text);
  return path;
}

/** What stands at `path`; `undefined` where nothing does. Through a list it is the list of what its elements hold. */
export function valueAt(value: unknown, path: FieldPath, from = 0): unknown {
  const name = path[from];
  if (name === undefined) return value;
  if (Array.isArray(value))
    return value.map((element) => valueAt(element, path, from)).filter((found) => found !== undefined);
  return hasMember(value, name) ? valueAt(value[name], path, from + 1) : undefined;
}

/** Fields to keep, as a tree: a name leads to the fields to keep below it, or to `whole`. */
type Selection = ReadonlyMap<string, Selection> | 'whole';

/** The tree of some paths. */
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
 * The selected fields of `value`, in the order of the selection, nesting kept. A field that the record does not have
 * stays absent: nothing is shown that the platform did not answer.
 */
export function select(value: unknown, fields: Selection): unknown {
  if (fields === 'whole') return value;
  if (Array.isArray(value)) return value.map((element) => select(element, fields));
  if (typeof value !== 'object' || value === null) return value;
  const members: [string, unknown][] = [];
  for (const [name, below] of fields) if (hasMember(value, name)) members.push([name, select(value[name], below)]);
  // fromEntries defines members, so that one named `__proto__` stays a member.
  return Object.fromEntries(members);
}

function hasMember(value: unknown, name: string): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}
