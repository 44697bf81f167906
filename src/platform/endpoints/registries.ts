import type * as v from 'valibot';
import { asText, ownMember } from '../../json/exact-json.ts';
import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { PrivateRegistry, PublicKey } from '../records.ts';
import { boolean, fields, integers, nullableString, oneOf, optionalFields, string } from '../schema.ts';
import { type Given, invalid, missing, type Problem } from '../validate.ts';

const registryTypes = [
  'maven_repository',
  'nuget_feed',
  'goproxy_server',
  'npm_registry',
  'rubygems_server',
  'cargo_registry',
  'composer_repository',
  'docker_registry',
  'git_source',
  'helm_registry',
  'hex_organization',
  'hex_repository',
  'pub_repository',
  'python_index',
  'terraform_registry',
] as const;

/** The required and optional fields of each OIDC type. Specification, private registries, update body. */
const oidcFields: Readonly<
  Record<string, { readonly required: readonly string[]; readonly optional: readonly string[] }>
> = {
  oidc_azure: { required: ['tenant_id', 'client_id'], optional: [] },
  oidc_aws: { required: ['aws_region', 'account_id', 'role_name', 'domain', 'domain_owner'], optional: ['audience'] },
  oidc_jfrog: { required: ['jfrog_oidc_provider_name'], optional: ['audience', 'identity_mapping_name'] },
  oidc_cloudsmith: { required: ['namespace', 'service_slug', 'audience'], optional: ['api_host'] },
  oidc_gcp: { required: ['workload_identity_provider'], optional: ['service_account', 'audience'] },
};

const allOidcFields = [...new Set(Object.values(oidcFields).flatMap((sets) => [...sets.required, ...sets.optional]))];

/** Checks the fields of `auth_type`: each OIDC provider has its own, and none stores a secret. */
function fieldsOfAuthType(body: Given): Problem[] {
  const authType = body.auth_type;
  // An update without a type keeps the current one; an unknown type may have any fields.
  if (typeof authType !== 'string' || !knownAuthTypes.has(authType)) return [];
  const own = ownMember(oidcFields, authType);
  const problems = (own?.required ?? [])
    .filter((field) => body[field] === undefined)
    .map((field) => missing(field, `is required when auth_type is ${authType}`));
  for (const field of allOidcFields) {
    if (body[field] === undefined || own?.required.includes(field) || own?.optional.includes(field)) continue;
    problems.push(invalid(field, `is only valid with auth_type ${authTypesWith(field).join(', ')}`));
  }
  for (const field of own ? ['encrypted_value', 'key_id'] : [])
    if (body[field] !== undefined)
      problems.push(invalid(field, `is not supported with auth_type ${authType}, which stores no secret`));
  return problems;
}

const authTypesWith = (field: string): string[] =>
  Object.entries(oidcFields).flatMap(([type, sets]) =>
    sets.required.includes(field) || sets.optional.includes(field) ? [type] : [],
  );

const authTypes = [
  'token',
  'username_password',
  'oidc_azure',
  'oidc_aws',
  'oidc_jfrog',
  'oidc_cloudsmith',
  'oidc_gcp',
] as const;
const knownAuthTypes = new Set<string>(authTypes);

/** A sealed value is useless without the ID of its key. */
function sealedTogether(body: Given): Problem[] {
  if ((body.encrypted_value === undefined) === (body.key_id === undefined)) return [];
  return body.key_id === undefined
    ? [missing('key_id', 'is required with encrypted_value')]
    : [missing('encrypted_value', 'is required with key_id')];
}

/** `selected_repository_ids` requires visibility `selected`. */
function selectionOnlyWithSelected(body: Given): Problem[] {
  if (body.selected_repository_ids === undefined || body.visibility === undefined || body.visibility === 'selected')
    return [];
  return [invalid('selected_repository_ids', 'is only valid with visibility selected')];
}

function selectionRequiredOnCreation(body: Given): Problem[] {
  if (body.visibility !== 'selected' || body.selected_repository_ids !== undefined) return [];
  return [missing('selected_repository_ids', 'is required when visibility is selected')];
}

function userRequiredOnCreation(body: Given): Problem[] {
  const absent = body.username === undefined || body.username === null || body.username === '';
  return body.auth_type === 'username_password' && absent
    ? [missing('username', 'is required when auth_type is username_password')]
    : [];
}

/** Returns whether the type authenticates with a stored secret: `token` (the default) and `username_password` do. */
export const storesSecret = (authType: unknown): boolean =>
  authType === undefined || authType === 'token' || authType === 'username_password';

