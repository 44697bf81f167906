import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listContributors } from '../../platform/endpoints/repos.ts';
import type { Contributor } from '../../platform/records.ts';

export default class ReposContributors extends ForgectlCommand<Listing<Contributor>> {
  static override summary = 'List the contributors to a repository';
  static override description =
    `Lists contributors, most commits first. The counts can be hours old, and only the first 500 author addresses are
linked to accounts; --anon includes the others. The list is empty for an empty repository.`;
  static override examples = examples({
    'List the contributors with accounts': 'forgectl repos contributors acme/site',
    'List all contributors, including anonymous ones': 'forgectl repos contributors acme/site --anon --all',
  });
  static override requests = [listContributors.route];
  static override args = { repo: repoArg() };
  static override flags = {
    anon: Flags.boolean({ description: 'Include anonymous contributors' }),
    ...listFlags('.contributions > 10'),
  };

  protected override readonly columns: readonly Column<Contributor>[] = [
    {
      header: 'Contributor',
      get: (record) => record.login ?? record.name ?? record.email,
      as: 'name',
      priority: 1,
      link: true,
    },
    { header: 'Commits', get: 'contributions', as: 'count', priority: 1 },
    { header: 'Type', get: 'type', priority: 3 },
    { header: 'Commits drawn', get: 'contributions', as: 'bar', only: 'table' },
  ];
  protected override readonly recordsName = 'contributors';
  protected override readonly idField = 'login';

  async run() {
    const { args, flags } = await this.parse(ReposContributors);
    const query = flags.anon ? { query: { anon: '1' as const } } : {};
    return this.list(listContributors, { path: { ...args.repo }, ...query }, flags);
  }
}
