/** Confirms `api` requests whose commands would ask for confirmation. */
import type { Session } from '../../cli/command/session.ts';
import { ValidationError } from '../../cli/errors.ts';
import type { CommandInput } from '../../cli/input/command-input.ts';
import type { DeletionPreview } from '../../cli/input/prompts/questions.ts';
import { ApiError, AuthenticationError, RateLimitError, RedirectError } from '../../client/errors.ts';
import { changedAt, isOfPlace, placeName, unencoded, writtenPlace } from '../../client/moves.ts';
import type { Platform } from '../../client/platform.ts';
import { planRawRequest, type RawRequest } from '../../client/raw-request.ts';
import { contentTypeOf, PlannedRequest } from '../../client/request.ts';
import { isObject } from '../../json/exact-json.ts';
import { askingChanges } from '../../platform/asking.ts';
import { type Given, invalid, joinPath } from '../../platform/validate.ts';
import { namedRepository, requiresName } from '../repos/named.ts';
import { formFields } from './fields.ts';

/**
 * Confirms a deletion, and an update of a repository or an organization, by name or by ID, as its command does. Platforms may
 * accept POST and PUT in place of PATCH. Throws ValidationError for a field of an update that is given twice, in the query and in
 * the body or in different case: either may be used. Throws it for a field that replaces the method, too, like `apiHeaders`.
 */
export async function confirmWrite(raw: RawRequest, session: Session, input: CommandInput): Promise<void> {
  const { platform } = await session.connection();
  const { request } = planRawRequest(platform, raw);
  if (replacesMethod(raw, request.url))
    throw new ValidationError([invalid('The request', 'must not contain _method; use --method')]);
  if (raw.method === 'DELETE') {
    const preview = async () => {
      const shown = await shownBefore(raw.path, session, writtenPlace(platform, request.url)?.record);
      for (const path of othersIn(request.url, platform)) await session.watch(path);
      return shown;
    };
    return input.confirm(raw.path, undefined, preview);
  }
  const updated = updatedBy(request.url, platform);
  if (!updated) return;
  const { query, body } = fieldsOf(raw, request.url);
  if (body !== undefined && askingChanges(query).length + askingChanges(body).length === 0) return;
  const { name, path } = updated;
  if (body === undefined) {
    const effect = `may make ${name} public or widen access to it (forgectl cannot interpret the body)`;
    return input.confirm(name, effect, () => shownBefore(path, session));
  }
  const repeated = Object.keys(query).filter((field) => field in body);
  if (repeated.length > 0)
    throw new ValidationError(repeated.map((field) => invalid(field, 'is in the query and in the body; give it once')));
  await input.confirmValues(name, { ...query, ...body }, async () => {
    const read = await session.send({ method: 'GET', path });
    return read instanceof PlannedRequest || !isObject(read.data) ? {} : read.data;
  });
}

/**
 * Throws RenamedError if a request deletes or transfers a repository of another name than the given one, or changes who can
 * see or write to it: the commands require its name, too. What a body that cannot be read changes is unknown.
 */
export async function requireName(raw: RawRequest, session: Session): Promise<void> {
  const { platform } = await session.connection();
  const { url } = planRawRequest(platform, raw).request;
  const [owner = '', repo] = changedAt(platform, url)?.split('/') ?? [];
  if (repo === undefined) return;
  if (raw.method !== 'DELETE' && updatedBy(url, platform)) {
    const { query, body } = fieldsOf(raw, url);
    if (body !== undefined && !requiresName({ ...query, ...body })) return;
  }
  await namedRepository(session, { owner, repo });
}

/** The fields that identify an object. */
const identifying = ['full_name', 'name', 'login', 'title', 'id', 'html_url'] as const;

