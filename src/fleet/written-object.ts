/**
 * The object that a write creates, changes or deletes, as its resource is declared: its value before the write, and
 * whether a write without a response happened.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../client/client.ts';
import { NotFoundError, PermissionError } from '../client/errors.ts';
import type { Platform } from '../client/platform.ts';
import { type HttpRequest, valueOfBody } from '../client/request.ts';
import { asText, isObject } from '../json/exact-json.ts';
import { secretMask } from '../json/secrets.ts';
import type { Endpoint } from '../platform/endpoint.ts';
import type { Operations, ResourceDeclaration } from '../platform/resource.ts';
import * as allResources from '../platform/resources/index.ts';
import type { Given } from '../platform/validate.ts';
import { type Comparison, canonical, merge } from './diff.ts';
import type { Finding } from './journal/lines.ts';

const writes = ['create', 'update', 'unset', 'delete'] as const;

/** A record, or why there is none. 404 also hides records that exist. */
type Read = Given | 'not found' | 'unreadable';

interface Parts {
  readonly resource: ResourceDeclaration;
  readonly operations: Operations;
  readonly write: (typeof writes)[number];
  /** The values of the path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** The fields that the write sets. */
  readonly body: Given;
}

/** Returns the object of a write; undefined if it belongs to no resource. */
export function writtenObject({ method, url, body }: HttpRequest, platform: Platform): WrittenObject | undefined {
  for (const resource of Object.values(allResources))
    for (const operations of Object.values<Operations>(resource.owners))
      for (const write of writes) {
        const endpoint = operations[write];
        const path = endpoint?.method === method ? pathIn(url, endpoint, platform) : undefined;
        if (!path) continue;
        const fields = body === undefined ? {} : valueOfBody(body);
        return isObject(fields) ? new WrittenObject({ resource, operations, write, path, body: fields }) : undefined;
      }
  return undefined;
}

class WrittenObject {
  readonly #parts: Parts;
  readonly #comparison: Comparison;
  /** The fields of the body that responses show, and those that they never do. */
  readonly #shown: readonly string[];
  readonly #hidden: readonly string[];
  #nameBefore: unknown;

  constructor(parts: Parts) {
    const { sets = [], identity = {}, alternatives = {}, writeOnly = [] } = parts.resource;
    this.#parts = parts;
    this.#comparison = { sets, identity, alternatives };
    const fields = Object.keys(parts.body);
    this.#shown = fields.filter((name) => !writeOnly.includes(name));
    this.#hidden = fields.filter((name) => writeOnly.includes(name));
  }

  /** True for a create of an object with a key that a list of the owner's objects shows. */
  get hasListedKey(): boolean {
    const { write, resource, operations } = this.#parts;
    return write === 'create' && resource.key !== undefined && operations.list !== undefined;
  }

  /** The full name of a repository or the login of an organization, as `before` has read it. */
  get nameBefore(): unknown {
    return this.#nameBefore;
  }

