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

export interface CachedResponse {
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string };
  readonly body: Buffer;
}

/**
 * Responses of earlier runs. A caller is the token of a request, or an identifier shared by renewed tokens; undefined
 * for none. The methods do not throw.
 */
export interface ResponseStore {
  /**
   * Whether it has all pages of lists, and responses to tokens that are renewed; otherwise only the first page, for lists
   * that are read often.
   */
  readonly hasAllPages: boolean;
  /** Returns the entry for a request of this caller, or for these fields of the records in its response. */
  entry(request: HttpRequest, caller: string | undefined, fields?: readonly string[]): CacheEntry;
  /** Writes pending responses, and removes the oldest ones beyond the size of the cache. */
  close(): void;
}

/** The cached response to one request of one caller. */
export interface CacheEntry {
  find(): CachedResponse | undefined;
  /** Caches a response with an ETag, unless it contains a secret or is too large. */
  keep(response: HttpResponse): void;
}

/** The responses of earlier runs in files, one for each. */
export class ResponseCache implements ResponseStore {
  readonly hasAllPages = false;
  readonly #files: PrivateCache;
  readonly #maxBytes: number;
  readonly #codec = new ResponseCodec({ keptHeaders });
  #wrote = false;

  constructor(files: PrivateCache, maxBytes = defaultMaxBytes) {
    this.#files = files;
    this.#maxBytes = maxBytes;
  }

  entry(request: HttpRequest, token: string | undefined, fields?: readonly string[]): CacheEntry {
    const name = nameOf(request, token, fields);
    return {
      find: () => {
        const file = this.#files.read(name);
        return file && this.#codec.decode(file);
      },
      keep: (response) => this.#keep(name, token, response),
    };
  }

  #keep(name: string, token: string | undefined, response: HttpResponse): void {
    if (response.body.length > this.#maxBytes * largestShare) return;
    const encoded = this.#codec.encode(response, token);
    if (!encoded) return;
    try {
      this.#files.write(name, encoded);
      this.#wrote = true;
    } catch {
      // The response itself is unaffected.
    }
  }

  close(): void {
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

export interface CodecOptions {
  /** Headers to store. */
  readonly keptHeaders: readonly string[];
  /** Removes the clone tokens of repositories (default: a response that has any is not stored). */
  readonly removesCloneTokens?: boolean;
}

/** The value of `temp_clone_token`, which lists of repositories may contain and plans do not use. */
const cloneToken = /("temp_clone_token"\s*:\s*)"[^"\\]*"/g;

/** Converts responses to bytes: a line of headers, followed by the body. */
export class ResponseCodec {
  readonly #options: CodecOptions;
  readonly #tokens = new Redactor();

  constructor(options: CodecOptions) {
    this.#options = options;
  }

  /** Returns undefined for a response without an ETag, and for one that contains a secret. */
  encode({ headers, body }: HttpResponse, token: string | undefined): Buffer | undefined {
    if (headers.etag === undefined) return undefined;
    const { keptHeaders, removesCloneTokens = false } = this.#options;
    const kept = keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
    const head = JSON.stringify(Object.fromEntries(kept));
    const text = body.toString();
    const stored = removesCloneTokens ? text.replaceAll(cloneToken, '$1""') : text;
    this.#tokens.add(token ?? '');
    if ([head, stored].some((each) => containsSecrets(each) || this.#tokens.contains(each))) return undefined;
    return Buffer.concat([Buffer.from(`${head}\n`), stored === text ? body : Buffer.from(stored)]);
  }

  decode(encoded: Buffer): CachedResponse {
    const end = encoded.indexOf('\n');
    return { headers: JSON.parse(encoded.toString('utf8', 0, end)), body: encoded.subarray(end + 1) };
  }
}

/** Returns the name of a response in files, which contains only a hash of the token. */
function nameOf(request: HttpRequest, token: string | undefined, fields: readonly string[] | undefined): string {
  return hash(identityOf(request, token === undefined ? undefined : hash(token), fields));
}

/**
 * Returns the identity of a cached response: URL, headers, caller and fields, so that formats, versions and accounts
 * have separate entries.
 */
export function identityOf({ url, headers }: HttpRequest, caller = 'anonymous', fields?: readonly string[]): string {
  return JSON.stringify([url, headers, caller, fields]);
}

const hash = (data: string) => createHash('sha256').update(data).digest('hex');
