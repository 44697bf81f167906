import { describe, expect, it } from 'vitest';
import { list, page, routeLines } from '../../../src/cli/help/layout.ts';

describe('a help page', () => {
  it('has its title, then sections with a heading and indented lines, without empty sections', () => {
    const sections = [
      { heading: 'USAGE', lines: ['forgectl', '', 'more'] },
      { heading: 'NOTHING', lines: [] },
      { heading: 'FLAGS', lines: ['--all'] },
    ];
    expect(page(['What it is'], sections, false)).toBe('What it is\n\nUSAGE\n  forgectl\n\n  more\n\nFLAGS\n  --all\n');
  });

  it('has bold headings with colour', () => {
    expect(page(['What it is'], [{ heading: 'USAGE', lines: ['forgectl'] }], true)).toBe(
      'What it is\n\n\u001b[1mUSAGE\u001b[22m\n  forgectl\n',
    );
  });
});

describe('a list', () => {
  it('puts texts beside their labels, and the text of a long label below it', () => {
    const items = [
      { label: '--all', text: 'Show all items of the whole list' },
      { label: '--yes', text: 'Do not ask' },
      { label: '--sort=created|updated|pushed|full_name', text: 'Order' },
    ];
    expect(list(items, 27)).toEqual([
      '--all  Show all items of',
      '       the whole list',
      '--yes  Do not ask',
      '--sort=created|updated|pushed|full_name',
      '       Order',
    ]);
  });

  it('puts every text below its label if most labels are too long', () => {
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

  it('puts every text below its label if little room is left beside the labels', () => {
    expect(list([{ label: '--all', text: 'Show all of the items' }], 26)).toEqual([
      '--all',
      '    Show all of the items',
    ]);
  });

  it('is empty without items', () => {
    expect(list([], 80)).toEqual([]);
  });
});

it('breaks a long route after a slash', () => {
  expect(routeLines('GET /repos/{owner}/{repo}/comments', 30)).toEqual(['GET /repos/{owner}/{repo}/', '  comments']);
});
