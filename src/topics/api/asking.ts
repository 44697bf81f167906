/** Confirms `api` requests whose commands would ask for confirmation. */
import type { Session } from '../../cli/command/session.ts';
import type { CommandInput } from '../../cli/input/command-input.ts';
import { placeIn, placeName } from '../../client/moves.ts';
import type { Platform } from '../../client/platform.ts';
import { planRawRequest, type RawRequest } from '../../client/raw-request.ts';
import { PlannedRequest } from '../../client/request.ts';
import { isObject } from '../../json/exact-json.ts';
import { askingChanges } from '../../platform/asking.ts';
import { updateOrganization } from '../../platform/endpoints/orgs.ts';
import { updateRepository } from '../../platform/endpoints/repos.ts';
import { pathBelow, requirementsFor } from '../../platform/permissions.ts';
import { formFields } from './fields.ts';

const updates: readonly string[] = [updateRepository.route, updateOrganization.route];

/** Confirms a PATCH of a repository or an organization, by name or by ID, as its command does. */
export async function confirmUpdate(raw: RawRequest, session: Session, input: CommandInput): Promise<void> {
  const { platform } = await session.connection();
  const { request } = planRawRequest(platform, raw);
  // Platforms may take fields from the query, too.
  const fields = { ...formFields(new URL(request.url).searchParams), ...bodyFields(raw) };
  if (askingChanges(fields).length === 0) return;
  const updated = updatedBy(raw, request.url, platform);
  if (!updated) return;
  await input.confirmValues(updated.name, fields, async () => {
    const read = await session.send({ method: 'GET', path: updated.path });
    return read instanceof PlannedRequest || !isObject(read.data) ? {} : read.data;
  });
}

/** Returns the fields of a body: an object, also as JSON of another media type, or a form. */
function bodyFields({ body, text }: RawRequest): Readonly<Record<string, unknown>> {
  if (text === undefined) return isObject(body) ? body : {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return formFields(new URLSearchParams(text.trim()));
  }
}

/** Returns the name and the path of the repository or organization that a request updates; undefined for anything else. */
function updatedBy({ method, path }: RawRequest, url: string, platform: Platform) {
  const place = placeIn(platform, url);
  if (place && /^\/?(?:\?|$)/.test(place.rest)) return { name: placeName(place), path: place.record };
  const route = requirementsFor(method, path, platform)?.route;
  if (route === undefined || !updates.includes(route)) return undefined;
  return { name: pathBelow(path).replace(/^\/(?:repos|orgs)\//i, ''), path };
}
