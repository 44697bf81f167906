/** The requests that give access to a repository, change it, and take it away. */
import { asText } from '../../../../json/exact-json.ts';
import {
  addCollaborator,
  cancelInvitation,
  grantTeam,
  removeCollaborator,
  revokeTeam,
  updateInvitation,
} from '../../../../platform/endpoints/grants.ts';
import { isBaseRole, permissionOf } from '../../../../platform/repository-roles.ts';
import type { PlannedChange } from '../../live/change.ts';
import { ownerOf, pathOf } from '../../wanted/target.ts';
import type { StepRequest } from '../kind.ts';
import { granteeIn } from './grants.ts';

/** Returns the ID of the invitation that the ID of a grant is. */
export function invitationIn(id: PlannedChange['id']): number | undefined {
  const [, invitation] = /^invitation:(\d+)$/.exec(String(id)) ?? [];
  return invitation === undefined ? undefined : Number(invitation);
}

/** Returns the request that makes a change of access. */
export function requestFor({ action, name, target, id = '', body }: PlannedChange): StepRequest {
  const repository = pathOf(target) as { readonly owner: string; readonly repo: string };
  const { type, called } = granteeIn({ name });
  const asked = asText(body?.role);
  const permission = isBaseRole(asked) ? permissionOf[asked] : asked;
  if (type === 'team') {
    const path = { org: ownerOf(target), team_slug: called, ...repository };
    return action === 'delete'
      ? { endpoint: revokeTeam, input: { path } }
      : { endpoint: grantTeam, input: { path, body: { permission } } };
  }
  const invitation = invitationIn(id);
  if (invitation !== undefined && (action === 'delete' || isBaseRole(asked))) {
    const path = { ...repository, invitation_id: invitation };
    return action === 'delete'
      ? { endpoint: cancelInvitation, input: { path } }
      : { endpoint: updateInvitation, input: { path, body: { permissions: asked } } };
  }
  const path = { ...repository, username: called };
  return action === 'delete'
    ? { endpoint: removeCollaborator, input: { path } }
    : { endpoint: addCollaborator, input: { path, body: { permission } } };
}
