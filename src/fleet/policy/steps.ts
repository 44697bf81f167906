/**
 * Applies one planned change: reads its object first, sends one write, and compares the response with the wanted value.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../client/client.ts';
import type { RequestWatch } from '../../client/transport/transport.ts';
import type { AnyInput, Endpoint } from '../../platform/endpoint.ts';
import { updateOrganization } from '../../platform/endpoints/orgs.ts';
import { setPropertyValues } from '../../platform/endpoints/properties.ts';
import { updateRepository } from '../../platform/endpoints/repos.ts';
import { preReceiveHooks } from '../../platform/resources/hooks.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import type { Given } from '../../platform/validate.ts';
import type { Finding } from '../journal/lines.ts';
import type { PlannedChange } from './change.ts';
import { type Comparison, canonical, merge } from './diff.ts';
import { MovedError, NotKeptError } from './errors.ts';
import { hookBody, listHooks } from './hooks.ts';
import { propertyValues } from './plan.ts';
import { Reader, type Reading } from './requests.ts';
import { ownRulesets, readRuleset, rulesetBody, rulesetComparison } from './rulesets.ts';
import { liveFields, readSettings } from './settings.ts';
import type { TargetPath } from './target.ts';

/** Identifies a step in the journal and in messages. */
export const stepName = ({ action, kind, name }: PlannedChange): string => `${action} ${whatOf({ kind, name })}`;

const whatOf = ({ kind, name }: Pick<PlannedChange, 'kind' | 'name'>): string => (name ? `${kind} “${name}”` : kind);

export const pathOf = (target: string): TargetPath => {
  const [owner = '', repo] = target.split('/');
  return repo === undefined ? { org: owner } : { owner, repo };
};

/** The live value of a change's object; `nothing` only if a complete list shows its absence. */
type Live = { readonly value: Given } | 'nothing' | 'twin';

/** Throws MovedError, NotKeptError, and what the client throws. */
export async function makeChange(change: PlannedChange, client: Client, watch: RequestWatch): Promise<void> {
  const what = whatOf(change);
  const live = await liveOf(change, new Reader(client));
  const isAsPlanned =
    change.action === 'create' ? live === 'nothing' : typeof live === 'object' && equals(change, live.value);
  if (!isAsPlanned) throw new MovedError(what, change.target);
  const { endpoint, input } = requestOf(change);
  const { data } = await client.send(client.plan(endpoint, input as never), { watch });
  if (!change.body) return;
  const { changes } = merge(change.body, keptOf(change, data as Given), comparisonOf(change));
  if (changes.length)
    throw new NotKeptError(
      what,
      change.target,
      changes.map(({ path }) => path),
    );
}

/** Verifies a write whose response is not known. */
export async function findChange(change: PlannedChange, client: Client): Promise<Finding> {
  const live = await liveOf(change, new Reader(client));
  if (live === 'twin') return 'other';
  const isRemoval = change.action === 'delete';
  if (live === 'nothing') return isRemoval ? 'wanted' : 'absent';
  if (change.body && merge(change.body, live.value, comparisonOf(change)).changes.length === 0) return 'wanted';
  return change.before && equals(change, live.value) ? 'before' : 'other';
}

const comparisonOf = ({ kind, body }: PlannedChange): Comparison =>
  kind === 'ruleset' ? rulesetComparison : kind === 'properties' ? { sets: Object.keys(body ?? {}) } : {};

function equals(change: PlannedChange, live: Given): boolean {
  const comparison = comparisonOf(change);
  return isDeepStrictEqual(canonical(live, comparison), canonical(change.before, comparison));
}

async function liveOf(change: PlannedChange, reader: Reader): Promise<Live> {
  const path = pathOf(change.target);
  switch (change.kind) {
    case 'ruleset':
      return liveRuleset(change, path, reader);
    case 'settings':
      return { value: liveFields(required(change, await readSettings(reader, path)), change.before ?? {}) };
    case 'hook': {
      const hook = required(change, await listHooks(reader, path)).find(({ id }) => id === change.id);
      return hook ? { value: picked(hookBody(hook), change.before ?? {}) } : 'nothing';
    }
    case 'properties': {
      const [org = ''] = change.target.split('/');
      const values = required(change, await propertyValues(reader, org)).get(change.target.toLowerCase()) ?? {};
      return {
        value: Object.fromEntries(Object.keys(change.before ?? {}).map((name) => [name, values[name] ?? null])),
      };
    }
  }
}

async function liveRuleset(change: PlannedChange, path: TargetPath, reader: Reader): Promise<Live> {
  if (change.id === undefined) {
    const found = required(change, await ownRulesets(reader, path)).filter(({ name }) => name === change.name);
    if (found.length > 1) return 'twin';
    const [only] = found;
    return only ? { value: rulesetBody({ ...required(change, await readRuleset(reader, path, only.id)) }) } : 'nothing';
  }
  const read = await readRuleset(reader, path, change.id);
  if ('value' in read) return { value: rulesetBody({ ...read.value }) };
  const listed = required(change, await ownRulesets(reader, path));
  if (listed.some(({ id }) => id === change.id)) throw new MovedError(whatOf(change), change.target);
  return 'nothing';
}

function required<T>(change: PlannedChange, reading: Reading<T>): T {
  if ('value' in reading) return reading.value;
  throw new MovedError(`Access to ${whatOf(change)}`, change.target);
}

const picked = (value: Given, names: Given): Given =>
  Object.fromEntries(Object.keys(names).map((name) => [name, value[name]]));

/** The request of a change. */
export interface StepRequest {
  readonly endpoint: Endpoint;
  readonly input: AnyInput;
}

/** Returns the request that makes a change. */
export function requestOf({ kind, action, target, id = 0, body = {} }: PlannedChange): StepRequest {
  const path = { ...pathOf(target) } as Readonly<Record<string, string>>;
  switch (kind) {
    case 'ruleset': {
      const endpoints = 'repo' in path ? rulesets.owners.repository : rulesets.owners.organization;
      if (action === 'create') return { endpoint: endpoints.create, input: { path, body } };
      const at = { ...path, ruleset_id: id };
      return action === 'delete'
        ? { endpoint: endpoints.delete, input: { path: at } }
        : { endpoint: endpoints.update, input: { path: at, body } };
    }
    case 'settings':
      return { endpoint: 'repo' in path ? updateRepository : updateOrganization, input: { path, body } };
    case 'hook': {
      const endpoints = 'repo' in path ? preReceiveHooks.owners.repository : preReceiveHooks.owners.organization;
      const at = { ...path, pre_receive_hook_id: id };
      return action === 'unset'
        ? { endpoint: endpoints.unset, input: { path: at } }
        : { endpoint: endpoints.update, input: { path: at, body } };
    }
    case 'properties': {
      const [org = '', repo = ''] = target.split('/');
      const properties = Object.entries(body).map(([property_name, value]) => ({ property_name, value }));
      return { endpoint: setPropertyValues, input: { path: { org }, body: { repository_names: [repo], properties } } };
    }
  }
}

/** Returns the stored value according to a response. Omitted fields prove nothing. */
function keptOf({ kind, body = {} }: PlannedChange, data: Given): Given {
  switch (kind) {
    case 'ruleset':
      return rulesetBody(data);
    case 'settings':
      return known(liveFields(data, body), body);
    case 'hook':
      return known(data, body);
    case 'properties':
      return body;
  }
}

const known = (kept: Given, body: Given): Given =>
  Object.fromEntries(Object.keys(body).map((name) => [name, kept[name] === undefined ? body[name] : kept[name]]));
