/** The targets of `each`: organizations and repositories, by name. */
import { UsageError } from '../cli/errors.ts';
import { BadValue } from '../cli/input/values.ts';
import { isObject, parseJson } from '../json/exact-json.ts';

/** Characters that the platform accepts in logins and repository names. Others would change the meaning of a path. */
const targetName = /^\w[\w.-]*(?:\/[\w.-]+)?$/;

/** Returns whether a text names a target. */
const isTarget = (text: string): boolean => targetName.test(text) && !/(?:^|\/)\.{1,2}$/.test(text);

/** A target as a text names it. */
interface NamedTarget {
  readonly name: string;
  /** Absent for a line that is only a name. */
  readonly record?: unknown;
}

/**
 * Returns the targets in a text: names, one on each line, or records as lines of JSON. `source` names the text in errors.
 * Throws UsageError for a line that is neither.
 */
export function targetsIn(text: string, source: string): string[] {
  return targetLines(text, source).map(([, { name }]) => name);
}

/** Returns the records in a text of targets. Throws UsageError for a line that is not a record. */
export function recordsIn(text: string, source: string): unknown[] {
  return targetLines(text, source).map(([number, { record }]) => {
    if (record !== undefined) return record;
    throw new UsageError(
      `--where needs records, and line ${number} of ${source} is only a name. Nothing was sent.`,
      'List the targets with -o ndjson, or select them with the --where of the list command.',
    );
  });
}

function targetLines(text: string, source: string): (readonly [number: number, target: NamedTarget])[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const trimmed = line.trim();
    if (trimmed === '') return [];
    const target = targetIn(trimmed);
    if (target) return [[index + 1, target] as const];
    throw new UsageError(
      `Line ${index + 1} of ${source} is not a target. Nothing was sent.`,
      'A target is OWNER/NAME, a login, or a record in JSON with full_name or login.',
    );
  });
}

function targetIn(line: string): NamedTarget | undefined {
  if (!line.startsWith('{')) return isTarget(line) ? { name: line } : undefined;
  try {
    const record = parseJson(line);
    const name = nameOf(record);
    return name === undefined ? undefined : { name, record };
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
