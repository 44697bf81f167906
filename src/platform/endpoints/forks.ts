import { endpoint, list, record } from '../endpoint.ts';
import type { Commit, Repository } from '../records.ts';
import { boolean, oneOf, optionalFields, string } from '../schema.ts';

export const listForks = endpoint({
  route: 'GET /repos/{owner}/{repo}/forks',
  summary: 'List the forks of a repository',
  query: { sort: oneOf(['newest', 'oldest', 'stargazers', 'watchers'], 'Order', { default: 'newest' }) },
  paging: 'page',
  permission: 'metadata=read',
  anonymous: true,
  status: 200,
  answer: list<Repository>(),
});

export const createFork = endpoint({
  route: 'POST /repos/{owner}/{repo}/forks',
  summary: 'Fork a repository; the platform answers before the fork is complete',
  body: optionalFields({
    organization: string('Fork into this organization', { default: 'the account of the token’s owner' }),
    name: string('Name of the fork', { default: 'the name of the repository' }),
    default_branch_only: boolean('Only the default branch'),
  }),
  permission: 'administration=write,contents=read',
  refusals: [
    {
      status: 403,
      advice:
        'An app must be installed on the destination with access to all repositories, and on the source with access to it.',
    },
  ],
  status: 202,
  answer: record<Repository>(),
});

/**
 * Tells whether a repository's git objects are there: it answers 409 while a fork is being copied. The repository's own
 * record is there from the start.
 */
export const listCommits = endpoint({
  route: 'GET /repos/{owner}/{repo}/commits',
  summary: 'List the commits of a repository',
  paging: 'page',
  permission: 'contents=read',
  anonymous: true,
  status: 200,
  answer: list<Commit>(),
});
