/**
 * Downloads a file from a storage host. It arrives in a part beside its place, which a later run can go on from, and gets
 * its name only when it is whole.
 */

import { NetworkError, type RequestSummary } from '../errors.ts';
import type { HttpResponse, StreamedResponse } from '../http.ts';
import { invalidResponse } from '../response.ts';

/** Where a file comes from. Each opening may lead to another, freshly signed URL. */
export interface FileSource {
  /** How messages name the request. */
  readonly asked: RequestSummary;
  /** Opens the file, with headers that may ask for a part of it. */
  open(headers: Readonly<Record<string, string>>): Promise<StreamedResponse>;
  /**
   * Waits before the file is opened again, longer after each of `breaks` in a row. False, without a wait, once the time for
   * waiting is used up.
   */
  waitAfterBreak(breaks: number): Promise<boolean>;
}

/** What takes the bytes of a download in their order, and may go on after an interruption: a `PartFile`, a stream. */
export interface DownloadSink {
  /** Bytes that it has taken. */
  readonly size: number;
  /** What names the version that they are of; absent where nothing can be added to them. */
  readonly validator: string | undefined;
  /** Begins anew, with bytes of the version that `validator` names. */
  restart(validator: string | undefined): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
}

export interface Progress {
  /** Bytes that are there. */
  readonly received: number;
  /** Bytes that there will be, where the storage host tells. */
  readonly total: number | undefined;
}

/** In bytes. A connection that brought as much was good; the waits start over after it. */
const stableConnectionBytes = 1024 * 1024;

/**
 * Fetches what is missing in `part`. Reconnects after a connection broke off, as long as each one brings more.
 *
 * @throws FileError, or a ClientError: also for a file that is empty or does not have the length that was announced. What
 * has arrived stays in `part`.
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

/** Opens the file where the part ends, if it still is the same file; otherwise the part begins anew. */
async function openRest(source: FileSource, part: DownloadSink): Promise<StreamedResponse | 'complete'> {
  const { size, validator } = part;
  if (validator === undefined) return startOver(source, part, await source.open({}));
  const response = await source.open({ range: `bytes=${size}-`, 'if-range': validator });
  const same = [undefined, validator].includes(validatorOf(response));
  const { from, total } = rangeIn(response);
  if (response.status === 206 && same && from === size) return response;
  if (response.status === 416 && same && total === size) return 'complete';
  if (response.status !== 206 && response.status !== 416) return startOver(source, part, response);
  // The part does not fit, or the storage host did not look at If-Range.
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
  await part.restart(validatorOf(response));
  return response;
}

/** What names this version of the file: a strong ETag, else the date of its last change. RFC 9110, If-Range. */
function validatorOf({ headers }: HttpResponse): string | undefined {
  const { etag, 'last-modified': changed } = headers;
  return etag !== undefined && !etag.startsWith('W/') ? etag : changed;
}

/** What Content-Range says: `bytes 100-199/200` or, of a range that is not there, an asterisk for the first two. */
function rangeIn({ headers }: HttpResponse): { from?: number; total?: number } {
  const [, from, total] = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
  return {
    ...(from === undefined ? {} : { from: Number(from) }),
    ...(total === undefined || total === '*' ? {} : { total: Number(total) }),
  };
}

/** Whether a body that is cut short can be told from one that is whole. */
const hasDetectableEnd = (response: HttpResponse) =>
  lengthOf(response) !== undefined || /\bchunked$/i.test(response.headers['transfer-encoding'] ?? '');

function lengthOf({ headers }: HttpResponse): number | undefined {
  const length = headers['content-length'] ?? '';
  return /^\d+$/.test(length) ? Number(length) : undefined;
}
