/** A progress line on stderr that is overwritten; only on a terminal, and not in plain mode. */
import { masked } from '../client/redact.ts';
import { safeText } from '../output/safe-text.ts';
import type { Terminal } from '../output/terminal.ts';
import { wrapped } from './word-wrap.ts';

export type ProgressTerminal = Pick<Terminal, 'stderr' | 'stderrIsTTY' | 'stderrColumns' | 'plain'>;

/** The number of characters on the line of each stream, whoever wrote them. */
const lengths = new WeakMap<ProgressTerminal['stderr'], number>();

export class ProgressLine {
  readonly #terminal: ProgressTerminal;

  constructor(terminal: ProgressTerminal) {
    this.#terminal = terminal;
  }

  /**
   * Shows the text, or `shorter` if it does not fit; that is shortened if it does not fit either. A line that wraps could
   * not be overwritten.
   */
  show(text: string, shorter = text): void {
    const room = this.#terminal.stderrColumns - 1;
    const safe = safeText(masked(text.length <= room ? text : shorter));
    const line = safe.length <= room ? safe : shortened(safe, room);
    this.#write(`\r${line.padEnd(this.#length)}`, line.length);
  }

  /** Clears the line, also of the text of another progress line. */
  clear(): void {
    if (this.#length) this.#write(`\r${' '.repeat(this.#length)}\r`, 0);
  }

  /** Leaves the text on the screen, and continues below it. */
  leave(): void {
    const { stderr, stderrIsTTY } = this.#terminal;
    if (stderrIsTTY) stderr.write('\n');
    lengths.delete(stderr);
  }

  get #length(): number {
    return lengths.get(this.#terminal.stderr) ?? 0;
  }

  #write(text: string, length: number): void {
    const { stderr, stderrIsTTY, plain } = this.#terminal;
    if (!stderrIsTTY || plain) return;
    stderr.write(text);
    lengths.set(stderr, length);
  }
}

/** Cuts a text after a word, or inside a word that takes more than half of the line. */
function shortened(text: string, room: number): string {
  const [words = ''] = wrapped(text, room - 1);
  return `${(words.length > room / 2 ? words : text).slice(0, room - 1)}…`;
}