/** Reads the object at a path, which the write must still find there. Returns what identifies it, unless it cannot be read. */
async function shownBefore(path: string, session: Session, place?: string): Promise<DeletionPreview | undefined> {
  const [withoutQuery = ''] = path.split('?');
  const read = await session.send({ method: 'GET', path: withoutQuery }).catch((error: unknown) => {
    // Many paths cannot be read: a DELETE may be their only method, or they redirect to a file elsewhere.
    const isRefused = error instanceof ApiError || error instanceof RedirectError;
    if (!isRefused || error instanceof AuthenticationError || error instanceof RateLimitError) throw error;
    return undefined;
  });
  if (place !== undefined) await session.watchPlace(place);
  if (read === undefined || read instanceof PlannedRequest || !isObject(read.data)) return undefined;
  const { data } = read;
  const shown = identifying.filter((field) => ['string', 'number'].includes(typeof data[field]));
  return shown.length === 0 ? undefined : { record: Object.fromEntries(shown.map((field) => [field, data[field]])) };
}

/** Returns the paths of the team, the team's repository and the person that a URL names: its own record may lack their IDs. */
function othersIn(url: string, { baseUrl }: Platform): readonly string[] {
  const [given = ''] = url.slice(baseUrl.length).split('?');
  const path = unencoded(given).replace(/\/+/g, '/').replace(/\/$/, '');
  const [, team] = /^(\/orgs\/[^/]+\/teams\/[^/]+)\/./i.exec(path) ?? [];
  const [, repository] = /\/teams\/[^/]+(\/repos\/[^/]+\/[^/]+)$/i.exec(path) ?? [];
  const [, login] = /\/(?:collaborators|members|memberships|outside_collaborators)\/([^/]+)$/i.exec(path) ?? [];
  return [team, repository, login && `/users/${login}`].filter((each) => each !== undefined);
}

/** Platforms, and proxies before them, may take the method of a POST from a field of the query or of a form. */
function replacesMethod(raw: RawRequest, url: string): boolean {
  const { text = '' } = raw;
  const form = formFields(new URLSearchParams(text.trim()));
  const fields = { ...formFields(new URL(url).searchParams), ...form, ...bodyFields(raw) };
  const isNamed = Object.keys(fields).some((field) => field.toLowerCase() === '_method');
  return isNamed || /\bname\s*=\s*"?_method\b/i.test(text);
}

/** Returns the fields of an update with lowercase names: platforms may ignore case, and also take fields from the query. */
function fieldsOf(raw: RawRequest, url: string) {
  const body = bodyFields(raw);
  return { query: withLowercaseNames(formFields(new URL(url).searchParams)), body: body && withLowercaseNames(body) };
}

function withLowercaseNames(fields: Given, within = ''): Given {
  const lower = new Map<string, unknown>();
  for (const [name, value] of Object.entries(fields)) {
    const key = name.toLowerCase();
    const path = joinPath(within, key);
    if (lower.has(key))
      throw new ValidationError([invalid(path, 'appears with different capitalization; specify it once')]);
    lower.set(key, isObject(value) ? withLowercaseNames(value, path) : value);
  }
  return Object.fromEntries(lower);
}

/** Returns the fields of a body: an object, also as JSON of another media type, or a form. Undefined for any other text. */
function bodyFields(raw: RawRequest): Readonly<Record<string, unknown>> | undefined {
  const { body, text } = raw;
  if (text === undefined) return objectIn(body);
  const form = formFields(new URLSearchParams(text.trim()));
  try {
    return { ...form, ...objectIn(JSON.parse(text)) };
  } catch {
    const isForm = /^\s*application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(
      contentTypeOf(raw.headers),
    );
    return isForm ? form : undefined;
  }
}

/** Returns an object, or the objects of a list as one. */
const objectIn = (body: unknown): Readonly<Record<string, unknown>> =>
  Object.assign({}, ...[body].flat().filter(isObject));

/** Returns the name and the path of the repository or organization that a request updates; undefined for anything else. */
function updatedBy(url: string, platform: Platform) {
  const place = writtenPlace(platform, url);
  return place && isOfPlace(place) ? { name: placeName(place), path: place.record } : undefined;
}
