import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { Label } from '../records.ts';
import { fields, optional, optionalFields, string } from '../schema.ts';
import { type Given, invalid, type Problem } from '../validate.ts';

const color = string('Color, as six hexadecimal digits without #');
const description = string('Description', { maxCharacters: 100, mayBeEmpty: true });

/** Public platform, Labels: “The hexadecimal color code for the label, without the leading #.” */
function colorForm({ color: given }: Given): Problem[] {
  return typeof given !== 'string' || given === '' || /^[\da-f]{6}$/i.test(given)
    ? []
    : [invalid('color', 'must be six hexadecimal digits, such as d73a4a')];
}

const readable = { permission: 'issues=read; pull_requests=read', anonymous: true } as const;
const writable = { permission: 'issues=write; pull_requests=write' } as const;

export const listLabels = endpoint({
  route: 'GET /repos/{owner}/{repo}/labels',
  summary: 'List the labels of a repository',
  paging: 'page',
  ...readable,
  answer: list<Label>(),
});

export const getLabel = endpoint({
  route: 'GET /repos/{owner}/{repo}/labels/{name}',
  summary: 'Show a label',
  ...readable,
  answer: record<Label>(),
});

export const createLabel = endpoint({
  route: 'POST /repos/{owner}/{repo}/labels',
  summary: 'Create a label in a repository',
  body: fields({ name: string('Label name'), color: optional(color), description: optional(description) }),
  rules: [colorForm],
  ...writable,
  status: 201,
  answer: record<Label>(),
});

export const updateLabel = endpoint({
  route: 'PATCH /repos/{owner}/{repo}/labels/{name}',
  summary: 'Update a label, or rename it',
  body: optionalFields({ new_name: string('New name'), color, description }),
  rules: [colorForm],
  ...writable,
  answer: record<Label>(),
});

export const deleteLabel = endpoint({
  route: 'DELETE /repos/{owner}/{repo}/labels/{name}',
  summary: 'Delete a label, which issues and pull requests lose',
  ...writable,
  answer: nothing(),
});
