import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withArguments } from '../../../src/cli/lookup/alias-line.ts';

/** Returns the words that a POSIX shell makes of a line. */
const wordsOfShell = (line: string, given: readonly string[]): readonly string[] =>
  execFileSync('sh', ['-fc', `set -f; printf '%s\\0' forgectl ${line}`, 'sh', ...given], { encoding: 'utf8' })
    .split('\0')
    .slice(1, -1);

describe('the line of an alias', () => {
  it.each([
    ['orgs list --all', ['-o', 'json'], ['orgs', 'list', '--all', '-o', 'json']],
    ['repos get $1/$2 --json', ['acme', 'site', '--debug'], ['repos', 'get', 'acme/site', '--json', '--debug']],
    [
      'repos list acme --where \'.archived and $x\' "$@"',
      ['a b'],
      ['repos', 'list', 'acme', '--where', '.archived and $x', 'a b'],
    ],
    ['each $@ -- orgs get {}', ['acme', 'globex'], ['each', 'acme', 'globex', '--', 'orgs', 'get', '{}']],
    ['api /orgs/$1 -f a="b c" \\$2 * ~', ['$HOME'], ['api', '/orgs/$HOME', '-f', 'a=b c', '$2', '*', '~']],
    ['api "$1"', [''], ['api', '']],
    ['orgs list $10', ['x'], ['orgs', 'list', 'x0']],
  ])('%s with %j is %j', (line, given, words) => {
    expect(withArguments('x', line, given)).toEqual(words);
  });

  it.each([
    ['orgs list | jq', '“|” has no meaning, because no shell is started.'],
    ['orgs get $(whoami)', '“$” has no meaning, because no shell is started.'],
    ['orgs get "acme', 'Unclosed quote: "'],
    ['orgs get x$@', '$@ must be a word of its own.'],
    ['orgs get $2', 'Alias “x” needs 2 arguments, but got 1: orgs get $2'],
  ])('%s is rejected', (line, message) => {
    expect(() => withArguments('x', line, ['acme'])).toThrow(message);
  });

  it('is split as a POSIX shell splits it, whatever its quotes', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'a',
        ' ',
        '\t',
        '$1',
        '"$2"',
        "'$1'",
        '\\ ',
        '\\$',
        '\\\\',
        '""',
        "''",
        'é',
        '=',
        '*',
        ' $@ ',
        ' "$@" ',
      ),
      fc.stringMatching(/^[a-z ]{0,3}$/).map((text) => `"${text}"`),
      fc.stringMatching(/^[a-z \\]{0,3}$/).map((text) => `'${text}'`),
    );
    const given = ['one', 'two words', '$1', ''];
    const cases: string[] = fc
      .sample(fc.array(part, { maxLength: 8 }), { numRuns: 40, seed: 7 })
      .map((all) => all.join(''));
    for (const line of cases) {
      // A shell splits what an unquoted argument becomes; here every argument stays one word.
      const quoted = line.replaceAll(/('[^']*'|"[^"]*"|\\.)|(\$[1-9@])/g, (_, kept, place) => kept ?? `"${place}"`);
      expect([line, withArguments('x', `${line} "$@"`, given)]).toEqual([line, wordsOfShell(`${quoted} "$@"`, given)]);
    }
  });
});
