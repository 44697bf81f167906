/** Deprecation notices: the `Deprecation` and `Sunset` headers (RFC 9745, RFC 8594). */
import type { RequestSummary } from '../errors.ts';
import type { HttpResponse } from '../http.ts';
import { parseLinks } from '../link.ts';

/** Returns the deprecation notice in a response; undefined if there is none. */
export function announcementIn({ headers }: HttpResponse, { method, path }: RequestSummary): string | undefined {
  const { deprecation, sunset } = headers;
  if (deprecation === undefined && sunset === undefined) return undefined;
  const end = day(sunset);
  const since = day(deprecation);
  const links = parseLinks(headers.link);
  const more = links.deprecation ?? links.sunset;
  return [
    `${method} ${path} ${since ? `has been deprecated since ${since}` : 'is deprecated'}`,
    end ? ` and will be removed on ${end}` : '',
    '.',
    more ? ` See ${more}.` : '',
  ].join('');
}

/**
 * Parses an HTTP date, or `@` and epoch seconds; returns the day, or undefined for anything else, such as `true` in
 * older drafts.
 */
function day(value: string | undefined): string | undefined {
  const epoch = /^@(\d+)$/.exec(value ?? '')?.[1];
  const date = new Date(epoch === undefined ? Date.parse(value ?? '') : Number(epoch) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);
}
