/** Compares the rulesets of a target with those that policies want. */
import { isObject } from '../../json/exact-json.ts';
import type { Ruleset, RulesetSummary } from '../../platform/records.ts';
import { bodyOfRecord } from '../../platform/resource.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { ruleTypes } from '../../platform/ruleset-rules.ts';
import type { Given } from '../../platform/validate.ts';
import { effectOf, type PlannedChange } from './change.ts';
import { type Comparison, canonical, merge } from './diff.ts';
import type { WantedRuleset } from './model.ts';
import { type Names, UnresolvedError } from './names.ts';
import { type Place, sourceText } from './placed.ts';
import { permissionText, type Reader, type Reading } from './requests.ts';
import type { TargetPath, WantedTarget } from './target.ts';

/** Rules of unknown types are kept: a newer platform, or its web interface, has set them. */
export const rulesetComparison: Comparison = {
  sets: rulesets.sets ?? [],
  identity: rulesets.identity ?? {},
  alternatives: rulesets.alternatives ?? {},
  keeps: (path, element) =>
    path === 'rules' && isObject(element) && typeof element.type === 'string' && !ruleTypes.has(element.type),
};

/** Actors without an ID, whatever the platform returns for it. */
const withoutId: readonly unknown[] = ['OrganizationAdmin', 'EnterpriseOwner', 'DeployKey'];

/** Returns the part of a ruleset that a body can set, in a form that does not depend on the order of the response. */
export function rulesetBody(record: Given): Given {
  const { body } = bodyOfRecord(rulesets, rulesets.owners.organization.update, record);
  return canonical(withoutIds(body), rulesetComparison) as Given;
}

function withoutIds(body: Given): Given {
  const { bypass_actors: actors } = body;
  if (!Array.isArray(actors)) return body;
  const normal = actors.map((actor: unknown) => {
    if (!isObject(actor) || !withoutId.includes(actor.actor_type)) return actor;
    const { actor_id: _ignored, ...rest } = actor;
    return rest;
  });
  return { ...body, bypass_actors: normal };
}

/** Lists the rulesets that belong to a target itself, not to its parents. */
export async function ownRulesets(reader: Reader, path: TargetPath): Promise<Reading<readonly RulesetSummary[]>> {
  const listed =
    'repo' in path
      ? await reader.list(rulesets.owners.repository.list, { path, query: { includes_parents: false } })
      : await reader.list(rulesets.owners.organization.list, { path });
  if ('unreadable' in listed) return listed;
  const type = 'repo' in path ? 'Repository' : 'Organization';
  return { value: listed.value.filter(({ source_type }) => source_type === undefined || source_type === type) };
}

/** Returns a ruleset with its parts. */
export function readRuleset(reader: Reader, path: TargetPath, id: number): Promise<Reading<Ruleset>> {
  return 'repo' in path
    ? reader.get(rulesets.owners.repository.get, {
        path: { ...path, ruleset_id: id },
        query: { includes_parents: false },
      })
    : reader.get(rulesets.owners.organization.get, { path: { ...path, ruleset_id: id } });
}

export async function planRulesets(wanted: WantedTarget, reader: Reader, names: Names): Promise<PlannedChange[]> {
  const absent = wanted.absent.filter(({ kind }) => kind === 'rulesets') as { name: string; place: Place }[];
  const managed = wanted.managed.get('rulesets');
  if (wanted.rulesets.length === 0 && absent.length === 0 && !managed) return [];
  const { target, path } = wanted;
  const listed = await ownRulesets(reader, path);
  const refused = (action: 'unreadable' | 'unresolved' | 'ambiguous', name: string, place: Place, reason: string) =>
    ({ action, kind: 'ruleset', target, name, source: sourceText(place), changes: [], reason }) as const;
  if ('unreadable' in listed)
    return [
      ...wanted.rulesets.map(({ name, body }) => refused('unreadable', name, body.place, listed.unreadable)),
      ...absent.map(({ name, place }) => refused('unreadable', name, place, listed.unreadable)),
      ...(managed ? [refused('unreadable', '', managed, listed.unreadable)] : []),
    ];
  const changes: PlannedChange[] = [];
  const spared = new Set<number>();
  for (const ruleset of wanted.rulesets) {
    const { name, was, body } = ruleset;
    const named = listed.value.filter((each) => each.name === name);
    const found = named.length === 0 && was !== undefined ? listed.value.filter((each) => each.name === was) : named;
    for (const { id } of found) spared.add(id);
    if (found.length > 1) {
      changes.push(refused('ambiguous', name, body.place, `${found.length} rulesets have this name`));
      continue;
    }
    try {
      const change = await planRuleset(ruleset, found[0]?.id, { target, path, reader, names });
      if (change) changes.push(change);
    } catch (error) {
      if (!(error instanceof UnresolvedError)) throw error;
      changes.push(refused('unresolved', name, body.place, error.message));
    }
  }
  for (const summary of listed.value) {
    const { id, name } = summary;
    if (spared.has(id)) continue;
    const place = absent.find((each) => each.name === name)?.place ?? managed;
    if (!place) continue;
    const read = await readRuleset(reader, path, id);
    if ('unreadable' in read) {
      changes.push(refused('unreadable', name, place, read.unreadable));
      continue;
    }
    const isDeclared = absent.some((each) => each.name === name);
    changes.push({
      action: 'delete',
      kind: 'ruleset',
      target,
      name,
      source: sourceText(place),
      changes: [],
      effect: 'loosens',
      ...(!isDeclared && { undeclared: true as const }),
      of: listed.value.length,
      id,
      before: rulesetBody({ ...read.value }),
    });
  }
  return changes;
}

interface RulesetContext {
  readonly target: string;
  readonly path: TargetPath;
  readonly reader: Reader;
  readonly names: Names;
}

/** Returns the change of one ruleset, undefined if there is none. Throws UnresolvedError. */
async function planRuleset(
  { name, body: placed }: WantedRuleset,
  id: number | undefined,
  { target, path, reader, names }: RulesetContext,
): Promise<PlannedChange | undefined> {
  const body = withoutIds({ ...((await names.resolve(placed.value)) as Given), name });
  const common = { kind: 'ruleset', target, name, source: sourceText(placed.place) } as const;
  if (id === undefined) {
    const created = canonical(body, rulesetComparison) as Given;
    const changes = Object.entries(created).map(([field, to]) => ({ path: field, to }));
    const effect = created.enforcement === 'active' ? 'tightens' : 'neutral';
    return { action: 'create', ...common, changes, effect, body: created };
  }
  const read = await readRuleset(reader, path, id);
  if ('unreadable' in read) return { action: 'unreadable', ...common, changes: [], reason: read.unreadable };
  const before = rulesetBody({ ...read.value });
  if (body.bypass_actors !== undefined && before.bypass_actors === undefined) {
    const { permission } = ('repo' in path ? rulesets.owners.repository : rulesets.owners.organization).update;
    const reason = `bypass_actors cannot be read${permissionText(permission)}`;
    return { action: 'unreadable', ...common, changes: [], reason };
  }
  const { value, changes } = merge(body, before, rulesetComparison);
  if (changes.length === 0) return undefined;
  const { bypass_actors: actors, ...rest } = value as Given;
  // The platform keeps omitted bypass actors; only managed ones are written.
  const sent = body.bypass_actors === undefined ? rest : { ...rest, bypass_actors: actors };
  const effect = effectOf('ruleset', changes);
  return { action: 'update', ...common, changes, ...(effect && { effect }), id, before, body: sent };
}
