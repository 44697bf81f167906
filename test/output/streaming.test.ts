import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Format, renderList, renderRecord } from '../../src/output/render.ts';
import { ClosedPipe } from '../../src/output/writer.ts';
import { screen } from './screen.ts';

interface Item {
  id: number;
}

/** Pages that note when they are asked for and when they are told to stop. */
async function* watchedPages(log: string[], count = 3): AsyncGenerator<readonly Item[]> {
  try {
    for (let page = 1; page <= count; page++) {
      log.push(`asked for page ${page}`);
      yield [{ id: page }];
    }
    log.push('no more pages');
  } finally {
    log.push('stopped');
  }
}

const columns = [{ header: 'Id', get: 'id' }] as const;
const options = (format: Format) => ({ format, showSecrets: false });

describe('a list written page by page', () => {
  it.each<[Format, string[]]>([
    ['ndjson', ['{"id":1}\n', '{"id":2}\n', '{"id":3}\n']],
    ['tsv', ['1\n', '2\n', '3\n']],
    ['csv', ['id\n1\n', '2\n', '3\n']],
    ['yaml', ['- id: 1\n', '- id: 2\n', '- id: 3\n']],
    ['json', ['[\n  {\n    "id": 1\n  }', ',\n  {\n    "id": 2\n  }', ',\n  {\n    "id": 3\n  }', '\n]\n']],
  ])('requests the next page of %s only after the previous one is read', async (format, chunks) => {
    const log: string[] = [];
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk, _encoding, taken) {
        log.push(`wrote ${chunk}`);
        // Long enough for whatever does not wait to go on.
        setImmediate(() =>
          setImmediate(() =>
            setImmediate(() => {
              log.push('taken');
              taken();
            }),
          ),
        );
      },
    });
    await renderList(watchedPages(log), columns, options(format), screen({ stdout: slow }).terminal);
    const [first, second, third, ...rest] = chunks.map((chunk) => [`wrote ${chunk}`, 'taken']);
    expect(log).toEqual([
      'asked for page 1',
      ...(first ?? []),
      'asked for page 2',
      ...(second ?? []),
      'asked for page 3',
      ...(third ?? []),
      'no more pages',
      'stopped',
      ...rest.flat(),
    ]);
  });

  it.each<Format>(['table', 'tsv', 'csv', 'json', 'ndjson', 'yaml'])(
    'prints nothing of %s when the first page fails',
    async (format) => {
      const { terminal, out } = screen();
      const failure = new Error('the first request failed');
      const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }) };
      await expect(renderList<Item>(failing, columns, options(format), terminal)).rejects.toBe(failure);
      expect(out()).toBe('');
    },
  );

  it('leaves the array open if a later page fails, with the cursor at the start of a line', async () => {
    const { terminal, out } = screen();
    async function* failing(): AsyncGenerator<readonly Item[]> {
      yield [{ id: 1 }];
      throw new Error('the second request failed');
    }
    await expect(renderList(failing(), columns, options('json'), terminal)).rejects.toThrow(
      'the second request failed',
    );
    expect(out()).toBe('[\n  {\n    "id": 1\n  }\n');
  });
});

describe('a closed pipe', () => {
  it.each(['EPIPE', 'ERR_STREAM_DESTROYED'])('ends the list with ClosedPipe and stops the pages (%s)', async (code) => {
    const log: string[] = [];
    const closing = new Writable({
      write(chunk, _encoding, taken) {
        log.push(`wrote ${chunk}`);
        if (`${chunk}`.includes('2')) taken(Object.assign(new Error(`write ${code}`), { code }));
        else taken();
      },
    });
    const listing = renderList(watchedPages(log, 1000), columns, options('tsv'), screen({ stdout: closing }).terminal);
    await expect(listing).rejects.toThrow(ClosedPipe);
    expect(log).toEqual(['asked for page 1', 'wrote 1\n', 'asked for page 2', 'wrote 2\n', 'stopped']);
  });

  it('is noticed while a write is waiting, and before one', async () => {
    const never = new Writable({ write() {} });
    const rendering = renderRecord({ id: 1 }, [], options('json'), screen({ stdout: never }).terminal);
    never.destroy();
    await expect(rendering).rejects.toThrow(ClosedPipe);
    await expect(renderRecord({ id: 1 }, [], options('json'), screen({ stdout: never }).terminal)).rejects.toThrow(
      ClosedPipe,
    );
  });

  it.each([
    ['ENOSPC', 'the disk is full'],
    ['EDQUOT', 'disk quota exceeded'],
    ['EFBIG', 'the file is too large'],
    ['EIO', 'I/O error'],
  ])('is distinguished from a full disk: %s is reported in plain words', async (code, said) => {
    const full = new Writable({
      write: (_chunk, _encoding, taken) => taken(Object.assign(new Error(`${code}: write`), { code })),
    });
    const rendering = renderRecord({ id: 1 }, [], options('json'), screen({ stdout: full }).terminal);
    await expect(rendering).rejects.toThrow(`Cannot write the output: ${said}.`);
  });

  it('ends the process quietly', async () => {
    const render = new URL('../../src/output/render.ts', import.meta.url);
    const script = `
      const { renderList } = await import('${render}');
      const { processTerminal } = await import('${new URL('../../src/output/terminal.ts', import.meta.url)}');
      async function* pages() {
        try { for (let page = 0; ; page++) yield [{ page, text: 'x'.repeat(1000) }]; }
        finally { process.stderr.write('stopped\\n'); }
      }
      try { await renderList(pages(), [], { format: 'ndjson', showSecrets: false }, processTerminal()); }
      catch (error) { process.stderr.write(error.name + '\\n'); }`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = await once(child, 'close');
    expect(said).toBe('stopped\nClosedPipe\n');
    expect(code).toBe(0);
  });
});
