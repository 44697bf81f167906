/**
 * Applies one planned change: reads its object first, sends one write, and compares the response with the wanted value.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../../client/client.ts';
import { isSameName, type Place } from '../../../client/moves.ts';
import type { SealedSecret } from '../../../client/seal.ts';
import type { RequestWatch } from '../../../client/transport/transport.ts';
import { LimitedError, unlessLimited } from '../../../client/until-limited.ts';
import type { Given } from '../../../platform/validate.ts';
import { canonical, merge } from '../../diff.ts';
import type { Finding } from '../../journal/lines.ts';
import { requireSameTarget, requireSameTeam, requireSameUser } from '../../same-target.ts';
import { ChangedSincePlanError, UnplannedDeletionError, ValuesDifferError } from '../errors.ts';
import { groupsOf } from '../kinds/groups.ts';
import type { Live, StepRequest } from '../kinds/kind.ts';
import { isCreation, kindNamed } from '../kinds/lookup.ts';
import { type PlannedChange, type Step, targetIdOf } from '../live/change.ts';
import { Reader } from '../live/requests.ts';
import { ownerOf } from '../wanted/target.ts';
import { withIdsOfEarlier } from './references.ts';
import { type Secrets, sendSealed } from './secrets.ts';
import { firstBody } from './two-steps.ts';

/** Identifies a step in the journal and in messages. */
export const stepName = ({
  action,
  kind,
  name,
  leadsTo,
}: Pick<PlannedChange, 'action' | 'kind' | 'name'> & Pick<Step, 'leadsTo'>): string =>
  `${action} ${whatOf({ kind, name })}${leadsTo ? ` (${kindNamed(kind).madeFirst ? 'additions' : 'tightenings'})` : ''}`;

const whatOf = ({ kind, name }: Pick<PlannedChange, 'kind' | 'name'>): string => (name ? `${kind} “${name}”` : kind);

interface Making {
  readonly watch: RequestWatch;
  readonly secrets?: Secrets | undefined;
}

/** Makes a change; returns false if it is not needed. Throws ChangedSincePlanError, ValuesDifferError, and the client's errors. */
export async function makeChange(change: Step, client: Client, { watch, secrets }: Making): Promise<boolean> {
  for (;;)
    try {
      const idOf = ({ name }: Place) => (isSameName(name, change.target) ? targetIdOf(change) : undefined);
      return await makeOnce(change, client, { watch: { ...unlessLimited(watch, client.now()), idOf }, secrets });
    } catch (error) {
      if (!(error instanceof LimitedError)) throw error;
    }
}

async function makeOnce(planned: Step, client: Client, { watch, secrets }: Making): Promise<boolean> {
  const whole = await withIdsOfEarlier(planned, client);
  const live = await startOf(whole, client);
  if (!live) return false;
  const change = firstStepOf(whole, live.value);
  if (!change) return false;
  const { id = live.id } = change;
  // A new repository may have the object already, such as a default label.
  const isThere = change.action === 'create' && live.value !== undefined;
  const made = { ...change, ...(id !== undefined && { id }), ...(isThere && { action: 'update', before: live.value }) };
  const { endpoint, input } = requestOf(made as Step);
  const send = (sealed?: SealedSecret) => {
    const body = sealed ? { ...input.body, ...sealed } : input.body;
    return client.send(client.plan(endpoint, { ...input, ...(body && { body }) } as never), { watch });
  };
  const { secret } = change;
  const { data } = secret && secrets ? await sendSealed(secrets(secret), change.target, client, send) : await send();
  if (!change.body) return true;
  const kept = await kindNamed(change.kind).kept(
    { ...change, ...(id !== undefined && { id }) },
    data as Given,
    new Reader(client),
  );
  const { changes } = merge(change.body, kept, comparisonOf(change));
  if (changes.length)
    throw new ValuesDifferError(
      whatOf(change),
      change.target,
      changes.map(({ path }) => path),
    );
  return true;
}

/**
 * Returns the first of two steps for a live value. An undo may start from either of two values: this step keeps the one that the
 * object has, and sends nothing of the other. Undefined if it changes nothing. Other changes are returned as they are.
 */
