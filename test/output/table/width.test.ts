import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { isOneColumnEach, widthOf } from '../../../src/output/table/width.ts';

it.each(['', 'a~', 'Zoë – “naïve” façade…', 'Ελλάδα', 'Москва', '██▌░'])(
  '%s is measured without the library',
  (text) => {
    expect(isOneColumnEach(text)).toBe(true);
  },
);

it.each([
  ['a\u00adb', 'a soft hyphen'],
  ['e\u0301', 'a mark of its own'],
  ['й\u0483', 'a Cyrillic mark'],
  ['\u00a9\ufe0f', 'an emoji of a letter'],
  ['1\ufe0f\u20e3', 'a keycap'],
  ['日本', 'wide letters'],
  ['\u200b', 'a character without a glyph'],
  ['\u001b[1m', 'what colours'],
  ['👩‍💻', 'an emoji'],
])('%j is left to the library: %s', (text) => {
  expect(isOneColumnEach(text)).toBe(false);
});

it('widths measured without the library match the library', () => {
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(isOneColumnEach);
  expect(characters.filter((character) => stringWidth(character) !== 1)).toEqual([]);
  const texts = fc.string({ unit: fc.constantFrom(...characters) });
  fc.assert(fc.property(texts, (text) => isOneColumnEach(text) && stringWidth(text) === text.length));
});

it('texts are measured together with those that need the library', async () => {
  const width = await widthOf(['日本', 'Zoë']);
  expect([width('日本'), width('Zoë'), width('👩‍💻')]).toEqual([4, 3, 2]);
});
