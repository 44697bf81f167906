/** The rulesets of an organization or repository. */
import { isObject } from '../../../json/exact-json.ts';
import type { Ruleset, RulesetSummary } from '../../../platform/records.ts';
import { bodyOfRecord } from '../../../platform/resource.ts';
import { rulesets as declared } from '../../../platform/resources/rulesets.ts';
import { ruleTypes } from '../../../platform/ruleset-rules.ts';
import type { Given } from '../../../platform/validate.ts';
import { type Comparison, canonical, type FieldChange, fieldsOf, merge } from '../../diff.ts';
import { distinctFileNames, slugOf } from '../file-names.ts';
import type { PlannedChange, Step } from '../live/change.ts';
import { combined, type Effect, ranked, rising } from '../live/effects.ts';
import { type Names, UnresolvedError } from '../live/names.ts';
import { permissionText, type Reader, type Reading } from '../live/requests.ts';
import type { WantedRuleset } from '../wanted/model.ts';
import { type Place, sourceText } from '../wanted/placed.ts';
import { pathOf, type TargetPath, type WantedTarget } from '../wanted/target.ts';
import { type ExportReadings, isCalled, type KindDeclaration, type Live, type OwnerReadings, ownName } from './kind.ts';

export const rulesets: KindDeclaration = {
  section: 'rulesets',
  targets: ['organization', 'repository'],
  actions: ['create', 'update', 'delete'],
  hasId: true,
  isNamed: ({ action, name, id, before, body }) =>
    action === 'delete' ? isCalled(name, String(before?.name), id) : body?.name === name,
  plan: planRulesets,
  live: liveRuleset,
  request({ action, target, id: ruleset_id = 0, body = {} }) {
    const path = pathOf(target);
    const endpoints = endpointsOf(path);
    if (action === 'create') return { endpoint: endpoints.create, input: { path, body } };
    const at = { ...path, ruleset_id };
    return action === 'delete'
      ? { endpoint: endpoints.delete, input: { path: at } }
      : { endpoint: endpoints.update, input: { path: at, body } };
  },
  kept: (_change, data) => rulesetBody(data),
  comparison: () => comparison,
  // Before, nothing was enforced.
  effect: (changes) => (changes.some(activates) ? 'tightens' : combined(changes.map(rulesetEffect))),
  creation: ({ enforcement }) => (enforcement === 'active' ? 'tightens' : 'neutral'),
  deletion: 'loosens',
  inNames: ({ body = {}, before }, changes, names) => changesInNames(changes, body, before, names),
  async listed(target, reader) {
    return ownRulesets(reader, pathOf(target));
  },
  export: exportRulesets,
  files: (exported) => {
    const all = exported as readonly Given[];
    const stems = distinctFileNames(all.map(({ name }) => slugOf(String(name))));
    return all.map((ruleset, at) => [`rulesets/${stems[at]}.yaml`, [ruleset]]);
  },
};

const endpointsOf = (path: TargetPath) => ('repo' in path ? declared.owners.repository : declared.owners.organization);

/** Rules of unknown types are kept: a newer platform, or its web interface, has set them. */
const comparison: Comparison = {
  sets: declared.sets ?? [],
  identity: declared.identity ?? {},
  alternatives: declared.alternatives ?? {},
  keeps: (path, element) =>
    path === 'rules' && isObject(element) && typeof element.type === 'string' && !ruleTypes.has(element.type),
};

/** Actors without an ID, whatever the platform returns for it. */
const withoutId: readonly unknown[] = ['OrganizationAdmin', 'EnterpriseOwner', 'DeployKey'];

/** Returns the part of a ruleset that a body can set, in a form that does not depend on the order of the response. */
function rulesetBody(record: Given): Given {
  const { body } = bodyOfRecord(declared, declared.owners.organization.update, record);
  return canonical(withoutIds(body), comparison) as Given;
}

/** The bodies that policies want, by resolved body: thousands of targets may want the same. */
const wantedBodies = new WeakMap<Given, Given>();

