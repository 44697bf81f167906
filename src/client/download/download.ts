/**
 * Downloads a file from a storage host. The data is written to a part file, which a later run can resume, and which is
 * renamed only when it is complete.
 */

import { NetworkError, type RequestSummary, WebPageError } from '../errors.ts';
import type { HttpResponse, StreamedResponse } from '../http.ts';
import { invalidResponse, mediaType } from '../response.ts';

/** Source of a file. Each `open` may use a different, freshly signed URL. */
export interface FileSource {
  /** The request in messages. */
  readonly asked: RequestSummary;
  /** Opens the file with headers that may request a range. */
  open(headers: Readonly<Record<string, string>>): Promise<StreamedResponse>;
  /**
   * Waits before the file is opened again, longer after each of `breaks` consecutive interruptions. Returns false
   * without waiting once the wait budget is used up.
   */
  waitAfterBreak(breaks: number): Promise<boolean>;
}

/** Receives the bytes of a download in order, and may resume after an interruption: a `PartFile`, a stream. */
export interface DownloadSink {
  /** Bytes received so far. */
  readonly size: number;
  /** Validator (ETag or date) of these bytes; absent if the download cannot be resumed. */
  readonly validator: string | undefined;
  /** Starts over with bytes of the version that `validator` identifies. */
  restart(validator: string | undefined): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
}

export interface Progress {
  /** Bytes received so far. */
  readonly received: number;
  /** Total bytes, if the storage host sends the size. */
  readonly total: number | undefined;
}

/** In bytes. A connection that delivered at least this much resets the backoff. */
const stableConnectionBytes = 1024 * 1024;

/**
 * Downloads the missing bytes of `part`. Reconnects after interruptions as long as each connection delivers more bytes.
 * @throws FileError, or a ClientError, also for a file that is empty or does not have the expected length. The bytes
 * received so far stay in `part`.
 */
export async function download(
  source: FileSource,
  part: DownloadSink,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  for (let breaks = 1; ; breaks++) {
    const before = part.size;
    try {
      return await fetchRest(source, part, onProgress);
    } catch (error) {
      const brought = part.size - before;
      if (!(error instanceof NetworkError) || part.validator === undefined || brought <= 0) throw error;
      if (brought >= stableConnectionBytes) breaks = 1;
      if (!(await source.waitAfterBreak(breaks))) throw error;
    }
  }
}

async function fetchRest(
  source: FileSource,
  part: DownloadSink,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const { asked } = source;
  const response = await openRest(source, part);
  if (response === 'complete') return;
  const total = response.status === 206 ? rangeIn(response).total : lengthOf(response);
  if (!hasDetectableEnd(response)) {
    for await (const _ of response.stream) break;
    throw invalidResponse(asked, 'a file without a length, so a truncated download would go unnoticed');
  }
  onProgress({ received: part.size, total });
  for await (const bytes of response.stream) {
    await part.write(bytes);
    onProgress({ received: part.size, total });
  }
  if (part.size === 0) throw invalidResponse(asked, 'an empty file');
  if (total === undefined || part.size === total) return;
  if (part.size < total)
    throw new NetworkError(
      asked,
      { kind: 'connection' },
      `${asked.method} ${asked.path} was interrupted after ${part.size} of ${total} bytes.`,
    );
  await part.restart(undefined);
  throw invalidResponse(asked, `more than the announced ${total} bytes`);
}

/** Opens the file at the end of the part if the file is unchanged; otherwise starts over. */
async function openRest(source: FileSource, part: DownloadSink): Promise<StreamedResponse | 'complete'> {
  const { size, validator } = part;
  if (validator === undefined) return startOver(source, part, await source.open({}));
  const response = await source.open({ range: `bytes=${size}-`, 'if-range': validator });
  const same = [undefined, validator].includes(validatorOf(response));
  const { from, total } = rangeIn(response);
  if (response.status === 206 && same && from === size) return response;
  if (response.status === 416 && same && total === size) return 'complete';
  if (response.status !== 206 && response.status !== 416) return startOver(source, part, response);
  // The range does not match the part, or the storage host ignored If-Range.
  for await (const _ of response.stream) break;
  return startOver(source, part, await source.open({}));
}

async function startOver(
  { asked }: FileSource,
  part: DownloadSink,
  response: StreamedResponse,
): Promise<StreamedResponse> {
  if (response.status !== 200)
    throw invalidResponse(asked, `${response.status} from ${new URL(response.url).host} instead of the file`);
  // A proxy that requires a sign-in sends its page with the status 200.
  if (/^text\/html$/i.test(mediaType(response.headers['content-type'] ?? '')))
    throw invalidResponse(asked, 'a web page instead of the file', WebPageError);
  await part.restart(validatorOf(response));
  return response;
}

/**
 * Returns the validator of this version of the file: a strong ETag, else the date of its last change. RFC 9110,
 * If-Range.
 */
function validatorOf({ headers }: HttpResponse): string | undefined {
  const { etag, 'last-modified': changed } = headers;
  return [etag, changed].find((text) => text !== undefined && isValidator(text));
}

/** Returns whether a text can be a strong ETag or a date. */
export const isValidator = (text: string): boolean =>
  /^(?:"[\x21\x23-\x7e]*"|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/.test(text);

/** Parses Content-Range: `bytes 100-199/200`, or an asterisk and the total if the range cannot be satisfied. */
function rangeIn({ headers }: HttpResponse): { from?: number; total?: number } {
  const [, from, total] = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
  return {
    ...(from === undefined ? {} : { from: Number(from) }),
    ...(total === undefined || total === '*' ? {} : { total: Number(total) }),
  };
}

/** Whether a truncated body can be distinguished from a complete one. */
const hasDetectableEnd = (response: HttpResponse) =>
  lengthOf(response) !== undefined || /\bchunked$/i.test(response.headers['transfer-encoding'] ?? '');

function lengthOf({ headers }: HttpResponse): number | undefined {
  const length = headers['content-length'] ?? '';
  return /^\d+$/.test(length) ? Number(length) : undefined;
}
