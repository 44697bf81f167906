/** Fetches the facts about repositories that checks judge. */
import * as v from 'valibot';
import { ApiError } from '../../../client/errors.ts';
import { checked, shape } from '../../../fleet/policy/live/record-shapes.ts';
import type { Fact } from '../../../foresight/audit/check.ts';
import type { repositoryReadings } from '../../../foresight/audit/readings.ts';
import { getVulnerabilityAlerts } from '../../../platform/endpoints/alerts.ts';
import { listCheckRuns, listLatestStatuses } from '../../../platform/endpoints/commits.ts';
import { listCodeownersErrors, listCollaborators } from '../../../platform/endpoints/repos.ts';
import type { CheckRun, CodeownersError, Collaborator, CommitStatus } from '../../../platform/records.ts';
import { protection } from './protection.ts';
import { pathOf, type ReadersOf, type RepositoryReader } from './reader.ts';

const alerts = checked(getVulnerabilityAlerts, shape({}));
const checkRuns = checked(listCheckRuns, shape<CheckRun>({ name: v.string() }));
const statuses = checked(listLatestStatuses, shape<CommitStatus>({ context: v.string() }));
const collaborators = checked(listCollaborators, shape<Collaborator>({ login: v.string() }));
const codeownersErrors = checked(listCodeownersErrors, shape<CodeownersError>({ line: v.number(), kind: v.string() }));

export const repositoryReaders: ReadersOf<typeof repositoryReadings, RepositoryReader> = {
  repository: async ({ repository }) => ({ value: repository }),
  protection,
  alerts: dependencyAlerts,
  reportedChecks,
  administrators: ({ reader, repository }) =>
    reader.list(collaborators, { path: pathOf(repository), query: { permission: 'admin' } }),
  outsiders: ({ reader, repository }) =>
    reader.list(collaborators, { path: pathOf(repository), query: { affiliation: 'outside' } }),
  codeownersErrors: codeOwners,
};

/** The platform returns 404 if alerts are disabled, and to everyone but administrators. */
async function dependencyAlerts({ reader, repository }: RepositoryReader): Promise<Fact<boolean>> {
  const read = await reader.get(alerts, { path: pathOf(repository) });
  if ('value' in read) return { value: true };
  return read.isNotFound && repository.permissions?.admin === true ? { value: false } : read;
}

/** The platform returns 422 for a repository without commits, or 409. */
async function reportedChecks({ reader, repository }: RepositoryReader): Promise<Fact<ReadonlySet<string> | null>> {
  const { default_branch: branch } = repository;
  if (branch === undefined) return { unreadable: 'the default branch is not known' };
  const path = { ...pathOf(repository), ref: branch };
  try {
    const runs = await reader.list(checkRuns, { path }, ['name']);
    if ('unreadable' in runs) return runs;
    const contexts = await reader.list(statuses, { path }, ['context']);
    if ('unreadable' in contexts) return contexts;
    return {
      value: new Set([...runs.value.map(({ name }) => name), ...contexts.value.map(({ context }) => context)]),
    };
  } catch (error) {
    if (error instanceof ApiError && [409, 422].includes(error.refusal.status)) return { value: null };
    throw error;
  }
}

/** The platform returns 404 for a repository without a file of code owners. */
async function codeOwners({ reader, repository }: RepositoryReader): Promise<Fact<readonly CodeownersError[] | null>> {
  const read = await reader.get(codeownersErrors, { path: pathOf(repository), query: {} });
  if ('value' in read) return { value: read.value as unknown as readonly CodeownersError[] };
  return read.isNotFound ? { value: null } : read;
}
