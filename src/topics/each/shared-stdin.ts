/** Standard input of the command that `each` runs: read once, for all targets. */
import type { Readable } from 'node:stream';
import { UsageError } from '../../cli/errors.ts';
import { isStdin } from '../../cli/input/file-flags.ts';
import { largestSnapshot, readBytes } from '../../cli/input/sources.ts';

/** Tells what a run needs that is not in its journal. */
export const inputAgain = 'The command read standard input: provide the same input again.';

interface SharedStdinOptions {
  readonly stdin: Readable;
  /** The file with the targets. */
  readonly from: string | undefined;
  /** True if the run to continue has read something. */
  readonly isRequired: boolean;
}

export class SharedStdin {
  readonly #with: SharedStdinOptions;
  #bytes: Promise<Uint8Array> | undefined;
  #hasRead: boolean | undefined;

  constructor(options: SharedStdinOptions) {
    this.#with = options;
  }

  /** Whether the command has read anything; undefined if it has not tried. */
  get hasRead(): boolean | undefined {
    return this.#hasRead;
  }

  /** Returns all of it. Throws UsageError if the targets come from it, or if it is empty and must not be. */
  async read(): Promise<Uint8Array> {
    const { stdin, from, isRequired } = this.#with;
    if (isStdin(from)) throw new UsageError('The targets come from standard input, so the command cannot read it.');
    this.#bytes ??= readBytes('-', stdin, undefined, largestSnapshot);
    const bytes = await this.#bytes;
    this.#hasRead = bytes.length > 0;
    if (isRequired && !this.#hasRead) throw new UsageError(`${inputAgain} Nothing was sent.`);
    return bytes;
  }
}
