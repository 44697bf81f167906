import { describe, expect, it } from 'vitest';
import {
  brokenOffText,
  hiddenColumnsText,
  type ListRange,
  nothingFoundText,
  rangeText,
} from '../../../src/cli/result/footer.ts';

describe('the footer of a partial list', () => {
  const thirty: ListRange = { from: 1, shown: 30, more: true };

  it.each<[ListRange, string | undefined]>([
    [
      { ...thirty, total: { count: 3907, isExceeded: false } },
      'Showing 30 of 3,907 repositories; --all shows the rest.',
    ],
    [
      { ...thirty, total: { count: 3900, isExceeded: true } },
      'Showing 30 of more than 3,900 repositories; --all shows the rest.',
    ],
    [thirty, 'Showing the first 30 repositories; --all shows the rest.'],
    [{ ...thirty, more: false }, undefined],
    [{ from: 1, shown: 0, more: false }, undefined],
    [
      { from: 31, shown: 30, more: true, total: { count: 3907, isExceeded: false }, nextPage: 3 },
      'Showing 31 to 60 of 3,907 repositories; --page 3 shows the next.',
    ],
    [{ from: 31, shown: 30, more: true, nextPage: 3 }, 'Showing 31 to 60 repositories; --page 3 shows the next.'],
    [{ from: 31, shown: 7, more: true }, 'Showing 31 to 37 repositories; --all shows the rest.'],
    [{ from: 31, shown: 7, more: false }, 'Showing 31 to 37 (end of the list).'],
    // The platform counts what it does not list.
    [
      { ...thirty, total: { count: 12, isExceeded: false } },
      'Showing the first 30 repositories; --all shows the rest.',
    ],
  ])('%j: %s', (extent, text) => {
    expect(rangeText(extent, 'repositories')).toBe(text);
  });
});

it('an incomplete list reports the last record and the missing page', () => {
  expect(brokenOffText(1200, 'repositories', 13)).toBe(
    'The list is incomplete: it ends after 1,200 repositories because page 13 could not be fetched.',
  );
});

it('hidden columns are reported', () => {
  expect(hiddenColumnsText([])).toBeUndefined();
  expect(hiddenColumnsText(['ID'])).toBe('1 column hidden (ID); widen the terminal or use --fields.');
  expect(hiddenColumnsText(['ID', 'Pushed'])).toBe(
    '2 columns hidden (ID, Pushed); widen the terminal or use --fields.',
  );
  expect(hiddenColumnsText([...'abcdefghijkl'])).toBe(
    '12 columns hidden (a, b, c, d, e, f, g, h, i, j, 2 more); widen the terminal or use --fields.',
  );
});

describe('an empty list', () => {
  it('shows the place, the filters and the page, but not the order', () => {
    expect(nothingFoundText('repositories', { path: { org: 'acme' } })).toBe('Found no repositories in acme.');
    expect(
      nothingFoundText('rulesets', {
        path: { owner: 'acme', repo: 'site' },
        query: { targets: ['branch', 'tag'], includes_parents: false, sort: 'name' },
        page: 4,
      }),
    ).toBe('Found no rulesets in acme/site with --targets branch,tag --no-includes-parents on page 4.');
    expect(nothingFoundText('versions', { path: { org: 'acme', ruleset_id: 7 } })).toBe(
      'Found no versions in ruleset 7 of acme.',
    );
    expect(nothingFoundText('organizations', { path: { username: 'ada' } })).toBe(
      'Found no organizations in account ada.',
    );
    expect(nothingFoundText('budgets', { path: { enterprise: 'acme-inc' }, query: { scope: 'user' } })).toBe(
      'Found no budgets in enterprise acme-inc with --scope user.',
    );
    expect(nothingFoundText('installations', {})).toBe('Found no installations.');
  });
});
