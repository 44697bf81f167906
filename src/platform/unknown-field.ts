/** Finds fields that records do not have, by the names that are known. */
import { isObject } from '../json/exact-json.ts';
import { closest, misspelled } from './suggest.ts';

type Path = readonly string[];

/** A path such as `owner.nickname` that no record has, and the one that was probably meant. */
export interface UnknownField {
  readonly path: string;
  readonly meant: string | undefined;
  /** Whether it is certainly a mistake: a newer platform may have fields that resemble no other. */
  readonly isMisspelled: boolean;
}

/**
 * Returns the paths that are not among the known ones, up to the first unknown name. A field whose nested fields are
 * unknown may have any.
 */
export function unknownFields(paths: readonly Path[], known: readonly string[]): readonly UnknownField[] {
  const names = new Set(known);
  return paths.flatMap((path) => {
    const at = path.findIndex((_, index) => !names.has(path.slice(0, index + 1).join('.')));
    if (at < 0) return [];
    const parent = path
      .slice(0, at)
      .map((name) => `${name}.`)
      .join('');
    const siblings = known.filter((name) => name.startsWith(parent) && !name.includes('.', parent.length));
    const own = siblings.map((name) => name.slice(parent.length));
    const name = path[at] as string;
    if (own.length === 0 && at > 0) return [];
    const mistaken = misspelled(name, own);
    const meant = mistaken ?? closest(name, own);
    return [{ path: parent + name, meant: meant && parent + meant, isMisspelled: mistaken !== undefined }];
  });
}

/** Returns the paths of all fields that occur in the records, down to `maxDepth`. */
export function fieldsIn(records: readonly unknown[], maxDepth: number): readonly string[] {
  const found = new Set<string>();
  const note = (value: unknown, prefix: string, depth: number): void => {
    if (!isObject(value) || depth === 0) return;
    for (const [name, member] of Object.entries(value)) {
      found.add(prefix + name);
      note(member, `${prefix}${name}.`, depth - 1);
    }
  };
  for (const record of records) note(record, '', maxDepth);
  return [...found];
}

/** Returns the sentences about an unknown field that `what` uses. */
export const unknownFieldText = (what: string, { path, meant }: UnknownField, records = 'these records'): string =>
  `${what} uses .${path}, which is not a field of ${records}.${meant === undefined ? '' : ` Did you mean .${meant}?`}`;
