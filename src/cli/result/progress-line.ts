/** A progress line on stderr that is overwritten; only on a terminal, and not in plain mode. */
import { safeText } from '../../output/safe-text.ts';
import type { Terminal } from '../../output/terminal.ts';

export type ProgressTerminal = Pick<Terminal, 'stderr' | 'stderrIsTTY' | 'stderrColumns' | 'plain'>;

export class ProgressLine {
  readonly #terminal: ProgressTerminal;
  /** Characters on the line now. */
  #length = 0;

  constructor(terminal: ProgressTerminal) {
    this.#terminal = terminal;
  }

  show(text: string): void {
    // A line that wraps cannot be written over.
    const line = safeText(text).slice(0, this.#terminal.stderrColumns - 1);
    this.#write(`\r${line.padEnd(this.#length)}`);
    this.#length = line.length;
  }

  /** Clears the line. */
  clear(): void {
    if (this.#length) this.#write(`\r${' '.repeat(this.#length)}\r`);
    this.#length = 0;
  }

  #write(text: string): void {
    const { stderr, stderrIsTTY, plain } = this.#terminal;
    if (stderrIsTTY && !plain) stderr.write(text);
  }
}
