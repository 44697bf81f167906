import { expect, test } from 'vitest';
import { createOrganizationView, createUserView, viewIn } from '../../../src/platform/endpoints/views.ts';
import type { ProjectView } from '../../../src/platform/records.ts';
import { checkBody } from '../../../src/platform/validate.ts';

const findings = (body: object) => {
  const { problems, unknown } = checkBody(createOrganizationView, { ...body });
  return {
    problems: problems.map(({ field, message }) => `${field} ${message}`),
    unknown: unknown.map(({ field, message }) => `${field} ${message}`),
  };
};
const fine = { problems: [], unknown: [] };
const view = { name: 'Bugs', layout: 'table' };

test('a view requires a name and a layout', () => {
  expect(findings({}).problems).toEqual(['name is required', 'layout is required']);
  for (const layout of ['table', 'board', 'roadmap']) expect(findings({ name: 'Bugs', layout })).toEqual(fine);
  expect(findings({ name: 'Bugs', layout: 'calendar' })).toEqual({
    problems: [],
    unknown: ['layout must be one of table, board, roadmap'],
  });
});

test('sort_by is an “array of two-element arrays (field id, direction)”', () => {
  expect(findings({ ...view, sort_by: [] })).toEqual(fine);
  expect(
    findings({
      ...view,
      sort_by: [
        [12, 'asc'],
        [15, 'desc'],
      ],
    }),
  ).toEqual(fine);
  expect(findings({ ...view, sort_by: [12, 'asc'] }).problems).toContain(
    'sort_by[0] must be a field ID and a direction, such as [12,"asc"]',
  );
  expect(findings({ ...view, sort_by: [['Status', 'asc']] }).problems).toEqual(['sort_by[0][0] must be a field ID']);
  expect(findings({ ...view, sort_by: [[12]] }).problems).toEqual(['sort_by[0][1] is required']);
  expect(findings({ ...view, sort_by: [[12, 'asc', 15]] }).problems).toHaveLength(1);
});

test.each(['group_by', 'vertical_group_by'])('%s “holds at most one id”', (field) => {
  expect(findings({ ...view, layout: 'board', [field]: [] })).toEqual(fine);
  expect(findings({ ...view, layout: 'board', [field]: [12] })).toEqual(fine);
  expect(findings({ ...view, layout: 'board', [field]: [12, 15] }).problems).toEqual([
    `${field} must have at most 1 item`,
  ]);
});

test('projects of users are “not usable with app or fine-grained tokens”', () => {
  expect(createUserView.tokens).toEqual(['classic', 'oauth']);
});

test('the view is found with or without an envelope', () => {
  const answered = { id: 1, name: 'Bugs' } as ProjectView;
  expect(viewIn({ value: answered })).toBe(answered);
  expect(viewIn(answered)).toBe(answered);
});
