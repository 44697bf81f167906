/** The state of Terraform’s provider for the platform, as `terraform show -json` prints it. */
import { elements, member, type Placed, textOf, without } from '../../../../../fleet/policy/wanted/placed.ts';
import { isObject } from '../../../../../json/exact-json.ts';
import type { Format, OrganizationDraft } from '../../model.ts';
import { byName, noOrganization } from '../../source.ts';
import { peopleReaders } from './people.ts';
import { protectionReaders } from './protection.ts';
import { repositoryReaders } from './repositories.ts';
import { type Reader, type Resource, State } from './state.ts';
import { terraformKeys } from './table.ts';

const readers = byName<Reader>({ ...repositoryReaders, ...peopleReaders, ...protectionReaders });

export const terraform: Format = {
  name: 'terraform',
  source: 'Output of “terraform show -json” for a state of the platform’s Terraform provider',
  keys: terraformKeys,
  read(files, { organization, lose, refuse }) {
    return files.flatMap(({ root }): OrganizationDraft[] => {
      if (member(root, 'format_version') === undefined || member(root, 'planned_values')) {
        refuse(root, 'is not a Terraform state: import the output of “terraform show -json”');
        return [];
      }
      const module = member(member(root, 'values'), 'root_module');
      for (const part of [...unknownIn(root), ...(module ? malformedIn(module) : [])])
        lose(part, 'is not a resource of a state', 'not shown');
      const resources = resourcesOf(root);
      const owners = ownersIn(resources);
      const [owner = organization] = owners;
      const isOther =
        organization !== undefined && owners.some((each) => each.toLowerCase() !== organization.toLowerCase());
      if (isOther) refuse(root, `belongs to ${owners.join(', ')}, but --organization is ${organization}`);
      else if (owners.length > 1) refuse(root, `has repositories of several organizations: ${owners.join(', ')}`);
      else if (owner === undefined) refuse(root, noOrganization);
      else return [{ ...new State(resources, owner, readers, lose).draft(), place: root.place }];
      return [];
    });
  },
};

const resourcesOf = (root: Placed): readonly Resource[] => {
  const module = member(member(root, 'values'), 'root_module');
  return module ? resourcesIn(module) : [];
};

/** Returns the organizations of the repositories of a state. */
const ownersIn = (resources: readonly Resource[]): readonly string[] => [
  ...new Set(
    resources
      .filter(({ type, mode }) => type === 'github_repository' && mode === 'managed')
      .flatMap(({ values }) => /^([^/]+)\//.exec(textOf(values, 'full_name') ?? '')?.[1] ?? []),
  ),
];

/** The keys of a state and of its modules. Outputs and checks are results of Terraform, and say nothing about the platform. */
const stateKeys: readonly (readonly [path: readonly string[], keys: readonly string[]])[] = [
  [[], ['format_version', 'terraform_version', 'values', 'checks', 'timestamp']],
  [['values'], ['outputs', 'root_module']],
];
const moduleKeys = ['address', 'resources', 'child_modules'];
const resourceKeys = [
  'address',
  'mode',
  'type',
  'name',
  'index',
  'provider_name',
  'schema_version',
  'values',
  'sensitive_values',
  'identity',
  'identity_schema_version',
  'depends_on',
  'tainted',
  'deposed_key',
];

/** Returns the parts of a state, outside of its resources, that states do not have. */
const unknownIn = (root: Placed): readonly Placed[] =>
  stateKeys.flatMap(([path, keys]) => {
    const part = path.reduce<Placed | undefined>(member, root);
    return part ? [...without(part, keys).parts.values()] : [];
  });

/** Returns the parts of a module that are not as in a state. */
function malformedIn(module: Placed): readonly Placed[] {
  const lists = ['resources', 'child_modules'].flatMap((key) => member(module, key) ?? []);
  const resources = elements(member(module, 'resources'));
  return [
    ...without(module, moduleKeys).parts.values(),
    ...lists.filter(({ value }) => value !== null && !Array.isArray(value)),
    ...resources.flatMap((resource) => [...without(resource, resourceKeys).parts.values()]),
    ...resources.filter((resource) => {
      const [type, mode] = [textOf(resource, 'type'), textOf(resource, 'mode')];
      return type === undefined || mode === undefined || !isObject(member(resource, 'values')?.value);
    }),
    ...elements(member(module, 'child_modules')).flatMap((inner) =>
      isObject(inner.value) ? malformedIn(inner) : [inner],
    ),
  ];
}

function resourcesIn(module: Placed): readonly Resource[] {
  const own = elements(member(module, 'resources')).flatMap((resource): Resource[] => {
    const values = member(resource, 'values');
    const [type, mode] = [textOf(resource, 'type'), textOf(resource, 'mode')];
    return values && type !== undefined && mode !== undefined ? [{ type, mode, values, resource }] : [];
  });
  return [...own, ...elements(member(module, 'child_modules')).flatMap(resourcesIn)];
}
