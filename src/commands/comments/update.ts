import { idArg, repoArg } from '../../cli/args.ts';
import { inputFlags, writeFlags } from '../../cli/flags.ts';
import { CommentWritingCommand, commentFlags, formatFlag } from '../../cli/topics/commit-comments.ts';
import { updateComment } from '../../platform/endpoints/comments.ts';

export default class CommentsUpdate extends CommentWritingCommand {
  static override summary = 'Change the text of a commit comment';
  static override description =
    'Replaces the text of a comment; its place stays. The answer has the text in the form that --format asks for.';
  static override examples = [
    {
      description: 'A new text',
      command: '<%= config.bin %> comments update acme/site 10000101 --body "Deployed to production"',
    },
    {
      description: 'See the request first',
      command: '<%= config.bin %> comments update acme/site 10000101 --body "Rolled back" --dry-run',
    },
  ];
  static override requests = [updateComment.route];
  static override args = { repo: repoArg(), id: idArg('ID', 'Id of the comment') };
  static override flags = {
    ...commentFlags(updateComment.body.entries),
    ...formatFlag,
    ...inputFlags,
    ...writeFlags,
  };

  protected override readonly idField = 'id';

  async run() {
    const { args, flags } = await this.collect(CommentsUpdate);
    const { body } = await this.inputFor(updateComment, flags, await this.textFrom(flags));
    const { owner, repo } = args.repo;
    return this.write(
      updateComment,
      { path: { owner, repo, comment_id: args.id }, body },
      { look: `forgectl comments get ${owner}/${repo} ${args.id}`, format: flags.format },
    );
  }
}
