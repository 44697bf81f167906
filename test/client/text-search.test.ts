import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextSearch } from '../../src/client/text-search.ts';

const found = (texts: readonly string[], bytes: string) => new TextSearch(texts).findsAnyIn(Buffer.from(bytes));

describe('a search for several texts', () => {
  it.each([
    ['at the beginning', 'needle and hay'],
    ['in the middle', 'hay needle hay'],
    ['at the end', 'hay and needle'],
    ['right after a part of itself', 'needneedle'],
    ['by itself', 'needle'],
    ['beside bytes of other letters', 'Grüße: needle 🚀'],
  ])('finds one %s', (_, bytes) => {
    expect(found(['haystack', 'needle'], bytes)).toBe(true);
  });

  it.each(['', 'need', 'needl e', 'eedle needl', 'NEEDLE', 'haystac'])('finds none in “%s”', (bytes) => {
    expect(found(['haystack', 'needle'], bytes)).toBe(false);
  });

  it('finds a long text whole, though only its beginning makes the window', () => {
    const long = `${'ab'.repeat(300)}c`;
    expect(found([long], `x${long}x`)).toBe(true);
    expect(found([long], `x${long.slice(0, -1)}x`)).toBe(false);
  });

  it('finds what a plain search does', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ü'), minLength: 2, maxLength: 6 });
    const bytes = fc.string({ unit: fc.constantFrom('a', 'b', 'ü'), maxLength: 40 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), bytes, (texts, haystack) => {
        expect(found(texts, haystack)).toBe(texts.some((each) => haystack.includes(each)));
      }),
      { numRuns: 2000 },
    );
  });
});