function wantedBody(name: string, resolved: Given): Given {
  const body = wantedBodies.get(resolved) ?? (canonical(withoutIds({ ...resolved, name }), comparison) as Given);
  wantedBodies.set(resolved, body);
  return body;
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
async function ownRulesets(reader: Reader, path: TargetPath): Promise<Reading<readonly RulesetSummary[]>> {
  const listed =
    'repo' in path
      ? await reader.list(declared.owners.repository.list, { path, query: { includes_parents: false } })
      : await reader.list(declared.owners.organization.list, { path });
  if ('unreadable' in listed) return listed;
  return { value: listed.value.filter((ruleset) => declared.isOwn?.({ ...ruleset }, path) !== false) };
}

/** Returns a ruleset with its parts. For a listed one, a cached response is used if it is current. */
function readRuleset(
  reader: Reader,
  path: TargetPath,
  { id, updated_at: updatedAt }: Pick<RulesetSummary, 'id' | 'updated_at'>,
): Promise<Reading<Ruleset>> {
  const listed = updatedAt === undefined ? undefined : { updatedAt, matches: isSeenWhole(updatedAt) };
  return 'repo' in path
    ? reader.get(
        declared.owners.repository.get,
        { path: { ...path, ruleset_id: id }, query: { includes_parents: false } },
        listed,
      )
    : reader.get(declared.owners.organization.get, { path: { ...path, ruleset_id: id } }, listed);
}

/** A caller who could not read the bypass actors may read them today. */
const isSeenWhole =
  (updatedAt: string) =>
  ({ updated_at, bypass_actors }: Ruleset): boolean =>
    updated_at === updatedAt && bypass_actors !== undefined;

async function planRulesets(wanted: WantedTarget, { reader, names }: OwnerReadings): Promise<PlannedChange[]> {
  const absent = wanted.absent.filter(({ kind }) => kind === 'rulesets') as { name: string; place: Place }[];
  const managed = wanted.managed.get('rulesets');
  if (wanted.rulesets.length === 0 && absent.length === 0 && !managed) return [];
  const { target } = wanted;
  const path = pathOf(target);
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
      const change = await planRuleset(ruleset, found[0], { target, path, reader, names });
      if (change) changes.push(change);
    } catch (error) {
      if (!(error instanceof UnresolvedError)) throw error;
      changes.push(refused('unresolved', name, body.place, error.message));
    }
  }
  for (const { name, place } of absent) {
    const twins = listed.value.filter((each) => each.name === name);
    if (twins.length < 2) continue;
    for (const { id } of twins) spared.add(id);
    changes.push(refused('ambiguous', name, place, `${twins.length} rulesets have this name`));
  }
  for (const summary of listed.value) {
    const { id, name } = summary;
    if (spared.has(id)) continue;
    const place = absent.find((each) => each.name === name)?.place ?? managed;
    if (!place) continue;
    const read = await readRuleset(reader, path, summary);
    if ('unreadable' in read) {
      changes.push(refused('unreadable', name, place, read.unreadable));
      continue;
    }
    const isDeclared = absent.some((each) => each.name === name);
    const twins = listed.value.filter((each) => each.name === name);
    changes.push({
      action: 'delete',
      kind: 'ruleset',
      target,
      name: ownName(name, id, twins),
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
  summary: RulesetSummary | undefined,
  { target, path, reader, names }: RulesetContext,
): Promise<PlannedChange | undefined> {
  const body = wantedBody(name, await names.resolve(placed.value));
  const common = { kind: 'ruleset', target, name, source: sourceText(placed.place) } as const;
  if (!summary) {
    const changes = await changesInNames(fieldsOf(body), body, undefined, names);
    const effect = rulesets.creation(body);
    return { action: 'create', ...common, changes, ...(effect && { effect }), body };
  }
  const { id } = summary;
  const read = await readRuleset(reader, path, summary);
  if ('unreadable' in read) return { action: 'unreadable', ...common, changes: [], reason: read.unreadable };
  const before = rulesetBody({ ...read.value });
  if (body.bypass_actors !== undefined && before.bypass_actors === undefined) {
    const { permission } = ('repo' in path ? declared.owners.repository : declared.owners.organization).update;
    const reason = `bypass_actors cannot be read${permissionText(permission)}`;
    return { action: 'unreadable', ...common, changes: [], reason };
  }
  const { value, changes } = merge(body, before, comparison);
  if (changes.length === 0) return undefined;
  const { bypass_actors: actors, ...rest } = value as Given;
  // The platform keeps omitted bypass actors; only managed ones are written.
  const sent = body.bypass_actors === undefined ? rest : { ...rest, bypass_actors: actors };
  const effect = rulesets.effect(changes);
  const named = await changesInNames(changes, body, before, names);
  return { action: 'update', ...common, changes: named, ...(effect && { effect }), id, before, body: sent };
}

/** Returns changes with names in place of IDs, as IDs differ between organizations and say nothing to people. */
async function changesInNames(
  changes: readonly FieldChange[],
  wanted: Given,
  live: Given | undefined,
  names: Names,
): Promise<readonly FieldChange[]> {
  if (!live) return fieldsOf(await names.inNames(wanted));
  const fields = new Set(changes.map(({ path }) => path.split(/[.[]/, 1)[0]));
  const changed = (body: Given) => Object.fromEntries(Object.entries(body).filter(([field]) => fields.has(field)));
  const [to, from] = [changed(wanted), changed(live)];
  const [toNames, fromNames] = [await names.inNames(to), await names.inNames(from)];
  if (toNames === to && fromNames === from) return changes;
  return merge(toNames, fromNames, comparison).changes.map((change) => ({
    ...change,
    path: change.path.replaceAll(/\[\w+:((?:team|app|role):)/g, '[$1'),
  }));
}

async function liveRuleset(change: Step, reader: Reader): Promise<Live> {
  const { target, name, id: given } = change;
  const id = given === undefined ? undefined : Number(given);
  const path = pathOf(target);
  if (id !== undefined) {
    const read = await readRuleset(reader, path, { id });
    if ('value' in read)
      return isSameName(change, read.value) ? { value: seenBody(change, read.value) } : { ambiguous: true };
  }
  const listed = await ownRulesets(reader, path);
  if ('unreadable' in listed) return listed;
  if (id !== undefined) {
    const isListed = listed.value.some((ruleset) => ruleset.id === id);
    return isListed ? { unreadable: 'hidden' } : { value: undefined };
  }
  const [only, ...others] = listed.value.filter((ruleset) => ruleset.name === name);
  if (others.length) return { ambiguous: true };
  if (!only) return { value: undefined };
  const read = await readRuleset(reader, path, { id: only.id });
  return 'unreadable' in read ? read : { value: seenBody(change, read.value), id: only.id };
}

/** Returns whether a live ruleset has a name that a change starts from or leads to. */
const isSameName = ({ before, body, between, whole }: Step, { name }: Ruleset): boolean =>
  [before, body, between, whole].some((each) => each?.name === name);

/**
 * Returns a live ruleset in the form of `before`. An update neither compares nor sends bypass actors that the token of the
 * plan could not read; a deletion by a token that can read them is not what was planned.
 */
function seenBody({ action, before, body }: PlannedChange, record: Ruleset): Given {
  const live = rulesetBody({ ...record });
  if (action !== 'update' || before?.bypass_actors !== undefined || body?.bypass_actors !== undefined) return live;
  const { bypass_actors: _hidden, ...others } = live;
  return others;
}

const activates = ({ path, to }: FieldChange): boolean => path === 'enforcement' && to === 'active';

/** Parameters for which a larger value, or true, protects more. */
const stricter =
  /\.(?:required_approving_review_count|minimum_approvals|dismiss_stale_reviews_on_push|require_code_owner_review|require_last_push_approval|required_review_thread_resolution|strict_required_status_checks_policy)$/;

function rulesetEffect(change: FieldChange): Effect | undefined {
  const { path, from, to } = change;
  if (path === 'name') return 'neutral';
  if (path === 'enforcement') return ranked(['disabled', 'evaluate', 'active'], change);
  const isAdded = from === undefined;
  const isRemoved = to === undefined;
  const more: Effect | undefined = isAdded ? 'tightens' : isRemoved ? 'loosens' : undefined;
  const fewer: Effect | undefined = isAdded ? 'loosens' : isRemoved ? 'tightens' : undefined;
  if (/^rules\[[^\]]*\]$/.test(path)) return more;
  if (
    /^rules\[[^\]]*\]\.parameters\.(?:required_status_checks|workflows|code_scanning_tools|required_deployment_environments|required_reviewers|restricted_file_paths|restricted_file_extensions)\[/.test(
      path,
    )
  )
    return more;
  if (path.startsWith('bypass_actors['))
    return path.endsWith('.bypass_mode') ? ranked(['exempt', 'always', 'pull_request'], change) : more && fewer;
  if (/^conditions\.\w+\.include\[/.test(path)) return more;
  if (/^conditions\.\w+\.exclude\[/.test(path)) return fewer;
  if (!stricter.test(path)) return undefined;
  return typeof from === 'number' || typeof to === 'number'
    ? rising(Number(from ?? 0), Number(to ?? 0))
    : ranked([false, true], { path, from: from ?? false, to });
}

/** Returns the rulesets of a target in the form of policies, sorted by name. */
async function exportRulesets(
  target: string,
  { reader, names, notExported, warn }: ExportReadings,
): Promise<readonly Given[]> {
  const path = pathOf(target);
  const listed = await ownRulesets(reader, path);
  if ('unreadable' in listed) {
    notExported('rulesets', target, listed);
    return [];
  }
  const exported: Given[] = [];
  for (const summary of listed.value) {
    const { name } = summary;
    const twins = listed.value.filter((each) => each.name === name).length;
    const read: Reading<object> =
      twins > 1 ? { unreadable: `${twins} rulesets have this name` } : await readRuleset(reader, path, summary);
    if ('unreadable' in read) {
      warn(`Ruleset ${name} of ${target} was not exported: ${read.unreadable}.`);
      continue;
    }
    const body = rulesetBody(read.value as Given);
    if (body.bypass_actors === undefined)
      warn(`The bypass actors of ruleset ${name} of ${target} were not exported: the token cannot read them.`);
    exported.push(await inNames(body, names));
  }
  return exported.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
}

/** Returns a ruleset with the name first, and with names in place of the IDs that have one. */
async function inNames({ name, ...body }: Given, names: Names): Promise<Given> {
  const named = await names.inNames(body);
  const { bypass_actors: actors } = named;
  return { name, ...named, ...(Array.isArray(actors) && { bypass_actors: actors.map(shortActor) }) };
}

function shortActor(actor: Given): unknown {
  const { actor_id: reference, bypass_mode: mode } = actor;
  if (typeof reference !== 'string') return actor;
  return mode === 'always' || mode === undefined ? reference : { actor: reference, mode };
}
