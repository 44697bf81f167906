/** The targets of `each`: organizations and repositories, by name. */
import { UsageError } from '../../cli/errors.ts';
import { BadValue } from '../../cli/input/values.ts';
import { isSameName } from '../../client/moves.ts';
import { isEntry, isHeader, journalVersion } from '../../fleet/journal/lines.ts';
import { isObject, parseJson } from '../../json/exact-json.ts';
import { formatCount } from '../../output/amounts.ts';
import type { Given } from '../../platform/validate.ts';
import { JournalRecords } from './journal-records.ts';

/** Characters that the platform accepts in logins and repository names. Others would change the meaning of a path. */
const targetName = /^\w[\w.-]*(?:\/[\w.-]+)?$/;

/** In characters. No platform has names that are as long, and messages repeat them. */
const longestTarget = 1024;

export const isTarget = (text: string): boolean =>
  text.length <= longestTarget && targetName.test(text) && !/(?:^|\/)\.{1,2}$/.test(text);

/** Column names of lists of targets. `login` is reserved, and no login contains an underscore. */
const headers: readonly string[] = ['full_name', 'repository_full_name', 'login'];

/** A target with its known facts. */
export interface Target {
  readonly name: string;
  /** The ID of the repository or organization, if it is known. */
  readonly id?: number | undefined;
  /** The kept fields of its record; absent for one that is only a name. */
  readonly record?: Given | undefined;
}

/** A target in a text, with the number of its line. */
interface NamedTarget {
  readonly line: number;
  readonly name: string;
  /** Absent for a line that is only a name. */
  readonly record?: unknown;
}

/**
 * Returns the targets in a text: names, one on each line, records as JSON, on one line or several, or the targets of a
 * journal. `source` names the text in errors. Throws UsageError for anything else.
 */
export function targetsIn(text: string, source: string): readonly NamedTarget[] {
  const entries = [...entriesOf(text)].map(({ line, entry }) => ({
    ...{ line, entry },
    record: entry.startsWith('{') ? recordIn(entry) : undefined,
  }));
  const [first, ...rest] = entries;
  if (first && headers.includes(first.entry.toLowerCase()))
    throw new UsageError(
      `Line ${first.line} of ${source} is a table header, not a target. Nothing was sent.`,
      'List the targets with -o ndjson, or remove the header.',
    );
  const ofJournal =
    isObject(first?.record) && isHeader(first.record) ? recordsOfJournal(rest, first.record) : undefined;
  return (ofJournal ?? entries).map(({ line, entry, record }) => {
    const name = record === undefined ? entry : nameOf(record);
    const ids = new Set(idsInFile(record));
    if (ids.size > 1 || ids.has(undefined))
      throw new UsageError(
        `Line ${line} of ${source} has ${ids.has(undefined) ? 'an ID that is not a whole number' : 'two different IDs'}. Nothing was sent.`,
        'Correct the ID, or remove it to skip the check of the ID.',
      );
    if (name !== undefined && isTarget(name)) return { line, name, record };
    throw new UsageError(
      `Line ${line} of ${source} is not a target. Nothing was sent.`,
      'A target is OWNER/NAME, a login, or a JSON record with full_name, login or target.',
    );
  });
}

interface Entry {
  readonly line: number;
  readonly entry: string;
  readonly record: unknown;
}

/** Returns an entry for each target of a journal. Its last line may be incomplete. */
function recordsOfJournal(
  lines: readonly Entry[],
  { journal }: { readonly journal: unknown },
): readonly Entry[] | undefined {
  if (journal !== journalVersion) return undefined;
  const records = new JournalRecords();
  for (const [at, { record }] of lines.entries()) {
    if (isEntry(record)) records.take(record);
    else if (at < lines.length - 1 || record !== undefined) return undefined;
  }
  return records.all.map((record) => ({ line: 1, entry: '', record }));
}

/** Other accounts than organizations; a record may also lack the type, or write it differently. */
const otherAccount = /^(?:user|bot|mannequin)$/i;

/**
 * Returns what a record gives as the ID of its target: of a repository, or of an organization; a change of a plan has that of its
 * target, and a result that of the record in it.
 */
function givenIds(record: unknown): readonly unknown[] {
  if (!isObject(record)) return [];
  const { full_name, repository_full_name, login, target, type, action, result } = record;
  const { id, repository_id, organization_id } = record;
  const among = (...ids: readonly unknown[]) => ids.filter((each) => each !== undefined);
  if (typeof full_name === 'string') return among(id, repository_id);
  if (typeof repository_full_name === 'string') return among(repository_id === undefined ? id : repository_id);
  const isOther = typeof type === 'string' && otherAccount.test(type);
  if (typeof login === 'string') return isOther ? [] : among(id, organization_id);
  if (typeof target !== 'string') return [];
  const isOfResult = isObject(result) && isSameName(result.full_name ?? result.login, target);
  return among(
    target.includes('/') ? repository_id : organization_id,
    // The changes of a plan may have the ID of another object.
    typeof action === 'string' ? undefined : id,
    ...(isOfResult ? givenIds(result) : []),
  );
}

