/** Whether a person has a role from elsewhere than a grant by name. */
import * as v from 'valibot';
import { getOrganization } from '../../../../platform/endpoints/orgs.ts';
import { getTeamMembership } from '../../../../platform/endpoints/teams.ts';
import type { Organization } from '../../../../platform/records.ts';
import { type OwnerReadings, ownerReadings } from '../../live/owner-readings.ts';
import { checked, shape } from '../../live/record-shapes.ts';
import type { Reader, Reading } from '../../live/requests.ts';
import { ownerOf } from '../../wanted/target.ts';
import { directoryOf } from './directory.ts';
import { granteeIn, type LiveGrant, teamGrants } from './grants.ts';

const organization = checked(getOrganization, shape<Organization>({ id: v.number() }));
const membershipInTeam = checked(getTeamMembership, shape<{ state: string }>({ state: v.string() }));

/**
 * Returns whether a person has a role from elsewhere: as an owner, by the base permission, or by a team. Public platform,
 * List repository collaborators: “The `role_name` is the highest role assigned to the collaborator after considering all
 * sources of grants”.
 */
export async function hasElsewhere(grant: LiveGrant, readings: OwnerReadings): Promise<Reading<boolean>> {
  const { called: login } = granteeIn(grant);
  const person = await (await directoryOf(readings)).member(login);
  if (person?.refused) return { unreadable: person.refused.reason };
  if (!person?.isListed) return { value: false };
  if (person.role === 'admin') return { value: grant.role === 'admin' };
  const base = await readings.shared(readBase);
  if ('unreadable' in base || base.value === grant.role) return 'unreadable' in base ? base : { value: true };
  const sources = await readings.shared(openTeams);
  for (const slug of grant.teams ?? []) {
    const isMember = await sources.has(slug, login);
    if ('unreadable' in isMember || isMember.value) return isMember;
  }
  return { value: false };
}

/** Returns whether a person has a role from elsewhere, outside of a plan. */
export async function isFromElsewhere(grant: LiveGrant, target: string, reader: Reader): Promise<Reading<boolean>> {
  if (!grant.isOwn || granteeIn(grant).type === 'team') return { value: false };
  const read = await teamGrants(target, reader);
  if ('unreadable' in read) return read;
  const teams = read.value.filter(({ role }) => role === grant.role).map((team) => granteeIn(team).called);
  const readings = ownerReadings({ reader, owner: ownerOf(target), fields: [], warn: () => {} });
  return hasElsewhere({ ...grant, teams }, readings);
}

async function readBase(reader: Reader, org: string): Promise<Reading<string | undefined>> {
  const read = await reader.get(organization, { path: { org } });
  return 'unreadable' in read ? read : { value: read.value.default_repository_permission ?? undefined };
}

const openTeams = async (reader: Reader, org: string): Promise<Teams> => new Teams(reader, org);

/** Who is in which team of an organization; each membership is read once for all repositories. */
class Teams {
  readonly #reader: Reader;
  readonly #org: string;
  readonly #known = new Map<string, Promise<Reading<boolean>>>();

  constructor(reader: Reader, org: string) {
    this.#reader = reader;
    this.#org = org;
  }

  has(slug: string, login: string): Promise<Reading<boolean>> {
    const key = `${slug} ${login.toLowerCase()}`;
    const known = this.#known.get(key) ?? this.#read(slug, login);
    this.#known.set(key, known);
    return known;
  }

  async #read(team_slug: string, username: string): Promise<Reading<boolean>> {
    const read = await this.#reader.find(membershipInTeam, { path: { org: this.#org, team_slug, username } });
    return 'unreadable' in read ? read : { value: read.value?.state === 'active' };
  }
}
