import { expect, it } from 'vitest';
import { collected, requireCollectable } from '../../src/output/list-format.ts';
import { TooLargeError } from '../../src/output/too-large.ts';

it('a format that needs all records at once accepts a million', () => {
  expect(() => requireCollectable(1_000_000)).not.toThrow();
  const message = 'The list has more than 1000000 records, too many for a format that needs all of them at once';
  expect(() => requireCollectable(1_000_001)).toThrow(new TooLargeError(message));
  const format = collected((records) => String(records.length));
  format.page(['a', 'b']);
  expect(format.end()).toBe('2');
  expect(() => format.page({ length: 999_999 } as readonly unknown[])).toThrow(TooLargeError);
});
