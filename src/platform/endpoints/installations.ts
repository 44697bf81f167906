import { endpoint, list, nothing } from '../endpoint.ts';
import type { Installation, Repository } from '../records.ts';

export const listInstallations = endpoint({
  route: 'GET /user/installations',
  summary: 'List the app installations that the token’s owner can access',
  paging: 'page',
  items: 'installations',
  answer: list<Installation>(),
});

export const listOrganizationInstallations = endpoint({
  route: 'GET /orgs/{org}/installations',
  summary: 'List the app installations of an organization',
  paging: 'page',
  items: 'installations',
  permission: 'organization_administration=read',
  // The public description lists admin:read, which no token can have.
  scopes: ['admin:org'],
  role: 'organization owner',
  answer: list<Installation>(),
});

export const listInstallationRepositories = endpoint({
  route: 'GET /installation/repositories',
  summary: 'List the repositories that an installation token can access',
  paging: 'page',
  items: 'repositories',
  tokens: ['installation'],
  answer: list<Repository>(),
});

export const revokeInstallationToken = endpoint({
  route: 'DELETE /installation/token',
  summary: 'Revoke the installation token used for the request',
  tokens: ['installation'],
  answer: nothing(),
});