const wholeNumber = (id: unknown): number | undefined => (Number.isSafeInteger(id) ? Number(id) : undefined);

/** Returns the ID of the target of a record. */
export const idIn = (record: unknown): number | undefined => wholeNumber(givenIds(record)[0]);

/** Returns the IDs of the target of a record in a file, where other programs may have written them as text. */
const idsInFile = (record: unknown): readonly (number | undefined)[] =>
  givenIds(record).map((id) => (typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : wholeNumber(id)));

/** Returns the ID of the target of a record in a file. */
export const idInFile = (record: unknown): number | undefined => idsInFile(record)[0];

/** Returns the records in a text of targets. Throws UsageError for a line that is not a record. */
export function recordsIn(text: string, source: string): unknown[] {
  return targetsIn(text, source).map(({ line, record }) => {
    if (record !== undefined) return record;
    throw new UsageError(
      `--where requires records, but line ${line} of ${source} is only a name. Nothing was sent.`,
      'List the targets with -o ndjson, or select them with the --where of the list command.',
    );
  });
}

/** Yields the lines that are not blank; those of one JSON object, such as jq prints it, as one entry. */
function* entriesOf(text: string): Generator<{ readonly line: number; readonly entry: string }> {
  let lines: string[] = [];
  let depth = 0;
  const all = text.split(/\r?\n/);
  for (const [index, each] of all.entries()) {
    lines.push(each);
    if (lines[0]?.trimStart().startsWith('{')) depth += depthOf(each);
    if (depth > 0 && index < all.length - 1) continue;
    const entry = lines.join('\n').trim();
    if (entry !== '') yield { line: index - lines.length + 2, entry };
    lines = [];
    depth = 0;
  }
}

/** Returns how many more braces a line of JSON opens than it closes. */
function depthOf(line: string): number {
  // A string without an end has all of the line: to look for more after it would take quadratic time.
  const braces = line.replace(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/g, '');
  return braces.split('{').length - braces.split('}').length;
}

function recordIn(entry: string): unknown {
  try {
    return parseJson(entry);
  } catch {
    return undefined;
  }
}

/**
 * Returns the name of a repository or an organization in a record: its own, that of a repository with custom property
 * values, or the target of a result, a journal or a plan. The `target` of other records, such as rulesets, is no name.
 */
export function nameOf(record: unknown): string | undefined {
  if (!isObject(record)) return undefined;
  const isOfRun = ['status', 'outcome', 'action'].some((name) => typeof record[name] === 'string');
  const { full_name, repository_full_name, login, target } = record;
  const name = full_name ?? repository_full_name ?? login ?? (isOfRun ? target : undefined);
  return typeof name === 'string' && isTarget(name) ? name : undefined;
}

/** Returns the targets without duplicates, ignoring case. */
export function distinct<T extends string | { readonly name: string }>(targets: readonly T[]): T[] {
  const seen = new Set<string>();
  const nameIn = (target: T) => (typeof target === 'string' ? target : target.name);
  return targets.filter((target) => seen.size < seen.add(nameIn(target).toLowerCase()).size);
}

/**
 * Returns the targets of a file without duplicates, each with the ID that any of its entries has. Throws UsageError for a target with two
 * IDs.
 */
export function identified(targets: readonly Target[]): Target[] {
  const ids = new Map<string, number>();
  for (const { name, id } of targets) {
    if (id === undefined) continue;
    const known = ids.get(name.toLowerCase()) ?? id;
    if (known !== id) throw new UsageError(`--from has two IDs for ${name}: ${known} and ${id}. Nothing was sent.`);
    ids.set(name.toLowerCase(), id);
  }
  return distinct(targets).map((target) => ({ ...target, id: ids.get(target.name.toLowerCase()) }));
}

/** Returns one target of each kind: a command line may suit only one of them. */
export const samplesOf = (targets: readonly { readonly name: string }[]): readonly string[] =>
  [true, false].flatMap((isRepository) => {
    const found = targets.find(({ name }) => name.includes('/') === isRepository);
    return found ? [found.name] : [];
  });

/** The expected number of targets; both limits are inclusive. */
export interface ExpectedCount {
  readonly least: number;
  readonly most: number;
}

/** Returns `40`, `40 to 120`, `at least 40` or `at most 120`. */
export function expectedText({ least, most }: ExpectedCount): string {
  if (least === most) return formatCount(least);
  if (most === Number.POSITIVE_INFINITY) return `at least ${formatCount(least)}`;
  return least === 0 ? `at most ${formatCount(most)}` : `${formatCount(least)} to ${formatCount(most)}`;
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
