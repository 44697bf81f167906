/** References of planned changes to teams that other changes of the plan create. */
import type { Client } from '../../../client/client.ts';
import type { Given } from '../../../platform/validate.ts';
import { ChangedSincePlanError } from '../errors.ts';
import { kindNamed } from '../kinds/lookup.ts';
import { slugOfTeam } from '../kinds/people/team-names.ts';
import type { ApplicableChange, Step } from '../live/change.ts';
import { UnresolvedError } from '../live/names.ts';
import { ownerReadings } from '../live/owner-readings.ts';
import { Reader } from '../live/requests.ts';
import { teamKey } from '../planning/people-ids.ts';
import { hasReferences, parseReference, withIds } from '../wanted/references.ts';
import { ownerOf } from '../wanted/target.ts';

/**
 * Returns a change with IDs in place of the references that had none when it was planned. Throws ChangedSincePlanError for
 * one that still has none.
 */
export async function withIdsOfEarlier(change: Step, client: Client): Promise<Step> {
  const { kind, name, target, before, body, between, leadsTo } = change;
  const bodies = Object.entries({ before, body, between, leadsTo }).filter((each): each is [string, Given] =>
    hasReferences(each[1]),
  );
  if (bodies.length === 0) return change;
  const reader = new Reader(client);
  const { names } = ownerReadings({ reader, owner: ownerOf(target), fields: ['name'], warn: () => {} });
  try {
    const resolved = await Promise.all(
      // What an undo starts from was perhaps never made.
      bodies.map(
        async ([key, given]) => [key, await names.resolve(given, { keepsUnknown: key === 'before' })] as const,
      ),
    );
    return { ...change, ...Object.fromEntries(resolved) };
  } catch (error) {
    if (error instanceof UnresolvedError) throw new ChangedSincePlanError(`A team of ${kind} “${name}”`, target);
    throw error;
  }
}

/** Returns the changes of a run with the IDs of teams that it created or renamed: an undo changes their names first. */
export function withIdsOfMade<C extends ApplicableChange & Pick<Step, 'createdId'>>(made: readonly C[]): readonly C[] {
  const ids = new Map(
    made.flatMap(({ kind, action, target, name, createdId, id }): readonly (readonly [string, number])[] => {
      const own = action === 'create' ? createdId : id;
      return kind === 'team' && typeof own === 'number' ? [[teamKey(target, slugOfTeam(name)), own]] : [];
    }),
  );
  if (ids.size === 0) return made;
  return made.map((change) => {
    const resolved = (given: Given | undefined) =>
      withIds(given, ({ value }) => {
        const reference = parseReference(value);
        return (reference?.kind === 'team' && ids.get(teamKey(ownerOf(change.target), reference.name))) || value;
      });
    const { target, before, body, between } = change;
    const bodies = Object.entries({ before, body, between }).filter(([, given]) => hasReferences(given));
    const { team, parent } = kindNamed(change.kind).peopleIn?.(change) ?? {};
    const idOf = (slug: string | undefined) =>
      slug === undefined ? undefined : ids.get(teamKey(ownerOf(target), slug));
    const { team_id = idOf(team), parent_id = idOf(parent) } = change;
    return {
      ...change,
      ...(team_id !== undefined && { team_id }),
      ...(parent_id !== undefined && { parent_id }),
      ...Object.fromEntries(bodies.map(([key, given]) => [key, resolved(given)])),
    };
  });
}
