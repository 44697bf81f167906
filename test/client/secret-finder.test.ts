/** Many secrets, compared with a search that tries each one at each place. */
import { array, assert, constantFrom, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { SecretFinder } from '../../src/client/secret-finder.ts';

/** Masks every character that belongs to an occurrence, found without skipping. */
function covered(text: string, secrets: readonly string[]): boolean[] {
  const marks = Array.from({ length: text.length }, () => false);
  for (const secret of secrets)
    for (let at = text.indexOf(secret); secret !== '' && at !== -1; at = text.indexOf(secret, at + secret.length))
      marks.fill(true, at, at + secret.length);
  return marks;
}

const finderOf = (secrets: readonly string[]) => {
  const finder = new SecretFinder();
  for (const text of secrets) finder.add({ text, isBase64: false });
  return finder;
};

const letters = string({ unit: constantFrom('a', 'b', '\\', '(', '\ud800', '𝄞'), maxLength: 14 });

it.each([1, 40])('finds %d or more secrets as a plain search does', (least) => {
  assert(
    property(array(letters, { minLength: least, maxLength: least + 40 }), array(letters), (secrets, parts) => {
      const text = parts.flatMap((part, index) => [part, secrets[index] ?? '']).join('');
      const finder = finderOf(secrets);
      const marks = covered(text, secrets);
      const shown = finder.masked(text, '\0');
      expect(finder.isIn(text)).toBe(marks.includes(true));
      expect(shown.replaceAll('\0', '')).toBe(Array.from(marks, (mark, at) => (mark ? '' : text[at])).join(''));
    }),
  );
});

it('finds each of thousands of secrets', () => {
  const secrets = Array.from({ length: 5_000 }, (_, index) => `ghs_${'x'.repeat(30)}${index}`);
  const finder = finderOf(secrets);
  for (const secret of [secrets[0], secrets[17], secrets[4_999]] as string[]) {
    expect(finder.isIn(`before ${secret} after`)).toBe(true);
    expect(finder.masked(`before ${secret}. after`, '*')).toBe('before *. after');
  }
  expect(finder.masked('ghs_xxx', '*')).toBe('ghs_xxx');
});

it('masks the end of a base64 text with it', () => {
  const finder = new SecretFinder();
  finder.add({ text: 'c2VjcmV0', isBase64: true });
  for (const end of ['', 'A', 'A=', 'A==', '=', '==']) expect(finder.masked(`v=c2VjcmV0${end}&`, '*')).toBe('v=*&');
});
