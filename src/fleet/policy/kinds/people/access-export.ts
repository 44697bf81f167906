/** The access to a repository in the form of policies. */
import type { Exported, ExportReadings } from '../kind.ts';
import { granteeIn, granteeTypes, invitationsTo, listGrants } from './grants.ts';

/** Exports what teams and people were given. Pending invitations count as access. */
export async function exportAccess(target: string, { reader, notExported }: ExportReadings): Promise<Exported> {
  const listed = await listGrants(target, reader);
  if ('unreadable' in listed) {
    notExported('grants', target, listed);
    return {};
  }
  const invited = await invitationsTo(target, reader);
  if ('unreadable' in invited) notExported('invitations', target, invited);
  const own = [...listed.value.filter(({ isOwn }) => isOwn), ...('value' in invited ? invited.value : [])];
  const lists = Object.entries(granteeTypes).map(([key, type]) => {
    const ofType = own.filter((grant) => granteeIn(grant).type === type);
    return [key, Object.fromEntries(ofType.map((grant) => [granteeIn(grant).called, grant.role]).toSorted())] as const;
  });
  return Object.fromEntries(lists.filter(([, roles]) => Object.keys(roles).length > 0));
}
