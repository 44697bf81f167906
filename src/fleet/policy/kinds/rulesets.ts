/** The rulesets of an organization or repository. */
import * as v from 'valibot';
import { asText, isObject } from '../../../json/exact-json.ts';
import { updateOrganizationRuleset, updateRepositoryRuleset } from '../../../platform/endpoints/rulesets.ts';
import type { Ruleset } from '../../../platform/records.ts';
import { bodyOfRecord } from '../../../platform/resource.ts';
import { rulesets as declared } from '../../../platform/resources/rulesets.ts';
import { ruleTypes } from '../../../platform/ruleset-rules.ts';
import { fields, optional, string, strings } from '../../../platform/schema.ts';
import type { Given } from '../../../platform/validate.ts';
import { type Comparison, canonical, type FieldChange, fieldsOf, merge } from '../../diff.ts';
import { distinctFileNames, slugOf } from '../file-names.ts';
import type { PlannedChange, Step } from '../live/change.ts';
import { type Effect, jointEffect } from '../live/effects.ts';
import { type Names, UnresolvedError } from '../live/names.ts';
import { checked, shape } from '../live/record-shapes.ts';
import { permissionText, type Reader, type Reading } from '../live/requests.ts';
import { earlierNames } from '../wanted/earlier-names.ts';
import type { Wanted } from '../wanted/model.ts';
import { type Placed, withParts } from '../wanted/placed.ts';
import { parseReference, referencesIn, referenceTo } from '../wanted/references.ts';
import { type JsonForm, list } from '../wanted/schema-parts.ts';
import { kindOfTarget, pathOf } from '../wanted/target.ts';
import { namesItself } from './kind.ts';
import type { ExportContext, ListedIdentity, ObjectContext } from './object-declaration.ts';
import { objectKind } from './objects.ts';
import { teamsToBe } from './people/team-names.ts';
import { rulesetEffects } from './ruleset-effects.ts';

interface RulesetName {
  readonly name: string;
}

/**
 * A ruleset. The body is that of the endpoint that creates it, with references such as `team:release` in place of IDs;
 * short forms of bypass actors are expanded.
 */
interface WantedRuleset extends RulesetName, Wanted {
  readonly body: Placed<Given>;
}

/** A ruleset from a list, or one that was read. */
interface LiveRuleset extends RulesetName {
  readonly id: number;
  /** When a listed ruleset was last updated. */
  readonly updatedAt?: string | undefined;
  readonly record?: Ruleset;
}

const ownFields = {
  name: string('Ruleset name, which identifies it'),
  was: earlierNames('ruleset'),
};
const absent = optional(strings('Names of rulesets'));

/** Rules of unknown types are kept: a newer platform, or its web interface, has set them. */
const comparison: Comparison = {
  sets: declared.sets ?? [],
  identity: declared.identity ?? {},
  alternatives: declared.alternatives ?? {},
  keeps: (path, element) =>
    path === 'rules' && isObject(element) && typeof element.type === 'string' && !ruleTypes.has(element.type),
};

/** How the body of a request compares, which contains everything that is kept. */
const { keeps: _, ...known } = comparison;
const replacing: Comparison = { ...known, replacesFields: true };

