import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { CommitComment } from '../records.ts';
import { fields, integer, nullable, optional, string } from '../schema.ts';

/** The media types of a comment's text; defaults to raw. Specification, Commit comments. */
const mediaTypes = {
  raw: 'application/vnd.<vendor>-commitcomment.raw+json',
  text: 'application/vnd.<vendor>-commitcomment.text+json',
  html: 'application/vnd.<vendor>-commitcomment.html+json',
  full: 'application/vnd.<vendor>-commitcomment.full+json',
} as const;

const path = { comment_id: integer('Comment ID', { min: 1 }) };
const body = string('Comment text in Markdown', { prose: true });

const readable = { permission: 'metadata=read', anonymous: true } as const;

export const listRepositoryComments = endpoint({
  route: 'GET /repos/{owner}/{repo}/comments',
  summary: 'List the commit comments of a repository by ascending ID',
  paging: 'page',
  mediaTypes,
  ...readable,
  answer: list<CommitComment>(),
});

export const listCommitComments = endpoint({
  route: 'GET /repos/{owner}/{repo}/commits/{commit_sha}/comments',
  summary: 'List the comments on a commit',
  paging: 'page',
  mediaTypes,
  ...readable,
  answer: list<CommitComment>(),
});

export const getComment = endpoint({
  route: 'GET /repos/{owner}/{repo}/comments/{comment_id}',
  summary: 'Show a commit comment',
  path,
  mediaTypes,
  ...readable,
  answer: record<CommitComment>(),
});

export const createComment = endpoint({
  route: 'POST /repos/{owner}/{repo}/commits/{commit_sha}/comments',
  summary: 'Comment on a commit',
  body: fields({
    body,
    path: optional(string('File to comment on, relative to the repository root')),
    position: optional(nullable(integer('Line in the diff to comment on'))),
    line: optional(nullable(integer('Line in the file to comment on'))),
  }),
  permission: 'contents=read',
  status: 201,
  answer: record<CommitComment>(),
});

export const updateComment = endpoint({
  route: 'PATCH /repos/{owner}/{repo}/comments/{comment_id}',
  summary: 'Update the text of a commit comment',
  path,
  body: fields({ body }),
  mediaTypes,
  permission: 'contents=write',
  answer: record<CommitComment>(),
});

export const deleteComment = endpoint({
  route: 'DELETE /repos/{owner}/{repo}/comments/{comment_id}',
  summary: 'Delete a commit comment',
  path,
  permission: 'contents=write',
  answer: nothing(),
});