function firstStepOf(change: Step, live: Given | undefined): Step | undefined {
  const { leadsTo, sent } = change;
  if (!leadsTo || !sent || !live) return change;
  const body = firstBody(change, live, leadsTo);
  const { changes } = merge(body, live, { ...comparisonOf(change), replacesFields: true });
  return changes.length === 0 ? undefined : ({ ...change, body } as Step);
}

/**
 * Returns the live value that a change starts from; undefined if no change is needed. Throws ChangedSincePlanError,
 * UnplannedDeletionError, and OtherTargetError and RenamedError for a target whose name belongs to a different one by now.
 */
export async function startOf(change: Step, client: Client): Promise<LiveObject | undefined> {
  const live = await liveOf(change, client);
  // Last: earlier steps, and waits for other targets, took time.
  await requireSameTarget(change.target, targetIdOf(change), client);
  if (isNotNeeded(change, live)) return undefined;
  if (!isAsPlanned(change, live)) throw new ChangedSincePlanError(whatOf(change), change.target);
  await requireSamePeople(change, client);
  const { id = live.id } = change;
  const isDeletion = change.action === 'delete' && live.value !== undefined;
  const more = isDeletion
    ? await kindNamed(change.kind).deletesMore?.({ ...change, ...(id !== undefined && { id }) }, new Reader(client))
    : undefined;
  if (more !== undefined) throw new UnplannedDeletionError(whatOf(change), change.target, more);
  return live;
}

/** Throws OtherTargetError if a team or a person that a change names is another one than in the plan. */
async function requireSamePeople(change: Step, client: Client): Promise<void> {
  const { kind, target, team_id: teamId, parent_id: parentId, user_id: userId } = change;
  const { team, parent, user } = kindNamed(kind).peopleIn?.(change) ?? {};
  const org = ownerOf(target);
  if (team !== undefined && teamId !== undefined) await requireSameTeam({ org, team_slug: team }, teamId, client);
  if (parent !== undefined && parentId !== undefined)
    await requireSameTeam({ org, team_slug: parent }, parentId, client);
  if (user !== undefined && userId !== undefined) await requireSameUser(user, userId, client);
}

/** Returns whether an object is as the change starts from. */
const isAsPlanned = (change: Step, live: Readable): live is LiveObject =>
  'value' in live &&
  (startsFromAny(change) ||
    (change.action === 'create'
      ? live.value === undefined
      : equals(change, live.value) && !resetsFields(change, live.value)));

/** Returns whether an update resets fields of its object that it does not send, for which it has no rows. */
const resetsFields = ({ action, kind, body }: Step, live: Given = {}): boolean =>
  action === 'update' &&
  kindNamed(kind).updatesReplace === true &&
  Object.keys(live).some((name) => !Object.hasOwn(body, name));

/** Returns whether a change of a new repository starts from whatever that has; the repository itself does not exist before. */
const startsFromAny = (change: Step): boolean => change.new_repository === true && !isCreation(change);

/**
 * Returns whether a change is not needed: because it undoes a write that was not made or was undone already, because a new
 * repository is as wanted, or because the organization has ended an own setting.
 */
const isNotNeeded = (change: Step, live: Readable): boolean =>
  startsFromAny(change) || change.action === 'unset'
    ? isWanted(change, live)
    : change.sent === true && !isAsPlanned(change, live) && isWanted(change, live);

/** Verifies a write whose response is not known. */
export async function findChange(planned: Step, client: Client): Promise<Finding> {
  const { id, ...resolved } = await withIdsOfEarlier(planned, client);
  // What was created has a new ID, even if it was deleted before.
  const isNew = resolved.action === 'create' && kindNamed(resolved.kind).isNamedByOthers;
  const change = (isNew || id === undefined ? resolved : { ...resolved, id }) as Step;
  const live = await liveOf(change, client);
  if ('ambiguous' in live) return 'other';
  if (isWanted(change, live)) return 'wanted';
  if (live.value === undefined) return 'absent';
  if (startsFromAny(change)) return 'before';
  return change.before && equals(change, live.value) ? 'before' : 'other';
}

/** Returns whether an object is as it is after a change. */
function isWanted(change: Step, live: Readable): boolean {
  if ('ambiguous' in live) return false;
  if (live.value === undefined) return change.action === 'delete' || change.action === 'unset';
  return [change.body, change.leadsTo].some((body) => isKept(change, body, live.value));
}