export const rulesets = objectKind<WantedRuleset, RulesetName, LiveRuleset>({
  name: 'ruleset',
  targets: ['organization', 'repository'],
  schema: {
    organization: list(
      fields({ ...updateOrganizationRuleset.body.entries, ...ownFields }),
      'Rulesets of the organizations',
    ),
    repository: list(fields({ ...updateRepositoryRuleset.body.entries, ...ownFields }), 'Rulesets of the repositories'),
  },
  absentSchema: { organization: absent, repository: absent },
  returnsId: true,
  isInEveryDigest: true,
  checkedAs: { organization: updateOrganizationRuleset },
  expand: expandActors,
  shortForms: { bypass_actors: shortActorForms },
  parseKey: ({ value }) => (typeof value === 'string' ? { name: value } : undefined),
  bodyComparison: comparison,
  partsMove: true,
  isNamed,
  resource: declared,
  idParameter: 'ruleset_id',
  numericIds: true,
  list: listRulesets,
  read: readRuleset,
  bodyOf: ({ record }) => record && rulesetBody({ ...record }),
  isMeant,
  seen: seenBody,
  changesOf: async (wanted, live, context) => {
    const { change } = context;
    try {
      return await changesOf(wanted, live, context);
    } catch (error) {
      if (!(error instanceof UnresolvedError)) throw error;
      return [change('unresolved', wanted.name, wanted.body.place, { reason: error.message })];
    }
  },
  kept: (_change, data) => rulesetBody(data),
  effects: rulesetEffects,
  // Before a ruleset is active, nothing is enforced.
  activates: ({ path, to }) => path === 'enforcement' && to === 'active',
  creation,
  inNames: ({ body = {}, before }, changes, names) => changesInNames(changes, body, before, names, replacing),
  exported,
  files: (all) => {
    const each = all as readonly Given[];
    const stems = distinctFileNames(each.map(({ name }) => slugOf(asText(name))));
    return each.map((ruleset, at) => [`rulesets/${stems[at]}.yaml`, [ruleset]]);
  },
});

/** Returns whether a change is of the ruleset that it names. Bypass actors that cannot be read are not changed. */
function isNamed(change: PlannedChange): boolean {
  const { action, name, before, between = before, body } = change;
  const sendsActors = action === 'update' && body.bypass_actors !== undefined;
  const areRead = [before, between].every((from) => from?.bypass_actors !== undefined);
  return namesItself(change) && (action === 'delete' || body?.name === name) && (!sendsActors || areRead);
}

/** Returns the short forms of bypass actors, with the platform's bypass modes. */
function shortActorForms({ oneOf: [actor] = [] }: { readonly oneOf?: readonly JsonForm[] }): readonly JsonForm[] {
  const reference = referenceTo(['team', 'app', 'role', 'user']);
  const { bypass_mode: mode = {} } = (actor?.properties ?? {}) as JsonForm;
  return [
    { ...reference, description: 'Team, app, role or person' },
    {
      type: 'object',
      properties: { actor: reference, mode },
      required: ['actor'],
      additionalProperties: false,
    },
  ];
}

/** The types of bypass actors that references stand for. */
const actorTypes = { team: 'Team', app: 'Integration', role: 'RepositoryRole', user: 'User' } as const;

const actorForm = 'must be team:SLUG, app:SLUG, role:NAME or user:LOGIN, or an object with actor_type';

/**
 * Returns a ruleset with the short forms of its bypass actors, `team:release` and `{ actor, mode }`, expanded to those of
 * the platform.
 */
function expandActors(ruleset: Placed, refuse: (part: Placed, field: string, message: string) => void): Placed {
  const actors = ruleset.parts.get('bypass_actors');
  if (!actors || !Array.isArray(actors.value)) return ruleset;
  const refuseActor = (part: Placed, message: string) => refuse(part, 'bypass_actors', message);
  const expanded = [...actors.parts].map(([index, actor]): [string | number, Placed] => [
    index,
    expand(actor, refuseActor),
  ]);
  return withParts(ruleset, [...ruleset.parts, ['bypass_actors', withParts(actors, expanded)]]);
}

function expand(actor: Placed, refuse: (part: Placed, message: string) => void): Placed {
  const short = typeof actor.value === 'string' ? actor : actor.parts.get('actor');
  if (!short) return actor;
  const { kind } = parseReference(short.value) ?? {};
  const type = kind && kind !== 'repository' ? actorTypes[kind] : undefined;
  if (type === undefined) refuse(short, actorForm);
  const scalar = (value: unknown): Placed => ({ value, place: short.place, parts: new Map() });
  const members: [string | number, Placed][] = [
    ['actor_type', scalar(type ?? actorTypes.team)],
    ['actor_id', scalar(type === undefined ? 1 : short.value)],
  ];
  for (const [name, part] of actor.parts)
    if (name === 'mode') members.push(['bypass_mode', part]);
    else if (name !== 'actor') refuse(part, 'in the short form have only actor and mode');
  return withParts({ ...actor, value: {} }, members);
}

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

