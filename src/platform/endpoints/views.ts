import * as v from 'valibot';
import { endpoint, record } from '../endpoint.ts';
import type { ProjectView, ProjectViewAnswer } from '../records.ts';
import { fields, integer, integers, nested, oneOf, optional, string } from '../schema.ts';
import { type Given, invalid, type Problem } from '../validate.ts';

const fieldAndDirection = v.strictTuple(
  [
    v.pipe(v.number('must be a field ID'), v.safeInteger('must be a field ID')),
    v.picklist(['asc', 'desc'], 'must be asc or desc'),
  ],
  'must be a field ID and a direction, such as [12,"asc"]',
);

const body = fields({
  name: string('View name'),
  layout: oneOf(['table', 'board', 'roadmap'], 'Layout of the view'),
  filter: optional(
    string('Filter for the items in the view, in the syntax of the project’s filter bar', { mayBeEmpty: true }),
  ),
  visible_fields: optional(integers('IDs of the visible fields')),
  sort_by: optional(
    nested(
      v.array(fieldAndDirection, 'must be a list'),
      'Sort order: field IDs, each with asc or desc, as 12:asc,15:desc or as JSON',
    ),
  ),
  group_by: optional(integers('ID of the field to group by; the field must support grouping', { max: 1 })),
  vertical_group_by: optional(integers('ID of the field for the columns of a board', { max: 1 })),
});

/** Columns require layout `board`. Specification, project views, vertical_group_by. */
function columnsOfBoards({ layout, vertical_group_by: columns }: Given): Problem[] {
  const hasNone = layout === 'table' || layout === 'roadmap';
  if (!hasNone || !Array.isArray(columns) || columns.length === 0) return [];
  return [invalid('vertical_group_by', `is only valid with layout board, not ${layout}`)];
}

const rules = [columnsOfBoards];

/** Advice on rejections that depend on the project's fields. */
const refusals = [
  { status: 422, field: 'visible_fields', advice: 'A roadmap cannot have visible fields: omit --visible-fields.' },
  { status: 422, field: 'group_by', advice: 'The --group-by field must support grouping.' },
] as const;

/** Returns the view, unwrapped where the edition wraps it. */
export const viewIn = (answer: ProjectViewAnswer): ProjectView => ('value' in answer ? answer.value : answer);

export const createOrganizationView = endpoint({
  route: 'POST /orgs/{org}/projectsV2/{project_number}/views',
  summary: 'Create a view in a project of an organization',
  path: { project_number: integer('Project number', { min: 1 }) },
  body,
  rules,
  permission: 'organization_projects=write',
  refusals,
  status: 201,
  answer: record<ProjectViewAnswer>(),
});

export const createUserView = endpoint({
  route: 'POST /users/{user_id}/projectsV2/{project_number}/views',
  summary: 'Create a view in a project of a user',
  path: { project_number: integer('Project number', { min: 1 }) },
  body,
  rules,
  tokens: ['classic', 'oauth'],
  refusals,
  status: 201,
  answer: record<ProjectViewAnswer>(),
});
