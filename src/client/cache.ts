/**
 * Caches responses to reads, to be requested again with `If-None-Match`: a response that did not change comes as a 304, which
 * is small and does not count against the rate limit. A cached response is never served without asking. Whatever goes wrong
 * with the files, the platform's own response counts: nothing here fails.
 */
import { createHash } from 'node:crypto';
import type { PrivateCache } from '../disk/private-cache.ts';
import type { HttpResponse } from './http.ts';
import { containsSecrets, Redactor } from './redact.ts';
import type { HttpRequest } from './request.ts';

const defaultMaxBytes = 32 * 1024 * 1024;

/** One response may take this part of the cache: a large list must not push out everything else. */
const largestShare = 1 / 16;

/** What the rest of the client reads off a cached response; all other headers come with the 304. */
const keptHeaders = ['content-type', 'etag', 'link'] as const;

/** A cached response. */
export interface CachedResponse {
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string };
  readonly body: Buffer;
}

/** The responses that earlier runs received. */
export class ResponseCache {
  readonly #files: PrivateCache;
  readonly #maxBytes: number;
  #wrote = false;

  constructor(files: PrivateCache, maxBytes = defaultMaxBytes) {
    this.#files = files;
    this.#maxBytes = maxBytes;
  }

  /** Returns the response cached for a request of the token's owner. */
  find(request: HttpRequest, token: string | undefined): CachedResponse | undefined {
    const file = this.#files.read(nameOf(request, token));
    if (!file) return undefined;
    const end = file.indexOf('\n');
    return { headers: JSON.parse(file.toString('utf8', 0, end)), body: file.subarray(end + 1) };
  }

  /** Caches a response, unless it holds a secret or is too large. */
  keep(request: HttpRequest, token: string | undefined, response: HttpResponse): void {
    const { body, headers } = response;
    if (headers.etag === undefined || body.length > this.#maxBytes * largestShare) return;
    const head = JSON.stringify(
      Object.fromEntries(keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))),
    );
    if ([head, body.toString()].some((text) => containsSecrets(text) || holdsToken(text, token))) return;
    try {
      // The head is a line; the body follows.
      this.#files.write(nameOf(request, token), Buffer.concat([Buffer.from(`${head}\n`), body]));
      this.#wrote = true;
    } catch {
      // The response is there without it.
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
      // Another run may have been faster.
    }
  }
}

/** Whoever asks in another way, for another version or as somebody else gets another file. The token is not in it. */
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
