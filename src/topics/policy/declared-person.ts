/** Where policy files declare a person. */
import { existsSync } from 'node:fs';
import type { Runtime } from '../../cli/runtime.ts';
import { checkPolicy } from '../../fleet/policy/wanted/load.ts';
import { sourcesOfPerson } from '../../fleet/policy/wanted/people.ts';
import { defaultPolicyFolder, readPolicyFiles } from './files.ts';

/** Sources that a message lists. */
const mostSources = 5;

/**
 * Returns where policies declare a person, such as “policy/acme.yaml:4 and policy/teams.yaml:9”; undefined if they do not, and
 * without a path if there is no folder policy. Files with errors count as far as they can be read. Throws UsageError.
 */
export async function declarationsOf(
  login: string,
  path: string | undefined,
  { stdin }: Pick<Runtime, 'stdin'>,
): Promise<string | undefined> {
  if (path === undefined && !existsSync(defaultPolicyFolder)) return undefined;
  const { policy } = await checkPolicy(await readPolicyFiles([path ?? []].flat(), stdin), { allowsUnknown: true });
  const sources = sourcesOfPerson(policy, login);
  if (sources.length === 0) return undefined;
  const more = sources.length - mostSources;
  return [...sources.slice(0, mostSources), ...(more > 0 ? [`${more} more lines`] : [])].join(', ');
}
