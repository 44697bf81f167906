import { repoArg } from '../../cli/args.ts';
import { ForgectlCommand } from '../../cli/command.ts';
import { listFlags, valueFlag, webListFlag } from '../../cli/flags.ts';
import type { Listing } from '../../cli/listing.ts';
import { commentColumns, formatFlag } from '../../cli/topics/commit-comments.ts';
import { segment } from '../../cli/values.ts';
import { listCommitComments, listRepositoryComments } from '../../platform/endpoints/comments.ts';
import type { CommitComment } from '../../platform/records.ts';

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
