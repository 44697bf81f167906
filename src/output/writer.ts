/** The one way to standard output. */

/**
 * Says that whoever read the output has gone away (`| head`). It is thrown, not returned: a throw inside `for await`
 * calls the page iterator's `return()`, so that no further request is made, and no caller goes on as if all had been
 * shown. It is no failure: the command ends quietly.
 */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
  constructor() {
    super('The reader closed the output.');
  }
}

/** The system's own words are for programmers. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'the file is too large',
  EIO: 'I/O error',
};

/** Says that standard output does not take the result: a full disk, a device that fails. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  constructor(cause: Error) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    super(`Cannot write the output: ${reasons[code] ?? cause.message}.`, { cause });
  }
}

const closedCodes: readonly unknown[] = ['EPIPE', 'ERR_STREAM_DESTROYED'];

/**
 * Writes `text` and waits until the stream has passed it on, so that a slow reader holds back its writer and memory does
 * not grow. Throws `ClosedPipe` when the reader has gone, and `OutputError` for whatever else the stream fails with.
 */
export async function write(stream: NodeJS.WritableStream, text: string | Uint8Array): Promise<void> {
  if (text.length === 0) return;
  // A failed write is reported to its callback and then again as an event, which oclif would throw.
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
