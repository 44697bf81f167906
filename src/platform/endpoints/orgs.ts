import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { Organization, OrganizationSummary } from '../records.ts';
import { boolean, integer, oneOf, optionalFields, string } from '../schema.ts';

const codeSecurityConfigurations = 'code security configurations replace it';

export const listOrganizations = endpoint({
  route: 'GET /organizations',
  summary: 'List all organizations, oldest first',
  query: { since: integer('Only organizations with an id greater than this', { min: 0 }) },
  paging: 'since',
  anonymous: true,
  status: 200,
  answer: list<OrganizationSummary>(),
});

export const listOwnOrganizations = endpoint({
  route: 'GET /user/orgs',
  summary: 'List the organizations of the token’s owner',
  paging: 'page',
  scopes: ['user', 'read:org'],
  status: 200,
  answer: list<OrganizationSummary>(),
});

export const listUserOrganizations = endpoint({
  route: 'GET /users/{username}/orgs',
  summary: 'List a user’s public organization memberships',
  paging: 'page',
  anonymous: true,
  status: 200,
  answer: list<OrganizationSummary>(),
});

export const getOrganization = endpoint({
  route: 'GET /orgs/{org}',
  summary: 'Show an organization; its owners see all of it',
  anonymous: true,
  status: 200,
  answer: record<Organization>(),
});

export const updateOrganization = endpoint({
  route: 'PATCH /orgs/{org}',
  summary: 'Change an organization’s profile and what its members may do',
  body: optionalFields({
    billing_email: string('Where bills go; not shown to the public'),
    company: string('Company name', { mayBeEmpty: true }),
    email: string('Address shown to the public', { mayBeEmpty: true }),
    twitter_username: string('Twitter user name', { mayBeEmpty: true }),
    location: string('Location', { mayBeEmpty: true }),
    name: string('Display name', { mayBeEmpty: true }),
    blog: string('Address of the blog or web site', { mayBeEmpty: true }),
    description: string('Description', { maxCharacters: 160, mayBeEmpty: true }),
    has_organization_projects: boolean('Organization projects'),
    has_repository_projects: boolean('Repository projects'),
    default_repository_permission: oneOf(
      ['read', 'write', 'admin', 'none'],
      'What members may do in repositories they were not given access to',
      { default: 'read' },
    ),
    members_can_create_repositories: boolean(
      'Members may create repositories; --members-allowed-repository-creation-type overrides it',
      { default: true },
    ),
    members_can_create_internal_repositories: boolean(
      'Members may create internal repositories; only for organizations of an enterprise account',
    ),
    members_can_create_private_repositories: boolean('Members may create private repositories'),
    members_can_create_public_repositories: boolean('Members may create public repositories'),
    members_allowed_repository_creation_type: oneOf(
      ['all', 'private', 'none'],
      'Which repositories members may create; private only on cloud plans; says nothing of internal ones',
      { closingDown: 'the --members-can-create-… flags replace it' },
    ),
    members_can_create_pages: boolean('Members may publish sites; existing ones stay', { default: true }),
    members_can_create_public_pages: boolean('Members may publish public sites', { default: true }),
    members_can_create_private_pages: boolean('Members may publish private sites', { default: true }),
    members_can_fork_private_repositories: boolean('Members may fork private repositories', { default: false }),
    web_commit_signoff_required: boolean('Commits made in the web interface must be signed off', { default: false }),
    advanced_security_enabled_for_new_repositories: boolean('Advanced security on in new repositories', {
      closingDown: codeSecurityConfigurations,
    }),
    dependabot_alerts_enabled_for_new_repositories: boolean('Dependency alerts on in new repositories', {
      closingDown: codeSecurityConfigurations,
    }),
    dependabot_security_updates_enabled_for_new_repositories: boolean(
      'Dependency security updates on in new repositories',
      { closingDown: codeSecurityConfigurations },
    ),
    dependency_graph_enabled_for_new_repositories: boolean('Dependency graph on in new repositories', {
      closingDown: codeSecurityConfigurations,
    }),
    secret_scanning_enabled_for_new_repositories: boolean('Secret scanning on in new repositories'),
    secret_scanning_push_protection_enabled_for_new_repositories: boolean(
      'Secret-scanning push protection on in new repositories',
    ),
    secret_scanning_push_protection_custom_link_enabled: boolean('Blocked pushes show a link of your own'),
    secret_scanning_push_protection_custom_link: string('The link that blocked pushes show', { mayBeEmpty: true }),
    secret_scanning_validity_checks_enabled: boolean('Found secrets are checked with their issuers'),
    deploy_keys_enabled_for_repositories: boolean('Repositories may have deploy keys'),
  }),
  permission: 'organization_administration=write',
  scopes: ['admin:org', 'repo'],
  role: 'organization owner',
  status: 200,
  answer: record<Organization>(),
});

export const setSecurityFeature = endpoint({
  route: 'POST /orgs/{org}/{security_product}/{enablement}',
  summary: 'Switch a security feature on or off in all eligible repositories of an organization',
  path: {
    security_product: oneOf(
      [
        'dependency_graph',
        'dependabot_alerts',
        'dependabot_security_updates',
        'advanced_security',
        'code_scanning_default_setup',
        'secret_scanning',
        'secret_scanning_push_protection',
      ],
      'Security feature',
    ),
    enablement: oneOf(['enable_all', 'disable_all'], 'On or off'),
  },
  body: optionalFields({
    query_suite: oneOf(
      ['default', 'extended'],
      'Query suite for repositories without code-scanning default setup; left out, the one the organization prefers',
    ),
  }),
  permission: 'organization_administration=write',
  scopes: ['admin:org', 'write:org', 'repo'],
  role: 'organization owner or security manager',
  closingDown: codeSecurityConfigurations,
  refusals: [
    {
      status: 422,
      advice: 'An earlier change may still be running, or a policy of the enterprise blocks this one. Try again later.',
    },
  ],
  status: 204,
  answer: nothing(),
});

export const removeImmutableReleasesRepository = endpoint({
  route: 'DELETE /orgs/{org}/settings/immutable-releases/repositories/{repository_id}',
  summary: 'Take a repository off the list for which immutable releases are enforced',
  path: { repository_id: integer('Repository id', { min: 1 }) },
  permission: 'organization_administration=write,metadata=read',
  scopes: ['admin:org'],
  status: 204,
  answer: nothing(),
});
