/** Follows redirects safely: browser-like clients turn writes into reads, and send tokens to other origins. */
import { RedirectError, type RequestSummary } from '../errors.ts';
import { type HttpResponse, isRead } from '../http.ts';
import type { HttpRequest } from '../request.ts';

const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

export const isRedirect = ({ status }: HttpResponse): boolean => redirectStatuses.includes(status);

export const maxHops = 5;

/**
 * Returns the request for a redirect; undefined if the response is none. Method and body are kept, since renamed
 * repositories return 301 or 307. Throws RedirectError for another origin, for a 303 after a write, which would lose
 * its body, and after too many hops.
 */
export function redirected(
  request: HttpRequest,
  response: HttpResponse,
  hops: number,
  asked: RequestSummary,
): HttpRequest | undefined {
  if (!isRedirect(response)) return undefined;
  const happened = isRead(request.method) ? 'redirected' : 'sent and redirected';
  const refuse = (reason: string) =>
    new RedirectError(asked, `${asked.method} ${asked.path} was ${happened} (${response.status}) ${reason}.`);
  const { origin, protocol } = new URL(request.url);
  const target = URL.parse(response.headers.location ?? '', request.url);
  if (!response.headers.location || !target) throw refuse('without a valid location');
  // The origin of a blob: URL is that of the URL inside it.
  if (target.origin !== origin || target.protocol !== protocol)
    throw refuse(`to ${placeOf(target)}; neither the request nor the token was sent there`);
  if (response.status === 303 && !isRead(request.method))
    throw refuse('to another page; the change may or may not have been made');
  if (hops >= maxHops) throw refuse(`more than ${maxHops} times`);
  target.hash = '';
  return { ...request, url: target.href };
}

const placeOf = ({ protocol, origin }: URL) =>
  protocol === 'https:' || protocol === 'http:' ? `another origin, ${origin}` : `a ${protocol} URL`;
