import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandLines, list, page, routeLines, wrapped } from '../../../src/cli/help/layout.ts';

describe('a page', () => {
  it('has its title, then sections with a heading, their lines moved in; empty sections are left out', () => {
    const sections = [
      { heading: 'USAGE', lines: ['forgectl', '', 'more'] },
      { heading: 'NOTHING', lines: [] },
      { heading: 'FLAGS', lines: ['--all'] },
    ];
    expect(page('What it is', sections, false)).toBe('What it is\n\nUSAGE\n  forgectl\n\n  more\n\nFLAGS\n  --all\n');
  });

  it('has bold headings where there is colour', () => {
    expect(page('What it is', [{ heading: 'USAGE', lines: ['forgectl'] }], true)).toBe(
      'What it is\n\n\u001b[1mUSAGE\u001b[22m\n  forgectl\n',
    );
  });
});

describe('text', () => {
  it('is broken at words, wherever its source is', () => {
    expect(wrapped('one two\nthree   four', 9)).toEqual(['one two', 'three', 'four']);
  });

  it('keeps a word that is too long whole', () => {
    expect(wrapped('a incomprehensible b', 5)).toEqual(['a', 'incomprehensible', 'b']);
  });
});

describe('a list', () => {
  it('puts texts beside their labels, and the text of a label that is too wide below it', () => {
    const items = [
      { label: '--all', text: 'Show all of them' },
      { label: '--yes', text: 'Do not ask' },
      { label: '--sort=created|updated|pushed|full_name', text: 'Order' },
    ];
    expect(list(items, 20)).toEqual([
      '--all  Show all of',
      '       them',
      '--yes  Do not ask',
      '--sort=created|updated|pushed|full_name',
      '       Order',
    ]);
  });

  it('puts every text below its label where most labels are too wide', () => {
    const items = [
      { label: '--blog=TEXT', text: 'Address' },
      { label: '--[no-]members-can-create-pages', text: 'Members may publish' },
      { label: '--[no-]web-commit-signoff-required', text: 'Sign off' },
    ];
    expect(list(items, 40)).toEqual([
      '--blog=TEXT',
      '    Address',
      '--[no-]members-can-create-pages',
      '    Members may publish',
      '--[no-]web-commit-signoff-required',
      '    Sign off',
    ]);
  });

  it('of nothing is nothing', () => {
    expect(list([], 80)).toEqual([]);
  });
});

it('a long route is broken after a slash', () => {
  expect(routeLines('GET /repos/{owner}/{repo}/comments', 30)).toEqual(['GET /repos/{owner}/{repo}/', '  comments']);
});

describe('a command line', () => {
  const json = `'{"a":"one, two","b":["three"],"c":"four"}'`;

  it('that fits stays on one line', () => {
    expect(commandLines('forgectl orgs list', 80)).toEqual(['$ forgectl orgs list']);
  });

  it('is broken between words, and a flag stays with its value', () => {
    expect(commandLines('forgectl repos list acme --type private --all --sort pushed', 36)).toEqual([
      '$ forgectl repos list acme \\',
      '    --type private --all \\',
      '    --sort pushed',
    ]);
  });

  it('is broken after a comma of quoted JSON, but not in a string of it', () => {
    expect(commandLines(`forgectl x --body ${json}`, 33)).toEqual([
      `$ forgectl x --body \\`,
      `    '{"a":"one, two",`,
      `    "b":["three"],"c":"four"}'`,
    ]);
  });

  it.each([
    `printf '<%s>' one 'two three' "four 'five'" six\\ seven | cat`,
    `printf '<%s>' "a \\" b" && echo done`,
    `echo ${json} | tr -d '\\n '`,
  ])('means the same to a shell when it is broken: %s', (command) => {
    const output = (line: string) => spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout;
    const broken = commandLines(command, 24);
    expect(broken.length).toBeGreaterThan(1);
    expect(output(broken.join('\n').replace('$ ', ''))).toBe(output(command));
  });
});
