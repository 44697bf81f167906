import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { listFlags, valueFlag, webListFlag } from '../../cli/input/flags.ts';
import { segment } from '../../cli/input/values.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listCommitComments, listRepositoryComments } from '../../platform/endpoints/comments.ts';
import type { CommitComment } from '../../platform/records.ts';
import { commentColumns, formatFlag } from '../../topics/commit-comments.ts';

export default class CommentsList extends ForgectlCommand<Listing<CommitComment>> {
  static override summary = 'List commit comments of a repository';
  static override description =
    `Lists comments on commits, oldest first; use --commit for the comments on a single commit. Comments on issues and pull
requests are not included.`;
  static override examples = examples({
    'List the commit comments of a repository': 'forgectl comments list acme/site',
    'Print every comment as HTML with its commit':
      'forgectl comments list acme/site --all --format html --json --fields commit_id,body_html',
  });
  static override requests = [listRepositoryComments.route, listCommitComments.route];
  static override args = { repo: repoArg() };
  static override flags = {
    commit: valueFlag('--commit', segment, {
      helpValue: 'SHA',
      description: 'SHA of a commit; lists only its comments',
    }),
    ...formatFlag,
    ...listFlags('.user.login == "riverotter"'),
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
