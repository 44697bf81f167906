/** Saves a file from a storage host: asks nothing of the network before it knows that it can, and shows how far it is. */
import { download, type FileSource, type Progress } from '../../client/download/download.ts';
import { obstacleAt, PartFile } from '../../client/download/part-file.ts';
import { bytes } from '../../output/amounts.ts';
import { InterruptedError, UsageError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { ProgressLine } from './progress-line.ts';

interface Saving {
  readonly file: string;
  /** Whether an existing file may be replaced. */
  readonly force: boolean;
  /** The source, which is to stop at the signal. */
  readonly source: (signal: AbortSignal) => FileSource;
  readonly runtime: Pick<Runtime, 'clock' | 'terminal' | 'onInterrupt'>;
  readonly notice: (text: string) => void;
}

export interface SavedFile {
  readonly file: string;
  readonly bytes: number;
}

/** Throws UsageError where the file cannot get its name. */
export async function refuseExisting(file: string, force: boolean): Promise<void> {
  const obstacle = await obstacleAt(file, force);
  if (obstacle === undefined) return;
  const advice = (await obstacleAt(file, true))
    ? 'Name another file with --file.'
    : 'Replace it with --force, or name another file with --file.';
  throw new UsageError(`${file} ${obstacle}. Nothing was sent.`, advice);
}

/**
 * Saves the whole file under its name. Until then its bytes are in `FILE.part`; where they can be gone on from later, it
 * says so when it fails or when somebody presses Ctrl-C. Throws UsageError before anything is sent, InterruptedError, and
 * what `download` throws.
 */
export async function saveFile({ file, force, source, runtime, notice }: Saving): Promise<SavedFile> {
  const part = await openPart(file);
  const stop = new AbortController();
  const done = runtime.onInterrupt(() => stop.abort(new InterruptedError()));
  const line = new ProgressLine(runtime.terminal);
  try {
    await download(source(stop.signal), part, showing(line, runtime.clock));
    await part.finish(file, { force });
    return { file, bytes: part.size };
  } catch (error) {
    line.clear();
    if (part.validator !== undefined)
      notice(`${bytes(part.size)} are kept in ${part.path}; the same command goes on from there.`);
    throw error;
  } finally {
    line.clear();
    done();
    await part.close();
  }
}

async function openPart(file: string): Promise<PartFile> {
  try {
    return await PartFile.open(file);
  } catch (error) {
    throw new UsageError(`${(error as Error).message} Nothing was sent.`, 'Choose another place with --file.');
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
