/** Fetches the facts about organizations that checks judge. */
import * as v from 'valibot';
import { checked, shape } from '../../../fleet/policy/live/record-shapes.ts';
import { listRepositories } from '../../../fleet/policy/live/repositories.ts';
import type { Fact } from '../../../foresight/audit/check.ts';
import type { AuditedRepository, organizationReadings } from '../../../foresight/audit/readings.ts';
import { getOrganization } from '../../../platform/endpoints/orgs.ts';
import type { Organization } from '../../../platform/records.ts';
import { administrationReaders } from './administration.ts';
import { peopleReaders } from './people.ts';
import type { OwnerReader, ReadersOf } from './reader.ts';
import { rulesetReaders } from './rulesets.ts';

const organization = checked(getOrganization, shape<Organization>({ login: v.string(), id: v.number() }));

export const organizationReaders: ReadersOf<typeof organizationReadings, OwnerReader> = {
  organization: ({ reader, owner }) => reader.get(organization, { path: { org: owner } }),
  repositories: ({ reader, owner, fields }) =>
    listRepositories(reader, owner, fields) as Promise<Fact<readonly AuditedRepository[]>>,
  ...peopleReaders,
  ...rulesetReaders,
  ...administrationReaders,
};
