/**
 * Keeps answers to reads, to be asked again with `If-None-Match`: an answer that did not change comes as a 304, which
 * is small and free of charge against the rate limit. A kept answer is never served without asking. Whatever goes wrong
 * with the files, the platform's own answer counts: nothing here fails.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpAnswer } from './http.ts';
import { holdsSecrets, Redactor } from './redact.ts';
import type { HttpRequest } from './request.ts';
import { makeDirectory } from './system-errors.ts';

const defaultMaxBytes = 32 * 1024 * 1024;

/** One answer may take this part of the cache: a large list must not push out everything else. */
const largestShare = 1 / 16;

/** What the rest of the client reads off a kept answer; all other headers come with the 304. */
const keptHeaders = ['content-type', 'etag', 'link'] as const;

/** The first line of a file; the body follows. */
interface Head {
  readonly headers: KeptAnswer['headers'];
  readonly sha256: string;
}

/** An answer as it was kept. */
export interface KeptAnswer {
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string };
  readonly body: Buffer;
}

/** The kept answers below one directory. */
export class AnswerCache {
  readonly #directory: string;
  readonly #maxBytes: number;
  #wrote = false;

  /** `directory` is made when something is kept, for its owner alone; the files in it are all the cache's. */
  constructor(directory: string, maxBytes = defaultMaxBytes) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
  }

  /** The answer kept for a request of the token's owner. */
  find(request: HttpRequest, token: string | undefined): KeptAnswer | undefined {
    try {
      const file = readFileSync(this.#file(request, token));
      const end = file.indexOf('\n');
      const { headers, sha256 } = JSON.parse(file.toString('utf8', 0, end)) as Head;
      const body = file.subarray(end + 1);
      return hash(body) === sha256 && typeof headers.etag === 'string' ? { headers, body } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps an answer, unless it holds a secret or is too large. */
  keep(request: HttpRequest, token: string | undefined, answer: HttpAnswer): void {
    const { body, headers } = answer;
    if (headers.etag === undefined || body.length > this.#maxBytes * largestShare) return;
    const kept = Object.fromEntries(
      keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    );
    const head = JSON.stringify({ headers: kept, sha256: hash(body) });
    if ([head, body.toString()].some((text) => holdsSecrets(text) || holdsToken(text, token))) return;
    this.#write(this.#file(request, token), Buffer.concat([Buffer.from(`${head}\n`), body]));
  }

  /** Removes the oldest answers beyond the cache's size, if anything has been kept. */
  prune(): void {
    if (!this.#wrote) return;
    this.#wrote = false;
    try {
      const files = readdirSync(this.#directory).map((name) => {
        const path = join(this.#directory, name);
        const { size, mtimeMs } = statSync(path);
        return { path, size, time: mtimeMs };
      });
      let bytes = 0;
      for (const { path, size } of files.sort((a, b) => b.time - a.time)) {
        bytes += size;
        if (bytes > this.#maxBytes) rmSync(path, { force: true });
      }
    } catch {
      // Another run may have been faster.
    }
  }

  /** Whoever asks in another way, for another version or as somebody else gets another file. The token is not in it. */
  #file({ url, headers }: HttpRequest, token: string | undefined): string {
    const identity = token === undefined ? 'anonymous' : hash(token);
    return join(this.#directory, hash(JSON.stringify([url, headers, identity])));
  }

  #write(file: string, content: Buffer): void {
    // Another run may write the same at the same time.
    const draft = `${file}.${process.pid}`;
    try {
      makeDirectory(this.#directory);
      try {
        writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
        renameSync(draft, file);
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      }
      this.#wrote = true;
    } catch {
      // The answer is there without it.
    }
  }
}

function holdsToken(text: string, token: string | undefined): boolean {
  const redactor = new Redactor();
  redactor.add(token ?? '');
  return redactor.knows(text);
}

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
