import { endpoint, list, nothing, record } from '../endpoint.ts';
import type {
  CustomRepositoryRole,
  ImmutableReleases,
  Member,
  Organization,
  OrganizationMembership,
  OrganizationSummary,
} from '../records.ts';
import { boolean, fields, integer, integers, oneOf, optional, optionalFields, string } from '../schema.ts';

const codeSecurityConfigurations = 'use code security configurations';

export const listOrganizations = endpoint({
  route: 'GET /organizations',
  summary: 'List all organizations, oldest first',
  query: { since: integer('List organizations with an ID greater than this', { min: 0 }) },
  paging: 'since',
  anonymous: true,
  answer: list<OrganizationSummary>(),
});

export const listOwnOrganizations = endpoint({
  route: 'GET /user/orgs',
  summary: 'List the organizations of the token’s owner',
  paging: 'page',
  scopes: ['user', 'read:org'],
  answer: list<OrganizationSummary>(),
});

export const getOwnMembership = endpoint({
  route: 'GET /user/memberships/orgs/{org}',
  summary: 'Show the membership of the token’s owner in an organization; 404 for others',
  permission: 'members=read',
  scopes: ['read:org'],
  tokens: ['classic', 'oauth', 'fine_grained', 'app_user'],
  answer: record<OrganizationMembership>(),
});

export const acceptMembership = endpoint({
  route: 'PATCH /user/memberships/orgs/{org}',
  summary: 'Accept the invitation of the token’s owner to an organization',
  body: fields({ state: oneOf(['active'], 'State of the membership') }),
  permission: 'members=write',
  scopes: ['write:org'],
  tokens: ['classic', 'oauth', 'fine_grained', 'app_user'],
  answer: record<OrganizationMembership>(),
});

export const listUserOrganizations = endpoint({
  route: 'GET /users/{username}/orgs',
  summary: 'List a user’s public organization memberships',
  paging: 'page',
  anonymous: true,
  answer: list<OrganizationSummary>(),
});

export const getOrganization = endpoint({
  route: 'GET /orgs/{org}',
  summary: 'Show an organization; only owners see every field',
  anonymous: true,
  answer: record<Organization>(),
});

export const updateOrganization = endpoint({
  route: 'PATCH /orgs/{org}',
  summary: 'Update an organization’s profile and member privileges',
  body: optionalFields({
    billing_email: string('Billing email address; not public'),
    company: string('Company name', { mayBeEmpty: true }),
    email: string('Public email address', { mayBeEmpty: true }),
    twitter_username: string('Twitter username', { mayBeEmpty: true }),
    location: string('Location', { mayBeEmpty: true }),
    name: string('Display name', { mayBeEmpty: true }),
    blog: string('URL of the blog or website', { mayBeEmpty: true }),
    description: string('Description', { maxCharacters: 160, mayBeEmpty: true }),
    has_organization_projects: boolean('Enable organization projects'),
    has_repository_projects: boolean('Enable repository projects'),
    default_repository_permission: oneOf(
      ['read', 'write', 'admin', 'none'],
      'Default permission of members on the organization’s repositories',
      { default: 'read' },
    ),
    members_can_create_repositories: boolean(
      'Allow members to create repositories; overridden by --members-allowed-repository-creation-type',
      { default: true },
    ),
    members_can_create_internal_repositories: boolean(
      'Allow members to create internal repositories; enterprise organizations only',
    ),
    members_can_create_private_repositories: boolean('Allow members to create private repositories'),
    members_can_create_public_repositories: boolean('Allow members to create public repositories'),
    members_allowed_repository_creation_type: oneOf(
      ['all', 'private', 'none'],
      'Repositories that members may create; private requires an enterprise cloud plan; internal repositories are not affected',
      { closingDown: 'use the --members-can-create-… flags' },
    ),
    members_can_create_pages: boolean('Allow members to publish sites; existing sites stay published', {
      default: true,
    }),
    members_can_create_public_pages: boolean('Allow members to publish public sites', { default: true }),
    members_can_create_private_pages: boolean('Allow members to publish private sites', { default: true }),
    members_can_fork_private_repositories: boolean('Allow members to fork private repositories', { default: false }),
    web_commit_signoff_required: boolean('Require sign-off on commits made in the web interface', { default: false }),
    advanced_security_enabled_for_new_repositories: boolean('Enable advanced security in new repositories', {
      closingDown: codeSecurityConfigurations,
    }),
    dependabot_alerts_enabled_for_new_repositories: boolean('Enable dependency alerts in new repositories', {
      closingDown: codeSecurityConfigurations,
    }),
    dependabot_security_updates_enabled_for_new_repositories: boolean(
      'Enable dependency security updates in new repositories',
      { closingDown: codeSecurityConfigurations },
    ),
    dependency_graph_enabled_for_new_repositories: boolean('Enable the dependency graph in new repositories', {
      closingDown: codeSecurityConfigurations,
    }),
    secret_scanning_enabled_for_new_repositories: boolean('Enable secret scanning in new repositories'),
    secret_scanning_push_protection_enabled_for_new_repositories: boolean(
      'Enable secret-scanning push protection in new repositories',
    ),
    secret_scanning_push_protection_custom_link_enabled: boolean('Show a custom link when a push is blocked'),
    secret_scanning_push_protection_custom_link: string('Custom link to show when a push is blocked', {
      mayBeEmpty: true,
    }),
    secret_scanning_validity_checks_enabled: boolean('Check detected secrets with their issuers'),
    deploy_keys_enabled_for_repositories: boolean('Allow deploy keys in repositories'),
  }),
  permission: 'organization_administration=write',
  scopes: ['admin:org', 'repo'],
  role: 'organization owner',
  answer: record<Organization>(),
});

