/**
 * Applies one planned change: reads its object first, sends one write, and compares the response with the wanted value.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../client/client.ts';
import type { RequestWatch } from '../../client/transport/transport.ts';
import type { Given } from '../../platform/validate.ts';
import type { Finding } from '../journal/lines.ts';
import type { PlannedChange } from './change.ts';
import { canonical, merge } from './diff.ts';
import { MovedError, NotKeptError } from './errors.ts';
import { kinds } from './kinds/index.ts';
import type { Live, StepRequest } from './kinds/kind.ts';
import { Reader } from './requests.ts';

/** Identifies a step in the journal and in messages. */
export const stepName = ({ action, kind, name }: PlannedChange): string => `${action} ${whatOf({ kind, name })}`;

const whatOf = ({ kind, name }: Pick<PlannedChange, 'kind' | 'name'>): string => (name ? `${kind} “${name}”` : kind);

/** Throws MovedError, NotKeptError, and what the client throws. */
export async function makeChange(change: PlannedChange, client: Client, watch: RequestWatch): Promise<void> {
  const what = whatOf(change);
  const live = await liveOf(change, client);
  const isAsPlanned =
    'value' in live && (change.action === 'create' ? live.value === undefined : equals(change, live.value));
  if (!isAsPlanned) throw new MovedError(what, change.target);
  const { endpoint, input } = requestOf(change);
  const { data } = await client.send(client.plan(endpoint, input as never), { watch });
  if (!change.body) return;
  const { changes } = merge(change.body, kinds[change.kind].kept(change, data as Given), comparisonOf(change));
  if (changes.length)
    throw new NotKeptError(
      what,
      change.target,
      changes.map(({ path }) => path),
    );
}

/** Verifies a write whose response is not known. */
export async function findChange(change: PlannedChange, client: Client): Promise<Finding> {
  const live = await liveOf(change, client);
  if ('ambiguous' in live) return 'other';
  if (live.value === undefined) return change.action === 'delete' ? 'wanted' : 'absent';
  if (change.body && merge(change.body, live.value, comparisonOf(change)).changes.length === 0) return 'wanted';
  return change.before && equals(change, live.value) ? 'before' : 'other';
}

const comparisonOf = (change: PlannedChange) => kinds[change.kind].comparison(change);

function equals(change: PlannedChange, live: Given | undefined): boolean {
  const comparison = comparisonOf(change);
  return isDeepStrictEqual(canonical(live, comparison), canonical(change.before, comparison));
}

/** Throws MovedError for an object that can no longer be read. */
async function liveOf(change: PlannedChange, client: Client): Promise<Exclude<Live, { unreadable: string }>> {
  const live = await kinds[change.kind].live(change, new Reader(client));
  if ('unreadable' in live) throw new MovedError(`Access to ${whatOf(change)}`, change.target);
  return live;
}

/** Returns the request that makes a change. */
export const requestOf = (change: PlannedChange): StepRequest => kinds[change.kind].request(change);
