import { endpoint, list, nothing, record } from '../endpoint.ts';
import type {
  Activity,
  AutomatedSecurityFixes,
  CacheReplica,
  CodeownersError,
  Contributor,
  Repository,
} from '../records.ts';
import { anyObject, boolean, fields, integer, nested, oneOf, optional, string } from '../schema.ts';
import { type Given, invalid, missing, type Problem } from '../validate.ts';

export const listOrganizationRepositories = endpoint({
  route: 'GET /orgs/{org}/repos',
  summary: 'List the repositories of an organization',
  query: {
    type: oneOf(
      ['all', 'public', 'private', 'forks', 'sources', 'member', 'internal'],
      'Which repositories; installation tokens cannot list internal ones',
      { default: 'all' },
    ),
    sort: oneOf(['created', 'updated', 'pushed', 'full_name'], 'Order', { default: 'created' }),
    direction: oneOf(['asc', 'desc'], 'Direction of the order', { default: 'asc for full_name, else desc' }),
  },
  paging: 'page',
  permission: 'metadata=read',
  anonymous: true,
  status: 200,
  answer: list<Repository>(),
});

/** Titles and messages of merge commits come in pairs: a message needs its title. Specification, POST /orgs/{org}/repos. */
function mergeTexts(body: Given): Problem[] {
  return (['squash_merge_commit', 'merge_commit'] as const)
    .filter((kind) => body[`${kind}_message`] !== undefined && body[`${kind}_title`] === undefined)
    .map((kind) => missing(`${kind}_title`, `is required with ${kind}_message`));
}

export const createOrganizationRepository = endpoint({
  route: 'POST /orgs/{org}/repos',
  summary: 'Create a repository in an organization',
  body: fields({
    name: string('Name of the repository'),
    description: optional(string('Description', { mayBeEmpty: true })),
    homepage: optional(string('Address of its web site', { mayBeEmpty: true })),
    private: optional(boolean('Private; --visibility overrides it', { default: false })),
    visibility: optional(oneOf(['public', 'private', 'internal'], 'Who can see it; overrides --private')),
    has_issues: optional(boolean('Issues', { default: true })),
    has_projects: optional(
      boolean('Projects', { default: 'true; false where the organization disables repository projects' }),
    ),
    has_wiki: optional(boolean('Wiki', { default: true })),
    has_downloads: optional(boolean('Downloads', { default: true })),
    is_template: optional(boolean('Others can use it as a template', { default: false })),
    team_id: optional(integer('Id of a team that gets access', { min: 1 })),
    auto_init: optional(boolean('Start with a commit that holds an empty readme', { default: false })),
    gitignore_template: optional(string('Name of a .gitignore template, without extension', { mayBeEmpty: true })),
    license_template: optional(string('Keyword of a license', { mayBeEmpty: true })),
    allow_squash_merge: optional(boolean('Pull requests may be squashed', { default: true })),
    allow_merge_commit: optional(boolean('Pull requests may be merged with a merge commit', { default: true })),
    allow_rebase_merge: optional(boolean('Pull requests may be rebased', { default: true })),
    allow_auto_merge: optional(boolean('Pull requests may merge by themselves once allowed', { default: false })),
    delete_branch_on_merge: optional(
      boolean('Head branches go when merged; only an organization owner may set it', { default: false }),
    ),
    use_squash_pr_title_as_default: optional(
      boolean('Squashed commits take the title of the pull request', {
        default: false,
        closingDown: '--squash-merge-commit-title replaces it',
      }),
    ),
    squash_merge_commit_title: optional(
      oneOf(
        ['PR_TITLE', 'COMMIT_OR_PR_TITLE'],
        'Title of squashed commits; required with --squash-merge-commit-message',
      ),
    ),
    squash_merge_commit_message: optional(
      oneOf(['PR_BODY', 'COMMIT_MESSAGES', 'BLANK'], 'Message of squashed commits'),
    ),
    merge_commit_title: optional(
      oneOf(['PR_TITLE', 'MERGE_MESSAGE'], 'Title of merge commits; required with --merge-commit-message'),
    ),
    merge_commit_message: optional(oneOf(['PR_BODY', 'PR_TITLE', 'BLANK'], 'Message of merge commits')),
    custom_properties: optional(nested(anyObject(), 'Custom properties, by name')),
  }),
  rules: [mergeTexts],
  permission: 'administration=write',
  scopes: ['public_repo', 'repo'],
  role: 'organization member',
  refusals: [
    {
      status: 422,
      field: 'has_projects',
      advice: 'The organization may disable repository projects; leave --has-projects out.',
    },
    {
      status: 422,
      field: 'delete_branch_on_merge',
      advice: 'Only an organization owner may set --delete-branch-on-merge; leave it out or ask an owner.',
    },
    {
      status: 403,
      field: 'delete_branch_on_merge',
      advice: 'Only an organization owner may set --delete-branch-on-merge; leave it out or ask an owner.',
    },
  ],
  status: 201,
  answer: record<Repository>(),
});

