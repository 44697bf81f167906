import { describe, expect, test } from 'vitest';
import { parseLinks } from '../../src/client/link.ts';

describe('the Link header', () => {
  test.each<[rule: string, header: string | undefined, links: Record<string, string>]>([
    ['may be absent', undefined, {}],
    ['may be empty', '', {}],
    [
      'has one target for each relation',
      '<https://h/api/v3/x?page=2>; rel="next", <https://h/api/v3/x?page=9>; rel="last"',
      { next: 'https://h/api/v3/x?page=2', last: 'https://h/api/v3/x?page=9' },
    ],
    [
      'may contain commas and semicolons in a URL',
      '<https://h/x?a=1,2;3&b=>; rel=next',
      { next: 'https://h/x?a=1,2;3&b=' },
    ],
    [
      'may have several relations per link',
      '<https://h/x>; rel="next last"',
      { next: 'https://h/x', last: 'https://h/x' },
    ],
    ['needs no spaces', '<https://h/1>;rel=next,<https://h/2>;rel=last', { next: 'https://h/1', last: 'https://h/2' }],
    ['has relations in any case', '<https://h/x>; REL="Next"', { next: 'https://h/x' }],
    [
      'may contain other parameters, quoted with commas and escapes',
      '<https://h/x>; title="a, \\"b\\" <c>; rel=no"; rel="next"; foo, <https://h/y>; rel=last',
      { next: 'https://h/x', last: 'https://h/y' },
    ],
    ['is read for the first rel of a link', '<https://h/x>; rel="next"; rel="last"', { next: 'https://h/x' }],
    [
      'is read for the first link of a relation',
      '<https://h/1>; rel=next, <https://h/2>; rel=next',
      { next: 'https://h/1' },
    ],
    ['may contain relative targets', '</x?page=2>; rel="next"', { next: '/x?page=2' }],
    [
      'is used up to the first syntax error',
      '<https://h/1>; rel="next", <https://h/2; rel="last"',
      { next: 'https://h/1' },
    ],
    ['without a relation is ignored', '<https://h/1>', {}],
    [
      'cannot reach the prototype',
      '<https://h/1>; rel="__proto__ constructor"',
      {
        ['__proto__']: 'https://h/1',
        constructor: 'https://h/1',
      },
    ],
  ])('%s', (_rule, header, links) => {
    expect(Object.entries(parseLinks(header))).toEqual(Object.entries(links));
  });
});
