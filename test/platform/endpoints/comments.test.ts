import { expect, test } from 'vitest';
import * as endpoints from '../../../src/platform/endpoints/comments.ts';
import { checkBody } from '../../../src/platform/validate.ts';

const { createComment, updateComment } = endpoints;

test('a comment requires a body: “body string required”', () => {
  const missing = [{ field: 'body', message: 'is required', code: 'missing_field' }];
  expect(checkBody(createComment, { path: 'README.md' }).problems).toEqual(missing);
  expect(checkBody(updateComment, {}).problems).toEqual(missing);
});

test('a comment may have a file, a diff position and a line', () => {
  const body = { body: 'Nice', path: 'README.md', position: 4, line: 1 };
  expect(checkBody(createComment, body)).toEqual({ problems: [], unknown: [] });
});

test('position and line are whole numbers', () => {
  const { problems } = checkBody(createComment, { body: 'Nice', position: 1.5, line: '2' });
  expect(problems.map(({ field, message }) => `${field} ${message}`)).toEqual([
    'position must be a whole number',
    'line must be a whole number',
  ]);
});

test('media types are for “all commit-comment reads and updates”, and carry the vendor’s name', () => {
  const { listRepositoryComments, listCommitComments, getComment } = endpoints;
  for (const endpoint of [listRepositoryComments, listCommitComments, getComment, updateComment])
    expect(endpoint.mediaTypes).toEqual({
      raw: 'application/vnd.<vendor>-commitcomment.raw+json',
      text: 'application/vnd.<vendor>-commitcomment.text+json',
      html: 'application/vnd.<vendor>-commitcomment.html+json',
      full: 'application/vnd.<vendor>-commitcomment.full+json',
    });
});