  /**
   * Reads the value before the write: the ID, and the fields that an update sets or all that a body can set. Undefined
   * for a create, and for an object that cannot be read.
   */
  async before(client: Client): Promise<Given | undefined> {
    if (this.#parts.write === 'create') return undefined;
    const read = await this.#read(client);
    if (typeof read !== 'string') this.#nameBefore = read.full_name ?? read.login;
    if (this.#parts.resource.isOn) return read === 'unreadable' ? undefined : { enabled: this.#isOn(read) };
    const value = typeof read === 'string' ? {} : this.#valueOf(read);
    return Object.keys(value).length > 0 ? value : undefined;
  }

  /** Reads the record as it is now; undefined if it cannot be read. */
  async current(client: Client): Promise<Given | undefined> {
    const read = await this.#read(client);
    return typeof read === 'string' ? undefined : read;
  }

  /** Determines whether the write happened. `recorded` is the value before it, if the journal has one. */
  async verify(client: Client, recorded: unknown): Promise<Finding> {
    // A masked value equals no other.
    const before = JSON.stringify(recorded)?.includes(secretMask) ? undefined : recorded;
    if (this.#parts.resource.isOn) return this.#findSwitched(await this.#read(client), before);
    switch (this.#parts.write) {
      case 'create':
        return this.#findCreated(client);
      case 'update':
        return this.#findUpdated(await this.#read(client), before);
      case 'unset':
        return this.#findUnset(await this.#read(client), before);
      case 'delete':
        return this.#findDeleted(client, before);
    }
  }

  async #findCreated(client: Client): Promise<Finding> {
    const { resource, operations } = this.#parts;
    const listed = this.hasListedKey ? await this.#list(client) : undefined;
    if (!listed) return 'other';
    const [found, twin] = listed.filter((record) => resource.key?.every((name) => this.#mayHave(name, record)));
    if (!found) return 'absent';
    const { get } = operations;
    const id = get && (found[get.pathNames.at(-1) ?? ''] ?? found.slug ?? found.id ?? found.name);
    const read = get ? await this.#read(client, asText(id)) : found;
    const isSame = typeof read !== 'string' && this.#hidden.length === 0 && this.#shows(read) && this.#isWanted(read);
    return isSame && !twin ? 'wanted' : 'other';
  }

  #findUpdated(read: Read, before: unknown): Finding {
    const { updateCreates } = this.#parts.resource;
    // It was not found before either, and a repeated request has the same effect as one.
    if (read === 'not found' && before === undefined && updateCreates) return 'before';
    if (typeof read === 'string' || !this.#shows(read)) return 'other';
    if (isObject(before) && !isDeepStrictEqual(before.id, read.id)) return 'other';
    const isUnchanged = this.#equals(read, before);
    if (!this.#isWanted(read)) return isUnchanged ? 'before' : 'other';
    // Hidden fields are set together with the others, if those have changed.
    return this.#hidden.length === 0 || (before !== undefined && !isUnchanged) ? 'wanted' : 'other';
  }

  #findUnset(read: Read, before: unknown): Finding {
    if (typeof read === 'string') return 'other';
    const isOwn = this.#isOwn(read);
    if (isOwn === false) return 'wanted';
    return isOwn && this.#equals(read, before) ? 'before' : 'other';
  }

  async #findDeleted(client: Client, before: unknown): Promise<Finding> {
    const read = await this.#read(client);
    if (typeof read !== 'string') return this.#equals(read, before) ? 'before' : 'other';
    if (read === 'unreadable' || before === undefined) return 'other';
    if (!this.#parts.operations.list) return 'wanted';
    const listed = await this.#list(client);
    return listed && !listed.some((record) => this.#isNamed(record)) ? 'wanted' : 'other';
  }

  #findSwitched(read: Read, before: unknown): Finding {
    if (read === 'unreadable') return 'other';
    const enabled = isObject(before) ? before.enabled : undefined;
    const isOn = this.#isOn(read);
    if (isOn !== (this.#parts.write === 'update')) return isOn === enabled ? 'before' : 'other';
    // 404 also hides the repository.
    return read === 'not found' && enabled === undefined ? 'other' : 'wanted';
  }

  #isOn(read: Exclude<Read, 'unreadable'>): boolean {
    return read !== 'not found' && (this.#parts.resource.isOn?.(read) ?? true);
  }

  /** Returns whether a record shows all fields of the body that responses can show. */
  #shows(record: Given): boolean {
    return this.#shown.length > 0 && this.#shown.every((name) => record[name] !== undefined);
  }

  #isWanted(record: Given): boolean {
    const { body } = this.#parts;
    const wanted = picked(body, this.#shown);
    // Text without a value is null in some records.
    const live = Object.entries(picked(record, this.#shown)).map(([name, value]) => [
      name,
      value === null && body[name] === '' ? '' : value,
    ]);
    return merge(wanted, Object.fromEntries(live), this.#comparison).changes.length === 0;
  }

  /** Returns whether a record may have the wanted value of a key field: one that either omits may be any value. */
  #mayHave(name: string, record: Given): boolean {
    const [wanted, live] = [this.#parts.body[name], record[name]];
    return (wanted ?? '') === '' || (live ?? '') === '' || isDeepStrictEqual(wanted, live);
  }

  #equals(record: Given, before: unknown): boolean {
    const form = (value: unknown) => canonical(value, this.#comparison);
    return isDeepStrictEqual(form(this.#valueOf(record)), form(before));
  }

  #valueOf(record: Given): Given {
    const { write, resource } = this.#parts;
    return picked(record, ['id', ...(write === 'update' ? this.#shown : writableFields(resource))]);
  }

  #isOwn(record: Given): boolean | undefined {
    const { resource, path } = this.#parts;
    return resource.isOwn?.(record, path);
  }

  /** Returns whether a record has the name or the ID at the end of the path. */
  #isNamed(record: Given): boolean {
    const { resource, path } = this.#parts;
    const last = Object.values(path).at(-1)?.toLowerCase();
    return ['id', 'name', 'slug', ...(resource.key ?? [])].some(
      (name) => asText(record[name] ?? '').toLowerCase() === last,
    );
  }

  /** Reads the object; of a new one, by its ID. One that only a list shows is read from the list. */
  async #read(client: Client, id?: string): Promise<Read> {
    const { operations, path } = this.#parts;
    const { get } = operations;
    if (!get) {
      const listed = await this.#list(client);
      return listed ? (listed.find((record) => this.#isNamed(record)) ?? 'not found') : 'unreadable';
    }
    const [last = ''] = get.pathNames.slice(-1);
    try {
      const input = { path: id === undefined ? path : { ...path, [last]: id }, ...ownOnly(get, {}) };
      return this.#inForm((await client.call(get, input as never)) as Given);
    } catch (error) {
      if (error instanceof NotFoundError) return 'not found';
      if (error instanceof PermissionError) return 'unreadable';
      throw error;
    }
  }

  /** Lists the owner's own objects; undefined if that is not permitted. */
  async #list(client: Client): Promise<readonly Given[] | undefined> {
    const { resource, operations, path } = this.#parts;
    const { list } = operations;
    if (!list) return undefined;
    const all: Given[] = [];
    try {
      for await (const { items } of client.pages(list, { path, ...ownOnly(list, resource) } as never, { perPage: 100 }))
        for (const record of items as Iterable<Given>) all.push(this.#inForm(record));
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof PermissionError) return undefined;
      throw error;
    }
    return all.filter((record) => this.#isOwn(record) !== false);
  }

  /** Returns a record with its fields in the form of a body. */
  #inForm(record: Given): Given {
    return { ...record, ...this.#parts.resource.toBody?.(record) };
  }
}

/** Lists of repositories include the objects of parents by default. */
const ownOnly = ({ query = {} }: Endpoint, { ownQuery }: Pick<ResourceDeclaration, 'ownQuery'>) => {
  if (ownQuery) return { query: ownQuery };
  return 'includes_parents' in query ? { query: { includes_parents: false } } : undefined;
};

/** Returns the fields that bodies can set and responses show. */
function writableFields({ owners, writeOnly = [] }: ResourceDeclaration): readonly string[] {
  const bodies = Object.values<Operations>(owners).flatMap(({ create, update }) => [create?.body, update?.body]);
  const names = bodies.flatMap((body) => Object.keys(body?.entries ?? {}));
  return [...new Set(names)].filter((name) => !writeOnly.includes(name));
}

const picked = (record: Given, names: readonly string[]): Given =>
  Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])));

/** Returns the values of the path parameters if a URL matches an endpoint. */
function pathIn(
  url: string,
  { template, pathNames }: Endpoint,
  { baseUrl, alertsSegment }: Platform,
): Readonly<Record<string, string>> | undefined {
  const [given = ''] = url.slice(baseUrl.length).split(/[?#]/, 1);
  const segments = template.replace('<alerts>', alertsSegment).split('/');
  const values = given.split('/');
  if (!url.startsWith(`${baseUrl}/`) || values.length !== segments.length) return undefined;
  const isMatch = segments.every((segment, at) => segment.startsWith('{') || segment === values[at]);
  if (!isMatch) return undefined;
  const parameters = values.filter((_, at) => segments[at]?.startsWith('{'));
  try {
    return Object.fromEntries(pathNames.map((name, at) => [name, decodeURIComponent(parameters[at] ?? '')]));
  } catch {
    // Not valid UTF-8.
    return undefined;
  }
}
