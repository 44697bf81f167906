import { Writable } from 'node:stream';
import type { Terminal } from '../../src/output/terminal.ts';

class Collector extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }
}

/** A terminal, or a pipe, that keeps what was written. It is noon on 10 June 2024. */
export function screen(
  settings: {
    tty?: boolean;
    columns?: number;
    color?: boolean;
    plain?: boolean;
    links?: boolean;
    utf8?: boolean;
    stdout?: Writable;
  } = {},
) {
  const { tty = false, columns = 80, color = false, plain = false, links = false, utf8 = true } = settings;
  const stdout = new Collector();
  const stderr = new Collector();
  const terminal: Terminal = {
    stdout: settings.stdout ?? stdout,
    stderr,
    stdoutIsTTY: tty,
    stderrIsTTY: tty,
    columns,
    stderrColumns: columns,
    color,
    plain,
    links,
    utf8,
    now: () => new Date('2024-06-10T12:00:00Z'),
  };
  return { terminal, out: () => stdout.text, err: () => stderr.text };
}

/** A list as the client hands it over. */
export async function* pagesOf<T>(...pages: readonly (readonly T[])[]): AsyncGenerator<readonly T[]> {
  yield* pages;
}

/** Text that tries everything: a window title, a C1 sequence, an overwritten line, reversed text, hidden characters. */
export const hostile = 'a\x1b]0;evil\x07b\x9b2Jc\rd\u202ee\u200bf\u2066g\ud800h\x7fi\tj\r\nk';
