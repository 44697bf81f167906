/** The repositories that a ruleset selects, or one of two rulesets. */
import { UsageError } from '../../../cli/errors.ts';
import type { Client } from '../../../client/client.ts';
import { propertyValues } from '../../../fleet/policy/kinds/properties.ts';
import { requirePossibleName } from '../../../fleet/policy/live/repositories.ts';
import { Reader } from '../../../fleet/policy/live/requests.ts';
import { selectsRepository } from '../../../foresight/evaluate.ts';
import type { JudgedRuleset } from '../../../foresight/facts.ts';
import type { Repository } from '../../../platform/records.ts';
import type { Given } from '../../../platform/validate.ts';

export interface SelectedRepository {
  readonly id: number;
  readonly name: string;
  readonly full_name: string;
  readonly default_branch: string | undefined;
  /** The page of the repository. */
  readonly page: string | undefined;
  /** The values of custom properties, if a condition needs them. */
  readonly properties: Given | undefined;
}

/** Returns whether a ruleset selects a repository; undefined if that is not known. */
export const selectedBy = (
  { conditions }: JudgedRuleset,
  { name, id, properties }: Pick<SelectedRepository, 'name' | 'id' | 'properties'>,
): boolean | undefined => selectsRepository(conditions, { repository: name, repositoryId: id, properties });

/** Returns what is kept of a repository. Throws InvalidResponseError for one that cannot be called so. */
export function keptOf(record: Repository, org: string): SelectedRepository {
  requirePossibleName(org, record);
  const { id, name, full_name, default_branch: branch, html_url } = record;
  return {
    id,
    name,
    full_name,
    default_branch: typeof branch === 'string' ? branch : undefined,
    page: typeof html_url === 'string' ? html_url : undefined,
    properties: undefined,
  };
}

/** Returns those of the repositories of an organization that one of the rulesets selects, or may select. */
export async function selectRepositories(
  listed: readonly SelectedRepository[],
  rulesets: readonly JudgedRuleset[],
  { client, org }: { readonly client: Client; readonly org: string },
): Promise<SelectedRepository[]> {
  const needsProperties = rulesets.some(({ conditions }) => conditions.repository_property !== undefined);
  const values = needsProperties ? await propertiesOf(client, org) : undefined;
  return listed
    .map((each) => ({ ...each, properties: values && (values.get(each.full_name.toLowerCase()) ?? {}) }))
    .filter((each) => rulesets.some((ruleset) => selectedBy(ruleset, each) !== false));
}

/** Throws UsageError if the token may not read property values. */
async function propertiesOf(client: Client, org: string): Promise<ReadonlyMap<string, Given>> {
  const read = await propertyValues(new Reader(client), org);
  if ('value' in read) return read.value;
  throw new UsageError(
    `The ruleset selects repositories by custom properties of ${org}, which cannot be read (${read.unreadable}).`,
  );
}
