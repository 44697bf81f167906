/** Files that the platform does not serve itself: it redirects to a storage host, where its token must not go. */
import { bad } from './answer.ts';
import { type Asked, RedirectError } from './errors.ts';
import type { HttpAnswer, StreamedAnswer } from './http.ts';
import { isPlainLoopback } from './platform.ts';
import { isRedirect, maxHops } from './redirect.ts';
import type { Transport } from './transport.ts';

export interface StorageOptions {
  /** How messages name the request; never the storage URL, by which alone the file can be had. */
  readonly asked: Asked;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens what the platform's answer redirects to, along further redirects, without a token. The answer is the storage
 * host's, whatever its status. Throws BadAnswerError where there is no redirect, RedirectError for one that must not be
 * followed, and what the transport throws.
 */
export async function openStorage(
  transport: Transport,
  redirect: HttpAnswer,
  { asked, headers, signal }: StorageOptions,
): Promise<StreamedAnswer> {
  if (!isRedirect(redirect)) throw bad(asked, `${redirect.status} instead of a redirect to the file`);
  let url = targetOf(redirect, asked);
  for (let hops = 1; ; hops++) {
    const answer = await transport.stream({ method: 'GET', url, headers }, { asked, signal });
    if (!isRedirect(answer)) return answer;
    if (hops >= maxHops) throw refusedRedirect(asked, `more than ${maxHops} times`);
    url = targetOf(answer, asked);
  }
}

function targetOf({ headers, url }: HttpAnswer, asked: Asked): string {
  const target = headers.location ? URL.parse(headers.location, url) : null;
  if (!target) throw refusedRedirect(asked, 'without saying where to');
  if (target.protocol !== 'https:' && !isPlainLoopback(target))
    throw refusedRedirect(asked, `to ${target.origin}, and plain http is followed only to this machine itself`);
  target.hash = '';
  return target.href;
}

const refusedRedirect = (asked: Asked, how: string) =>
  new RedirectError(asked, `${asked.method} ${asked.path} was redirected ${how}.`);
