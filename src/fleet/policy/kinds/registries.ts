/** The private registries of an organization. */
import * as v from 'valibot';
import { pendingSecret } from '../../../client/seal.ts';
import { asText, isObject } from '../../../json/exact-json.ts';
import { getRegistryPublicKey, storesSecret, updateRegistry } from '../../../platform/endpoints/registries.ts';
import type { PrivateRegistry } from '../../../platform/records.ts';
import { bodyOfRecord } from '../../../platform/resource.ts';
import { registries as declared } from '../../../platform/resources/registries.ts';
import { fields, nested, optional, string, strings } from '../../../platform/schema.ts';
import { type Given, invalid, type Problem } from '../../../platform/validate.ts';
import { type Comparison, canonical, type FieldChange, fieldsOf } from '../../diff.ts';
import type { PlannedChange } from '../live/change.ts';
import { effectRows } from '../live/effects.ts';
import type { OwnerReadings } from '../live/owner-readings.ts';
import { checked, shape } from '../live/record-shapes.ts';
import type { Reader, Reading } from '../live/requests.ts';
import type { SecretReference, SecretSource, Wanted } from '../wanted/model.ts';
import { elements, member, type Placed, placeText, sourceText, textOf, without } from '../wanted/placed.ts';
import { custom, list, mapping, optionalText } from '../wanted/schema-parts.ts';
import { isSecretLocation, type SecretLocation, sourceName, whyNoSource } from '../wanted/secret-sources.ts';
import { nameMatcher, unmatchedPatterns } from '../wanted/select.ts';
import { creationProblems } from './creation.ts';
import { fieldUpdate, liveFields } from './field-update.ts';
import type { ExplainedField } from './kind.ts';
import type { Draft, ExportContext, Found, ListedIdentity, ObjectContext } from './object-declaration.ts';
import { explainedFields } from './object-defaults.ts';
import { objectKind } from './objects.ts';

interface RegistryKey {
  readonly registryType: string;
  readonly url: string;
  /** Selects one of several live registries with the same type and URL. */
  readonly name: string | undefined;
}

/** A private registry. The body has neither `name` nor `repositories` nor `secret`. */
interface WantedRegistry extends RegistryKey, Wanted {
  readonly body: Placed<Given>;
  /** Patterns of names of the repositories that may use it. */
  readonly repositories: Placed<readonly string[]> | undefined;
  readonly secret: SecretSource | undefined;
}

interface LiveRegistry {
  /** The platform’s name of the registry. */
  readonly id: string;
  readonly name: string;
  readonly record: PrivateRegistry;
}

