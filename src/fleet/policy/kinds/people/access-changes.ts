/** Plans what a declared grant changes. */
import { isBaseRole, outranks } from '../../../../platform/repository-roles.ts';
import type { PlannedChange } from '../../live/change.ts';
import { UnresolvedError } from '../../live/names.ts';
import type { OwnerReadings } from '../../live/owner-readings.ts';
import { fieldUpdate } from '../field-update.ts';
import type { ObjectContext, Refusal } from '../object-declaration.ts';
import { directoryOf, userIdOf } from './directory.ts';
import { type GranteeName, granteeIn, type LiveGrant, type WantedGrant, whyRenamed } from './grants.ts';
import { hasElsewhere } from './role-sources.ts';
import { slugOfTeam } from './team-names.ts';

const isSameRole = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Returns the change of a grant; none if nothing differs. */
export async function changesOf(
  wanted: WantedGrant,
  live: LiveGrant | undefined,
  { readings, ofOwner, change }: ObjectContext<LiveGrant>,
  kind: Parameters<typeof fieldUpdate>[2],
): Promise<readonly PlannedChange[]> {
  const { name, body } = wanted;
  const { role: asked } = body.value;
  const later = live ? undefined : plannedTeam(wanted, ofOwner);
  const refused = live ? undefined : whyRenamed(wanted, ofOwner);
  if (refused) return [change(refused.action, name, body.place, { reason: refused.reason })];
  const grantee = await granteeOf(wanted, live?.id ?? later, readings);
  if ('action' in grantee) return [change(grantee.action, name, body.place, { reason: grantee.reason })];
  const made = { changes: [{ path: 'role', to: asked }], effect: 'loosens', body: body.value, ...grantee } as const;
  if (live?.role === undefined) return [change('create', name, body.place, made)];
  // A custom role has no rank.
  const includes = (most: string) => isSameRole(most, asked) || outranks(most, asked);
  if (granteeIn(live).type === 'team' && !live.isOwn && includes(live.role)) {
    const { inheritedLater: inherited } = live;
    return inherited !== undefined && includes(inherited) ? [] : [change('create', name, body.place, made)];
  }
  if (isSameRole(live.role, asked)) return [];
  if (granteeIn(live).type === 'user' && live.isOwn && includes(live.role)) {
    const elsewhere = await hasElsewhere(live, readings);
    if ('unreadable' in elsewhere) return [change('unreadable', name, body.place, { reason: elsewhere.unreadable })];
    // Taking it from the person would change nothing.
    if (elsewhere.value) return [];
  }
  const update = fieldUpdate(body.value, { role: live.role }, kind);
  return update ? [change('update', name, body.place, { id: live.id, ...update })] : [];
}

/** Returns the change of the organization that creates or renames a team. */
const plannedTeam = (grantee: GranteeName, ofOwner: readonly PlannedChange[]): PlannedChange | undefined => {
  const { type, called } = granteeIn(grantee);
  return ofOwner.find(
    ({ kind, action, name }) =>
      type === kind && (action === 'create' || action === 'update') && slugOfTeam(name) === called.toLowerCase(),
  );
};

/** Returns the ID of the team or the person, or why a grant cannot be made: one of them or the custom role does not exist. */
async function granteeOf(
  { name, body }: WantedGrant,
  known: LiveGrant['id'] | PlannedChange | undefined,
  readings: OwnerReadings,
): Promise<Refusal | Pick<PlannedChange, 'team_id' | 'user_id'>> {
  const { type, called } = granteeIn({ name });
  const { names } = readings;
  try {
    if (!isBaseRole(body.value.role)) await names.idOf('role', body.value.role);
    if (type === 'team') {
      const id = typeof known === 'object' ? known.id : (known ?? (await names.idOf('team', called)));
      return typeof id === 'number' ? { team_id: id } : {};
    }
    if (typeof known === 'number') return { user_id: known };
    if (known !== undefined) return {};
    const person = await (await directoryOf(readings)).person(called);
    return person.refused ?? userIdOf(person);
  } catch (error) {
    if (error instanceof UnresolvedError) return { action: 'unresolved', reason: error.message };
    throw error;
  }
}
