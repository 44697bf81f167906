import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { release } from '../../../src/client/transport/body.ts';
import { decompress } from '../../../src/client/transport/decompress.ts';

const limit = 1024 * 1024;
const long = Buffer.alloc(300_000, 'records of a page, ');

describe('a compressed body', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a word', Buffer.from('word')],
    ['exactly one chunk', long.subarray(0, 64 * 1024)],
    ['a page', long],
  ])('of %s is decompressed into memory of its own', async (_, data) => {
    for (const [encoding, compressed] of [
      ['gzip', gzipSync(data)],
      ['BR', brotliCompressSync(data)],
    ] as const) {
      const neighbour = Buffer.from('neighbour');
      const body = (await decompress(compressed, encoding, limit)) as Buffer;
      expect(body.equals(data)).toBe(true);
      release(body);
      expect(body).toHaveLength(0);
      expect(neighbour.toString()).toBe('neighbour');
    }
  });

  test('of several parts, each with its own size, is complete', async () => {
    const body = await decompress(Buffer.concat([gzipSync(long), gzipSync('end')]), 'gzip', limit);
    expect((body as Buffer).equals(Buffer.concat([long, Buffer.from('end')]))).toBe(true);
  });

  test.each([
    ['too large', gzipSync(Buffer.alloc(limit + 1)), 'gzip'],
    ['cut short', gzipSync(long).subarray(0, 100), 'gzip'],
    ['cut short', gzipSync(long).subarray(0, 3), 'gzip'],
    ['broken', Buffer.from('<html>'), 'gzip'],
    ['broken', gzipSync(long), 'zstd'],
  ])('is %s', async (what, compressed, encoding) => {
    expect(await decompress(compressed, encoding, limit)).toBe(what);
  });
});
