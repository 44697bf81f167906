/** Columns of commit comments, and the format of their text. */

import { wordFlag } from '../cli/input/flags.ts';
import type { Column } from '../output/table/columns.ts';
import { getComment } from '../platform/endpoints/comments.ts';
import type { CommitComment } from '../platform/records.ts';

export const commentColumns: readonly Column<CommitComment>[] = [
  { header: 'ID', get: 'id', priority: 1, link: true },
  { header: 'Author', get: 'user.login', as: 'name', priority: 1 },
  { header: 'Commit', get: ({ commit_id }) => commit_id.slice(0, 10) },
  { header: 'Where', get: place, as: 'text', priority: 3 },
  { header: 'When', get: 'created_at', as: 'age' },
  { header: 'Comment', get: firstLine, as: 'text', priority: 1 },
];

export const commentDetails: readonly Column<CommitComment>[] = [
  { header: 'ID', get: 'id' },
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

/** Returns the body that the requested media type includes. */
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
    description: 'Format of the comment text: raw Markdown (default), plain text, HTML, or all three',
  }),
};
