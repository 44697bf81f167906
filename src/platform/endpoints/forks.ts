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
  answer: list<Repository>(),
});

export const createFork = endpoint({
  route: 'POST /repos/{owner}/{repo}/forks',
  summary: 'Fork a repository; the platform responds before the fork is complete',
  body: optionalFields({
    organization: string('Organization to create the fork in', { default: 'the account of the token’s owner' }),
    name: string('Name of the fork', { default: 'the name of the repository' }),
    default_branch_only: boolean('Copy only the default branch'),
  }),
  permission: 'administration=write,contents=read',
  refusals: [
    {
      status: 403,
      advice:
        'The app must be installed on the destination account with access to all repositories, and on the source account with access to the source repository.',
    },
  ],
  status: 202,
  answer: record<Repository>(),
});

/**
 * Shows whether a repository has its Git objects: returns 409 while a fork is being copied. The repository's own
 * record exists from the start.
 */
export const listCommits = endpoint({
  route: 'GET /repos/{owner}/{repo}/commits',
  summary: 'List the commits of a repository',
  paging: 'page',
  permission: 'contents=read',
  anonymous: true,
  answer: list<Commit>(),
});
