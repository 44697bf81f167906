import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, repoArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { deleteComment, getComment } from '../../platform/endpoints/comments.ts';
import { commentDetails } from '../../topics/commit-comments.ts';

export default class CommentsDelete extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Delete a commit comment';
  static override description = 'Deletes a comment permanently. Its ID is never reused.';
  static override examples = examples({
    'Preview the request': 'forgectl comments delete acme/site 10000102 --dry-run',
    'Delete without confirmation': 'forgectl comments delete acme/site 10000102 --yes',
  });
  static override requests = [deleteComment.route];
  static override args = { repo: repoArg(), id: idArg('ID', 'Comment ID') };
  static override flags = confirmedWriteFlags;

  async run() {
    const { args } = await this.parse(CommentsDelete);
    const { owner, repo } = args.repo;
    const verifyCommand = `forgectl comments get ${owner}/${repo} ${args.id}`;
    const effect = `deletes comment ${args.id} of ${owner}/${repo}`;
    const input = { path: { owner, repo, comment_id: args.id } };
    const preview = async () => ({ record: await this.call(getComment, input), columns: commentDetails });
    const done = `Deleted comment ${args.id} of ${owner}/${repo}.`;
    return this.remove(deleteComment, input, { name: String(args.id), effect, verifyCommand, done, preview });
  }
}
