/** What is said below a list: how much of it is shown, what was looked for in vain, and where it broke off. */
import { counted, formatCount } from '../../output/amounts.ts';

/** How much of a list was shown. */
export interface ListRange {
  /** The place of the first record in the whole list, from 1. */
  readonly from: number;
  readonly shown: number;
  /** Whether the platform has more after what was shown. */
  readonly more: boolean;
  /** How many there are in all, where the platform tells; `about` where only the number of its pages is known. */
  readonly total?: { readonly count: number; readonly about: boolean } | undefined;
  /** The page after what was shown, where it ends with a page. */
  readonly nextPage?: number | undefined;
}

/** How much of the list this is; nothing to say of all of it. */
export function rangeText({ from, shown, more, total, nextPage }: ListRange, what: string): string | undefined {
  if (shown === 0 || (from === 1 && !more)) return undefined;
  const last = from + shown - 1;
  const told = total && total.count > last ? total : undefined;
  const first = told ? formatCount(shown) : `the first ${formatCount(shown)}`;
  const range = from === 1 ? first : `${formatCount(from)} to ${formatCount(last)}`;
  if (!more) return `Showing ${range} (end of the list).`;
  const rest = from > 1 && nextPage !== undefined ? `--page ${nextPage} shows the next` : '--all shows the rest';
  return `Showing ${range}${told ? ` of ${told.about ? 'about ' : ''}${formatCount(told.count)}` : ''} ${what}; ${rest}.`;
}

/** What has to be said where the next page did not come. */
export function brokenOffText(shown: number, what: string, page: number): string {
  return `The list is incomplete: it ends after ${formatCount(shown)} ${what} because page ${page} could not be fetched.`;
}

/** How many columns there was no room for; nothing to say of none. */
export function hiddenColumnsText(hidden: number): string | undefined {
  if (hidden === 0) return undefined;
  return `${counted(hidden, 'column')} hidden; widen the terminal or use --fields.`;
}

/** The order of a list, and where it begins, leave nothing out. */
const notFilters: readonly string[] = ['sort', 'direction', 'since', 'before', 'after', 'per_page', 'page'];

interface ListRequest {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly page?: number | undefined;
}

/** What was looked for and not found: where, with which filters. */
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

/** A filter as it is typed. */
function flagText(name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? `--${name}` : `--no-${name}`;
  return `--${name} ${[value].flat().join(',')}`;
}
