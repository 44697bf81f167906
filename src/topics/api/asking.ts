/** Confirms `api` requests whose commands would ask for confirmation. */
import type { Session } from '../../cli/command/session.ts';
import type { CommandInput } from '../../cli/input/command-input.ts';
import type { RawRequest } from '../../client/raw-request.ts';
import { PlannedRequest } from '../../client/request.ts';
import { isObject } from '../../json/exact-json.ts';
import { askingChanges } from '../../platform/asking.ts';
import { updateOrganization } from '../../platform/endpoints/orgs.ts';
import { updateRepository } from '../../platform/endpoints/repos.ts';
import { pathBelow, requirementsFor } from '../../platform/permissions.ts';

const updates: readonly string[] = [updateRepository.route, updateOrganization.route];

/** Confirms an update of a repository or an organization as its command does. */
export async function confirmUpdate(raw: RawRequest, session: Session, input: CommandInput): Promise<void> {
  const { method, path, body } = raw;
  if (!isObject(body) || askingChanges(body).length === 0) return;
  const { platform } = await session.connection();
  const route = requirementsFor(method, path, platform)?.route;
  if (route === undefined || !updates.includes(route)) return;
  const name = pathBelow(path).replace(/^\/(?:repos|orgs)\//i, '');
  await input.confirmValues(name, body, async () => {
    const read = await session.send({ method: 'GET', path });
    return read instanceof PlannedRequest || !isObject(read.data) ? {} : read.data;
  });
}
