/** What the commands about commit comments share: their columns, the form of their text, and where a new text comes from. */
import * as Flags from '@oclif/core/flags';
import type * as v from 'valibot';
import type { Column } from '../../output/columns.ts';
import { getComment } from '../../platform/endpoints/comments.ts';
import type { CommitComment } from '../../platform/records.ts';
import { optionalFields } from '../../platform/schema.ts';
import { type Given, invalid } from '../../platform/validate.ts';
import { readSource } from '../body-input.ts';
import { ForgectlCommand } from '../command.ts';
import { fieldFlags } from '../fields.ts';
import { wordFlag } from '../flags.ts';

/** A list of comments. */
export const commentColumns: readonly Column<CommitComment>[] = [
  { header: 'Id', get: 'id', priority: 1, link: true },
  { header: 'Author', get: 'user.login', as: 'name', priority: 1 },
  { header: 'Commit', get: ({ commit_id }) => commit_id.slice(0, 10) },
  { header: 'Where', get: place, as: 'text', priority: 3 },
  { header: 'When', get: 'created_at', as: 'age' },
  { header: 'Comment', get: firstLine, as: 'text', priority: 1 },
];

/** One comment in full. */
export const commentDetails: readonly Column<CommitComment>[] = [
  { header: 'Id', get: 'id' },
  { header: 'Author', get: 'user.login' },
  { header: 'Association', get: 'author_association' },
  { header: 'Commit', get: 'commit_id' },
  { header: 'Path', get: 'path' },
  { header: 'Position', get: 'position' },
  { header: 'Line', get: 'line' },
  { header: 'Created', get: 'created_at', as: 'age' },
  { header: 'Updated', get: 'updated_at', as: 'age' },
  { header: 'Page', get: 'html_url', link: true },
  { header: 'Text', get: text },
];

function place({ path, line }: CommitComment): string | null {
  return path && line !== null ? `${path}:${line}` : path;
}

/** Each media type answers with another of the three. */
function text({ body, body_text, body_html }: CommitComment): string | undefined {
  return body ?? body_text ?? body_html;
}

function firstLine(comment: CommitComment): string | undefined {
  return text(comment)?.trimStart().split(/\r?\n/, 1)[0];
}

type TextForm = keyof typeof getComment.mediaTypes;

const forms = Object.keys(getComment.mediaTypes) as TextForm[];

export const formatFlag = {
  format: wordFlag('--format', forms, {
    description:
      'How to answer with the text: as it was written (the default), as plain text, as HTML, or as all three',
  }),
};

/** A comment's fields. None is required by itself: the text may also come from a file. */
export const commentFlags = <const E extends v.ObjectEntries>(entries: E) => ({
  ...fieldFlags(optionalFields(entries).entries),
  'body-file': Flags.string({
    helpValue: 'FILE|-',
    description: 'Take the text from a file, or from standard input with -',
  }),
});

interface TextFlags {
  readonly body?: unknown;
  readonly 'body-file'?: string | undefined;
  readonly input?: string | undefined;
}

/** A command that writes the text of a comment. */
export abstract class CommentWritingCommand extends ForgectlCommand<CommitComment> {
  protected override readonly columns = commentDetails;

  /** The text that `--body-file` names; notes what does not go with it. */
  protected async textFrom({ body, 'body-file': file, input }: TextFlags): Promise<{ readonly body?: Given }> {
    if (file === undefined) return {};
    if (body !== undefined) this.problems.push(invalid('--body-file', 'does not go with --body'));
    if (file === '-' && input === '-')
      this.problems.push(invalid('--body-file', 'cannot read standard input, because --input - does'));
    this.refuseProblems();
    return { body: { body: await readSource(file, this.runtime.stdin, '--body-file') } };
  }
}
