import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, repoArg } from '../../cli/input/args.ts';
import { webFlag } from '../../cli/input/flags.ts';
import { getComment } from '../../platform/endpoints/comments.ts';
import type { CommitComment } from '../../platform/records.ts';
import { commentDetails, formatFlag } from '../../topics/commit-comments.ts';

export default class CommentsGet extends ForgectlCommand<CommitComment> {
  static override summary = 'Show a commit comment';
  static override description = 'Shows a comment with its Markdown text, or in the format selected by --format.';
  static override examples = examples({
    'Show details': 'forgectl comments get acme/site 10000101',
    'Print only the text, without Markdown': 'forgectl comments get acme/site 10000101 --format text --jq .body_text',
  });
  static override requests = [getComment.route];
  static override args = { repo: repoArg(), id: idArg('ID', 'Comment ID') };
  static override flags = { ...formatFlag, ...webFlag };

  protected override readonly columns = commentDetails;
  protected override readonly idField = 'id';

  async run() {
    const { args, flags } = await this.parse(CommentsGet);
    return this.call(getComment, { path: { ...args.repo, comment_id: args.id } }, { format: flags.format });
  }
}