const ownersOf = declared.owners;
const summaryShape = shape<Ruleset>({
  id: v.number(),
  name: v.string(),
  source_type: v.optional(v.string()),
  updated_at: v.optional(v.string()),
});
const ofOrganization = {
  list: checked(ownersOf.organization.list, summaryShape),
  get: checked(ownersOf.organization.get, shapeWith(updateOrganizationRuleset)),
};
const ofRepository = {
  list: checked(ownersOf.repository.list, summaryShape),
  get: checked(ownersOf.repository.get, shapeWith(updateRepositoryRuleset)),
};

function shapeWith({ body }: typeof updateOrganizationRuleset | typeof updateRepositoryRuleset) {
  return { ...summaryShape, body: body.entries };
}

/** Lists the rulesets that belong to a target itself, not to its parents. */
async function listRulesets(target: string, reader: Reader): Promise<Reading<readonly LiveRuleset[]>> {
  const path = pathOf(target);
  const listed =
    'repo' in path
      ? await reader.list(ofRepository.list, { path, query: { includes_parents: false } })
      : await reader.list(ofOrganization.list, { path: { org: target } });
  if ('unreadable' in listed) return listed;
  const own = listed.value.filter((ruleset) => declared.isOwn?.({ ...ruleset }, path) !== false);
  return { value: own.map(({ id, name, updated_at: updatedAt }) => ({ id, name, updatedAt })) };
}

/** Returns a ruleset with its parts. For a listed one, a cached response is used if it is current. */
async function readRuleset(
  target: string,
  { id: given, updatedAt }: ListedIdentity<LiveRuleset>,
  reader: Reader,
): Promise<Reading<LiveRuleset>> {
  const path = pathOf(target);
  const id = Number(given);
  const listed = updatedAt === undefined ? undefined : { updatedAt, matches: isSeenWhole(updatedAt) };
  const read =
    'repo' in path
      ? await reader.get(
          ofRepository.get,
          { path: { ...path, ruleset_id: id }, query: { includes_parents: false } },
          { listed },
        )
      : await reader.get(ofOrganization.get, { path: { org: target, ruleset_id: id } }, { listed });
  return 'unreadable' in read ? read : { value: { id, name: read.value.name, record: read.value } };
}

/** A caller who could not read the bypass actors may read them today. */
const isSeenWhole =
  (updatedAt: string) =>
  ({ updated_at, bypass_actors }: Ruleset): boolean =>
    updated_at === updatedAt && bypass_actors !== undefined;

/** Returns the changes of one ruleset. Throws UnresolvedError. */
async function changesOf(
  { name, body: placed }: WantedRuleset,
  live: LiveRuleset | undefined,
  { target, readings, ofOwner, change }: ObjectContext<LiveRuleset>,
): Promise<readonly PlannedChange[]> {
  const { names, reader } = readings;
  const { place } = placed;
  const body = wantedBody(name, await names.resolve(placed.value, { later: teamsToBe(ofOwner) }));
  if (!live) {
    const changes = await changesInNames(fieldsOf(body), body, undefined, names);
    const effect = creation(body);
    return [change('create', name, place, { changes, ...(effect && { effect }), body })];
  }
  const read = await readRuleset(target, live, reader);
  if ('unreadable' in read) return [change('unreadable', name, place, { reason: read.unreadable })];
  const before = rulesetBody({ ...read.value.record });
  if (body.bypass_actors !== undefined && before.bypass_actors === undefined) {
    const { permission } = ownersOf[kindOfTarget(target) as 'organization' | 'repository'].update;
    const reason = `bypass_actors cannot be read${permissionText(permission)}`;
    return [change('unreadable', name, place, { reason })];
  }
  const { value, changes } = merge(body, before, comparison);
  if (changes.length === 0) return [];
  const { bypass_actors: actors, ...rest } = value as Given;
  // The platform keeps omitted bypass actors; only managed ones are written.
  const sent = body.bypass_actors === undefined ? rest : { ...rest, bypass_actors: actors };
  const effect = jointEffect(rulesets, changes);
  const named = await changesInNames(changes, body, before, names);
  return [
    change('update', name, place, { changes: named, ...(effect && { effect }), id: live.id, before, body: sent }),
  ];
}

