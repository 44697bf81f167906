import * as v from 'valibot';
import { asText } from '../../json/exact-json.ts';
import { propertyProblem } from '../custom-properties.ts';
import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { CustomProperty, PropertyValue, RepositoryPropertyValues } from '../records.ts';
import { boolean, fields, nested, nullable, oneOf, optional, string, strings } from '../schema.ts';
import { type Given, invalid, missing, type Problem } from '../validate.ts';

export const listProperties = endpoint({
  route: 'GET /orgs/{org}/properties/schema',
  summary: 'List the custom properties of an organization',
  permission: 'organization_custom_properties=read',
  role: 'organization member',
  answer: list<CustomProperty>(),
});

export const listPropertyValues = endpoint({
  route: 'GET /orgs/{org}/properties/values',
  summary: 'List the custom property values of an organization’s repositories',
  query: { repository_query: string('Search query for repositories, such as “props.tier:gold”') },
  paging: 'page',
  permission: 'organization_custom_properties=read',
  role: 'organization member',
  answer: list<RepositoryPropertyValues>(),
});

const value = v.nullable(v.union([v.string(), v.array(v.string())], 'must be a string, a list of strings, or null'));

/**
 * Public platform, Managing custom properties: select properties have allowed values, at most 200; a required property
 * has a default value, which is one of them.
 */
function definitionRules({ value_type: type, allowed_values: allowed, default_value, required }: Given): Problem[] {
  const problems: Problem[] = [];
  const isSelect = type === 'single_select' || type === 'multi_select';
  const values = Array.isArray(allowed) ? allowed : [];
  if (isSelect && values.length === 0) problems.push(missing('allowed_values', `is required for ${type}`));
  if (!isSelect && values.length > 0)
    problems.push(invalid('allowed_values', 'requires single_select or multi_select'));
  if (values.length > 200)
    problems.push(invalid('allowed_values', `must have at most 200 values (has ${values.length})`));
  const given = (default_value ?? null) as PropertyValue['value'];
  if (required === true && given === null)
    problems.push(missing('default_value', 'is required for a required property'));
  const definition = { property_name: '', value_type: asText(type), allowed_values: isSelect ? values : null };
  const problem = given === null || (isSelect && values.length === 0) ? undefined : propertyProblem(definition, given);
  if (problem !== undefined) problems.push(invalid('default_value', problem));
  return problems;
}

export const getProperty = endpoint({
  route: 'GET /orgs/{org}/properties/schema/{custom_property_name}',
  summary: 'Show a custom property of an organization',
  permission: 'organization_custom_properties=read',
  role: 'organization member',
  answer: record<CustomProperty>(),
});

const definitions = {
  permission: 'organization_custom_properties=admin',
  role: 'organization owner or custom_properties_org_definitions_manager',
} as const;

export const defineProperty = endpoint({
  route: 'PUT /orgs/{org}/properties/schema/{custom_property_name}',
  summary: 'Define a custom property of an organization, or replace its definition',
  body: fields({
    value_type: oneOf(['string', 'single_select', 'multi_select', 'true_false'], 'Type of the values'),
    required: optional(boolean('Require a value in every repository; needs a default value', { default: false })),
    default_value: optional(nested(value, 'Value of repositories that have none of their own')),
    description: optional(nullable(string('Description', { mayBeEmpty: true }))),
    allowed_values: optional(nullable(strings('Allowed values in their order, at most 200; select properties only'))),
    values_editable_by: optional(
      nullable(
        oneOf(
          ['org_actors', 'org_and_repo_actors'],
          'Who may set values: actors of the organization, or of repositories too',
          {
            default: 'org_actors',
          },
        ),
      ),
    ),
  }),
  rules: [definitionRules],
  ...definitions,
  answer: record<CustomProperty>(),
});

export const undefineProperty = endpoint({
  route: 'DELETE /orgs/{org}/properties/schema/{custom_property_name}',
  summary: 'Remove a custom property of an organization, with its values',
  ...definitions,
  answer: nothing(),
});

/** Public platform, Custom properties of repositories: readable by everyone who can read the repository. */
export const listRepositoryPropertyValues = endpoint({
  route: 'GET /repos/{owner}/{repo}/properties/values',
  summary: 'List the custom property values of a repository',
  permission: 'metadata=read',
  anonymous: true,
  answer: list<PropertyValue>(),
});

/** Public platform, PATCH /orgs/{org}/properties/values: from 1 to 30 repositories. */
export const mostRepositories = 30;

function repositoryLimits({ repository_names: names }: Given): Problem[] {
  if (!Array.isArray(names) || (names.length > 0 && names.length <= mostRepositories)) return [];
  return [invalid('repository_names', `must have 1 to ${mostRepositories} names`)];
}

export const setPropertyValues = endpoint({
  route: 'PATCH /orgs/{org}/properties/values',
  summary: 'Set custom properties of repositories, at most 30 at once',
  body: fields({
    repository_names: strings('Repository names without the owner'),
    properties: nested(
      v.array(
        fields({ property_name: v.pipe(v.string('must be a string'), v.nonEmpty('is empty')), value }),
        'must be a list',
      ),
      'Properties with their values; null unsets a property',
    ),
  }),
  rules: [repositoryLimits],
  permission: 'organization_custom_properties=write',
  role: 'organization owner or custom_properties_org_values_editor',
  refusals: [
    {
      status: 422,
      advice: 'List the properties and their allowed values with “forgectl properties list ORG”.',
    },
  ],
  answer: nothing(),
});
