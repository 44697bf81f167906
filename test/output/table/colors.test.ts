import { expect, it } from 'vitest';
import { colored, coloredByUse } from '../../../src/output/table/colors.ts';

it.each([
  [0, '\u001b[32m'],
  [0.79, '\u001b[32m'],
  [0.8, '\u001b[35m'],
  [0.99, '\u001b[35m'],
  [1, '\u001b[31m'],
  [1.2, '\u001b[31m'],
])('of a limit, %d used is green, from four fifths on magenta, and red at the limit', (part, color) => {
  expect(coloredByUse('x', part)).toBe(`${color}x\u001b[39m`);
});

it('a word has the colour of its meaning, unknown words have none', () => {
  expect(['active', 'DENIED', 'pending', 'disabled', 'galactic'].map(colored)).toEqual([
    '\u001b[32mactive\u001b[39m',
    '\u001b[31mDENIED\u001b[39m',
    '\u001b[35mpending\u001b[39m',
    '\u001b[36mdisabled\u001b[39m',
    'galactic',
  ]);
});
