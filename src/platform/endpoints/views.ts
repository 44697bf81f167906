import * as v from 'valibot';
import { endpoint, record } from '../endpoint.ts';
import type { ProjectView, ProjectViewAnswer } from '../records.ts';
import { fields, integer, integers, nested, oneOf, optional, string } from '../schema.ts';
import { type Given, invalid, type Problem } from '../validate.ts';

const fieldAndDirection = v.strictTuple(
  [
    v.pipe(v.number('must be the id of a field'), v.safeInteger('must be the id of a field')),
    v.picklist(['asc', 'desc'], 'must be asc or desc'),
  ],
  'must be the id of a field and a direction, such as [12,"asc"]',
);

const body = fields({
  name: string('Name of the view'),
  layout: oneOf(['table', 'board', 'roadmap'], 'How the view looks'),
  filter: optional(string('Which items the view shows, written as in the project’s filter bar', { mayBeEmpty: true })),
  visible_fields: optional(integers('Ids of the fields that the view shows')),
  sort_by: optional(
    nested(
      v.array(fieldAndDirection, 'must be a list'),
      'What to sort by: ids of fields, each with asc or desc, as 12:asc,15:desc or as JSON',
    ),
  ),
  group_by: optional(integers('Id of the field to group by, one that supports grouping', { max: 1 })),
  vertical_group_by: optional(integers('Id of the field for the columns of a board', { max: 1 })),
});

/** Only boards have columns. Specification, project views, vertical_group_by. */
function columnsOfBoards({ layout, vertical_group_by: columns }: Given): Problem[] {
  const hasNone = layout === 'table' || layout === 'roadmap';
  if (!hasNone || !Array.isArray(columns) || columns.length === 0) return [];
  return [invalid('vertical_group_by', `goes only with layout board, and the layout is ${layout}`)];
}

const rules = [columnsOfBoards];

/** What only the platform knows: which fields a project has, and what each layout and field supports. */
const refusals = [
  { status: 422, field: 'visible_fields', advice: 'A roadmap may have no visible fields: leave --visible-fields out.' },
  { status: 422, field: 'group_by', advice: 'The field of --group-by must be one that supports grouping.' },
] as const;

/** The view, taken out of the member that some editions wrap it in. */
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
