/** Many secrets, compared with a search that tries each one at each place. */
import { array, assert, constantFrom, infiniteStream, integer, nat, property, string } from 'fast-check';
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

const letters = string({ unit: constantFrom('a', 'b', '/', '(', '\ud800', '𝄞'), maxLength: 14 });

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

/** A character as platforms, proxies and web pages may write it. */
const escapesOf = (character: string): readonly string[] => {
  const code = character.charCodeAt(0);
  const hexadecimal = code.toString(16).padStart(2, '0');
  return [
    character,
    `\\u00${hexadecimal}`,
    `\\u00${hexadecimal.toUpperCase()}`,
    `%${hexadecimal}`,
    `%${hexadecimal.toUpperCase()}`,
    `&#${code};`,
    `&#x${hexadecimal};`,
    ...(character === '/' ? ['\\/'] : []),
    ...(character === '&' ? ['&amp;'] : []),
  ];
};

it.each([1, 40])('finds %d or more secrets behind escapes, and masks these too', (count) => {
  const secrets = Array.from({ length: count }, (_, index) => `gh/p&${'x'.repeat(20)}${index}`);
  const finder = finderOf(secrets);
  assert(
    property(integer({ min: 0, max: count - 1 }), infiniteStream(nat(100)), (index, choices) => {
      const written = Array.from(secrets[index] ?? '', (character) => {
        const forms = escapesOf(character);
        return forms[(choices.next().value ?? 0) % forms.length];
      }).join('');
      expect(finder.isIn(`%41 ${written}`)).toBe(true);
      expect(finder.masked(`%41\\n${written} and ${written}&lt;`, '*')).toBe('%41\\n* and *&lt;');
    }),
  );
});
