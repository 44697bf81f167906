import type { Session } from '../../cli/command/session.ts';
import { UsageError } from '../../cli/errors.ts';
import { unlessHidden } from '../../client/errors.ts';
import { listCustomRepositoryRoles } from '../../platform/endpoints/orgs.ts';
import { baseRoles, isBaseRole, roleOf } from '../../platform/repository-roles.ts';
import { didYouMean } from '../../platform/suggest.ts';
import { requireFields } from '../required-fields.ts';

/**
 * Returns the role that `--role` selects, by its own name. Throws UsageError for one that the organization does not have. A
 * role that cannot be checked is returned as typed, with a notice.
 */
export async function knownRole(
  session: Session,
  text: string,
  org: string | undefined,
  notice: (text: string) => void,
): Promise<string> {
  const typed = text.toLowerCase();
  const role = roleOf(typed);
  if (isBaseRole(role)) return role;
  const custom =
    org === undefined ? [] : await unlessHidden(session.call(listCustomRepositoryRoles, { path: { org } }, {}));
  const asked = { method: 'GET', path: `/orgs/${org}/custom-repository-roles` };
  for (const each of custom ?? []) requireFields(each, asked, { name: 'text' });
  const found = custom?.find(({ name }) => name.toLowerCase() === typed);
  if (found) return found.name;
  const suggestion = didYouMean(typed, [...baseRoles, ...(custom ?? []).map(({ name }) => name)]);
  if (custom || suggestion)
    throw new UsageError(
      `--role must be one of ${baseRoles.join(', ')} or a custom role of the organization${suggestion}.`,
    );
  notice(`The custom roles of ${org} cannot be listed: ${text} may not be one.`);
  return text;
}
