import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listPropertyValues } from '../../platform/endpoints/properties.ts';
import type { RepositoryPropertyValues } from '../../platform/records.ts';

export default class PropertiesValues extends ForgectlCommand<Listing<RepositoryPropertyValues>> {
  static override summary = 'List the custom property values of repositories';
  static override description =
    `Lists an organization’s repositories with the values of their custom properties. --repository-query takes a search
query of the platform, such as “archived:false props.tier:gold”.`;
  static override examples = examples({
    'List the first 30 repositories': 'forgectl properties values acme',
    'List the repositories of one tier':
      'forgectl properties values acme --repository-query props.tier:gold --quiet --all',
  });
  static override requests = [listPropertyValues.route];
  static override args = { org: orgArg() };
  static override flags = { ...queryFlags(listPropertyValues.query), ...listFlags('.repository_name == "site"') };

  protected override readonly columns: readonly Column<RepositoryPropertyValues>[] = [
    { header: 'Repository', get: 'repository_full_name', as: 'name', priority: 1 },
    { header: 'Properties', get: ({ properties }) => propertyTexts(properties), as: 'text', priority: 1 },
  ];
  protected override readonly recordsName = 'repositories';
  protected override readonly idField = 'repository_full_name';

  async run() {
    const { args, flags } = await this.collect(PropertiesValues);
    const input = await this.inputFor(listPropertyValues, flags);
    return this.list(listPropertyValues, { path: { org: this.valid(args).org }, ...input }, flags);
  }
}

/** Omits properties without a value. */
const propertyTexts = (properties: RepositoryPropertyValues['properties']) =>
  properties
    .filter(({ value }) => value !== null)
    .map(({ property_name, value }) => `${property_name}=${[value].flat().join(',')}`)
    .join(' ');
