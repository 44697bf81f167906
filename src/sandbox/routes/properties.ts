import * as endpoints from '../../platform/endpoints/properties.ts';
import type { CustomProperty, PropertyValue, RepositoryPropertyValues } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';
import { listing, mapped } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { forbidden, found, validationFailed } from '../refusals.ts';
import { isVisible } from '../roles.ts';
import { type App, route } from '../route.ts';
import type { OrganizationState } from '../state/accounts.ts';
import {
  definitionsOf,
  matchesQuery,
  type PropertyDefinition,
  problemWith,
  repositoriesNamed,
  type PropertyValue as StoredValue,
  setValues,
  undefine,
  valuesOf,
} from '../state/properties.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { fullName } from '../views/repository.ts';

function mountDefinitions(app: App): void {
  route(app, endpoints.listProperties, ({ platform, organization }) =>
    definitionsOf(platform, organization.id)
      .values()
      .map((definition) => definitionView(platform, organization, definition)),
  );

  route(app, endpoints.getProperty, ({ platform, organization, path }) =>
    definitionView(platform, organization, findDefinition(platform, organization, path.custom_property_name)),
  );

  route(app, endpoints.defineProperty, ({ platform, organization, path, body }) => {
    const name = path.custom_property_name;
    if (!/^[\w$#-]{1,75}$/.test(name))
      throw validationFailed('CustomProperty', [invalid('property_name', `${name} is not a valid name`)]);
    const definitions = definitionsOf(platform, organization.id);
    const definition: PropertyDefinition = {
      property_name: definitions.get(name.toLowerCase())?.property_name ?? name,
      value_type: body.value_type,
      required: body.required ?? false,
      default_value: body.default_value ?? null,
      description: body.description || null,
      allowed_values: body.allowed_values ?? null,
      values_editable_by: body.values_editable_by ?? 'org_actors',
    };
    definitions.set(name.toLowerCase(), definition);
    return definitionView(platform, organization, definition);
  });

  route(app, endpoints.undefineProperty, ({ platform, organization, path }) =>
    undefine(platform, organization, findDefinition(platform, organization, path.custom_property_name).property_name),
  );
}

const findDefinition = (platform: SandboxPlatform, { id }: OrganizationState, name: string): PropertyDefinition =>
  found(definitionsOf(platform, id).get(name.toLowerCase()));

const definitionView = (
  platform: SandboxPlatform,
  organization: OrganizationState,
  definition: PropertyDefinition,
): CustomProperty => ({
  ...definition,
  url: `${platform.baseUrl}/orgs/${organization.login}/properties/schema/${definition.property_name}`,
  source_type: 'organization',
  default_value: definition.default_value as CustomProperty['default_value'],
  allowed_values: definition.allowed_values && [...definition.allowed_values],
});

export function mountProperties(app: App): void {
  mountDefinitions(app);

  route(app, endpoints.listPropertyValues, ({ platform, organization, caller, query }) => {
    const shown = platform.repositories
      .all(organization)
      .filter((repository) => isVisible(platform, caller, repository))
      .filter((repository) => matchesQuery(platform, repository, query.repository_query ?? ''));
    return mapped(
      listing(shown),
      (repository): RepositoryPropertyValues => ({
        repository_id: repository.id,
        repository_name: repository.name,
        repository_full_name: fullName(platform, repository),
        properties: propertiesOf(platform, repository),
      }),
    );
  });

  route(app, endpoints.listRepositoryPropertyValues, ({ platform, repository }) =>
    propertiesOf(platform, repository).filter(({ value }) => value !== null),
  );

  route(app, endpoints.setPropertyValues, ({ platform, organization, body }) => {
    const problems = body.properties.flatMap(({ property_name, value }) => {
      const problem = problemWith(platform, organization, property_name, value);
      return problem === undefined ? [] : [invalid('properties', problem)];
    });
    const named = repositoriesNamed(platform, organization, body.repository_names);
    if (typeof named === 'string') problems.push(invalid('repository_names', `${named} is not a repository`));
    if (problems.length > 0 || typeof named === 'string') throw validationFailed('CustomProperty', problems);
    if (named.some(({ archived }) => archived)) throw forbidden('Repository was archived so is read-only.');
    const values = Object.fromEntries(
      body.properties.map(({ property_name, value }): [string, StoredValue] => [property_name, value]),
    );
    for (const repository of named) setValues(platform, repository, values);
  });
}

function propertiesOf(platform: SandboxPlatform, repository: RepositoryState): PropertyValue[] {
  const values = new Map(Object.entries(valuesOf(platform, repository)));
  return definitionsOf(platform, repository.owner_id)
    .values()
    .map(({ property_name }) => ({
      property_name,
      value: (values.get(property_name) ?? null) as PropertyValue['value'],
    }));
}
