import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, repoArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { getComment, updateComment } from '../../platform/endpoints/comments.ts';
import type { CommitComment } from '../../platform/records.ts';
import { commitComments } from '../../platform/resources/comments.ts';
import { commentDetails, formatFlag } from '../../topics/commit-comments.ts';

export default class CommentsUpdate extends ForgectlCommand<CommitComment> {
  static override summary = 'Update the text of a commit comment';
  static override description =
    'Replaces the text of a comment; its position stays the same. The response contains the text in the format selected by --format.';
  static override examples = examples({
    'Replace the text': 'forgectl comments update acme/site 10000101 --body "Deployed to production"',
    'Preview the request': 'forgectl comments update acme/site 10000101 --body "Rolled back" --dry-run',
  });
  static override requests = [updateComment.route];
  static override args = { repo: repoArg(), id: idArg('ID', 'Comment ID') };
  static override flags = {
    ...fieldFlags(updateComment.body.entries),
    ...formatFlag,
    ...inputFlags,
    ...writeFlags,
  };

  protected override readonly columns = commentDetails;
  protected override readonly idField = 'id';

  async run() {
    const { args, flags } = await this.collect(CommentsUpdate);
    const path = () => {
      const { repo, id } = this.valid(args);
      return { ...repo, comment_id: id };
    };
    const { body } = await this.inputFor(updateComment, flags, {
      resource: commitComments,
      current: () => this.call(getComment, { path: path() }),
    });
    const { owner, repo, comment_id } = path();
    const verifyCommand = `forgectl comments get ${owner}/${repo} ${comment_id}`;
    return this.write(updateComment, { path: path(), body }, { verifyCommand, format: flags.format });
  }
}
