/** Follows redirects safely: browser-like clients turn writes into reads, and send tokens to other origins. */
import { OutcomeUnknownError, RedirectError, type RequestSummary } from '../errors.ts';
import { type HttpResponse, isRead } from '../http.ts';
import type { HttpRequest } from '../request.ts';

const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

export const isRedirect = ({ status }: HttpResponse): boolean => redirectStatuses.includes(status);

export const maxHops = 5;

/**
 * Returns the request for a redirect; undefined if the response is none. Method and body are kept, since renamed
 * repositories return 301 or 307. Throws RedirectError for another origin and after too many hops, and
 * OutcomeUnknownError for a 303 after a write: it may refer to the result.
 */
export function redirected(
  request: HttpRequest,
  response: HttpResponse,
  hops: number,
  asked: RequestSummary,
): HttpRequest | undefined {
  if (!isRedirect(response)) return undefined;
  const what = `${asked.method} ${asked.path}`;
  const isWrite = !isRead(request.method);
  if (response.status === 303 && isWrite)
    throw new OutcomeUnknownError(asked, `The outcome of ${what} is unknown: it was redirected (303) to another page.`);
  const end = isWrite ? ' Nothing was changed.' : '';
  const refuse = (reason: string) =>
    new RedirectError(asked, `${what} was redirected (${response.status}) ${reason}.${end}`);
  const { origin, protocol } = new URL(request.url);
  const target = URL.parse(response.headers.location ?? '', request.url);
  if (!response.headers.location || !target) throw refuse('without a valid location');
  // The origin of a blob: URL is that of the URL inside it.
  if (target.origin !== origin || target.protocol !== protocol)
    throw refuse(`to ${placeOf(target)}; neither the request nor the token was sent there`);
  if (hops >= maxHops) throw refuse(`more than ${maxHops} times`);
  target.hash = '';
  return { ...request, url: target.href };
}

const placeOf = ({ protocol, origin }: URL) =>
  protocol === 'https:' || protocol === 'http:' ? `another origin, ${origin}` : `a ${protocol} URL`;
