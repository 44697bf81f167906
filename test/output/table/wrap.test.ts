import { describe, expect, it } from 'vitest';
import { widthOf } from '../../../src/output/table/width.ts';
import { wrapped } from '../../../src/output/table/wrap.ts';

describe('a line that is too long', () => {
  it.each<[what: string, text: string, room: number, lines: string[]]>([
    ['is broken at spaces', 'one two three', 7, ['one two', 'three']],
    ['stays whole if it fits exactly', 'one two', 7, ['one two']],
    ['is broken after a slash', 'see a/b/cdef', 6, ['see', 'a/b/', 'cdef']],
    ['is broken after an underscore or a full stop', 'has_wiki.status', 10, ['has_wiki.', 'status']],
    ['is broken within a word without slashes', 'abcdefgh', 3, ['abc', 'def', 'gh']],
    ['counts wide letters as two columns', '日本日本日', 4, ['日本', '日本', '日']],
    ['keeps composed characters whole', '👩‍💻👩‍💻', 2, ['👩‍💻', '👩‍💻']],
  ])('%s', async (_what, text, room, lines) => {
    expect(wrapped(text, room, await widthOf([text]))).toEqual(lines);
  });

  it('may have hundreds of thousands of pieces', async () => {
    const text = 'ab'.repeat(200_000);
    expect(wrapped(text, 2, await widthOf([text]))).toHaveLength(200_000);
  });
});
