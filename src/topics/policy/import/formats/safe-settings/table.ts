/** The keys of safe-settings, with those of policies. */
import { appKeys } from '../../app-table.ts';
import type { KeyTranslation } from '../../model.ts';
import { rulesetKeys } from '../../ruleset-files.ts';

export const suborgKeys = ['suborgrepos', 'suborgteams', 'suborgproperties'];

/** Stands for the status checks that a branch has already. */
export const externallyDefined = '{{EXTERNALLY_DEFINED}}';

export const lacksTeams = 'Selectors have no condition on teams';

export const keys: readonly KeyTranslation[] = [
  ...appKeys('safe-settings'),
  ...rulesetKeys.map((key) => ({ key: `rulesets[].${key}`, policy: `rulesets[*].${key}`, note: 'Of settings.yml' })),
  { key: 'suborgrepos[]', policy: 'repositories[*].select.names[]' },
  { key: 'suborgproperties[].*', policy: 'repositories[*].select.properties.*' },
  { key: 'suborgteams', note: lacksTeams },
  ...['contexts[]', 'checks[].context'].map((key) => ({
    key: `branches[].protection.required_status_checks.${key}`,
    value: externallyDefined,
    note: 'No effect on other rulesets, which may have further checks',
  })),
  { key: 'labels.exclude', note: 'No effect: policies keep labels that they do not declare' },
];
