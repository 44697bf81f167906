/** The requests that identify the token’s owner, other users and the platform. */
import { endpoint, list, record } from '../endpoint.ts';
import type { AuthenticatedUser, Meta, RateLimits, User } from '../records.ts';
import { integer } from '../schema.ts';

export const getAuthenticatedUser = endpoint({
  route: 'GET /user',
  summary: 'Show the token’s owner',
  tokens: ['classic', 'oauth', 'fine_grained', 'app_user'],
  answer: record<AuthenticatedUser>(),
});

export const getUserById = endpoint({
  route: 'GET /user/{account_id}',
  summary: 'Show a user by ID',
  path: { account_id: integer('Account ID', { min: 1 }) },
  anonymous: true,
  answer: record<User>(),
});

export const getUser = endpoint({
  route: 'GET /users/{username}',
  summary: 'Show a user or an organization by login',
  anonymous: true,
  answer: record<User>(),
});

export const getMeta = endpoint({
  route: 'GET /meta',
  summary: 'Show metadata about the platform',
  anonymous: true,
  answer: record<Meta>(),
});

export const getVersions = endpoint({
  route: 'GET /versions',
  summary: 'List the API versions that the platform supports',
  anonymous: true,
  editions: ['hosted', 'hosted-enterprise'],
  answer: list<string>(),
});

export const getRateLimits = endpoint({
  route: 'GET /rate_limit',
  summary: 'Show the token’s remaining rate limit',
  anonymous: true,
  answer: record<RateLimits>(),
});
