import { endpoint, list, nothing, record } from '../endpoint.ts';
import type {
  Activity,
  CacheReplica,
  CodeownersError,
  Collaborator,
  CollaboratorPermission,
  Contributor,
  Repository,
  RepositoryTopics,
  Team,
} from '../records.ts';
import {
  anyObject,
  boolean,
  fields,
  integer,
  integers,
  nested,
  nullable,
  oneOf,
  optional,
  optionalFields,
  string,
  strings,
} from '../schema.ts';
import { type Given, invalid, missing, type Problem } from '../validate.ts';

export const listOrganizationRepositories = endpoint({
  route: 'GET /orgs/{org}/repos',
  summary: 'List the repositories of an organization',
  query: {
    type: oneOf(
      ['all', 'public', 'private', 'forks', 'sources', 'member', 'internal'],
      'Filter by type; installation tokens cannot list internal repositories',
      { default: 'all' },
    ),
    sort: oneOf(['created', 'updated', 'pushed', 'full_name'], 'Order', { default: 'created' }),
    direction: oneOf(['asc', 'desc'], 'Sort direction', { default: 'asc for full_name, otherwise desc' }),
  },
  paging: 'page',
  permission: 'metadata=read',
  anonymous: true,
  answer: list<Repository>(),
});

/** A commit message setting requires the matching title setting. Specification, POST /orgs/{org}/repos. */
function mergeTexts(body: Given): Problem[] {
  return (['squash_merge_commit', 'merge_commit'] as const)
    .filter((kind) => body[`${kind}_message`] !== undefined && body[`${kind}_title`] === undefined)
    .map((kind) => missing(`${kind}_title`, `is required with ${kind}_message`));
}

/** The public platform refuses a repository in which nothing can be merged. */
function mergeWays(body: Given): Problem[] {
  const ways = ['allow_merge_commit', 'allow_squash_merge', 'allow_rebase_merge'];
  if (ways.some((way) => body[way] !== false)) return [];
  return [invalid('allow_merge_commit', 'cannot be false together with allow_squash_merge and allow_rebase_merge')];
}

export const createOrganizationRepository = endpoint({
  route: 'POST /orgs/{org}/repos',
  summary: 'Create a repository in an organization',
  body: fields({
    name: string('Repository name'),
    description: optional(string('Description', { mayBeEmpty: true })),
    homepage: optional(string('URL of the homepage', { mayBeEmpty: true })),
    private: optional(boolean('Make the repository private; overridden by --visibility', { default: false })),
    visibility: optional(oneOf(['public', 'private', 'internal'], 'Visibility', { preselected: 'private' })),
    has_issues: optional(boolean('Enable issues', { default: true })),
    has_projects: optional(
      boolean('Enable projects', { default: 'true, or false if the organization disables repository projects' }),
    ),
    has_wiki: optional(boolean('Enable the wiki', { default: true })),
    has_downloads: optional(boolean('Enable downloads', { default: true })),
    is_template: optional(boolean('Make the repository a template', { default: false })),
    team_id: optional(integer('ID of the team to grant access', { min: 1 })),
    auto_init: optional(boolean('Create an initial commit with an empty README', { default: false })),
    gitignore_template: optional(string('Name of a .gitignore template, without the extension', { mayBeEmpty: true })),
    license_template: optional(string('License keyword, such as mit', { mayBeEmpty: true })),
    allow_squash_merge: optional(boolean('Allow squash merging', { default: true })),
    allow_merge_commit: optional(boolean('Allow merge commits', { default: true })),
    allow_rebase_merge: optional(boolean('Allow rebase merging', { default: true })),
    allow_auto_merge: optional(boolean('Allow auto-merge', { default: false })),
    delete_branch_on_merge: optional(
      boolean('Delete head branches after merging; organization owners only', { default: false }),
    ),
    use_squash_pr_title_as_default: optional(
      boolean('Use the pull request title for squash commits', {
        default: false,
        closingDown: 'use --squash-merge-commit-title',
      }),
    ),
    squash_merge_commit_title: optional(
      oneOf(['PR_TITLE', 'COMMIT_OR_PR_TITLE'], 'Title of squash commits; required with --squash-merge-commit-message'),
    ),
    squash_merge_commit_message: optional(oneOf(['PR_BODY', 'COMMIT_MESSAGES', 'BLANK'], 'Message of squash commits')),
    merge_commit_title: optional(
      oneOf(['PR_TITLE', 'MERGE_MESSAGE'], 'Title of merge commits; required with --merge-commit-message'),
    ),
    merge_commit_message: optional(oneOf(['PR_BODY', 'PR_TITLE', 'BLANK'], 'Message of merge commits')),
    custom_properties: optional(nested(anyObject(), 'Custom property values by name')),
  }),
  rules: [mergeTexts, mergeWays],
  permission: 'administration=write',
  scopes: ['public_repo', 'repo'],
  role: 'organization member',
  refusals: [
    {
      status: 422,
      field: 'has_projects',
      advice: 'The organization may disable repository projects: omit --has-projects.',
    },
    {
      status: 422,
      field: 'delete_branch_on_merge',
      advice: 'Only organization owners may set --delete-branch-on-merge: omit it or ask an owner.',
    },
    {
      status: 403,
      field: 'delete_branch_on_merge',
      advice: 'Only organization owners may set --delete-branch-on-merge: omit it or ask an owner.',
    },
  ],
  status: 201,
  answer: record<Repository>(),
});

