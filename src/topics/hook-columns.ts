/** Columns and choices of pre-receive hooks. */

import type { PickList } from '../cli/command/picking.ts';
import type { Target } from '../cli/input/args.ts';
import type { Column } from '../output/table/columns.ts';
import type { PreReceiveHook } from '../platform/records.ts';
import { preReceiveHooks } from '../platform/resources/hooks.ts';

const basics: readonly Column<PreReceiveHook>[] = [
  { header: 'ID', get: 'id', priority: 1 },
  { header: 'Name', get: 'name', as: 'name', priority: 1 },
  { header: 'Enforcement', get: 'enforcement', as: 'state', priority: 1 },
  { header: 'Can be overridden below', get: 'allow_downstream_configuration', priority: 3 },
];

/** Columns of a hook's effective setting in a repository or organization. */
export const hookColumns: readonly Column<PreReceiveHook>[] = [
  ...basics,
  { header: 'Configured at', get: configuredAt, as: 'text' },
];

/** Columns of a hook of the whole platform, with its script and environment. */
export const installationHookColumns: readonly Column<PreReceiveHook>[] = [
  ...basics,
  { header: 'Script', get: 'script', as: 'text' },
  { header: 'Repository', get: 'script_repository.full_name', as: 'text' },
  { header: 'Environment', get: 'environment.name', as: 'text', priority: 3 },
];

/**
 * Returns the level of the effective enforcement: configuration_url points to the repository, its owning
 * organization, or the global configuration. Specification, Pre-receive hook.
 */
function configuredAt({ configuration_url: url }: PreReceiveHook): string | undefined {
  const place = /\/(?:repos\/([^/]+\/[^/]+)|orgs\/([^/]+)|admin)\/pre-receive-hooks\b/.exec(url ?? '');
  return place ? (place[1] ?? place[2] ?? 'the platform') : undefined;
}

/** The choices of a prompt for a hook. */
export const hooksOf = ({ target }: { readonly target: Target }): PickList<PreReceiveHook> => ({
  question: 'Which hook?',
  list: (session, cut) => session.list(preReceiveHooks.of(target).list, { path: { ...target } }, cut, {}),
  choice: ({ id, name }) => ({ name: `${name} (${id})`, value: id }),
});
