/** The fields that a change modified, for a terminal. */
import { isObject } from '../../json/exact-json.ts';
import { counted } from '../../output/amounts.ts';
import { humanText, machineText } from '../../output/table/cells.ts';
import type { Column } from '../../output/table/columns.ts';
import { isSame } from '../../platform/resource.ts';
import type { Change } from '../input/command-input.ts';

/** The change with the record from the response. */
export interface DoneChange extends Change {
  readonly after: object;
}

/** Fields by their paths, such as `plan.seats`, each with its old and its new value as `write → read`. */
export type ChangedFields = Readonly<Record<string, string>>;

/**
 * Returns the fields that differ, of those that were sent and those that both records have, except the time of the
 * change.
 */
export function changedFields({ before, sent, after, sets }: DoneChange, now: Date): ChangedFields {
  const differences = (path: readonly string[], from: unknown, to: unknown): [string, string][] => {
    if (path.at(-1) === 'updated_at' || isSame(path.join('.'), from, to, sets)) return [];
    if (isObject(from) && isObject(to))
      return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name) =>
        differences([...path, name], from[name], to[name]),
      );
    const [old, current] = [shown(from, now), shown(to, now)];
    return [[path.join('.'), old === current ? 'changed' : `${old} → ${current}`]];
  };
  const names = Object.keys(after).filter((name) => name in before || name in sent);
  return Object.fromEntries(names.flatMap((name) => differences([name], before[name as never], after[name as never])));
}

export const changeColumns = (fields: ChangedFields): readonly Column<ChangedFields>[] =>
  Object.keys(fields).map((path) => ({ header: path, get: (shown) => shown[path] }));

function shown(value: unknown, now: Date): string {
  if (Array.isArray(value) && value.some((element) => typeof element === 'object' && element !== null))
    return counted(value.length, 'item');
  return isObject(value) ? machineText(value) : humanText(value, now);
}
