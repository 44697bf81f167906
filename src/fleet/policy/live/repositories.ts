/** The repositories of an organization. */
import { invalidResponse } from '../../../client/response.ts';
import { listOrganizationRepositories } from '../../../platform/endpoints/repos.ts';
import { isPossibleName } from '../file-names.ts';
import type { ListedRepository } from '../wanted/model.ts';
import type { Reader, Reading } from './requests.ts';

/**
 * Lists the repositories of an organization, with only some fields of each if they are named. Throws InvalidResponseError for
 * a repository that cannot be one of the organization, by its name, and the client's errors, except 403 and 404.
 */
export async function listRepositories(
  reader: Reader,
  org: string,
  fields: readonly string[] | undefined,
): Promise<Reading<readonly ListedRepository[]>> {
  const listed = await reader.list(listOrganizationRepositories, { path: { org } }, fields);
  if ('value' in listed) for (const repository of listed.value) requireNameOf(org, repository);
  return listed;
}

function requireNameOf(org: string, { name, full_name: fullName }: ListedRepository): void {
  const isOwn = isPossibleName(name) && fullName.toLowerCase() === `${org}/${name}`.toLowerCase();
  if (!isOwn) throw invalidRepository(org, `a repository with the invalid full_name ${shown(fullName)}`);
}

/** Returns the error for a list of repositories; `how` follows “returned”. */
export const invalidRepository = (org: string, how: string) =>
  invalidResponse({ method: 'GET', path: `/orgs/${org}/repos`, endpoint: listOrganizationRepositories }, how);

/** Control characters are escaped. */
function shown(name: string): string {
  const text = JSON.stringify(name);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
