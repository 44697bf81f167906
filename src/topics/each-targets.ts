/** The targets of `each`: organizations and repositories, by name. */
import { UsageError } from '../cli/errors.ts';
import { BadValue } from '../cli/input/values.ts';
import { isObject, parseJson } from '../json/exact-json.ts';

/** Characters that the platform accepts in logins and repository names. Others would change the meaning of a path. */
const targetName = /^\w[\w.-]*(?:\/[\w.-]+)?$/;

/** Returns whether a text names a target. */
const isTarget = (text: string): boolean => targetName.test(text) && !/(?:^|\/)\.{1,2}$/.test(text);

/**
 * Returns the targets in a text: names, one on each line, or records as lines of JSON. `source` names the text in errors.
 * Throws UsageError for a line that is neither.
 */
export function targetsIn(text: string, source: string): string[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const trimmed = line.trim();
    if (trimmed === '') return [];
    const name = trimmed.startsWith('{') ? nameIn(trimmed) : trimmed;
    if (name === undefined || !isTarget(name))
      throw new UsageError(
        `Line ${index + 1} of ${source} is not a target. Nothing was sent.`,
        'A target is OWNER/NAME, a login, or a record in JSON with full_name or login.',
      );
    return [name];
  });
}

function nameIn(line: string): string | undefined {
  try {
    return nameOf(parseJson(line));
  } catch {
    return undefined;
  }
}

/** Returns the name of a repository or an organization. */
export function nameOf(record: unknown): string | undefined {
  if (!isObject(record)) return undefined;
  const { full_name, login } = record;
  const name = full_name ?? login;
  return typeof name === 'string' && isTarget(name) ? name : undefined;
}

/** Returns the targets without duplicates, ignoring case. */
export function distinct(targets: readonly string[]): string[] {
  const seen = new Set<string>();
  return targets.filter((target) => seen.size < seen.add(target.toLowerCase()).size);
}

/** How many targets are expected, both limits included. */
export interface ExpectedCount {
  readonly least: number;
  readonly most: number;
}

/** Reads `N..M`, `N..`, `..M` or `N`. Throws BadValue. */
export function parseExpected(text: string): ExpectedCount {
  const [, from = '', range, to = ''] = /^(\d{0,9})(\.\.)?(\d{0,9})$/.exec(text) ?? [];
  const least = Number(from);
  const most = range ? (to === '' ? Number.POSITIVE_INFINITY : Number(to)) : least;
  if ((from === '' && to === '') || (range === undefined && to !== '') || least > most)
    throw new BadValue('must be a number or a range, such as 40, 40..120 or 40..');
  return { least, most };
}

/** Reads `N` or `P%`. Returns how many of `total` that is. Throws BadValue. */
export function parseShare(text: string): (total: number) => number {
  const [, number, percent] = /^(\d{1,9})(%)?$/.exec(text) ?? [];
  if (number === undefined || (percent && Number(number) > 100))
    throw new BadValue('must be a whole number, or a percentage such as 5%');
  return (total) => (percent ? Math.floor((total * Number(number)) / 100) : Number(number));
}
