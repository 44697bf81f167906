import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listRepositoryActivity } from '../../platform/endpoints/repos.ts';
import type { Activity } from '../../platform/records.ts';

const happened = ({ pushed_at, timestamp }: Activity) => pushed_at ?? timestamp;

export default class ReposActivity extends ForgectlCommand<Listing<Activity>> {
  static override summary = 'List the ref changes in a repository';
  static override description =
    `Lists pushes, force pushes, merges, and created and deleted branches, newest first, with the actor and the commits
before and after.`;
  static override examples = examples({
    'List the latest changes': 'forgectl repos activity acme/site',
    'List force pushes of the last month':
      'forgectl repos activity acme/site --activity-type force_push --time-period month',
  });
  static override requests = [listRepositoryActivity.route];
  static override args = { repo: repoArg() };
  static override flags = {
    ...queryFlags(listRepositoryActivity.query),
    ...listFlags('.activity_type == "force_push"'),
  };

  // These fields have different names in the specification and on the public platform.
  protected override readonly columns: readonly Column<Activity>[] = [
    { header: 'When', get: happened, as: 'age', priority: 1 },
    { header: 'What', get: (record) => record.push_type ?? record.activity_type, priority: 1 },
    { header: 'Who', get: (record) => (record.pusher ?? record.actor)?.login, as: 'name', priority: 1 },
    { header: 'Ref', get: 'ref' },
    { header: 'Before', get: (record) => record.before.slice(0, 10), priority: 3 },
    { header: 'After', get: (record) => record.after.slice(0, 10), priority: 3 },
  ];
  protected override readonly recordsName = 'changes';
  protected override readonly timeOf = happened;
  protected override readonly idField = 'id';

  async run() {
    const { args, flags } = await this.collect(ReposActivity);
    const input = await this.inputFor(listRepositoryActivity, flags);
    return this.list(listRepositoryActivity, { path: { ...this.valid(args).repo }, ...input }, flags);
  }
}
