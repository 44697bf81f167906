import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/dependencies/dependency-graph.ts';
import { lockfileFormats, parseSbom } from '../../src/dependencies/formats.ts';
import { parse } from './graph.ts';

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

describe('JSON that is nested too deep', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const error = new ParseError('nested more than 1000 levels deep');

  it.each(['package-lock.json', 'bun.lock', 'composer.lock', 'Package.resolved'])('is an error in %s', async (name) => {
    await expect(parse(name, deep(1001))).rejects.toThrow(error);
    await expect(parse(name, deep(1000))).rejects.not.toThrow(error);
  });

  it.each([
    ['as a whole', deep(1001)],
    ['in a field', `{"bomFormat": "CycloneDX", "metadata": {"a": ${deep(1000)}}}`],
    ['in a list', `{"bomFormat": "CycloneDX", "components": [${deep(1001)}]}`],
    ['without an end', `{"bomFormat": "CycloneDX", "components": ${'['.repeat(1001)}`],
  ])('is an error in an SBOM, %s', async (_, text) => {
    await expect(parseSbom(Buffer.from(text))).rejects.toThrow(error);
  });

  it('is an error in package.json beside a lockfile of Yarn', async () => {
    const lock = '# yarn lockfile v1\n\na@1:\n  version "1"\n';
    await expect(parse('yarn.lock', lock, { 'package.json': deep(1001) })).rejects.toThrow(
      'package.json beside it is nested more than 1000 levels deep',
    );
  });
});