function secretRequiredOnCreation(body: Given): Problem[] {
  return storesSecret(body.auth_type) && body.encrypted_value === undefined && body.key_id === undefined
    ? [missing('encrypted_value', `is required with auth_type ${asText(body.auth_type ?? 'token')}`)]
    : [];
}

const registryFields = {
  registry_type: oneOf(registryTypes, 'Registry type'),
  url: string('Registry URL'),
  username: nullableString('Username, if the registry requires one'),
  replaces_base: boolean('Use this registry in place of the public one', { default: false }),
  encrypted_value: string('Secret, sealed with the organization’s public key'),
  key_id: string('ID of the key that sealed the secret'),
  visibility: oneOf(['all', 'private', 'selected'], 'Repositories that may use the registry', {
    preselected: 'private',
  }),
  selected_repository_ids: integers('IDs of the repositories that may use the registry, with --visibility selected'),
  auth_type: oneOf(authTypes, 'Authentication type; cannot be changed later'),
  tenant_id: string('Azure tenant ID; required with oidc_azure'),
  client_id: string('Azure client ID; required with oidc_azure'),
  aws_region: string('AWS region; required with oidc_aws'),
  account_id: string('AWS account ID; required with oidc_aws'),
  role_name: string('AWS role name; required with oidc_aws'),
  domain: string('CodeArtifact domain; required with oidc_aws'),
  domain_owner: string('AWS account ID of the CodeArtifact domain’s owner; required with oidc_aws'),
  jfrog_oidc_provider_name: string('JFrog OIDC provider name; required with oidc_jfrog'),
  audience: string('OIDC audience; required with oidc_cloudsmith, optional with oidc_aws, oidc_jfrog and oidc_gcp'),
  identity_mapping_name: string('JFrog identity mapping name; optional with oidc_jfrog'),
  namespace: string('Cloudsmith namespace; required with oidc_cloudsmith'),
  service_slug: string('Cloudsmith service account slug; required with oidc_cloudsmith'),
  api_host: string('Cloudsmith API host; optional with oidc_cloudsmith'),
  workload_identity_provider: string('Full resource name of the workload identity provider; required with oidc_gcp'),
  service_account: string('Google service account; optional with oidc_gcp (default: use the federated token directly)'),
} satisfies v.ObjectEntries;

const access = { permission: 'organization_private_registries=write', scopes: ['admin:org'] } as const;
const readAccess = { permission: 'organization_private_registries=read', scopes: ['admin:org'] } as const;

export const listRegistries = endpoint({
  route: 'GET /orgs/{org}/private-registries',
  summary: 'List the private registries of an organization',
  paging: 'page',
  items: 'configurations',
  ...readAccess,
  answer: list<PrivateRegistry>(),
});

export const getRegistryPublicKey = endpoint({
  route: 'GET /orgs/{org}/private-registries/public-key',
  summary: 'Show the public key that seals an organization’s registry secrets',
  ...readAccess,
  answer: record<PublicKey>(),
});

export const getRegistry = endpoint({
  route: 'GET /orgs/{org}/private-registries/{secret_name}',
  summary: 'Show a private registry, without its secret',
  ...readAccess,
  answer: record<PrivateRegistry>(),
});

export const createRegistry = endpoint({
  route: 'POST /orgs/{org}/private-registries',
  summary: 'Create a private registry',
  body: fields({
    ...optionalFields(registryFields).entries,
    registry_type: registryFields.registry_type,
    url: registryFields.url,
    visibility: registryFields.visibility,
  }),
  rules: [
    (body) => fieldsOfAuthType({ auth_type: 'token', ...body }),
    sealedTogether,
    selectionOnlyWithSelected,
    selectionRequiredOnCreation,
    userRequiredOnCreation,
    secretRequiredOnCreation,
  ],
  ...access,
  status: 201,
  answer: record<PrivateRegistry>(),
});

export const updateRegistry = endpoint({
  route: 'PATCH /orgs/{org}/private-registries/{secret_name}',
  summary: 'Update a private registry; omitted fields keep their values',
  body: optionalFields(registryFields),
  rules: [fieldsOfAuthType, sealedTogether, selectionOnlyWithSelected],
  ...access,
  refusals: [
    {
      status: 422,
      field: 'auth_type',
      advice: 'auth_type cannot be changed: omit --auth-type, or delete and recreate the registry.',
    },
  ],
  answer: nothing(),
});

export const deleteRegistry = endpoint({
  route: 'DELETE /orgs/{org}/private-registries/{secret_name}',
  summary: 'Delete a private registry and its secret',
  ...access,
  answer: nothing(),
});
