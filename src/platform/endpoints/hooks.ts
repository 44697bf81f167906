import { endpoint, list, record } from '../endpoint.ts';
import type { PreReceiveHook } from '../records.ts';
import { boolean, fields, integer, oneOf, optionalFields } from '../schema.ts';

const query = {
  sort: oneOf(['created', 'updated', 'name'], 'Order', { default: 'created' }),
  direction: oneOf(['asc', 'desc'], 'Direction of the order', { default: 'desc' }),
};

const path = { pre_receive_hook_id: integer('Hook id', { min: 1 }) };

const enforcement = oneOf(
  ['enabled', 'disabled', 'testing'],
  'Whether the hook runs: enabled hooks refuse pushes, testing ones only report',
);

/** Specification, Repository pre-receive hooks: only classic tokens; only the self-managed edition has them. */
const everywhere = { tokens: ['classic'], editions: ['self-managed'] } as const;
const repository = {
  read: { ...everywhere, permission: 'repository_pre_receive_hooks=read' },
  write: { ...everywhere, permission: 'repository_pre_receive_hooks=write' },
} as const;
const organization = {
  read: { ...everywhere, permission: 'organization_pre_receive_hooks=read' },
  write: { ...everywhere, permission: 'organization_pre_receive_hooks=write' },
} as const;

const notConfigurable = {
  status: 403,
  advice: 'The hook may be enforced from above: set it where its configuration_url points.',
} as const;

export const listRepositoryHooks = endpoint({
  route: 'GET /repos/{owner}/{repo}/pre-receive-hooks',
  summary:
    'List the pre-receive hooks of a repository: those that run or test, and disabled ones that may be enabled there',
  query,
  paging: 'page',
  ...repository.read,
  status: 200,
  answer: list<PreReceiveHook>(),
});

export const getRepositoryHook = endpoint({
  route: 'GET /repos/{owner}/{repo}/pre-receive-hooks/{pre_receive_hook_id}',
  summary: 'Show a pre-receive hook as it holds for a repository',
  path,
  ...repository.read,
  status: 200,
  answer: record<PreReceiveHook>(),
});

export const setRepositoryHook = endpoint({
  route: 'PATCH /repos/{owner}/{repo}/pre-receive-hooks/{pre_receive_hook_id}',
  summary: 'Enable, disable or test a pre-receive hook in a repository',
  path,
  body: fields({ enforcement }),
  ...repository.write,
  refusals: [notConfigurable],
  status: 200,
  answer: record<PreReceiveHook>(),
});

export const unsetRepositoryHook = endpoint({
  route: 'DELETE /repos/{owner}/{repo}/pre-receive-hooks/{pre_receive_hook_id}',
  summary: 'Remove a repository’s own setting of a pre-receive hook; it then holds as its owner or the platform says',
  path,
  ...repository.write,
  status: 200,
  answer: record<PreReceiveHook>(),
});

export const listOrganizationHooks = endpoint({
  route: 'GET /orgs/{org}/pre-receive-hooks',
  summary:
    'List the pre-receive hooks of an organization: those that run or test, and disabled ones that may be enabled there',
  query,
  paging: 'page',
  ...organization.read,
  status: 200,
  answer: list<PreReceiveHook>(),
});

export const getOrganizationHook = endpoint({
  route: 'GET /orgs/{org}/pre-receive-hooks/{pre_receive_hook_id}',
  summary: 'Show a pre-receive hook as it holds for an organization',
  path,
  ...organization.read,
  status: 200,
  answer: record<PreReceiveHook>(),
});

export const setOrganizationHook = endpoint({
  route: 'PATCH /orgs/{org}/pre-receive-hooks/{pre_receive_hook_id}',
  summary: 'Enable, disable or test a pre-receive hook in an organization',
  path,
  body: optionalFields({
    enforcement,
    allow_downstream_configuration: boolean('Repositories may set it for themselves; only for organizations'),
  }),
  ...organization.write,
  refusals: [notConfigurable],
  status: 200,
  answer: record<PreReceiveHook>(),
});

export const unsetOrganizationHook = endpoint({
  route: 'DELETE /orgs/{org}/pre-receive-hooks/{pre_receive_hook_id}',
  summary: 'Remove an organization’s own setting of a pre-receive hook; it then holds as the platform says',
  path,
  ...organization.write,
  status: 200,
  answer: record<PreReceiveHook>(),
});

export const listInstallationHooks = endpoint({
  route: 'GET /admin/pre-receive-hooks',
  summary: 'List the pre-receive hooks of the whole platform',
  query,
  paging: 'page',
  ...everywhere,
  role: 'site administrator',
  status: 200,
  answer: list<PreReceiveHook>(),
});
