/** The repositories of an organization. */
import * as v from 'valibot';
import { shortened } from '../../../client/redact.ts';
import { invalidResponse } from '../../../client/response.ts';
import { listOrganizationRepositories } from '../../../platform/endpoints/repos.ts';
import type { Repository } from '../../../platform/records.ts';
import { isPossibleName } from '../file-names.ts';
import type { ListedRepository } from '../wanted/model.ts';
import { checked, shape } from './record-shapes.ts';
import type { Reader, Reading } from './requests.ts';

const [text, boolean] = [v.string(), v.boolean()];

const repositories = checked(
  listOrganizationRepositories,
  shape<Repository>({
    id: v.number(),
    name: text,
    full_name: text,
    archived: v.optional(boolean),
    private: v.optional(boolean),
    topics: v.optional(v.array(text)),
    visibility: v.optional(text),
  }),
);

/**
 * Lists the repositories of an organization, with only some fields of each if they are named. Throws InvalidResponseError for
 * a repository that cannot be one of the organization, by its name, and the client's errors, except 403 and 404.
 */
export async function listRepositories(
  reader: Reader,
  org: string,
  fields: readonly string[] | undefined,
): Promise<Reading<readonly ListedRepository[]>> {
  const listed = await reader.list(repositories, { path: { org } }, fields);
  if ('value' in listed) for (const repository of listed.value) requireNameOf(org, repository);
  return listed;
}

function requireNameOf(org: string, { name, full_name: fullName }: ListedRepository): void {
  const isOwn = isPossibleName(name) && fullName.toLowerCase() === `${org}/${name}`.toLowerCase();
  if (!isOwn) throw invalidRepository(org, `a repository with the invalid full_name ${shown(fullName)}`);
}

/** Throws InvalidResponseError for a repository of a list whose full name no repository can have. */
export function requirePossibleName(org: string, { full_name: fullName }: { readonly full_name: unknown }): void {
  const isPossible = typeof fullName === 'string' && /^[^/]+\/[^/]+$/.test(fullName);
  if (!isPossible || !fullName.split('/').every(isPossibleName))
    throw invalidRepository(org, `a repository with the invalid full_name ${shown(fullName)}`);
}

/** Returns the error for a list of repositories; `how` follows “returned”. */
export const invalidRepository = (org: string, how: string) =>
  invalidResponse({ method: 'GET', path: `/orgs/${org}/repos`, endpoint: listOrganizationRepositories }, how);

/** Control characters are escaped. */
const shown = (name: unknown): string => shortened(JSON.stringify(name) ?? 'undefined', 80);