export const setSecurityFeature = endpoint({
  route: 'POST /orgs/{org}/{security_product}/{enablement}',
  summary: 'Enable or disable a security feature in all eligible repositories of an organization',
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
    enablement: oneOf(['enable_all', 'disable_all'], 'Enable or disable the feature'),
  },
  body: optionalFields({
    query_suite: oneOf(
      ['default', 'extended'],
      'Query suite for repositories without code-scanning default setup; defaults to the organization’s preferred suite',
    ),
  }),
  permission: 'organization_administration=write',
  scopes: ['admin:org', 'write:org', 'repo'],
  role: 'organization owner or security manager',
  closingDown: codeSecurityConfigurations,
  refusals: [
    {
      status: 422,
      advice: 'An earlier change may still be in progress, or an enterprise policy blocks this one. Try again later.',
    },
  ],
  answer: nothing(),
});

/** Not documented for self-managed platforms. */
export const getImmutableReleases = endpoint({
  route: 'GET /orgs/{org}/settings/immutable-releases',
  summary: 'Show the repositories of an organization that must have immutable releases',
  permission: 'organization_administration=read',
  scopes: ['admin:org'],
  role: 'organization owner',
  editions: ['hosted-enterprise', 'hosted'],
  answer: record<ImmutableReleases>(),
});

/** `selected` has further endpoints. Not documented for self-managed platforms. */
export const setImmutableReleases = endpoint({
  route: 'PUT /orgs/{org}/settings/immutable-releases',
  summary: 'Set the repositories of an organization that must have immutable releases',
  body: fields({
    enforced_repositories: oneOf(['all', 'none', 'selected'], 'Repositories that must have immutable releases'),
    selected_repository_ids: optional(integers('IDs of the repositories, with selected')),
  }),
  permission: 'organization_administration=write',
  scopes: ['admin:org'],
  role: 'organization owner',
  editions: ['hosted-enterprise', 'hosted'],
  answer: nothing(),
});

export const removeImmutableReleasesRepository = endpoint({
  route: 'DELETE /orgs/{org}/settings/immutable-releases/repositories/{repository_id}',
  summary: 'Stop enforcing immutable releases for a repository',
  path: { repository_id: integer('Repository ID', { min: 1 }) },
  permission: 'organization_administration=write,metadata=read',
  scopes: ['admin:org'],
  answer: nothing(),
});

const twoFactorFilter = oneOf(
  ['2fa_disabled', '2fa_insecure', 'all'],
  'Only people without two-factor authentication, or with an insecure method',
  { default: 'all' },
);

export const listOrganizationMembers = endpoint({
  route: 'GET /orgs/{org}/members',
  summary: 'List the members of an organization',
  query: {
    role: oneOf(['all', 'admin', 'member'], 'Only members with this role; admin means owner', { default: 'all' }),
    filter: twoFactorFilter,
  },
  paging: 'page',
  permission: 'members=read',
  // Public platform, Scopes for OAuth apps: read access to organization membership.
  scopes: ['read:org'],
  anonymous: true,
  refusals: [{ status: 422, advice: 'Only organization owners can use --filter.' }],
  answer: list<Member>(),
});

export const listOutsideCollaborators = endpoint({
  route: 'GET /orgs/{org}/outside_collaborators',
  summary: 'List the people who have access to repositories of an organization, but are not members',
  query: { filter: twoFactorFilter },
  paging: 'page',
  permission: 'members=read',
  scopes: ['read:org'],
  role: 'organization member',
  answer: list<Member>(),
});

export const listCustomRepositoryRoles = endpoint({
  route: 'GET /orgs/{org}/custom-repository-roles',
  summary: 'List the custom repository roles of an organization',
  items: 'custom_roles',
  permission: 'organization_custom_roles=read; organization_administration=read',
  scopes: ['admin:org', 'repo'],
  role: 'administrator of the organization or of one of its repositories',
  editions: ['self-managed', 'hosted-enterprise'],
  answer: list<CustomRepositoryRole>(),
});
