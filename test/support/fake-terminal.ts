/** A keyboard and a screen: what is typed goes in as single keys, and what is shown is kept. */
import { PassThrough } from 'node:stream';
import type { Runtime } from '../../src/cli/runtime.ts';

export class FakeTerminal {
  readonly stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  readonly stdout = new PassThrough();
  // Node's own standard streams are marked so, and are not ended by what is piped into them.
  readonly stderr = Object.assign(new PassThrough(), { _isStdio: true });
  plain = false;
  #answered = 0;
  /** All that questions and notices put on the screen. */
  shown = '';

  constructor() {
    this.stderr.on('data', (chunk) => {
      this.shown += chunk;
    });
  }

  get asking(): Pick<Runtime, 'stdin' | 'terminal'> {
    const { stdin, stdout, stderr } = this;
    const terminal = {
      stdout,
      stderr,
      stdoutIsTTY: true,
      stderrIsTTY: true,
      columns: 80,
      stderrColumns: 80,
      color: false,
      plain: this.plain,
      links: false,
      utf8: true,
    };
    return { stdin, terminal: { ...terminal, now: () => new Date('2026-03-01T12:00:00Z') } };
  }

  /** Types once the question is on the screen, below what was there when something was typed last. */
  async type(question: string, keys: string): Promise<void> {
    while (!this.shown.includes(question, this.#answered))
      await new Promise((resolve) => this.stderr.once('data', resolve));
    this.#answered = this.shown.length;
    this.stdin.write(keys);
  }
}
