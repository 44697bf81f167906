import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listCacheReplicas } from '../../platform/endpoints/repos.ts';
import type { CacheReplica } from '../../platform/records.ts';

export default class ReposReplicas extends ForgectlCommand<Listing<CacheReplica>> {
  static override summary = 'List the cache replicas of a repository';
  static override description =
    'Lists the repository cache replicas of a self-managed platform with the sync status of this repository.';
  static override examples = examples({
    'List all replicas': 'forgectl repos replicas acme/site --all',
    'Print the hosts that are out of sync': `forgectl repos replicas acme/site --all --jq '.[] | select(.git.sync_status != "in_sync") | .host'`,
  });
  static override requests = [listCacheReplicas.route];
  static override args = { repo: repoArg() };
  static override flags = listFlags('.git.sync_status != "in_sync"');

  protected override readonly columns: readonly Column<CacheReplica>[] = [
    { header: 'Host', get: 'host', as: 'name', priority: 1 },
    { header: 'Location', get: 'location' },
    { header: 'Status', get: 'git.sync_status', as: 'state', priority: 1 },
    { header: 'Last sync', get: 'git.last_sync', as: 'age' },
  ];
  protected override readonly recordsName = 'replicas';
  protected override readonly idField = 'host';

  async run() {
    const { args, flags } = await this.parse(ReposReplicas);
    return this.list(listCacheReplicas, { path: { ...args.repo } }, flags);
  }
}
