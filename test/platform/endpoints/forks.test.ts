import { expect, test } from 'vitest';
import { createFork, listForks } from '../../../src/platform/endpoints/forks.ts';
import { checkBody, checkValue } from '../../../src/platform/validate.ts';

test('a fork requires no fields: “Body (all optional)”', () => {
  expect(checkBody(createFork, {})).toEqual({ problems: [], unknown: [] });
  expect(checkBody(createFork, { organization: 'globex', name: 'site-2', default_branch_only: true })).toEqual({
    problems: [],
    unknown: [],
  });
});

test('every invalid field of a fork is reported at once', () => {
  const { problems } = checkBody(createFork, { organization: 7, name: null, default_branch_only: 'yes' });
  expect(problems.map(({ field, message }) => `${field} ${message}`)).toEqual([
    'organization must be a string',
    'name must be a string',
    'default_branch_only must be true or false',
  ]);
});

test('forks are sorted by “newest default, oldest, stargazers, watchers”', () => {
  const { sort } = listForks.query;
  for (const word of ['newest', 'oldest', 'stargazers', 'watchers'])
    expect(checkValue(sort, word)).toEqual({ problems: [], unknown: [] });
  expect(checkValue(sort, 'name').unknown).toHaveLength(1);
});

test('the platform returns 202 for a new fork: “Creation is asynchronous”', () => {
  expect(createFork.status).toBe(202);
});
