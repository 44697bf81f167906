/** The lines below a list: the range shown, the filters of an empty list, and where it was cut off. */
import { asText } from '../../json/exact-json.ts';
import { counted, formatCount } from '../../output/amounts.ts';

/** How much of a list was shown. */
export interface ListRange {
  /** The position of the first record in the whole list, from 1. */
  readonly from: number;
  readonly shown: number;
  /** How many records `--where` and local filters were applied to; those that match are shown. */
  readonly searched?: number | undefined;
  /** Whether more records follow. */
  readonly more: boolean;
  /** The total, if the platform reports it; `isExceeded` if only the number of full pages is known. */
  readonly total?: { readonly count: number; readonly isExceeded: boolean } | undefined;
  /** The next page, if the range ends with a page. */
  readonly nextPage?: number | undefined;
}

/** Returns how much of the list was shown; undefined for all of it. */
export function rangeText(extent: ListRange, what: string): string | undefined {
  const { from, shown, searched, more, total, nextPage } = extent;
  if (searched !== undefined) return searched === 0 ? undefined : matchText({ ...extent, searched }, what);
  if (shown === 0 || (from === 1 && !more)) return undefined;
  const last = from + shown - 1;
  const known = total && total.count > last ? total : undefined;
  const first = known ? formatCount(shown) : `the first ${formatCount(shown)}`;
  const range = from === 1 ? first : `${formatCount(from)} to ${formatCount(last)}`;
  if (!more) return `Showing ${range} (end of the list).`;
  const rest = from > 1 && nextPage !== undefined ? `--page ${nextPage} shows the next` : '--all shows the rest';
  return `Showing ${range}${known ? ` of ${known.isExceeded ? 'more than ' : ''}${formatCount(known.count)}` : ''} ${what}; ${rest}.`;
}

/** Returns how many of the records match. */
function matchText(
  { from, shown, searched, more, nextPage }: ListRange & { readonly searched: number },
  what: string,
): string {
  const last = from + searched - 1;
  const first = more ? `the first ${formatCount(searched)} ${what}` : `${formatCount(searched)} ${what}`;
  const range = from === 1 ? first : `${what} ${formatCount(from)} to ${formatCount(last)}`;
  const rest = from > 1 && nextPage !== undefined ? `--page ${nextPage} searches the next` : '--all searches the rest';
  return `${formatCount(shown)} of ${range} match${more ? `; ${rest}` : ''}.`;
}

/** Returns the line for a list whose next page could not be fetched. */
export function brokenOffText(shown: number, what: string, page: number): string {
  return `The list is incomplete: it ends after ${formatCount(shown)} ${what} because page ${page} could not be fetched.`;
}

/** Maximum number of columns named in a line. */
const mostNamedColumns = 10;

/** Returns which columns did not fit; undefined if all did. */
export function hiddenColumnsText(hidden: readonly string[]): string | undefined {
  if (hidden.length === 0) return undefined;
  const more = hidden.length - mostNamedColumns;
  const names = [...hidden.slice(0, mostNamedColumns), ...(more > 0 ? [`${formatCount(more)} more`] : [])].join(', ');
  return `${counted(hidden.length, 'column')} hidden (${names}); widen the terminal or use --fields.`;
}

/** Order and start of a list do not count as filters. */
const notFilters: readonly string[] = ['sort', 'direction', 'since', 'before', 'after', 'per_page', 'page'];

interface ListRequest {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly page?: number | undefined;
}

/** Returns the line for an empty list, with its filters. */
export function nothingFoundText(what: string, { path = {}, query = {}, page = 1 }: ListRequest): string {
  const { owner, repo, org, username, ...others } = path;
  const account = username === undefined ? undefined : `account ${username}`;
  const place = repo === undefined ? (org ?? account) : `${owner}/${repo}`;
  const within = Object.entries(others).map(
    ([name, value]) => `${name.replace(/_(id|sha)$/, '').replaceAll('_', ' ')} ${value}`,
  );
  const where = [...within, ...(place === undefined ? [] : [String(place)])].join(' of ');
  const filters = Object.entries(query)
    .filter(([name, value]) => value !== undefined && !notFilters.includes(name))
    .map(([name, value]) => flagText(name.replaceAll('_', '-'), value));
  return [
    `Found no ${what}`,
    where && `in ${where}`,
    filters.length > 0 && `with ${filters.join(' ')}`,
    page > 1 && `on page ${page}`,
  ]
    .filter(Boolean)
    .join(' ')
    .concat('.');
}

/** Returns a filter as typed. */
function flagText(name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? `--${name}` : `--no-${name}`;
  return `--${name} ${[value].flat().map(asText).join(',')}`;
}