export const generateRepository = endpoint({
  route: 'POST /repos/{template_owner}/{template_repo}/generate',
  summary: 'Create a repository from a template',
  body: fields({
    owner: optional(string('Owner of the repository', { default: 'the token’s owner' })),
    name: string('Repository name'),
    description: optional(string('Description', { mayBeEmpty: true })),
    include_all_branches: optional(boolean('Include all branches of the template', { default: false })),
    private: optional(boolean('Make the repository private', { default: false })),
  }),
  permission: 'administration=write,contents=read',
  scopes: ['public_repo', 'repo'],
  role: 'organization member',
  refusals: [
    { status: 404, advice: 'The template must be visible to the token, and is_template must be true in its settings.' },
  ],
  status: 201,
  answer: record<Repository>(),
});

export const getRepository = endpoint({
  route: 'GET /repos/{owner}/{repo}',
  summary: 'Show a repository',
  permission: 'metadata=read',
  anonymous: true,
  answer: record<Repository>(),
});

/** The switches of `security_and_analysis`, each an object with a `status`. */
const status = (description: string) =>
  optional(nested(optionalFields({ status: oneOf(['enabled', 'disabled'], 'Status') }), description));

export const updateRepository = endpoint({
  route: 'PATCH /repos/{owner}/{repo}',
  summary: 'Update the settings of a repository',
  body: optionalFields({
    name: string('New name'),
    description: string('Description', { mayBeEmpty: true }),
    homepage: string('URL of the homepage', { mayBeEmpty: true }),
    private: boolean('Make the repository private; overridden by --visibility'),
    visibility: oneOf(['public', 'private', 'internal'], 'Visibility'),
    security_and_analysis: nullable(
      nested(
        fields({
          advanced_security: status('Advanced security'),
          code_security: status('Code security'),
          secret_scanning: status('Secret scanning'),
          secret_scanning_push_protection: status('Push protection'),
          secret_scanning_non_provider_patterns: status('Non-provider patterns'),
        }),
        'Security features, each as {"status": "enabled"} or {"status": "disabled"}',
      ),
    ),
    has_issues: boolean('Enable issues'),
    has_projects: boolean('Enable projects'),
    has_wiki: boolean('Enable the wiki'),
    has_discussions: boolean('Enable discussions'),
    has_downloads: boolean('Enable downloads'),
    has_pull_requests: boolean('Enable pull requests'),
    pull_request_creation_policy: oneOf(['all', 'collaborators_only'], 'Users who may create pull requests'),
    is_template: boolean('Make the repository a template'),
    default_branch: string('Name of the default branch, which must exist'),
    allow_squash_merge: boolean('Allow squash merging'),
    allow_merge_commit: boolean('Allow merge commits'),
    allow_rebase_merge: boolean('Allow rebase merging'),
    allow_auto_merge: boolean('Allow auto-merge'),
    delete_branch_on_merge: boolean('Delete head branches after merging'),
    allow_update_branch: boolean('Allow updating head branches at any time'),
    use_squash_pr_title_as_default: boolean('Use the pull request title for squash commits', {
      closingDown: 'use --squash-merge-commit-title',
    }),
    squash_merge_commit_title: oneOf(
      ['PR_TITLE', 'COMMIT_OR_PR_TITLE'],
      'Title of squash commits; required with --squash-merge-commit-message',
    ),
    squash_merge_commit_message: oneOf(['PR_BODY', 'COMMIT_MESSAGES', 'BLANK'], 'Message of squash commits'),
    merge_commit_title: oneOf(
      ['PR_TITLE', 'MERGE_MESSAGE'],
      'Title of merge commits; required with --merge-commit-message',
    ),
    merge_commit_message: oneOf(['PR_BODY', 'PR_TITLE', 'BLANK'], 'Message of merge commits'),
    archived: boolean('Archive the repository, which makes it read-only'),
    allow_forking: boolean('Allow forking of a private repository'),
    web_commit_signoff_required: boolean('Require sign-off on commits made in the web interface'),
  }),
  rules: [mergeTexts, mergeWays],
  permission: 'administration=write',
  role: 'repository administrator',
  refusals: [
    {
      status: 422,
      field: 'private',
      advice: 'The organization may allow only owners to change the visibility of repositories.',
    },
    {
      status: 422,
      field: 'visibility',
      advice: 'The organization may allow only owners to change the visibility of repositories.',
    },
  ],
  answer: record<Repository>(),
});