export const getRepository = endpoint({
  route: 'GET /repos/{owner}/{repo}',
  summary: 'Show a repository',
  permission: 'metadata=read',
  anonymous: true,
  status: 200,
  answer: record<Repository>(),
});

export const listRepositoryActivity = endpoint({
  route: 'GET /repos/{owner}/{repo}/activity',
  summary: 'List what changed a repository’s refs, newest first',
  query: {
    activity_type: oneOf(
      ['push', 'force_push', 'branch_creation', 'branch_deletion', 'pr_merge', 'merge_queue_merge'],
      'Kind of change',
    ),
    ref: string('Full name of a ref, such as refs/heads/main'),
    actor: string('Login of who made the change'),
    time_period: oneOf(['day', 'week', 'month', 'quarter', 'year'], 'How far back'),
    direction: oneOf(['asc', 'desc'], 'Order by time', { default: 'desc' }),
    before: string('Only what comes before this cursor, from a next link'),
    after: string('Only what comes after this cursor, from a next link'),
  },
  paging: 'cursor',
  permission: 'contents=read',
  anonymous: true,
  status: 200,
  answer: list<Activity>(),
});

export const listContributors = endpoint({
  route: 'GET /repos/{owner}/{repo}/contributors',
  summary: 'List who committed to a repository, most commits first; the numbers can be hours old',
  query: { anon: string('1 or true includes contributors without an account') },
  paging: 'page',
  permission: 'metadata=read',
  anonymous: true,
  status: 200,
  answer: list<Contributor>(),
});

export const getLanguages = endpoint({
  route: 'GET /repos/{owner}/{repo}/languages',
  summary: 'Show how many bytes of each language a repository holds',
  permission: 'metadata=read',
  anonymous: true,
  status: 200,
  answer: record<Record<string, number>>(),
});

export const listCodeownersErrors = endpoint({
  route: 'GET /repos/{owner}/{repo}/codeowners/errors',
  summary: 'List what is wrong in a repository’s CODEOWNERS file',
  query: { ref: string('Branch, tag or commit', { default: 'the default branch' }) },
  items: 'errors',
  permission: 'contents=read',
  anonymous: true,
  status: 200,
  answer: list<CodeownersError>(),
});

export const getAutomatedSecurityFixes = endpoint({
  route: 'GET /repos/{owner}/{repo}/automated-security-fixes',
  summary: 'Show whether automated security fixes are on',
  permission: 'administration=read',
  role: 'administrator of the repository',
  refusals: [
    {
      status: 404,
      advice: 'The platform also answers 404 where automated security fixes are not enabled for the repository.',
    },
  ],
  status: 200,
  answer: record<AutomatedSecurityFixes>(),
});

/** At most 10 top-level properties and less than 64 KB. Specification, POST /repos/{owner}/{repo}/dispatches. */
function payloadLimits({ client_payload: payload }: Given): Problem[] {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return [];
  const properties = Object.keys(payload).length;
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  const problems: string[] = [];
  if (properties > 10) problems.push(`must have at most 10 top-level properties, and has ${properties}`);
  if (bytes >= 64 * 1024) problems.push(`must be smaller than 64 KB (65,536 bytes), and has ${bytes} bytes`);
  return problems.length ? [invalid('client_payload', problems.join('; it '))] : [];
}

export const dispatchRepositoryEvent = endpoint({
  route: 'POST /repos/{owner}/{repo}/dispatches',
  summary: 'Send a repository_dispatch event to workflows and apps',
  body: fields({
    event_type: string('Name of the event', { maxCharacters: 100 }),
    client_payload: optional(
      nested(anyObject(), 'What workflows and apps are told: at most 10 top-level properties, smaller than 64 KB'),
    ),
  }),
  rules: [payloadLimits],
  permission: 'contents=write',
  scopes: ['repo'],
  status: 204,
  answer: nothing(),
});

export const listCacheReplicas = endpoint({
  route: 'GET /repos/{owner}/{repo}/replicas/caches',
  summary: 'List how far each replica of the repository cache is behind',
  paging: 'page',
  permission: 'administration=read',
  editions: ['self-managed'],
  status: 200,
  answer: list<CacheReplica>(),
});
