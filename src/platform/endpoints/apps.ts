import { endpoint, list, record } from '../endpoint.ts';
import type { App, Installation, InstallationToken } from '../records.ts';
import { anyObject, integer, integers, nested, optionalFields, strings } from '../schema.ts';

export const getApp = endpoint({
  route: 'GET /app',
  summary: 'Get the app that the private key belongs to',
  asApp: true,
  answer: record<App>(),
});

export const listAppInstallations = endpoint({
  route: 'GET /app/installations',
  summary: 'List the installations of the app',
  paging: 'page',
  asApp: true,
  answer: list<Installation>(),
});

export const getOrganizationInstallation = endpoint({
  route: 'GET /orgs/{org}/installation',
  summary: 'Get the app’s installation on an organization',
  asApp: true,
  answer: record<Installation>(),
});

export const createInstallationToken = endpoint({
  route: 'POST /app/installations/{installation_id}/access_tokens',
  summary: 'Create an installation access token',
  path: { installation_id: integer('Installation ID', { min: 1 }) },
  body: optionalFields({
    repositories: strings('Names of the repositories that the token can access (default: all of the installation)'),
    repository_ids: integers('IDs of the repositories that the token can access', { max: 500 }),
    permissions: nested(anyObject(), 'Permissions of the token, by name (default: all of the installation)'),
  }),
  refusals: [{ status: 403, advice: 'An owner of the organization can unsuspend the installation.' }],
  asApp: true,
  status: 201,
  answer: record<InstallationToken>(),
  secretResponse: true,
});
