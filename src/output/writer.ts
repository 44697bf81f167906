/** Writes to standard output. */

/**
 * The reader of the output is gone (`| head`). Thrown, because a throw inside `for await` calls the page iterator's
 * `return()`, so that no further requests are sent. Not a failure: the command ends quietly.
 */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
  constructor() {
    super('The reader closed the output.');
  }
}

/** Plain words for system error codes. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'the file is too large',
  EIO: 'I/O error',
};

/** Standard output cannot be written: a full disk, a failing device. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  constructor(cause: Error) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    super(`Cannot write the output: ${reasons[code] ?? cause.message}.`, { cause });
  }
}

const closedCodes: readonly unknown[] = ['EPIPE', 'ERR_STREAM_DESTROYED'];

/**
 * Writes `text` and waits until the stream has accepted it, so that a slow reader slows the writer and memory stays
 * bounded. Throws `ClosedPipe` if the reader is gone, and `OutputError` for all other errors.
 */
export async function write(stream: NodeJS.WritableStream, text: string | Uint8Array): Promise<void> {
  if (text.length === 0) return;
  // A failed write is reported to its callback and again as an event, which oclif would throw.
  if (stream.listeners('error').some((listener) => listener !== ignore)) stream.removeAllListeners('error');
  if (stream.listenerCount('error') === 0) stream.on('error', ignore);
  await new Promise<void>((resolve, reject) => {
    const closed = () => reject(new ClosedPipe());
    stream.once('close', closed);
    stream.write(text, (error) => {
      stream.off('close', closed);
      if (!error) resolve();
      else if (closedCodes.includes((error as NodeJS.ErrnoException).code)) closed();
      else reject(new OutputError(error));
    });
  });
}

function ignore(): void {}
