/** Custom properties: what organizations define, and the values that repositories have. */
import type { SandboxPlatform } from '../platform.ts';
import { pick } from '../seed/chance.ts';
import type { Collection } from '../store.ts';
import type { OrganizationState } from './accounts.ts';
import type { RepositoryState } from './repositories.ts';

export type PropertyValue = string | readonly string[] | null;

export interface PropertyDefinition {
  readonly property_name: string;
  readonly value_type: 'string' | 'single_select' | 'multi_select' | 'true_false';
  readonly required: boolean;
  readonly default_value: PropertyValue;
  readonly description: string | null;
  readonly allowed_values: readonly string[] | null;
  readonly values_editable_by: 'org_actors' | 'org_and_repo_actors';
}

const common = {
  required: false,
  default_value: null,
  allowed_values: null,
  values_editable_by: 'org_actors',
} as const;

/** The first definitions of every organization. */
const seeded: readonly PropertyDefinition[] = [
  {
    ...common,
    property_name: 'tier',
    value_type: 'single_select',
    required: true,
    default_value: 'bronze',
    description: 'How soon somebody has to answer',
    allowed_values: ['gold', 'silver', 'bronze'],
  },
  { ...common, property_name: 'team', value_type: 'string', description: 'Who answers' },
  {
    ...common,
    property_name: 'region',
    value_type: 'multi_select',
    description: 'Where it runs',
    allowed_values: ['eu', 'us', 'asia'],
  },
  { ...common, property_name: 'pci', value_type: 'true_false', description: 'Handles card data' },
];

/** Returns the definitions of an organization, by name in lower case. */
export const definitionsOf = (
  { accounts, store }: SandboxPlatform,
  organizationId: number,
): Collection<PropertyDefinition> =>
  store.collection<PropertyDefinition>('property definitions', organizationId, () => {
    const organization = accounts.organizationById(organizationId);
    if (organization?.isEmpty) return [];
    return seeded.map((definition) => [definition.property_name, definition] as const);
  });

/** Removes a definition, and the values of repositories. */
export function undefine(platform: SandboxPlatform, organization: OrganizationState, name: string): void {
  for (const repository of platform.repositories.all(organization))
    if (Object.hasOwn(givenValues(platform, repository), name)) setValues(platform, repository, { [name]: null });
  definitionsOf(platform, organization.id).delete(name.toLowerCase());
}

/** Returns what is wrong with a value, or undefined. Null unsets a property, after which a required one has its default. */
export function problemWith(
  platform: SandboxPlatform,
  organization: OrganizationState,
  name: string,
  value: PropertyValue,
): string | undefined {
  const all = definitionsOf(platform, organization.id).values();
  const definition = all.find(({ property_name }) => property_name === name);
  if (!definition) return `${name} is not a custom property of this organization`;
  if (value === null) return undefined;
  const { value_type: type, allowed_values } = definition;
  const allowed = type === 'true_false' ? ['true', 'false'] : allowed_values;
  if (Array.isArray(value) !== (type === 'multi_select'))
    return `${name} takes ${type === 'multi_select' ? 'a list of values' : 'one value'}`;
  const unknown = [value].flat().find((each) => allowed && !allowed.includes(each as string));
  return unknown === undefined ? undefined : `${name} does not take ${unknown}; it takes ${allowed?.join(', ')}`;
}

/** Sets properties of a repository, and keeps its others. */
export function setValues(
  platform: SandboxPlatform,
  repository: RepositoryState,
  values: Readonly<Record<string, PropertyValue>>,
): void {
  const custom_properties = { ...givenValues(platform, repository), ...values };
  platform.repositories.change(repository, { custom_properties }, platform.clock());
}

/** Returns the values of a repository's properties, defaults included; a property without a value is left out. */
export function valuesOf(platform: SandboxPlatform, repository: RepositoryState): Record<string, PropertyValue> {
  if (!platform.accounts.organizationById(repository.owner_id)) return {};
  const given = new Map(Object.entries(givenValues(platform, repository)));
  const definitions = definitionsOf(platform, repository.owner_id).values();
  const names = new Set([...definitions.map(({ property_name }) => property_name), ...given.keys()]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const { default_value = null } = definitions.find(({ property_name }) => property_name === name) ?? {};
      const value = given.get(name) ?? default_value;
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** The values that were set, or the seeded ones of an unchanged repository. */
function givenValues({ chance }: SandboxPlatform, repository: RepositoryState): Record<string, PropertyValue> {
  const { id, custom_properties: kept, security_features: created } = repository;
  if (Object.keys(kept).length > 0 || created !== undefined) return { ...kept } as Record<string, PropertyValue>;
  const tier = chance('tier', id);
  return {
    ...(tier < 0.5 && { tier: tier < 0.2 ? 'gold' : 'silver' }),
    ...(chance('team property', id) < 0.5 && {
      team: pick(['web', 'data', 'platform'] as const, chance('team name', id)),
    }),
    ...(chance('region', id) < 0.4 && { region: chance('regions', id) < 0.5 ? ['eu'] : ['eu', 'us'] }),
  };
}

type Test = (repository: RepositoryState, value: string) => boolean;

const qualifiers: Readonly<Record<string, Test>> = {
  archived: ({ archived }, value) => String(archived) === value,
  fork: ({ parent_id }, value) => value === 'true' || (value === 'only' ? parent_id !== null : parent_id === null),
  is: ({ visibility, archived }, value) => visibility === value || (value === 'archived' && archived),
  language: ({ language }, value) => language?.toLowerCase() === value,
  topic: ({ topics }, value) => topics.includes(value),
  visibility: ({ visibility }, value) => visibility === value,
};

/** Returns whether a repository matches a search: words of its name, some of the platform's qualifiers, and `props.NAME:VALUE`. */
export function matchesQuery(platform: SandboxPlatform, repository: RepositoryState, query: string): boolean {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => {
      const [, name = '', value = ''] = /^([\w.-]+):(.+)$/.exec(word) ?? [];
      if (name.startsWith('props.')) {
        const held = valuesOf(platform, repository)[name.slice('props.'.length)] ?? [];
        return [held].flat().some((each) => String(each).toLowerCase() === value);
      }
      return qualifiers[name]?.(repository, value) ?? repository.name.toLowerCase().includes(word);
    });
}

/** Returns the repositories of those names, or the first name that no repository of the organization has. */
export function repositoriesNamed(
  { repositories }: SandboxPlatform,
  organization: OrganizationState,
  names: readonly string[],
): RepositoryState[] | string {
  const found: RepositoryState[] = [];
  for (const name of names) {
    const repository = repositories.find(organization, name);
    if (!repository) return name;
    found.push(repository);
  }
  return found;
}
