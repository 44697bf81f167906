/** Saves a file from a storage host: checks the target before any request, and shows progress. */
import { type DownloadSink, download, type FileSource, type Progress } from '../../client/download/download.ts';
import { obstacleAt, PartFile } from '../../client/download/part-file.ts';
import { FileError } from '../../client/errors.ts';
import { bytes } from '../../output/amounts.ts';
import { write } from '../../output/writer.ts';
import { InterruptedError, UsageError } from '../errors.ts';
import { ProgressLine } from '../progress-line.ts';
import type { Runtime } from '../runtime.ts';

interface FetchOptions {
  /** The source, which must stop when the signal aborts. */
  readonly source: (signal: AbortSignal) => FileSource;
  readonly runtime: Pick<Runtime, 'clock' | 'terminal' | 'onInterrupt'>;
}

interface SaveOptions extends FetchOptions {
  readonly file: string;
  /** Whether an existing file may be replaced. */
  readonly force: boolean;
  readonly notice: (text: string) => void;
}

export interface SavedFile {
  readonly file: string;
  readonly bytes: number;
}

/** Throws UsageError if the file cannot be created under its name. */
export async function refuseExisting(file: string, force: boolean): Promise<void> {
  const obstacle = await obstacleAt(file, force);
  if (obstacle === undefined) return;
  const advice = (await obstacleAt(file, true))
    ? 'Choose another file with --file.'
    : 'Replace it with --force, or choose another file with --file.';
  throw new UsageError(`${file} ${obstacle}. Nothing was sent.`, advice);
}

/**
 * Saves the complete file under its name. Until then its bytes are in `FILE.part`; if the download can be resumed
 * later, a notice says so on failure or Ctrl-C. Throws UsageError before any request, InterruptedError, and the errors
 * of `download`.
 */
export async function saveFile({ file, force, notice, ...fetching }: SaveOptions): Promise<SavedFile> {
  const part = await openPart(file);
  try {
    await fetchInto(part, fetching);
    await part.finish({ force });
    return { file, bytes: part.size };
  } catch (error) {
    if (part.validator !== undefined)
      notice(`${bytes(part.size)} are saved in ${part.path}; run the same command to resume.`);
    throw error;
  } finally {
    await part.close();
  }
}

/**
 * Writes the file to standard output as it arrives. Throws UsageError before any request if that is a terminal;
 * InterruptedError, and the errors of `write` and `download`.
 */
export async function streamFile(fetching: FetchOptions): Promise<void> {
  const { stdout, stdoutIsTTY } = fetching.runtime.terminal;
  if (stdoutIsTTY)
    throw new UsageError(
      'Cannot print an archive on a terminal. Nothing was sent.',
      'Redirect it to a file or a pipe.',
    );
  await fetchInto(new StreamSink(stdout), fetching);
}

/** Downloads into `sink`, with the progress on a terminal, until the end or Ctrl-C. */
async function fetchInto(sink: DownloadSink, { source, runtime }: FetchOptions): Promise<void> {
  const stop = new AbortController();
  const done = runtime.onInterrupt(() => stop.abort(new InterruptedError()));
  const line = new ProgressLine(runtime.terminal);
  try {
    await download(source(stop.signal), sink, showing(line, runtime.clock));
  } finally {
    line.clear();
    done();
  }
}

/** A stream, which takes each byte once: after a broken connection, only the rest of the same file may follow. */
class StreamSink implements DownloadSink {
  readonly #stream: NodeJS.WritableStream;
  size = 0;
  validator: string | undefined;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  async restart(validator: string | undefined): Promise<void> {
    if (this.size > 0)
      throw new FileError(
        `Standard output received ${bytes(this.size)} of a file that the storage host has since replaced.`,
      );
    this.validator = validator;
  }

  async write(some: Uint8Array): Promise<void> {
    await write(this.#stream, some);
    this.size += some.length;
  }
}

async function openPart(file: string): Promise<PartFile> {
  try {
    return await PartFile.open(file);
  } catch (error) {
    throw new UsageError(`${(error as Error).message} Nothing was sent.`, 'Choose another file with --file.');
  }
}

/** Shows the progress, ten times a second at most. */
function showing(line: ProgressLine, clock: Runtime['clock']): (progress: Progress) => void {
  let next = Number.NEGATIVE_INFINITY;
  return ({ received, total }) => {
    if (clock.now() < next) return;
    next = clock.now() + 100;
    const share = total ? ` of ${bytes(total)}, ${Math.floor((received / total) * 100)}%` : '';
    line.show(`${bytes(received)}${share}`);
  };
}
