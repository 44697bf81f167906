/** Downloads from storage hosts: the platform redirects to them, and they must not receive its token. */

import { RedirectError, type RequestSummary } from '../errors.ts';
import type { HttpResponse, StreamedResponse } from '../http.ts';
import { isLoopback, isPlainLoopback } from '../platform.ts';
import { invalidResponse } from '../response.ts';
import { isRedirect, maxHops } from '../transport/redirect.ts';
import type { Transport } from '../transport/transport.ts';

export interface StorageOptions {
  /** The request in messages; never the storage URL, which by itself grants access to the file. */
  readonly asked: RequestSummary;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Follows the platform's redirect to a storage host, and further redirects, without a token. Redirects to this machine
 * and plain http are only allowed for a platform on this machine. Returns the storage host's response, whatever its
 * status. Throws InvalidResponseError if the response is not a redirect, RedirectError for a redirect that must not be
 * followed, and the transport's errors.
 */
export async function openStorage(
  transport: Transport,
  redirect: HttpResponse,
  { asked, headers, signal }: StorageOptions,
): Promise<StreamedResponse> {
  if (!isRedirect(redirect)) throw invalidResponse(asked, `${redirect.status} instead of a redirect to the file`);
  const platform = new URL(redirect.url);
  let url = targetOf(redirect, asked, platform);
  for (let hops = 1; ; hops++) {
    const response = await transport.stream({ method: 'GET', url, headers }, { asked, signal });
    if (!isRedirect(response)) return response;
    if (hops >= maxHops) throw refusedRedirect(asked, `more than ${maxHops} times`);
    url = targetOf(response, asked, platform);
  }
}

function targetOf({ headers, url }: HttpResponse, asked: RequestSummary, platform: URL): string {
  const target = headers.location ? URL.parse(headers.location, url) : null;
  if (!target) throw refusedRedirect(asked, 'without a valid location');
  const refuse = (why: string) => refusedRedirect(asked, `to ${target.protocol}//${target.host}, ${why}`);
  if (target.protocol !== 'https:' && !(isPlainLoopback(target) && isPlainLoopback(platform)))
    throw refuse('but plain http is only allowed between a platform and storage on this machine');
  if (isThisMachine(target.hostname) && !isLoopback(platform.hostname))
    throw refuse('but this machine cannot be the storage host of a remote platform');
  target.hash = '';
  return target.href;
}

/** Besides loopback addresses, unspecified addresses reach this machine, and names below `localhost` may do so. */
const isThisMachine = (hostname: string) =>
  isLoopback(hostname) ||
  /^(?:0\.0\.0\.0|\[::(?:ffff:(?:0|7f[\da-f]{2}):[\da-f]+)?\]|(?:.+\.)?localhost\.?)$/.test(hostname);

const refusedRedirect = (asked: RequestSummary, how: string) =>
  new RedirectError(asked, `${asked.method} ${asked.path} was redirected ${how}.`);
