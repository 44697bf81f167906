import { expect, it } from 'vitest';
import { fieldsIn, unknownFields } from '../../src/platform/unknown-field.ts';

const known = ['archived', 'owner', 'owner.login', 'custom_properties', 'size'];

it.each<[path: string, found: unknown]>([
  ['archived', []],
  ['owner.login', []],
  ['archivd', [{ path: 'archivd', meant: 'archived', isMisspelled: true }]],
  ['Archived.x', [{ path: 'Archived', meant: 'archived', isMisspelled: true }]],
  ['owner.logn', [{ path: 'owner.logn', meant: 'owner.login', isMisspelled: true }]],
  ['login', [{ path: 'login', meant: undefined, isMisspelled: false }]],
  ['nonsense', [{ path: 'nonsense', meant: undefined, isMisspelled: false }]],
  // An object with any fields, and a number, whose fields jq rejects itself.
  ['custom_properties.tier', []],
  ['size.kb', []],
])('judges %s', (path, found) => {
  expect(unknownFields([path.split('.')], known)).toEqual(found);
});

it('finds the fields of records down to a depth', () => {
  expect(fieldsIn([{ a: { b: { c: 1 } } }, null, { d: [{ e: 1 }] }], 2)).toEqual(['a', 'a.b', 'd']);
});
