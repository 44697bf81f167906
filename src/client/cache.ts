/**
 * Caches responses to reads and revalidates them with `If-None-Match`: an unchanged response comes back as a 304, which
 * is small and does not count against the rate limit. Cached responses are never served without revalidation. Errors
 * with the cache files are ignored; the platform's response is used instead.
 */
import { createHash } from 'node:crypto';
import type { PrivateCache } from '../disk/private-cache.ts';
import type { HttpResponse } from './http.ts';
import { containsSecrets, Redactor } from './redact.ts';
import type { HttpRequest } from './request.ts';

const defaultMaxBytes = 32 * 1024 * 1024;

/** Maximum share of the cache for one response, so that a large list does not evict everything else. */
const largestShare = 1 / 16;

/** Headers stored with a response; all others come with the 304. */
const keptHeaders = ['content-type', 'etag', 'link'] as const;

/** A cached response. */
export interface CachedResponse {
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string };
  readonly body: Buffer;
}

/** Cache of the responses of earlier runs. */
export class ResponseCache {
  readonly #files: PrivateCache;
  readonly #maxBytes: number;
  #wrote = false;

  constructor(files: PrivateCache, maxBytes = defaultMaxBytes) {
    this.#files = files;
    this.#maxBytes = maxBytes;
  }

  /** Returns the cached response to a request made with this token. */
  find(request: HttpRequest, token: string | undefined): CachedResponse | undefined {
    const file = this.#files.read(nameOf(request, token));
    if (!file) return undefined;
    const end = file.indexOf('\n');
    return { headers: JSON.parse(file.toString('utf8', 0, end)), body: file.subarray(end + 1) };
  }

  /** Caches a response, unless it contains a secret or is too large. */
  keep(request: HttpRequest, token: string | undefined, response: HttpResponse): void {
    const { body, headers } = response;
    if (headers.etag === undefined || body.length > this.#maxBytes * largestShare) return;
    const head = JSON.stringify(
      Object.fromEntries(keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))),
    );
    if ([head, body.toString()].some((text) => containsSecrets(text) || holdsToken(text, token))) return;
    try {
      // One line of headers, followed by the body.
      this.#files.write(nameOf(request, token), Buffer.concat([Buffer.from(`${head}\n`), body]));
      this.#wrote = true;
    } catch {
      // The response itself is unaffected.
    }
  }

  /** Removes the oldest responses beyond the cache's size, if anything has been cached. */
  prune(): void {
    if (!this.#wrote) return;
    this.#wrote = false;
    try {
      let bytes = 0;
      for (const file of this.#files.files().toSorted((one, other) => other.mtimeMs - one.mtimeMs)) {
        bytes += file.size;
        if (bytes > this.#maxBytes) this.#files.remove(file);
      }
    } catch {
      // Another run may have removed them first.
    }
  }
}

/**
 * The key covers URL, headers and token, so that other formats, versions and accounts have entries of their own. It
 * contains only a hash of the token.
 */
function nameOf({ url, headers }: HttpRequest, token: string | undefined): string {
  const identity = token === undefined ? 'anonymous' : hash(token);
  return hash(JSON.stringify([url, headers, identity]));
}

function holdsToken(text: string, token: string | undefined): boolean {
  const redactor = new Redactor();
  redactor.add(token ?? '');
  return redactor.contains(text);
}

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
