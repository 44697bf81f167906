/** The private registries of an organization. */
import { pendingSecret } from '../../../client/seal.ts';
import { storesSecret } from '../../../platform/endpoints/registries.ts';
import type { PrivateRegistry } from '../../../platform/records.ts';
import { bodyOfRecord } from '../../../platform/resource.ts';
import { registries as declared } from '../../../platform/resources/registries.ts';
import type { Given } from '../../../platform/validate.ts';
import { type Comparison, canonical, type FieldChange, fieldsOf } from '../../diff.ts';
import { secretReference } from '../applying/secrets.ts';
import type { PlannedChange } from '../live/change.ts';
import { combined, type Effect, ranked } from '../live/effects.ts';
import type { Reader, Reading } from '../live/requests.ts';
import { registryName, type WantedRegistry } from '../wanted/model.ts';
import { elements, type Place, type Placed, placeText, sourceText } from '../wanted/placed.ts';
import { nameMatcher, unmatchedPatterns } from '../wanted/select.ts';
import type { WantedTarget } from '../wanted/target.ts';
import { creationProblems } from './creation.ts';
import { fieldUpdate, keptFields, liveFields, touchedFields } from './field-update.ts';
import { type ExportReadings, type KindDeclaration, type OwnerReadings, ownName } from './kind.ts';

const endpoints = declared.owners.organization;

export const registries: KindDeclaration = {
  section: 'registries',
  targets: ['organization'],
  actions: ['create', 'update', 'delete'],
  hasId: true,
  isNamed: ({ action, name, before, body }) => {
    const own = action === 'create' ? body : action === 'delete' ? before : undefined;
    return own === undefined || isNameOf(name, own);
  },
  plan: planRegistries,
  async live(change, reader) {
    const { target: org, name: planned, id, before, body: { registry_type: type, url } = before ?? {} } = change;
    const read = id === undefined ? undefined : await readRegistry(reader, org, String(id));
    if (read && 'value' in read)
      return isNameOf(planned, read.value) ? { value: touchedFields(read.value, change) } : { ambiguous: true };
    const listed = await reader.list(endpoints.list, { path: { org } });
    if ('unreadable' in listed) return listed;
    if (id !== undefined)
      return listed.value.some(({ name }) => name === id) ? { unreadable: 'hidden' } : { value: undefined };
    const [only, ...others] = listed.value.filter((each) => each.registry_type === type && each.url === url);
    if (others.length) return { ambiguous: true };
    return only ? { value: touchedFields(bodyOf(only), change), id: only.name } : { value: undefined };
  },
  request({ action, target: org, id = '', body = {}, writeOnly, secret }) {
    const sent = { ...body, ...writeOnly, ...(secret && pendingSecret) };
    if (action === 'create') return { endpoint: endpoints.create, input: { path: { org }, body: sent } };
    const path = { org, secret_name: id };
    return action === 'delete'
      ? { endpoint: endpoints.delete, input: { path } }
      : { endpoint: endpoints.update, input: { path, body: sent } };
  },
  async kept({ target, id, body = {} }, data, reader) {
    // Updates return nothing.
    const read = id === undefined ? { value: bodyOf(data as never) } : await readRegistry(reader, target, String(id));
    return keptFields('value' in read ? liveFields(read.value, body) : {}, body);
  },
  comparison: () => comparison,
  effect: (changes) => combined(changes.map(registryEffect)),
  creation: () => 'neutral',
  deletion: 'neutral',
  async listed(target, reader) {
    const listed = await reader.list(endpoints.list, { path: { org: target } });
    if ('unreadable' in listed) return listed;
    const nameOf = ({ registry_type, url = '' }: PrivateRegistry) =>
      registryName({ registryType: registry_type, url, name: undefined });
    return { value: listed.value.map((each) => ({ id: each.name, name: nameOf(each) })) };
  },
  irreplaceable({ auth_type: authType, visibility }) {
    const hidden = [
      ...(storesSecret(authType) ? ['secret'] : []),
      ...(visibility === 'selected' ? ['repositories'] : []),
    ];
    return hidden.length ? `its ${hidden.join(' and ')} cannot be read` : undefined;
  },
  irreversible: (field, earlier) =>
    field === 'visibility' && earlier === 'selected' ? 'its repositories cannot be read' : undefined,
  export: exportRegistries,
  comment: `The platform does not return secrets: supply each as the environment variable that its registry names, or change
its secret to { file: PATH }. Nor does it return which repositories are selected: add them as repositories, by pattern.`,
};

const comparison: Comparison = { sets: declared.sets ?? [] };

/** A registry and its secret may be used by fewer repositories. */
const registryEffect = (change: FieldChange): Effect | undefined =>
  change.path === 'visibility' ? ranked(['all', 'private', 'selected'], change) : 'neutral';

