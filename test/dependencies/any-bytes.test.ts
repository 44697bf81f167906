import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/dependencies/dependency-graph.ts';
import { lockfileFormats } from '../../src/dependencies/formats.ts';

/** Pieces that lockfiles consist of, so that random files get past the first line. */
const pieces = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  "'",
  '\n',
  '  ',
  '    ',
  '- ',
  '? ',
  ': ',
  '|',
  '>',
  '#',
  '@',
  '/',
  '(',
  ')',
  '=',
  'a',
  '1.0.0',
  '__proto__',
  'constructor',
  'null',
  '[[package]]',
  'name = "a"',
  'version = "1"',
  'dependencies',
  '"packages"',
  '"node_modules/a"',
  '"dependencies"',
  '"version"',
  '"1.0.0"',
  'lockfileVersion: 9.0',
  'importers:',
  'snapshots:',
  '__metadata:',
  '"a@npm:^1":',
  'resolution: "a@npm:1.0.0"',
  'GEM',
  'specs:',
  'require',
  'a==1.0.0',
];
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join('')),
  fc.json({ maxDepth: 6 }),
);
const none = { read: () => undefined, glob: () => [] };

describe.each(lockfileFormats.map((format) => [format.name, format] as const))('the parser of %s', (_name, format) => {
  it('returns packages or throws a ParseError for any text', async () => {
    const parse = await format.load('any.lockfile');
    fc.assert(
      fc.property(anyText, anyText, (text, other) => {
        try {
          parse(text, { ...none, read: () => other });
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