export const deleteRepository = endpoint({
  route: 'DELETE /repos/{owner}/{repo}',
  summary: 'Delete a repository',
  permission: 'administration=write',
  scopes: ['delete_repo'],
  role: 'repository administrator',
  refusals: [{ status: 403, advice: 'The organization may allow only owners to delete repositories: ask an owner.' }],
  answer: nothing(),
});

export const transferRepository = endpoint({
  route: 'POST /repos/{owner}/{repo}/transfer',
  summary: 'Transfer a repository to another owner; the platform responds before it is done',
  body: fields({
    new_owner: string('Login of the new owner'),
    new_name: optional(string('New name', { default: 'the same name' })),
    team_ids: optional(integers('IDs of the new owner’s teams to grant access; organizations only')),
  }),
  permission: 'administration=write',
  role: 'repository administrator',
  refusals: [
    {
      status: 403,
      advice: 'You need permission to transfer the repository and to create repositories for the new owner.',
    },
    { status: 422, advice: 'Check that the new owner exists and has no repository with that name.' },
  ],
  status: 202,
  answer: record<Repository>(),
});

export const getTopics = endpoint({
  route: 'GET /repos/{owner}/{repo}/topics',
  summary: 'Show the topics of a repository',
  permission: 'metadata=read',
  anonymous: true,
  answer: record<RepositoryTopics>(),
});

/** Public platform, Classifying your repository with topics. It saves them in lower case. */
export const topicForm = /^[a-zA-Z0-9][a-zA-Z0-9-]{0,49}$/;
export const topicFormText = 'must be at most 50 letters, digits and hyphens, not starting with a hyphen';
export const mostTopics = 20;

function topicLimits({ names }: Given): Problem[] {
  if (!Array.isArray(names)) return [];
  const malformed = names.flatMap((name, index) =>
    typeof name !== 'string' || name === '' || topicForm.test(name) ? [] : [invalid(`names[${index}]`, topicFormText)],
  );
  return names.length > mostTopics
    ? [...malformed, invalid('names', `must have at most ${mostTopics} topics`)]
    : malformed;
}

export const replaceTopics = endpoint({
  route: 'PUT /repos/{owner}/{repo}/topics',
  summary: 'Replace the topics of a repository',
  body: fields({ names: strings('Topics that replace the current ones') }),
  rules: [topicLimits],
  permission: 'administration=write',
  answer: record<RepositoryTopics>(),
});

