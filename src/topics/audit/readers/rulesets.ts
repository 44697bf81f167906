/** Fetches the facts about the rulesets of organizations, and about those who may bypass them. */
import * as v from 'valibot';
import { checked, shape } from '../../../fleet/policy/live/record-shapes.ts';
import type { Reader } from '../../../fleet/policy/live/requests.ts';
import { readAll } from '../../../fleet/read-all.ts';
import type { Fact } from '../../../foresight/audit/check.ts';
import { isOlder, recentDays } from '../../../foresight/audit/periods.ts';
import type { BypassTeam, organizationReadings } from '../../../foresight/audit/readings.ts';
import {
  getOrganizationRuleset,
  getOrganizationRulesetVersion,
  listOrganizationRuleSuites,
  listOrganizationRulesets,
  listOrganizationRulesetVersions,
} from '../../../platform/endpoints/rulesets.ts';
import { listTeamMembers, listTeams } from '../../../platform/endpoints/teams.ts';
import type {
  RuleSuite,
  Ruleset,
  RulesetVersion,
  RulesetVersionState,
  Team,
  TeamMember,
} from '../../../platform/records.ts';
import { enforcedShape, rulesetSummary, wholeRuleset } from '../../rulesets/record-shape.ts';
import type { OwnerReader, ReadersOf } from './reader.ts';

const listed = checked(listOrganizationRulesets, rulesetSummary);
const ruleset = checked(getOrganizationRuleset, wholeRuleset);
const version = { version_id: v.number(), updated_at: v.string() };
const versions = checked(listOrganizationRulesetVersions, shape<RulesetVersion>(version));
const versionState = checked(
  getOrganizationRulesetVersion,
  shape<RulesetVersionState>({
    ...version,
    state: v.object({ ...enforcedShape, enforcement: v.optional(v.string()) }),
  }),
);
const teams = checked(listTeams, shape<Team>({ id: v.number(), slug: v.string() }));
const teamMembers = checked(listTeamMembers, shape<TeamMember>({ login: v.string() }));
const suites = checked(
  listOrganizationRuleSuites,
  shape<RuleSuite>({
    id: v.number(),
    pushed_at: v.string(),
    repository_id: v.optional(v.number()),
    repository_name: v.optional(v.string()),
  }),
);

type Named = 'rulesets' | 'rulesetVersions' | 'teams' | 'bypassTeams' | 'bypasses';

export const rulesetReaders: ReadersOf<Pick<typeof organizationReadings, Named>, OwnerReader> = {
  rulesets,
  rulesetVersions,
  teams: ({ reader, owner }) => reader.list(teams, { path: { org: owner } }),
  bypassTeams,
  bypasses: ({ reader, owner }) =>
    reader.list(suites, {
      path: { org: owner },
      query: { time_period: 'month', rule_suite_result: 'bypass' },
    }),
};

async function rulesets({ reader, owner }: OwnerReader): Promise<Fact<readonly Ruleset[]>> {
  const all = await reader.list(listed, { path: { org: owner }, query: {} });
  if ('unreadable' in all) return all;
  // Some platforms list those of the enterprise, too.
  const own = all.value.filter(({ source_type: type = 'Organization' }) => type === 'Organization');
  return inOrder(own, ({ id }) => reader.get(ruleset, { path: { org: owner, ruleset_id: id } }));
}

/** Reads the versions of rulesets that changed lately or are in evaluate. */
async function rulesetVersions({
  reader,
  owner,
  now,
  other,
}: OwnerReader): Promise<Fact<ReadonlyMap<number, readonly RulesetVersionState[]>>> {
  const all = (await other('rulesets')) as Fact<readonly Ruleset[]>;
  if ('unreadable' in all) return all;
  const wanted = all.value.filter(
    ({ enforcement, updated_at: at }) =>
      enforcement === 'evaluate' || at === undefined || !isOlder(at, recentDays, now),
  );
  const read = await inOrder(wanted, ({ id }) => versionsOf(reader, owner, id, now));
  if ('unreadable' in read) return read;
  return { value: new Map(read.value.map((found, place) => [wanted[place]?.id ?? 0, found])) };
}

/** More say no more than that the state is old. */
const mostVersions = 20;

/** Reads versions from the newest to the one that was valid before the period, and further back while they are in evaluate. */
async function versionsOf(
  reader: Reader,
  org: string,
  id: number,
  now: number,
): Promise<Fact<readonly RulesetVersionState[]>> {
  const path = { org, ruleset_id: id };
  const all = await reader.list(versions, { path });
  if ('unreadable' in all) return all;
  const read: RulesetVersionState[] = [];
  const newestFirst = all.value.toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at));
  for (const { version_id: versionId } of newestFirst.slice(0, mostVersions)) {
    const one = await reader.get(versionState, { path: { ...path, version_id: versionId } });
    if ('unreadable' in one) return one;
    read.push(one.value);
    const { state, updated_at: at } = one.value;
    if (isOlder(at, recentDays, now) && state.enforcement !== 'evaluate') break;
  }
  return { value: read };
}

async function bypassTeams({
  reader,
  owner,
  other,
}: OwnerReader): Promise<Fact<ReadonlyMap<number, BypassTeam | null>>> {
  const all = (await other('rulesets')) as Fact<readonly Ruleset[]>;
  if ('unreadable' in all) return all;
  const actors = all.value.flatMap(({ bypass_actors: each = [] }) => each);
  const ids = [...new Set(actors.flatMap(({ actor_type: type, actor_id: id }) => (type === 'Team' && id ? [id] : [])))];
  if (ids.length === 0) return { value: new Map() };
  const known = (await other('teams')) as Fact<readonly Team[]>;
  if ('unreadable' in known) return known;
  const read = await inOrder(ids, async (id): Promise<Fact<readonly [number, BypassTeam | null]>> => {
    const team = known.value.find((each) => each.id === id);
    if (!team) return { value: [id, null] };
    const { slug } = team;
    const members = await reader.list(teamMembers, { path: { org: owner, team_slug: slug }, query: {} });
    return 'unreadable' in members ? members : { value: [id, { slug, members: members.value.length }] };
  });
  return 'unreadable' in read ? read : { value: new Map(read.value) };
}

/** Reads all, or says why one of them cannot be read. */
async function inOrder<T, R>(
  targets: readonly T[],
  read: (target: T) => Promise<Fact<R>>,
): Promise<Fact<readonly R[]>> {
  const found = new Map<number, R>();
  const each = async (place: number) => ({ place, fact: await read(targets[place] as T) });
  for await (const { place, fact } of readAll(targets.keys(), each)) {
    if ('unreadable' in fact) return fact;
    found.set(place, fact.value);
  }
  return { value: targets.map((_, place) => found.get(place) as R) };
}
