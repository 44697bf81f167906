/** Files that the platform does not serve itself: it redirects to a storage host, where its token must not go. */

import { RedirectError, type RequestSummary } from '../errors.ts';
import type { HttpResponse, StreamedResponse } from '../http.ts';
import { isLoopback, isPlainLoopback } from '../platform.ts';
import { invalidResponse } from '../response.ts';
import { isRedirect, maxHops } from '../transport/redirect.ts';
import type { Transport } from '../transport/transport.ts';

export interface StorageOptions {
  /** How messages name the request; never the storage URL, by which alone the file can be had. */
  readonly asked: RequestSummary;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens what the platform's answer redirects to, along further redirects, without a token. This machine and plain http are
 * for a platform that is there itself. The answer is the storage host's, whatever its status. Throws InvalidResponseError where there is no redirect, RedirectError for one that must not be
 * followed, and what the transport throws.
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

/** Beside loopback addresses, the unspecified ones reach this machine, and names below `localhost` may. */
const isThisMachine = (hostname: string) =>
  isLoopback(hostname) ||
  /^(?:0\.0\.0\.0|\[::(?:ffff:(?:0|7f[\da-f]{2}):[\da-f]+)?\]|(?:.+\.)?localhost\.?)$/.test(hostname);

const refusedRedirect = (asked: RequestSummary, how: string) =>
  new RedirectError(asked, `${asked.method} ${asked.path} was redirected ${how}.`);
