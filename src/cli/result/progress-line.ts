/** A progress line on stderr that is overwritten; only on a terminal, and not in plain mode. */
import { safeText } from '../../output/safe-text.ts';
import type { Terminal } from '../../output/terminal.ts';
import { wrapped } from '../word-wrap.ts';

export type ProgressTerminal = Pick<Terminal, 'stderr' | 'stderrIsTTY' | 'stderrColumns' | 'plain'>;

export class ProgressLine {
  readonly #terminal: ProgressTerminal;
  /** Characters on the line now. */
  #length = 0;

  constructor(terminal: ProgressTerminal) {
    this.#terminal = terminal;
  }

  /**
   * Shows the text, or `shorter` if it does not fit; that is shortened if it does not fit either. A line that wraps could
   * not be overwritten.
   */
  show(text: string, shorter = text): void {
    const room = this.#terminal.stderrColumns - 1;
    const safe = safeText(text.length <= room ? text : shorter);
    const line = safe.length <= room ? safe : shortened(safe, room);
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

/** Cuts a text after a word, or inside a word that takes more than half of the line. */
function shortened(text: string, room: number): string {
  const [words = ''] = wrapped(text, room - 1);
  return `${(words.length > room / 2 ? words : text).slice(0, room - 1)}…`;
}