/** The type in the label of an actor whose name follows, which has its own. */
const typeOfActor =
  /(?<=actors\[)(?:Team(?=:team:)|Integration(?:Installation)?(?=:app:)|RepositoryRole(?=:role:)|User(?=:user:)):/g;

/** Returns changes with names in place of IDs, as IDs differ between organizations and say nothing to people. */
async function changesInNames(
  changes: readonly FieldChange[],
  wanted: Given,
  live: Given | undefined,
  names: Names,
  compared: Comparison = comparison,
): Promise<readonly FieldChange[]> {
  if (!live) return fieldsOf(await names.inNames(wanted));
  const fields = new Set(changes.map(({ path }) => path.split(/[.[]/, 1)[0]));
  const changed = (body: Given) => Object.fromEntries(Object.entries(body).filter(([field]) => fields.has(field)));
  const [to, from] = [changed(wanted), changed(live)];
  const [toNames, fromNames] = [await names.inNames(to), await names.inNames(from)];
  if (toNames === to && fromNames === from) return changes;
  // An ID and a reference to a team that is yet to be created may have the same name.
  if (haveCommonReference(to, fromNames) || haveCommonReference(from, toNames)) return changes;
  return merge(toNames, fromNames, compared).changes.map((change) => ({
    ...change,
    path: change.path.replaceAll(typeOfActor, ''),
  }));
}

function haveCommonReference(one: Given, other: Given): boolean {
  const [names, others] = [one, other].map((given) =>
    referencesIn(given).map(({ kind, name }) => `${kind}:${name}`.toLowerCase()),
  );
  return names?.some((name) => others?.includes(name)) === true;
}

/** Returns whether a live ruleset has a name that a change starts from or leads to. */
function isMeant({ before, body, between, leadsTo }: Step, { name }: LiveRuleset): boolean {
  return [before, body, between, leadsTo].some((each) => each?.name === name);
}

/**
 * Returns a live ruleset in the form of `before`. An update neither compares nor sends bypass actors that the token of the
 * plan could not read; a deletion by a token that can read them is not what was planned.
 */
function seenBody(live: Given, { action, before, body }: PlannedChange): Given {
  if (action !== 'update' || before?.bypass_actors !== undefined || body?.bypass_actors !== undefined) return live;
  const { bypass_actors: _hidden, ...others } = live;
  return others;
}

function creation({ enforcement }: Given): Effect {
  return enforcement === 'active' ? 'tightens' : 'neutral';
}

/** Returns a ruleset in the form of policies; undefined for one that cannot be read, or whose name others have too. */
async function exported(
  live: LiveRuleset,
  { target, readings, twins }: ExportContext<LiveRuleset>,
): Promise<Given | undefined> {
  const { reader, names, warn, lacks } = readings;
  const { name } = live;
  if (twins.length > 1) {
    warn(`Ruleset ${name} of ${target} was not exported: ${twins.length} rulesets have this name.`);
    return undefined;
  }
  const read = await readRuleset(target, live, reader);
  if ('unreadable' in read) {
    lacks(`Ruleset ${name} of ${target} was not exported: ${read.unreadable}.`);
    return undefined;
  }
  const body = rulesetBody({ ...read.value.record });
  if (body.bypass_actors === undefined)
    lacks(`The bypass actors of ruleset ${name} of ${target} were not exported: the token cannot read them.`);
  return inNames(body, names);
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