/** Returns the part of a registry that a body can set and that responses contain. */
function bodyOf(record: PrivateRegistry): Given {
  const { body } = bodyOfRecord(declared, endpoints.create, { ...record });
  const { selected_repository_ids: _unread, ...readable } = body;
  return canonical(readable, comparison) as Given;
}

async function readRegistry(reader: Reader, org: string, name: string): Promise<Reading<Given>> {
  const read = await reader.get(endpoints.get, { path: { org, secret_name: name } });
  return 'unreadable' in read ? read : { value: bodyOf(read.value) };
}

/**
 * Returns whether a planned name is that of a registry, whose URL the caller may not be able to read. A name of the
 * registry may follow.
 */
function isNameOf(planned: string, { registry_type: type, url }: Given): boolean {
  if (url === undefined) return planned.startsWith(`${type} `);
  const start = `${type} ${url}`;
  return planned.startsWith(start) && /^(?: \(\w+\))?$/.test(planned.slice(start.length));
}

const isKeyed = ({ registryType, url }: Pick<WantedRegistry, 'registryType' | 'url'>, live: PrivateRegistry): boolean =>
  live.registry_type === registryType && live.url === url;

type Key = Pick<WantedRegistry, 'registryType' | 'url' | 'name'>;

type Found = { readonly registry: PrivateRegistry | undefined } | Pick<PlannedChange, 'action' | 'reason'>;

/**
 * Finds the registry of a key. Names select among several with one type and URL; the platform chooses them, so that a
 * single one is found by any name.
 */
function find(key: Key, listed: readonly PrivateRegistry[], all: readonly Key[]): Found {
  const hidden = listed.find(({ registry_type, url }) => registry_type === key.registryType && url === undefined);
  const named = listed.find(({ name }) => name === key.name);
  if (named && (isKeyed(key, named) || named === hidden)) return { registry: named };
  if (hidden) return { action: 'unreadable', reason: `the URL of ${hidden.name} cannot be read; select it by name` };
  const live = listed.filter((each) => isKeyed(key, each));
  const twins = all.filter(({ registryType, url }) => registryType === key.registryType && url === key.url);
  if (live.length <= 1 && twins.length <= 1) return { registry: live[0] };
  return live.length > 1
    ? {
        action: 'ambiguous',
        reason: `${live.length} registries have this type and URL: ${live
          .map(({ name }) => name)
          .sort()
          .join(', ')}`,
      }
    : {
        action: 'ambiguous',
        reason: `the policy has ${twins.length} registries with this type and URL, and ${key.name ?? 'one'} does not exist`,
      };
}

async function planRegistries(wanted: WantedTarget, readings: OwnerReadings): Promise<PlannedChange[]> {
  const { target } = wanted;
  const absent = wanted.absent.flatMap((each) => (each.kind === 'registries' ? [each] : []));
  const managed = wanted.managed.get('registries');
  if (wanted.registries.length === 0 && absent.length === 0 && !managed) return [];
  const change: Change = (action, name, place, rest) => ({
    action,
    kind: 'registry',
    target,
    name,
    source: sourceText(place),
    changes: [],
    ...rest,
  });
  const listed = await readings.reader.list(endpoints.list, { path: { org: target } });
  if ('unreadable' in listed) {
    const reason = listed.unreadable;
    return [
      ...wanted.registries.map((each) => change('unreadable', registryName(each), each.body.place, { reason })),
      ...absent.map((each) => change('unreadable', registryName(each), each.place, { reason })),
      ...(managed ? [change('unreadable', '', managed, { reason })] : []),
    ];
  }
  const changes: PlannedChange[] = [];
  const spared = new Set<PrivateRegistry>();
  for (const each of wanted.registries) {
    const found = find(each, listed.value, wanted.registries);
    for (const live of listed.value) if (isKeyed(each, live)) spared.add(live);
    if ('registry' in found && found.registry) spared.add(found.registry);
    changes.push(...(await planRegistry(each, found, change, readings)));
  }
  for (const each of absent) {
    const found = find(each, listed.value, [each]);
    if (!('registry' in found))
      changes.push(change(found.action, registryName(each), each.place, { reason: found.reason }));
    else if (found.registry && !spared.has(found.registry)) {
      spared.add(found.registry);
      changes.push(deletionOf(found.registry, each.place, listed.value, change));
    }
  }
  for (const live of managed ? listed.value.filter((each) => !spared.has(each)) : []) {
    const place = managed as Place;
    changes.push(
      live.url === undefined
        ? change('unreadable', live.name, place, { reason: `the URL of ${live.name} cannot be read` })
        : { ...deletionOf(live, place, listed.value, change), undeclared: true },
    );
  }
  return changes;
}

type Change = (
  action: PlannedChange['action'],
  name: string,
  place: Place,
  rest: Partial<PlannedChange>,
) => PlannedChange;

