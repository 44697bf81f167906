import * as v from 'valibot';
import { endpoint, list, nothing } from '../endpoint.ts';
import type { CustomProperty, PropertyValue, RepositoryPropertyValues } from '../records.ts';
import { fields, nested, string, strings } from '../schema.ts';
import { type Given, invalid, type Problem } from '../validate.ts';

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

const value = v.nullable(v.union([v.string(), v.array(v.string())], 'must be a string, a list of strings, or null'));

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
