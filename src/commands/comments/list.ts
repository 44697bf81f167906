import { ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { listFlags, valueFlag, webListFlag } from '../../cli/input/flags.ts';
import { segment } from '../../cli/input/values.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listCommitComments, listRepositoryComments } from '../../platform/endpoints/comments.ts';
import type { CommitComment } from '../../platform/records.ts';
import { commentColumns, formatFlag } from '../../topics/commit-comments.ts';

export default class CommentsList extends ForgectlCommand<Listing<CommitComment>> {
  static override summary = 'List the commit comments of a repository or of one commit';
  static override description =
    'Lists comments that were made on commits, oldest first. Comments on issues and pull requests are not among them.';
  static override examples = [
    { description: 'The whole repository', command: '<%= config.bin %> comments list acme/site' },
    {
      description: 'Every text as HTML, with its commit',
      command: '<%= config.bin %> comments list acme/site --all --format html --json --fields commit_id,body_html',
    },
  ];
  static override requests = [listRepositoryComments.route, listCommitComments.route];
  static override args = { repo: repoArg() };
  static override flags = {
    commit: valueFlag('--commit', segment, { helpValue: 'SHA', description: 'Only the comments of this commit' }),
    ...formatFlag,
    ...listFlags,
    ...webListFlag,
  };

  protected override readonly columns = commentColumns;
  protected override readonly recordsName = 'comments';
  protected override readonly idField = 'id';

  async run() {
    const { args, flags } = await this.parse(CommentsList);
    const { commit: commit_sha, format } = flags;
    return commit_sha === undefined
      ? this.list(listRepositoryComments, { path: { ...args.repo } }, flags, { format })
      : this.list(listCommitComments, { path: { ...args.repo, commit_sha } }, flags, { format });
  }
}
