import * as endpoints from '../../platform/endpoints/properties.ts';
import type { CustomProperty, PropertyValue, RepositoryPropertyValues } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';
import { listing, mapped } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { forbidden, validationFailed } from '../refusals.ts';
import { isVisible } from '../roles.ts';
import { type App, route } from '../route.ts';
import {
  definitions,
  matchesQuery,
  problemWith,
  repositoriesNamed,
  type PropertyValue as StoredValue,
  setValues,
  valuesOf,
} from '../state/properties.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { fullName } from '../views/repository.ts';

export function mountProperties(app: App): void {
  route(app, endpoints.listProperties, ({ platform, organization }) =>
    definitions.map(
      (definition): CustomProperty => ({
        ...definition,
        url: `${platform.baseUrl}/orgs/${organization.login}/properties/schema/${definition.property_name}`,
        source_type: 'organization',
        default_value: definition.default_value as CustomProperty['default_value'],
        allowed_values: definition.allowed_values && [...definition.allowed_values],
        values_editable_by: 'org_actors',
      }),
    ),
  );

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
      const problem = problemWith(property_name, value);
      return problem === undefined ? [] : [invalid('properties', problem)];
    });
    const found = repositoriesNamed(platform, organization, body.repository_names);
    if (typeof found === 'string') problems.push(invalid('repository_names', `${found} is not a repository`));
    if (problems.length > 0 || typeof found === 'string') throw validationFailed('CustomProperty', problems);
    if (found.some(({ archived }) => archived)) throw forbidden('Repository was archived so is read-only.');
    const values = Object.fromEntries(
      body.properties.map(({ property_name, value }): [string, StoredValue] => [property_name, value]),
    );
    for (const repository of found) setValues(platform, repository, values);
  });
}

function propertiesOf(platform: SandboxPlatform, repository: RepositoryState): PropertyValue[] {
  const values = valuesOf(platform, repository);
  return definitions.map(({ property_name }) => ({
    property_name,
    value: (values[property_name] ?? null) as PropertyValue['value'],
  }));
}
