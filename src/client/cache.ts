/**
 * Keeps answers to reads, to be asked again with `If-None-Match`: an answer that did not change comes as a 304, which
 * is small and free of charge against the rate limit. A kept answer is never served without asking. Whatever goes wrong
 * with the files, the platform's own answer counts: nothing here fails.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
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
  readonly #writing = new Set<Promise<void>>();
  #wrote = false;

  /** `directory` is made when something is kept, for its owner alone; the files in it are all the cache's. */
  constructor(directory: string, maxBytes = defaultMaxBytes) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
  }

  /** The answer kept for a request of the token's owner. */
  async find(request: HttpRequest, token: string | undefined): Promise<KeptAnswer | undefined> {
    try {
      const file = await readFile(this.#file(request, token));
      const end = file.indexOf('\n');
      const { headers, sha256 } = JSON.parse(file.toString('utf8', 0, end)) as Head;
      const body = file.subarray(end + 1);
      return hash(body) === sha256 && typeof headers.etag === 'string' ? { headers, body } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps an answer, unless it holds a secret or is too large. The writing goes on by itself; `settle` waits for it. */
  keep(request: HttpRequest, token: string | undefined, answer: HttpAnswer): void {
    const { body, headers } = answer;
    if (headers.etag === undefined || body.length > this.#maxBytes * largestShare) return;
    const kept = Object.fromEntries(
      keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    );
    const head = JSON.stringify({ headers: kept, sha256: hash(body) });
    if ([head, body.toString()].some((text) => holdsSecrets(text) || holdsToken(text, token))) return;
    const writing = this.#write(this.#file(request, token), Buffer.concat([Buffer.from(`${head}\n`), body])).finally(
      () => this.#writing.delete(writing),
    );
    this.#writing.add(writing);
  }

  /** Waits until everything is written, and removes the oldest answers beyond the cache's size. */
  async settle(): Promise<void> {
    await Promise.all(this.#writing);
    if (this.#wrote) await this.#prune();
    this.#wrote = false;
  }

  /** Whoever asks in another way, for another version or as somebody else gets another file. The token is not in it. */
  #file({ url, headers }: HttpRequest, token: string | undefined): string {
    const identity = token === undefined ? 'anonymous' : hash(token);
    return join(this.#directory, hash(JSON.stringify([url, headers, identity])));
  }

  async #write(file: string, content: Buffer): Promise<void> {
    const draft = `${file}.${randomUUID()}`;
    try {
      makeDirectory(this.#directory);
      await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
      await rename(draft, file);
      this.#wrote = true;
    } catch {
      await rm(draft, { force: true }).catch(() => {});
    }
  }

  async #prune(): Promise<void> {
    try {
      const paths = (await readdir(this.#directory)).map((name) => join(this.#directory, name));
      const files = await Promise.all(paths.map(async (path) => ({ path, ...(await sizeAndTime(path)) })));
      let bytes = 0;
      for (const { path, size } of files.sort((a, b) => b.time - a.time)) {
        bytes += size;
        if (bytes > this.#maxBytes) await rm(path, { force: true });
      }
    } catch {
      // Another run may have been faster.
    }
  }
}

function holdsToken(text: string, token: string | undefined): boolean {
  const redactor = new Redactor();
  redactor.add(token ?? '');
  return redactor.knows(text);
}

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

async function sizeAndTime(path: string): Promise<{ size: number; time: number }> {
  const { size, mtimeMs } = await stat(path);
  return { size, time: mtimeMs };
}
