import { expect, it } from 'vitest';
import { distinctFileNames, fileNameOf, isPossibleName } from '../../../src/fleet/policy/file-names.ts';

it('leaves room for a number and an extension in the files of repositories with the longest names', () => {
  const names = ['a', 'b'].map((last) => `${'x'.repeat(254)}${last}`);
  expect(names.every(isPossibleName)).toBe(true);
  expect(distinctFileNames(names.map(fileNameOf))).toEqual(['x'.repeat(200), `${'x'.repeat(200)}-2`]);
});