const secretSource = custom<SecretLocation>(
  isSecretLocation,
  'must be { env: NAME } or { file: PATH }: a policy never contains the secret itself',
  {
    anyOf: [
      {
        type: 'object',
        properties: { env: { type: 'string', pattern: '^[A-Za-z_]\\w*$' } },
        required: ['env'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { file: { type: 'string', minLength: 1 } },
        required: ['file'],
        additionalProperties: false,
      },
    ],
  },
);

const {
  encrypted_value: _value,
  key_id: _key,
  selected_repository_ids: _ids,
  ...registryFields
} = updateRegistry.body.entries;

/** Fields that are added when a secret is sealed; no plan has them. */
const sealedFields = ['encrypted_value', 'key_id'];

/** Fields that no update changes: another URL would get the secret of the registry. */
const fixedFields = ['registry_type', 'url', 'auth_type'];

const keySchema = {
  registry_type: v.unwrap(registryFields.registry_type),
  url: string('Registry URL; with the type, it identifies the registry'),
  name: optionalText('Name that selects one of several registries with the same type and URL; ignored on creation'),
};

const registrySchema = fields({
  ...registryFields,
  ...keySchema,
  repositories: optional(strings('Name patterns of the repositories that may use it, with visibility selected')),
  secret: optional(nested(secretSource, 'Source of the secret: { env: NAME } or { file: PATH }')),
});

const endpoints = declared.owners.organization;

const comparison: Comparison = { sets: declared.sets ?? [] };

export const registries = objectKind<WantedRegistry, RegistryKey, LiveRegistry>({
  name: 'registry',
  targets: ['organization'],
  schema: { organization: list(registrySchema, 'Private registries') },
  absentSchema: { organization: list(mapping(keySchema), 'Registries by type and URL') },
  isInEveryDigest: true,
  checkedAs: { organization: updateRegistry },
  rules: registryRules,
  unmanageable: [[/^registries\[\d+\]\.selected_repository_ids$/, 'is set by repositories, which lists name patterns']],
  parseObject,
  parseKey: keyIn,
  nameOf: registryName,
  labelOf: (key) => `registry ${registryName(key)}`,
  explainedName: (key) => registryName({ ...key, name: undefined }),
  explain: explained,
  keyFields: ['registry_type', 'url'],
  bodyComparison: comparison,
  hasWriteOnly: true,
  isNamed: ({ action, name, id, before, body, writeOnly }) => {
    // What a registry selects is sent with the visibility that needs it, or for a flag.
    const isSelecting = body?.visibility === 'selected' && before?.visibility !== 'selected';
    if (action === 'update' && writeOnly !== undefined && !isSelecting) return false;
    const own = action === 'create' ? body : action === 'delete' ? before : undefined;
    const refused = [...sealedFields, 'selected_repository_ids', ...(action === 'update' ? fixedFields : [])];
    return (own ? isNameOf(name, own, id) : mayBeCalled(name, id)) && !refused.some((field) => field in (body ?? {}));
  },
  resource: declared,
  reads: [endpoints.list.route],
  writes: [
    endpoints.create.route,
    endpoints.update.route,
    endpoints.delete.route,
    endpoints.get.route,
    getRegistryPublicKey.route,
  ],
  idParameter: 'secret_name',
  list: listRegistries,
  read: readRegistry,
  bodyOf: (live) => bodyOf(live.record),
  find,
  spared: ({ id, record: { url } }) =>
    url === undefined ? { action: 'unreadable', name: id, reason: `the URL of ${id} cannot be read` } : undefined,
  marksLast: true,
  changesOf,
  isKeyed: ({ before, body: { registry_type: type, url } = before ?? {} }, { record }) =>
    record.registry_type === type && record.url === url,
  isMeant: ({ name, id }, { record }) =>
    (id === undefined || id === record.name) && isNameOf(name, bodyOf(record), record.name),
  async stored({ target, id }, data, reader) {
    // Updates return nothing.
    if (id === undefined) return bodyOf(data as never);
    const read = await readRegistry(target, { id: String(id) }, reader);
    return 'value' in read ? bodyOf(read.value.record) : {};
  },
  effects: effectRows({
    'all < private < selected': {
      visibility: 'Which type of organization repositories have access to the private registry.',
    },
    'true tightens': {
      replaces_base:
        'When set to `true`, Dependabot will only use this registry and will not fall back to the public registry.',
    },
  }),
  creation: () => 'neutral',
  deletion: 'neutral',
  guarded: (count) =>
    `${count === 1 ? '1 registry' : `${count} registries`} would be deleted; deleted secrets cannot be recovered.`,
  irreplaceable(body) {
    const hidden = hiddenFields(body);
    return hidden.length ? `its ${hidden.join(' and ')} cannot be read` : undefined;
  },
  irreversible: (field, earlier) =>
    field === 'visibility' && earlier === 'selected' ? 'its repositories cannot be read' : undefined,
  sortKey: ({ id }) => id,
  exported,
  comment: `The platform does not return secrets: supply each as the environment variable that its registry names, or change
its secret to { file: PATH }. Nor does it return which repositories are selected: add them as repositories, by pattern.`,
});

/** Returns the problems of the keys that a policy adds to the body of a registry. */
function registryRules(registry: Given): Problem[] {
  const { repositories, visibility, secret, auth_type: authType } = registry;
  const problems: Problem[] = [];
  if (repositories !== undefined && visibility !== undefined && visibility !== 'selected')
    problems.push(invalid('repositories', 'is only valid with visibility selected'));
  if (secret !== undefined && typeof authType === 'string' && authType.startsWith('oidc_'))
    problems.push(invalid('secret', `is not supported with auth_type ${authType}, which stores no secret`));
  // `secretProblems` checks each file once for all registries.
  if (isSecretLocation(secret) && 'env' in secret) {
    const why = whyNoSource(secret);
    if (why !== undefined) problems.push(invalid('secret', `cannot come from ${sourceName(secret)}, which ${why}`));
  }
  return problems;
}

function keyIn(registry: Placed): RegistryKey | undefined {
  const registryType = textOf(registry, 'registry_type');
  const url = textOf(registry, 'url');
  if (registryType === undefined || url === undefined) return undefined;
  return { registryType, url, name: textOf(registry, 'name') };
}

function parseObject(registry: Placed): WantedRegistry | undefined {
  const key = keyIn(registry);
  if (!key) return undefined;
  const body = without<Given>(registry, ['name', 'repositories', 'secret']);
  const repositories = member(registry, 'repositories') as Placed<readonly string[]> | undefined;
  const secret = member(registry, 'secret');
  const [[source, where] = []] = Object.entries(isObject(secret?.value) ? secret.value : {});
  const place = secret?.place ?? registry.place;
  const located = source === 'env' ? { env: asText(where), place } : { file: asText(where), place };
  return { ...key, body, repositories, secret: source === undefined ? undefined : located };
}

/** Returns the key of a registry as text, such as npm_registry https://npm.example.com. */
function registryName({ registryType, url, name }: RegistryKey): string {
  return `${registryType} ${url}${name === undefined ? '' : ` (${name})`}`;
}

function explained(registry: WantedRegistry): readonly ExplainedField[] {
  const { body, repositories, secret, name: selecting } = registry;
  const name = registryName({ ...registry, name: undefined });
  return [
    ...explainedFields(name, registry, ['registry_type', 'url']),
    ...(selecting === undefined ? [] : [{ name, field: 'name', value: selecting, place: body.place }]),
    ...(repositories ? [{ name, field: 'repositories', value: repositories.value, place: repositories.place }] : []),
    ...(secret ? [{ name, field: 'secret', value: locationOf(secret), place: secret.place }] : []),
  ];
}

const locationOf = (secret: SecretSource): SecretLocation =>
  'env' in secret ? { env: secret.env } : { file: secret.file };

function secretReference({ place, ...where }: SecretSource): SecretReference {
  return { ...where, source: sourceText(place) } as SecretReference;
}

/** Returns the fields of a registry that the platform does not return. */
const hiddenFields = ({ auth_type: authType, visibility }: Given): readonly string[] => [
  ...(storesSecret(authType) ? ['secret'] : []),
  ...(visibility === 'selected' ? ['repositories'] : []),
];

/** Returns the part of a registry that a body can set and that responses contain. */
function bodyOf(record: PrivateRegistry): Given {
  const { body } = bodyOfRecord(declared, endpoints.create, { ...record });
  const { selected_repository_ids: _unread, ...readable } = body;
  return canonical(readable, comparison) as Given;
}

const registryShape = shape<PrivateRegistry>(
  { name: v.string(), registry_type: v.string(), visibility: v.string(), url: v.optional(v.string()) },
  endpoints.create,
);
const reads = { list: checked(endpoints.list, registryShape), get: checked(endpoints.get, registryShape) };

const liveRegistry = (record: PrivateRegistry): LiveRegistry => {
  const { name: id, registry_type: registryType, url = '' } = record;
  return { id, name: registryName({ registryType, url, name: undefined }), record };
};

async function listRegistries(org: string, reader: Reader): Promise<Reading<readonly LiveRegistry[]>> {
  const listed = await reader.list(reads.list, { path: { org } });
  return 'unreadable' in listed ? listed : { value: listed.value.map(liveRegistry) };
}

async function readRegistry(
  org: string,
  { id }: ListedIdentity<LiveRegistry>,
  reader: Reader,
): Promise<Reading<LiveRegistry>> {
  const read = await reader.get(reads.get, { path: { org, secret_name: String(id) } });
  return 'unreadable' in read ? read : { value: liveRegistry(read.value) };
}

/**
 * Returns whether a planned name is that of a registry. Its ID, which is the name of the registry, may follow, and must if the
 * caller may not read the URL. A new registry gets its name from the platform.
 */
function isNameOf(planned: string, { registry_type: type, url }: Given, id: PlannedChange['id']): boolean {
  const start = `${asText(type)} ${url === undefined ? '' : asText(url)}`;
  if (!planned.startsWith(start)) return false;
  const rest = planned.slice(start.length);
  if (url === undefined) return id !== undefined && rest.endsWith(` (${id})`);
  return /^(?: \(\w+\))?$/.test(rest) && mayBeCalled(rest, id);
}

/** Returns whether a planned name ends with no other ID than this one. */
const mayBeCalled = (planned: string, id: PlannedChange['id']): boolean =>
  id === undefined || planned.endsWith(` (${id})`) || !/ \(\w+\)$/.test(planned);

const isKeyed = ({ registryType, url }: RegistryKey, { record }: LiveRegistry): boolean =>
  record.registry_type === registryType && record.url === url;

/**
 * Finds the registry of a key. Names select among several with one type and URL; the platform chooses them, so that a
 * single one is found by any name.
 */
function find(key: RegistryKey, listed: readonly LiveRegistry[], all: readonly RegistryKey[]): Found<LiveRegistry> {
  const keyed = listed.filter((each) => isKeyed(key, each));
  const hidden = listed.find(({ record }) => record.registry_type === key.registryType && record.url === undefined);
  const named = listed.find(({ id }) => id === key.name);
  if (named && (isKeyed(key, named) || named === hidden)) return { live: named, all: [...keyed, named] };
  const refused = (action: 'unreadable' | 'ambiguous', reason: string) => ({ all: keyed, refused: { action, reason } });
  if (hidden) return refused('unreadable', `the URL of ${hidden.id} cannot be read; select it by name`);
  const twins = all.filter(({ registryType, url }) => registryType === key.registryType && url === key.url);
  const [live, ...others] = keyed;
  if (others.length) {
    const ids = keyed.map(({ id }) => id).sort();
    return refused('ambiguous', `${keyed.length} registries have this type and URL: ${ids.join(', ')}`);
  }
  if (twins.length <= 1) return { live, all: keyed };
  const missing = `${key.name ?? 'one'} does not exist`;
  return refused('ambiguous', `the policy has ${twins.length} registries with this type and URL, and ${missing}`);
}

/** Returns the changes of one registry, and its write-only fields, which cannot be compared. */
async function changesOf(
  wanted: WantedRegistry,
  live: LiveRegistry | undefined,
  { target, readings, change }: ObjectContext<LiveRegistry>,
): Promise<readonly PlannedChange[]> {
  const { body, repositories, secret } = wanted;
  const { place } = body;
  const selection = repositories && (await selectionOf(repositories, readings, target));
  if (selection && 'unreadable' in selection)
    return [change('unreadable', registryName(wanted), place, { reason: selection.unreadable })];
  const hidden: Hidden = {
    changes: [
      ...(repositories ? [{ path: 'repositories', to: repositories.value }] : []),
      ...(secret ? [{ path: 'secret', to: locationOf(secret) }] : []),
    ],
    writeOnly: selection && { writeOnly: { selected_repository_ids: selection.value } },
    sealed: secret && { secret: secretReference(secret) },
  };
  return live ? updated(wanted, live.record, hidden, change) : [created(wanted, hidden, change)];
}

/** The write-only fields of a registry, as a plan shows them and as they are sent. */
interface Hidden {
  readonly changes: readonly FieldChange[];
  readonly writeOnly: Pick<PlannedChange, 'writeOnly'> | undefined;
  readonly sealed: Pick<PlannedChange, 'secret'> | undefined;
}

function created(wanted: WantedRegistry, { changes, writeOnly, sealed }: Hidden, change: Draft): PlannedChange {
  const name = registryName(wanted);
  const { place, value } = wanted.body;
  const body = canonical(value, comparison) as Given;
  const reason = creationProblems(
    endpoints.create,
    { ...body, ...writeOnly?.writeOnly, ...(sealed && pendingSecret) },
    { encrypted_value: 'secret', selected_repository_ids: 'repositories' },
  );
  if (reason !== undefined) return change('unresolved', name, place, { reason });
  const shown = [...fieldsOf(body), ...changes];
  return change('create', name, place, { changes: shown, effect: 'neutral', body, ...writeOnly, ...sealed });
}

function updated(
  wanted: WantedRegistry,
  record: PrivateRegistry,
  { changes: hidden, writeOnly, sealed }: Hidden,
  change: Draft,
): readonly PlannedChange[] {
  // A registry that is alone with its type and URL is found by any name.
  const name = registryName(wanted.name === undefined ? wanted : { ...wanted, name: record.name });
  const { body, repositories } = wanted;
  const live = liveFields(bodyOf(record), body.value);
  const fields = Object.entries(body.value).filter(([field]) => field !== 'url' || record.url !== undefined);
  const unread = fields.filter(([field]) => live[field] === undefined).map(([path, to]) => ({ path, to }));
  const readable = Object.fromEntries(fields.filter(([field]) => live[field] !== undefined));
  const update = fieldUpdate(readable, live, registries, comparison);
  const refused = refusal(update?.body ?? {}, record, repositories);
  if (refused !== undefined) return [change('unresolved', name, body.place, { reason: refused })];
  const id = record.name;
  const selects = update?.body.visibility === 'selected' && writeOnly;
  const unverified = [...unread, ...hidden];
  // The platform refuses a selection for any other visibility.
  const before = writeOnly ? { visibility: 'selected' } : {};
  return [
    ...(update ? [change('update', name, body.place, { id, ...update, ...selects })] : []),
    ...(unverified.length
      ? [change('unverified', name, body.place, { changes: unverified, id, before, ...writeOnly, ...sealed })]
      : []),
  ];
}

/** Returns why the platform would refuse an update, or a selection of repositories; undefined if it would not. */
function refusal(body: Given, live: PrivateRegistry, repositories: unknown): string | undefined {
  if (body.auth_type !== undefined)
    return `auth_type cannot be changed from ${live.auth_type} to ${asText(body.auth_type)}: delete and recreate the registry`;
  if (body.visibility === 'selected' && repositories === undefined)
    return 'repositories is required to change visibility to selected';
  const { visibility = live.visibility } = body;
  return repositories !== undefined && visibility !== 'selected'
    ? `repositories is only valid with visibility selected, and it is ${asText(visibility)}`
    : undefined;
}

/** Returns the IDs of the repositories that patterns select, sorted. */
async function selectionOf(
  patterns: Placed<readonly string[]>,
  { repositories, warn }: OwnerReadings,
  org: string,
): Promise<Reading<readonly number[]>> {
  const listed = await repositories();
  if ('unreadable' in listed)
    return { unreadable: `the repositories of ${org} cannot be listed (${listed.unreadable})` };
  const names = elements(patterns) as readonly Placed<string>[];
  for (const { value, place } of unmatchedPatterns(names, listed.value))
    warn(`${placeText(place)}: ${value} matches no repository of ${org}.`);
  const isSelected = nameMatcher({ names });
  const ids = listed.value.filter(({ name }) => isSelected(name)).map(({ id }) => id);
  return { value: ids.toSorted((a, b) => a - b) };
}

function exported(
  { id, record }: LiveRegistry,
  { target, readings, twins }: ExportContext<LiveRegistry>,
): Given | undefined {
  const { lacks, warn } = readings;
  const { registry_type, url, auth_type: authType } = record;
  if (url === undefined) {
    lacks(`Registry ${id} of ${target} was not exported: its URL cannot be read.`);
    return undefined;
  }
  const missing = hiddenFields({ ...record });
  if (missing.length)
    warn(`Add the ${missing.join(' and ')} of registry ${id} of ${target}, which the platform does not return.`);
  const secret = storesSecret(authType) && { secret: { env: variableOf(id) } };
  return { registry_type, url, ...(twins.length > 1 && { name: id }), ...bodyOf(record), ...secret };
}

/** Returns the name of an environment variable for the secret of a registry, for use in policies. */
function variableOf(id: string): string {
  const isPossible = isSecretLocation({ env: id }) && whyNoSource({ env: id }) === undefined;
  return isPossible ? id : `REGISTRY_${id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}
