import { describe, expect, it } from 'vitest';
import { widthOf } from '../../../src/output/table/width.ts';
import { wrapped } from '../../../src/output/table/wrap.ts';

describe('a line that is too long', () => {
  it.each<[what: string, text: string, room: number, lines: string[]]>([
    ['is broken at spaces', 'one two three', 7, ['one two', 'three']],
    ['is whole where it just fits', 'one two', 7, ['one two']],
    ['is broken behind a slash', 'see a/b/cdef', 6, ['see', 'a/b/', 'cdef']],
    ['is broken within a word without slashes', 'abcdefgh', 3, ['abc', 'def', 'gh']],
    ['has wide letters as far as there is room', '日本日本日', 4, ['日本', '日本', '日']],
    ['breaks no character that has several parts', '👩‍💻👩‍💻', 2, ['👩‍💻', '👩‍💻']],
  ])('%s', async (_what, text, room, lines) => {
    expect(wrapped(text, room, await widthOf([text]))).toEqual(lines);
  });
});
