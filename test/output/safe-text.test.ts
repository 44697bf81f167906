import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHazards, safeLines, safeText } from '../../src/output/safe-text.ts';
import { hostile } from './screen.ts';

/** Controls, separators and what reorders or hides text, listed by hand. */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udfff](?<![\ud800-\udbff][\udc00-\udfff])(?![\udc00-\udfff])/;

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...hostile, '\u200c', '\u200d', '\ufeff', '\u0301', '👩', 'か', '\u{e0067}') }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);

describe('safeText', () => {
  it('escapes control characters as in JSON, and converts line breaks and tabs to spaces', () => {
    expect(safeText(hostile)).toBe('a\\u001b]0;evil\\u0007b\\u009b2Jc d\\u202ee\\u200bf\\u2066g\\ud800h\\u007fi j k');
  });

  it.each([
    ['NUL', '\0', '\\u0000'],
    ['the byte order mark', '\ufeffx', '\\ufeffx'],
    ['the Arabic letter mark', 'a\u061cb', 'a\\u061cb'],
    ['left-to-right and right-to-left marks', '\u200e\u200f', '\\u200e\\u200f'],
    [
      'every embedding, override and isolate',
      '\u202a\u202b\u202c\u202d\u2067\u2068\u2069',
      '\\u202a\\u202b\\u202c\\u202d\\u2067\\u2068\\u2069',
    ],
    ['the word joiner and the soft hyphen', 'a\u2060b\u00adc', 'a\\u2060b\\u00adc'],
    ['a blank Hangul letter', 'a\u3164b', 'a\\u3164b'],
    ['a joiner between Latin letters', 'ad\u200dmin\u200c', 'ad\\u200dmin\\u200c'],
    ['a tag outside a flag', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
    ['a next-line control and a line separator', 'a\u0085b\u2028c', 'a b c'],
  ])('neutralises %s', (_name, text, shown) => {
    expect(safeText(text)).toBe(shown);
  });

  it.each([
    ['plain text', 'acme/site (v1.2) ~'],
    ['accents and Greek', 'Grüße, naïve, e\u0301, Ωmega'],
    ['Japanese', '日本語のテキスト'],
    ['emoji joined, coloured and of both presentations', '👨‍👩‍👧‍👦 👍🏽 ❤️‍🔥 🏳️‍🌈 ⚠️'],
    ['flags of countries and regions', '🇩🇪 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['Persian with its non-joiners', 'می\u200cخواهم'],
    ['Hindi with a joiner', 'क्\u200dष'],
  ])('leaves %s unchanged', (_name, text) => {
    expect(safeText(text)).toBe(text);
  });

  it('removes every control and bidirectional character from any text', () => {
    fc.assert(
      fc.property(anyText, (text) => !forbidden.test(safeText(text))),
      { numRuns: 2000 },
    );
  });

  it('is idempotent', () => {
    fc.assert(fc.property(anyText, (text) => safeText(safeText(text)) === safeText(text)));
  });
});

describe('safeLines', () => {
  it('keeps newlines and tabs, and converts a carriage return with its line feed to one newline', () => {
    expect(safeLines('one\r\ntwo\n\tthree\rfour\x1b[2J')).toBe('one\ntwo\n\tthree four\\u001b[2J');
  });

  it('keeps only newlines and tabs', () => {
    fc.assert(fc.property(anyText, (text) => !forbidden.test(safeLines(text).replaceAll(/[\n\t]/g, ''))));
  });
});

describe('escapeHazards', () => {
  it('keeps the data of a JSON document', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = escapeHazards(JSON.stringify({ [text]: text }, null, 2));
        expect(JSON.parse(json)).toEqual({ [text]: text });
        return !forbidden.test(json.replaceAll('\n', ''));
      }),
    );
  });
});
