/** Confirms `api` requests whose commands would ask for confirmation. */
import type { Session } from '../../cli/command/session.ts';
import { ValidationError } from '../../cli/errors.ts';
import type { CommandInput } from '../../cli/input/command-input.ts';
import { decoded, placeIn, placeName } from '../../client/moves.ts';
import type { Platform } from '../../client/platform.ts';
import { planRawRequest, type RawRequest } from '../../client/raw-request.ts';
import { PlannedRequest } from '../../client/request.ts';
import { isObject } from '../../json/exact-json.ts';
import { askingChanges } from '../../platform/asking.ts';
import { updateOrganization } from '../../platform/endpoints/orgs.ts';
import { updateRepository } from '../../platform/endpoints/repos.ts';
import { pathBelow, requirementsFor } from '../../platform/permissions.ts';
import { invalid } from '../../platform/validate.ts';
import { formFields } from './fields.ts';

const updates: readonly string[] = [updateRepository.route, updateOrganization.route];

/**
 * Confirms an update of a repository or an organization, by name or by ID, as its command does. Platforms may accept POST and
 * PUT in place of PATCH. Throws ValidationError for a field that is in the query and in the body: either may be used.
 */
export async function confirmUpdate(raw: RawRequest, session: Session, input: CommandInput): Promise<void> {
  const { platform } = await session.connection();
  const { request } = planRawRequest(platform, raw);
  // Platforms may take fields from the query, too.
  const query = formFields(new URL(request.url).searchParams);
  const body = bodyFields(raw);
  const fields = { ...query, ...body };
  if (askingChanges(query).length + askingChanges(body).length === 0) return;
  const updated = updatedBy(raw, request.url, platform);
  if (!updated) return;
  const repeated = Object.keys(query).filter((name) => name in body);
  if (repeated.length > 0)
    throw new ValidationError(repeated.map((name) => invalid(name, 'is in the query and in the body; give it once')));
  await input.confirmValues(updated.name, fields, async () => {
    const read = await session.send({ method: 'GET', path: updated.path });
    return read instanceof PlannedRequest || !isObject(read.data) ? {} : read.data;
  });
}

/** Returns the fields of a body: an object, also as JSON of another media type, or a form. */
function bodyFields({ body, text }: RawRequest): Readonly<Record<string, unknown>> {
  if (text === undefined) return objectIn(body);
  const form = formFields(new URLSearchParams(text.trim()));
  try {
    return { ...form, ...objectIn(JSON.parse(text)) };
  } catch {
    return form;
  }
}

/** Returns an object, or the objects of a list as one. */
const objectIn = (body: unknown): Readonly<Record<string, unknown>> =>
  Object.assign({}, ...[body].flat().filter(isObject));

/** Returns the name and the path of the repository or organization that a request updates; undefined for anything else. */
function updatedBy({ path }: RawRequest, url: string, platform: Platform) {
  // Platforms, and proxies before them, may decode more than clients encode.
  const place = placeIn(platform, decoded(url) ?? url);
  if (place && /^\/?(?:\?|$)/.test(place.rest)) return { name: placeName(place), path: place.record };
  const route = requirementsFor('PATCH', path, platform)?.route;
  if (route === undefined || !updates.includes(route)) return undefined;
  return { name: pathBelow(path).replace(/^\/(?:repos|orgs)\//i, ''), path };
}
