/** Fetches the facts about the people of organizations. */
import * as v from 'valibot';
import { checked, shape } from '../../../fleet/policy/live/record-shapes.ts';
import { readAll } from '../../../fleet/read-all.ts';
import type { Fact } from '../../../foresight/audit/check.ts';
import { activityDays } from '../../../foresight/audit/periods.ts';
import type { organizationReadings } from '../../../foresight/audit/readings.ts';
import { listOrganizationAuditLog } from '../../../platform/endpoints/audit-log.ts';
import { listOrganizationMembers, listOutsideCollaborators } from '../../../platform/endpoints/orgs.ts';
import type { AuditEvent, Member } from '../../../platform/records.ts';
import { createdSince } from './audit-phrase.ts';
import type { OwnerReader, ReadersOf } from './reader.ts';

const person = shape<Member>({ login: v.string() });
const members = checked(listOrganizationMembers, person);
const outsiders = checked(listOutsideCollaborators, person);
const events = checked(listOrganizationAuditLog, shape<AuditEvent>({}));

type Named =
  | 'owners'
  | 'members'
  | 'membersWithoutTwoFactor'
  | 'membersWithInsecureTwoFactor'
  | 'outsideCollaborators'
  | 'outsideWithoutTwoFactor'
  | 'inactive';

export const peopleReaders: ReadersOf<Pick<typeof organizationReadings, Named>, OwnerReader> = {
  owners: ({ reader, owner }) => reader.list(members, { path: { org: owner }, query: { role: 'admin' } }),
  members: ({ reader, owner }) => reader.list(members, { path: { org: owner }, query: {} }),
  membersWithoutTwoFactor: ({ reader, owner }) =>
    reader.list(members, { path: { org: owner }, query: { filter: '2fa_disabled' } }),
  membersWithInsecureTwoFactor: ({ reader, owner }) =>
    reader.list(members, { path: { org: owner }, query: { filter: '2fa_insecure' } }),
  outsideCollaborators: ({ reader, owner }) => reader.list(outsiders, { path: { org: owner }, query: {} }),
  outsideWithoutTwoFactor: ({ reader, owner }) =>
    reader.list(outsiders, { path: { org: owner }, query: { filter: '2fa_disabled' } }),
  inactive,
};

/** Returns the logins of members without an event in the audit log for the period of activity: one request for each. */
async function inactive({ reader, owner, now, other }: OwnerReader): Promise<Fact<ReadonlySet<string>>> {
  const listed = (await other('members')) as Fact<readonly Member[]>;
  if ('unreadable' in listed) return listed;
  const since = createdSince(now, activityDays);
  const quiet = new Set<string>();
  const read = async ({ login }: Member) => {
    const query = { phrase: `actor:${login} ${since}`, include: 'all' as const };
    const event = await reader.first(events, { path: { org: owner }, query });
    if ('value' in event && event.value === undefined) quiet.add(login);
    return event;
  };
  for await (const event of readAll(listed.value, read)) if ('unreadable' in event) return event;
  return { value: quiet };
}
