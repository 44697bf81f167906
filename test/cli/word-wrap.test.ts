import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandLines, wrapped, wrappedMessage } from '../../src/cli/word-wrap.ts';

describe('text', () => {
  it('is broken at words, whatever its source', () => {
    expect(wrapped('one two\nthree   four', 9)).toEqual(['one two', 'three', 'four']);
  });

  it('keeps a long word whole', () => {
    expect(wrapped('a incomprehensible b', 5)).toEqual(['a', 'incomprehensible', 'b']);
  });
});

describe('a message', () => {
  it('is broken at words, each line separately, with its indentation', () => {
    expect(wrappedMessage('one two three\n  four five six\nseven', 11)).toBe(
      'one two\nthree\n  four five\n  six\nseven',
    );
  });

  it('keeps fitting lines unchanged', () => {
    expect(wrappedMessage('one  two\n   three', 11)).toBe('one  two\n   three');
  });

  it('counts wide characters as two columns', () => {
    expect(wrappedMessage('日本 日本', 8)).toBe('日本\n日本');
  });

  it('keeps a command line intact', () => {
    expect(wrappedMessage('Did you mean:\n  forgectl repos list acme --all', 24)).toBe(
      'Did you mean:\n  forgectl repos list \\\n      acme --all',
    );
  });
});

describe('a command line', () => {
  const json = `'{"a":"one, two","b":["three"],"c":"four"}'`;

  it('that fits stays on one line', () => {
    expect(commandLines('$ forgectl orgs list', 80)).toEqual(['$ forgectl orgs list']);
  });

  it('is broken between words, and a flag stays with its value', () => {
    expect(commandLines('$ forgectl repos list acme --type private --all --sort pushed', 36)).toEqual([
      '$ forgectl repos list acme \\',
      '    --type private --all \\',
      '    --sort pushed',
    ]);
  });

  it('is broken after a comma of quoted JSON, but not within its strings', () => {
    expect(commandLines(`$ forgectl x --body ${json}`, 33)).toEqual([
      `$ forgectl x --body \\`,
      `    '{"a":"one, two",`,
      `    "b":["three"],"c":"four"}'`,
    ]);
  });

  it.each([
    `printf '<%s>' one 'two three' "four 'five'" six\\ seven | cat`,
    `printf '<%s>' "a \\" b" && echo done`,
    `echo ${json} | tr -d '\\n '`,
  ])('has the same meaning to a shell when it is broken: %s', (command) => {
    const output = (line: string) => spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout;
    const broken = commandLines(command, 24);
    expect(broken.length).toBeGreaterThan(1);
    expect(output(broken.join('\n'))).toBe(output(command));
  });
});
