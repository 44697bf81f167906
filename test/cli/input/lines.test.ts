import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { linesOfFile } from '../../../src/cli/input/lines.ts';
import { temporaryDirectory } from '../../support/run.ts';

const none = Readable.from([]);

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const line of lines) found.push(line);
  return found;
}

it('yields the lines of standard input, wherever its pieces end', async () => {
  const bytes = Buffer.from('é\n\nlast');
  for (let size = 1; size <= bytes.length; size++) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    expect(await all(linesOfFile('-', Readable.from(pieces)))).toEqual(['é\n', '\n', 'last']);
  }
});

it('yields the lines of a file', async () => {
  const file = join(await temporaryDirectory(), 'lines');
  const lines = Array.from({ length: 3000 }, (_, at) => `${'x'.repeat(at % 100)}${at}\n`);
  writeFileSync(file, lines.join(''));
  expect(await all(linesOfFile(file, none))).toEqual(lines);
});

it('rejects what is no text, and what is no regular file', async () => {
  const folder = await temporaryDirectory();
  const file = join(folder, 'binary');
  writeFileSync(file, Buffer.of(0x61, 0x0a, 0xff, 0x0a));
  await expect(all(linesOfFile(file, none))).rejects.toThrow(`${file} is not UTF-8 text.`);
  mkdirSync(join(folder, 'folder'));
  await expect(all(linesOfFile(join(folder, 'folder'), none))).rejects.toThrow('it is a directory.');
  await expect(all(linesOfFile(join(folder, 'none'), none))).rejects.toThrow('none: no such file.');
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(all(linesOfFile(pipe, none))).rejects.toThrow(`${pipe} is not a regular file.`);
});

it('rejects a line of more than 8 MiB', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const endless = Readable.from(
    (function* () {
      for (;;) yield piece;
    })(),
  );
  await expect(all(linesOfFile('-', endless))).rejects.toThrow('Standard input has a line that is larger than 8 MiB.');
});