const comparisonOf = (change: PlannedChange) => kindNamed(change.kind).comparison(change);

/** Returns whether an object is as a body made it. What the body does not have was not kept. */
function isKept(change: PlannedChange, body: Given | undefined, live: Given | undefined): boolean {
  const { keeps: _, ...comparison } = comparisonOf(change);
  return body !== undefined && live !== undefined && merge(body, live, comparison).changes.length === 0;
}

function equals(change: PlannedChange, live: Given | undefined): boolean {
  const comparison = comparisonOf(change);
  if (change.sent) {
    // Each field is as before, or as another change of the plan or an earlier step leaves it.
    const starts = [change.before, change.between].filter((from) => from !== undefined);
    const names = new Set(starts.flatMap((from) => Object.keys(from)));
    const isAsIn = (from: Given, name: string) =>
      Object.hasOwn(from, name) && isKept(change, { [name]: from[name] }, live);
    const isAsSent = [...names].every((name) => starts.some((from) => isAsIn(from, name)));
    return starts.length > 0 && isAsSent && !removesUnknown(change, starts, live);
  }
  return isDeepStrictEqual(canonical(live, comparison), canonical(change.before, comparison));
}

/**
 * Returns whether a body leaves out a part of an object that no value of its change has: requests replace fields as a whole.
 * Elements of a list may share a path, so what is left out counts with its value, as often as it occurs.
 */
function removesUnknown(
  { body, ...change }: PlannedChange,
  starts: readonly Given[],
  live: Given | undefined,
): boolean {
  const { keeps: _, ...comparison } = comparisonOf({ ...change, body } as PlannedChange);
  const omittedFrom = (from: Given | undefined): ReadonlyMap<string, number> => {
    const { changes } = merge(body, from ?? {}, { ...comparison, replacesFields: true });
    const omitted = changes.filter((each) => each.omitted).map((each) => JSON.stringify([each.path, each.from]));
    return new Map([...Map.groupBy(omitted, (each) => each)].map(([each, same]) => [each, same.length]));
  };
  if (!body) return false;
  const known = starts.map(omittedFrom);
  return [...omittedFrom(live)].some(([each, count]) => !known.some((of) => (of.get(each) ?? 0) >= count));
}

type Readable = Exclude<Live, { readonly unreadable: string }>;

type LiveObject = Extract<Live, { readonly value: Given | undefined }>;

/** Throws ChangedSincePlanError for an object that can no longer be read. */
async function liveOf(change: Step, client: Client): Promise<Readable> {
  const live = await kindNamed(change.kind).live(change, new Reader(client));
  if ('unreadable' in live) throw new ChangedSincePlanError(`Access to ${whatOf(change)}`, change.target);
  return live;
}

/** Returns the request that makes a change, of several targets if there are several. */
export const requestOf = (change: PlannedChange, targets: readonly string[] = [change.target]): StepRequest =>
  kindNamed(change.kind).request(change, targets);

/** Returns the requests that make changes, in the order in which they are sent. What is not needed has none. */
export async function requestsFor(steps: readonly Step[], client: Client): Promise<readonly StepRequest[]> {
  const batches = new Map(groupsOf(steps).flatMap((group) => group.map((step) => [step, group] as const)));
  const requests: StepRequest[] = [];
  for (const step of steps) {
    const batch = batches.get(step) ?? [step];
    // A batch is sent once the other steps of its targets are done.
    if (batch.at(-1) !== step) continue;
    const needed = (await Promise.all(batch.map((each) => ifNeeded(each, client)))).filter(
      (each) => each !== undefined,
    );
    if (needed[0])
      requests.push(
        requestOf(
          needed[0],
          needed.map(({ target }) => target),
        ),
      );
  }
  return requests;
}

/** Returns a change with the ID of its object; undefined if it is not needed. */
async function ifNeeded(change: Step, client: Client): Promise<Step | undefined> {
  if (!change.sent) return change;
  const live = await liveOf(change, client);
  if ('ambiguous' in live || isNotNeeded(change, live)) return undefined;
  const { id = live.id } = change;
  const made = isAsPlanned(change, live) ? firstStepOf(change, live.value) : change;
  return made && { ...made, ...(id !== undefined && { id }) };
}
