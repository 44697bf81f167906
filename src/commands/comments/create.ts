import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { nameArg, repoArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { createComment } from '../../platform/endpoints/comments.ts';
import type { CommitComment } from '../../platform/records.ts';
import { commitComments } from '../../platform/resources/comments.ts';
import { commentDetails } from '../../topics/commit-comments.ts';

export default class CommentsCreate extends ForgectlCommand<CommitComment> {
  static override summary = 'Comment on a commit';
  static override description =
    `Comments on a commit or, with --path, on one of its files. The text is Markdown; long text can come from a file or
standard input.`;
  static override examples = examples({
    'Comment on a commit':
      'forgectl comments create acme/site 874dce0ad68450dab5bfabc42545247f7d62600c --body "Deployed to staging"',
    'Comment on a line of a file with text from a pipe':
      'printf "Why twice?" | forgectl comments create acme/site 874dce0ad68450dab5bfabc42545247f7d62600c --path README.md --position 1 --body-file -',
  });
  static override requests = [createComment.route];
  static override args = { repo: repoArg(), sha: nameArg('SHA', 'SHA of the commit') };
  static override flags = { ...fieldFlags(createComment.body.entries), ...inputFlags, ...writeFlags };

  protected override readonly columns = commentDetails;
  protected override readonly idField = 'id';

  protected override readonly made = ({ id, html_url }: CommitComment) => `Created comment ${id}: ${html_url}`;

  async run() {
    const { args, flags } = await this.collect(CommentsCreate);
    const { body } = await this.inputFor(createComment, flags, { resource: commitComments });
    const {
      repo: { owner, repo },
      sha,
    } = this.valid(args);
    const verifyCommand = `forgectl comments list ${owner}/${repo} --commit ${sha}`;
    return this.write(createComment, { path: { owner, repo, commit_sha: sha }, body }, { verifyCommand });
  }
}