/** Returns the changes of one registry, and its write-only fields, which cannot be compared. */
async function planRegistry(
  wanted: WantedRegistry,
  found: Found,
  change: Change,
  readings: OwnerReadings,
): Promise<PlannedChange[]> {
  const name = registryName(wanted);
  const { body, repositories, secret } = wanted;
  const { place } = body;
  if (!('registry' in found)) return [change(found.action, name, place, { reason: found.reason })];
  const selection = repositories && (await selectionOf(repositories, readings, change('create', '', place, {}).target));
  if (selection && 'unreadable' in selection)
    return [change('unreadable', name, place, { reason: selection.unreadable })];
  const sealed = secret && { secret: secretReference(secret) };
  const writeOnly = selection && { writeOnly: { selected_repository_ids: selection.value } };
  const hidden: FieldChange[] = [
    ...(repositories ? [{ path: 'repositories', to: repositories.value }] : []),
    ...(secret ? [{ path: 'secret', to: 'env' in secret ? { env: secret.env } : { file: secret.file } }] : []),
  ];
  const { registry } = found;
  if (!registry) {
    const created = canonical(body.value, comparison) as Given;
    const reason = creationProblems(
      endpoints.create,
      { ...created, ...writeOnly?.writeOnly, ...(secret && pendingSecret) },
      { encrypted_value: 'secret', selected_repository_ids: 'repositories' },
    );
    if (reason !== undefined) return [change('unresolved', name, place, { reason })];
    const fields = [...fieldsOf(created), ...hidden];
    return [
      change('create', name, place, { changes: fields, effect: 'neutral', body: created, ...writeOnly, ...sealed }),
    ];
  }
  const live = liveFields(bodyOf(registry), body.value);
  const fields = Object.entries(body.value).filter(([field]) => field !== 'url' || registry.url !== undefined);
  const unread = fields.filter(([field]) => live[field] === undefined).map(([path, to]) => ({ path, to }));
  const readable = Object.fromEntries(fields.filter(([field]) => live[field] !== undefined));
  const update = fieldUpdate(readable, live, registries.effect, comparison);
  const refused = refusal(update?.body ?? {}, registry, repositories);
  if (refused !== undefined) return [change('unresolved', name, place, { reason: refused })];
  const id = registry.name;
  const selects = update?.body.visibility === 'selected' && writeOnly;
  const unverified = [...unread, ...hidden];
  // The platform refuses a selection for any other visibility.
  const before = writeOnly ? { visibility: 'selected' } : {};
  return [
    ...(update ? [change('update', name, place, { id, ...update, ...selects })] : []),
    ...(unverified.length
      ? [change('unverified', name, place, { changes: unverified, id, before, ...writeOnly, ...sealed })]
      : []),
  ];
}

/** Returns why the platform would refuse an update, or a selection of repositories; undefined if it would not. */
function refusal(body: Given, live: PrivateRegistry, repositories: unknown): string | undefined {
  if (body.auth_type !== undefined)
    return `auth_type cannot be changed from ${live.auth_type} to ${body.auth_type}: delete and recreate the registry`;
  if (body.visibility === 'selected' && repositories === undefined)
    return 'repositories is required to change visibility to selected';
  const { visibility = live.visibility } = body;
  return repositories !== undefined && visibility !== 'selected'
    ? `repositories is only valid with visibility selected, and it is ${visibility}`
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

function deletionOf(
  registry: PrivateRegistry,
  place: Place,
  listed: readonly PrivateRegistry[],
  change: Change,
): PlannedChange {
  const key = { registryType: registry.registry_type, url: registry.url ?? '', name: undefined };
  const twins = listed.filter((each) => isKeyed(key, each));
  return change('delete', ownName(registryName(key), registry.name, twins), place, {
    effect: 'neutral',
    of: listed.length,
    id: registry.name,
    before: bodyOf(registry),
  });
}

async function exportRegistries(
  target: string,
  { reader, notExported, warn }: ExportReadings,
): Promise<readonly Given[]> {
  const listed = await reader.list(endpoints.list, { path: { org: target } });
  if ('unreadable' in listed) {
    notExported('registries', target, listed);
    return [];
  }
  const exported: Given[] = [];
  for (const registry of listed.value.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name, registry_type, url } = registry;
    if (url === undefined) {
      warn(`Registry ${name} of ${target} was not exported: its URL cannot be read.`);
      continue;
    }
    const { auth_type: authType, visibility } = registry;
    const hasTwins = listed.value.filter((each) => isKeyed({ registryType: registry_type, url }, each)).length > 1;
    const secret = storesSecret(authType) && { secret: { env: name } };
    const missing = [...(secret ? ['secret'] : []), ...(visibility === 'selected' ? ['repositories'] : [])];
    if (missing.length)
      warn(
        `Supply the ${missing.join(' and ')} of registry ${name} of ${target}: ${missing.length > 1 ? 'they' : 'it'} cannot be read.`,
      );
    exported.push({ registry_type, url, ...(hasTwins && { name }), ...bodyOf(registry), ...secret });
  }
  return exported;
}