export const listCollaborators = endpoint({
  route: 'GET /repos/{owner}/{repo}/collaborators',
  summary: 'List the people with access to a repository',
  query: {
    affiliation: oneOf(['outside', 'direct', 'all'], 'Filter by affiliation: outside or direct collaborators', {
      default: 'all',
    }),
    permission: oneOf(['pull', 'triage', 'push', 'maintain', 'admin'], 'Filter by permission'),
  },
  paging: 'page',
  permission: 'metadata=read',
  scopes: ['repo'],
  role: 'repository writer',
  answer: list<Collaborator>(),
});

export const getCollaboratorPermission = endpoint({
  route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
  summary: 'Show the highest role that a person has in a repository, from all sources',
  permission: 'metadata=read',
  role: 'repository writer',
  answer: record<CollaboratorPermission>(),
});

export const listRepositoryTeams = endpoint({
  route: 'GET /repos/{owner}/{repo}/teams',
  summary: 'List the teams that have access to a repository',
  paging: 'page',
  permission: 'administration=read',
  scopes: ['public_repo', 'repo'],
  answer: list<Team>(),
});

export const listRepositoryActivity = endpoint({
  route: 'GET /repos/{owner}/{repo}/activity',
  summary: 'List the ref changes in a repository, newest first',
  query: {
    activity_type: oneOf(
      ['push', 'force_push', 'branch_creation', 'branch_deletion', 'pr_merge', 'merge_queue_merge'],
      'Filter by type of change',
    ),
    ref: string('Filter by ref, such as refs/heads/main'),
    actor: string('Filter by the actor’s login'),
    time_period: oneOf(['day', 'week', 'month', 'quarter', 'year'], 'Time period to list'),
    direction: oneOf(['asc', 'desc'], 'Sort direction by time', { default: 'desc' }),
    before: string('Cursor from a next link; lists the changes before it'),
    after: string('Cursor from a next link; lists the changes after it'),
  },
  paging: 'cursor',
  permission: 'contents=read',
  anonymous: true,
  answer: list<Activity>(),
});

export const listContributors = endpoint({
  route: 'GET /repos/{owner}/{repo}/contributors',
  summary: 'List the contributors to a repository, most commits first; counts can be hours old',
  query: { anon: string('Include anonymous contributors (1 or true)') },
  paging: 'page',
  permission: 'metadata=read',
  anonymous: true,
  answer: list<Contributor>(),
});

export const getLanguages = endpoint({
  route: 'GET /repos/{owner}/{repo}/languages',
  summary: 'Show the languages of a repository in bytes',
  permission: 'metadata=read',
  anonymous: true,
  answer: record<Record<string, number>>(),
});

export const listCodeownersErrors = endpoint({
  route: 'GET /repos/{owner}/{repo}/codeowners/errors',
  summary: 'List the errors in a repository’s CODEOWNERS file',
  query: { ref: string('Branch, tag or commit', { default: 'the default branch' }) },
  items: 'errors',
  permission: 'contents=read',
  anonymous: true,
  answer: list<CodeownersError>(),
});

/** At most 10 top-level properties and less than 64 KB. Specification, POST /repos/{owner}/{repo}/dispatches. */
function payloadLimits({ client_payload: payload }: Given): Problem[] {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return [];
  const properties = Object.keys(payload).length;
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  const problems: string[] = [];
  if (properties > 10) problems.push(`must have at most 10 top-level properties (has ${properties})`);
  if (bytes >= 64 * 1024) problems.push(`must be smaller than 64 KB (65,536 bytes; has ${bytes})`);
  return problems.length ? [invalid('client_payload', problems.join('; it '))] : [];
}

export const dispatchRepositoryEvent = endpoint({
  route: 'POST /repos/{owner}/{repo}/dispatches',
  summary: 'Send a repository_dispatch event to workflows and apps',
  body: fields({
    event_type: string('Event type', { maxCharacters: 100 }),
    client_payload: optional(
      nested(anyObject(), 'Payload for workflows and apps: at most 10 top-level properties, smaller than 64 KB'),
    ),
  }),
  rules: [payloadLimits],
  permission: 'contents=write',
  scopes: ['repo'],
  answer: nothing(),
});

export const listCacheReplicas = endpoint({
  route: 'GET /repos/{owner}/{repo}/replicas/caches',
  summary: 'List the sync status of each repository cache replica',
  paging: 'page',
  permission: 'administration=read',
  editions: ['self-managed'],
  answer: list<CacheReplica>(),
});
