import { endpoint, list, record } from '../endpoint.ts';
import type { PreReceiveHook } from '../records.ts';
import { boolean, fields, integer, oneOf, optionalFields } from '../schema.ts';

const query = {
  sort: oneOf(['created', 'updated', 'name'], 'Order', { default: 'created' }),
  direction: oneOf(['asc', 'desc'], 'Sort direction', { default: 'desc' }),
};

const path = { pre_receive_hook_id: integer('Hook ID', { min: 1 }) };

const enforcement = oneOf(
  ['enabled', 'disabled', 'testing'],
  'Enforcement of the hook: enabled rejects pushes, testing only reports',
);

/** Specification, Repository pre-receive hooks: classic tokens and the self-managed edition only. */
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
  advice: 'The hook may be enforced at a higher level: configure it at its configuration_url.',
} as const;

export const listRepositoryHooks = endpoint({
  route: 'GET /repos/{owner}/{repo}/pre-receive-hooks',
  summary: 'List the pre-receive hooks of a repository, including disabled hooks that it may enable',
  query,
  paging: 'page',
  ...repository.read,
  answer: list<PreReceiveHook>(),
});

export const getRepositoryHook = endpoint({
  route: 'GET /repos/{owner}/{repo}/pre-receive-hooks/{pre_receive_hook_id}',
  summary: 'Show a repository’s effective setting of a pre-receive hook',
  path,
  ...repository.read,
  answer: record<PreReceiveHook>(),
});

export const setRepositoryHook = endpoint({
  route: 'PATCH /repos/{owner}/{repo}/pre-receive-hooks/{pre_receive_hook_id}',
  summary: 'Enable, disable or test a pre-receive hook in a repository',
  path,
  body: fields({ enforcement }),
  ...repository.write,
  refusals: [notConfigurable],
  answer: record<PreReceiveHook>(),
});

export const unsetRepositoryHook = endpoint({
  route: 'DELETE /repos/{owner}/{repo}/pre-receive-hooks/{pre_receive_hook_id}',
  summary: 'Reset a repository’s pre-receive hook to the setting inherited from its owner or the platform',
  path,
  ...repository.write,
  answer: record<PreReceiveHook>(),
});

export const listOrganizationHooks = endpoint({
  route: 'GET /orgs/{org}/pre-receive-hooks',
  summary: 'List the pre-receive hooks of an organization, including disabled hooks that it may enable',
  query,
  paging: 'page',
  ...organization.read,
  answer: list<PreReceiveHook>(),
});

export const getOrganizationHook = endpoint({
  route: 'GET /orgs/{org}/pre-receive-hooks/{pre_receive_hook_id}',
  summary: 'Show an organization’s effective setting of a pre-receive hook',
  path,
  ...organization.read,
  answer: record<PreReceiveHook>(),
});

export const setOrganizationHook = endpoint({
  route: 'PATCH /orgs/{org}/pre-receive-hooks/{pre_receive_hook_id}',
  summary: 'Enable, disable or test a pre-receive hook in an organization',
  path,
  body: optionalFields({
    enforcement,
    allow_downstream_configuration: boolean('Allow repositories to override the setting; organizations only'),
  }),
  ...organization.write,
  refusals: [notConfigurable],
  answer: record<PreReceiveHook>(),
});

export const unsetOrganizationHook = endpoint({
  route: 'DELETE /orgs/{org}/pre-receive-hooks/{pre_receive_hook_id}',
  summary: 'Reset an organization’s pre-receive hook to the setting inherited from the platform',
  path,
  ...organization.write,
  answer: record<PreReceiveHook>(),
});

export const listInstallationHooks = endpoint({
  route: 'GET /admin/pre-receive-hooks',
  summary: 'List the pre-receive hooks of the whole platform',
  query,
  paging: 'page',
  ...everywhere,
  role: 'site administrator',
  answer: list<PreReceiveHook>(),
});
