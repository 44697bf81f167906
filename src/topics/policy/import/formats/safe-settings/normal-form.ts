/** Settings of any level in the form that is read. */
import { member, type Placed, without, withParts } from '../../../../../fleet/policy/wanted/placed.ts';
import { asText, isObject } from '../../../../../json/exact-json.ts';
import { type Lose, mappingAt } from '../../source.ts';
import { withoutExternal } from './external-checks.ts';

/** Returns settings with labels in one form, without checks of others, and with valid facts about the repository. */
export function normalForm(settings: Placed, organization: string, lose: Lose): Placed {
  const config = withoutExternal(withIncludedLabels(settings), lose);
  const repository = config.parts.get('repository');
  if (repository && repository.value !== null && !isObject(repository.value)) {
    lose(repository, 'must be a mapping');
    return without(config, ['repository']);
  }
  const [org, forced] = ['org', 'force_create'].map((key) => member(repository, key));
  // safe-settings replaces it by the organization of its own repository.
  if (org && org.value !== null && asText(org.value).toLowerCase() !== organization.toLowerCase())
    lose(org, `safe-settings ignores it: repositories belong to ${organization}`);
  const isInvalid = forced && forced.value !== null && typeof forced.value !== 'boolean';
  if (isInvalid) lose(forced, 'must be true or false');
  return withoutKeys(config, isInvalid ? ['org', 'force_create'] : ['org']);
}

/** Returns settings without some keys of `repository`. */
export function withoutKeys(config: Placed, keys: readonly string[]): Placed {
  const repository = config.parts.get('repository');
  if (!isObject(repository?.value)) return config;
  return withParts(config, [...config.parts, ['repository', without(repository, keys)]]);
}

/** A list of labels is short for a mapping with `include`. */
function withIncludedLabels(config: Placed): Placed {
  const labels = config.parts.get('labels');
  if (!labels || !Array.isArray(labels.value)) return config;
  return withParts(config, [...config.parts, ['labels', mappingAt(labels.place, [['include', labels]])]]);
}
