/** The keys of settings as safe-settings and the repository-settings app declare them, with those of policies. */
import { updateRepository } from '../../../platform/endpoints/repos.ts';
import { firstCommitKeys } from './creation.ts';
import { mergeMethodKeys } from './merge-methods.ts';
import type { KeyTranslation } from './model.ts';
import { protectionKeys } from './protection/table.ts';
import { rulesetTable } from './ruleset-files.ts';
import { byName, keysAt } from './source.ts';

/** The tools that declare settings in the same form. */
export type AppTool = 'repository-settings' | 'safe-settings';

const { name: _named, private: _private, ...settingFields } = updateRepository.body.entries;

/** Keys of `repository` that are a setting of the same name. */
export const settingKeys: readonly string[] = Object.keys(settingFields);

/** Keys that are another part of a policy, or several. */
export const movedKeys = byName<readonly string[]>({
  topics: ['topics'],
  enable_vulnerability_alerts: ['alerts', 'vulnerability'],
  enable_automated_security_fixes: ['alerts', 'fixes'],
  'security.enableVulnerabilityAlerts': ['alerts', 'vulnerability'],
  'security.enableAutomatedSecurityFixes': ['alerts', 'fixes'],
});

/** Keys of `repository` that only a creation has. */
export const creationKeys: readonly string[] = [...firstCommitKeys, 'template'];

/** What policies lack, by the key of the settings that declares it. */
export const lackingKeys = byName<string>({
  milestones: 'Policies have no milestones',
  environments: 'Policies have no environments',
  autolinks: 'Policies have no autolinks',
  variables: 'Policies have no variables',
  code_scanning: 'Policies have no setting for code scanning',
  archive: 'Policies have no archive section; repository.archived is a setting',
  validator: 'Policies have no rule for the names of repositories',
  disable_plugins: 'Policies have no plugins to disable',
  _extends: 'Policies cannot extend the settings of another repository; import those, too',
});

const onlySafeSettings = ['variables', 'code_scanning', 'archive', 'validator', 'disable_plugins'];

const repositories = 'repositories[*]';

/** Returns the table of a tool. */
export const appKeys = (tool: AppTool): readonly KeyTranslation[] => [
  ...settingKeys.map((key) => ({ key: `repository.${key}`, policy: `${repositories}.settings.${key}` })),
  ...mergeMethodKeys('repository.'),
  { key: 'repository.private', value: 'true', policy: `${repositories}.settings.visibility`, note: 'private' },
  { key: 'repository.private', value: 'false', policy: `${repositories}.settings.visibility`, note: 'public' },
  ...Object.entries(movedKeys).map(([key, path]) => ({
    key: `repository.${key}`,
    policy: [repositories, ...path].join('.'),
    ...(key === 'topics' && { note: 'A list, or text with commas' }),
  })),
  { key: 'labels[].name', policy: `${repositories}.labels[*].name` },
  { key: 'labels[].name', value: 'with new_name', policy: `${repositories}.labels[*].was` },
  { key: 'labels[].oldname', policy: `${repositories}.labels[*].was` },
  { key: 'labels[].aliases[]', policy: `${repositories}.labels[*].was` },
  { key: 'labels[].new_name', policy: `${repositories}.labels[*].name` },
  { key: 'labels[].color', policy: `${repositories}.labels[*].color`, note: 'Six digits without #' },
  { key: 'labels[].description', policy: `${repositories}.labels[*].description` },
  ...(['collaborators', 'teams'] as const).flatMap((key) => {
    const [name, kind] = key === 'teams' ? ['name', 'teams'] : ['username', 'users'];
    return [
      {
        key: `${key}[].${name}`,
        policy: `${repositories}.access.${kind}.*`,
        note: key === 'teams' ? 'The slug' : 'The login',
      },
      { key: `${key}[].permission`, policy: `${repositories}.access.${kind}.*`, note: 'pull is read, push is write' },
      ...(tool === 'safe-settings' ? ['include[]', 'exclude[]'] : []).map((each) => ({
        key: `${key}[].${each}`,
        policy: `${repositories}.select.names[]`,
      })),
    ];
  }),
  {
    key: 'branches[].name',
    policy: `${repositories}.rulesets[*].conditions.ref_name.include[]`,
    note: 'refs/heads/NAME',
  },
  ...protectionKeys('branches[].protection.', 'request'),
  ...rulesetTable('rulesets[].', repositories),
  ...Object.entries(lackingKeys)
    .filter(([key]) => tool === 'safe-settings' || !onlySafeSettings.includes(key))
    .map(([key, note]) => ({ key, note })),
  ...(tool === 'safe-settings' ? safeSettingsKeys : []),
];

/** The keys that only safe-settings has. */
const safeSettingsKeys: readonly KeyTranslation[] = [
  { key: 'custom_properties[].name', policy: `${repositories}.properties.*` },
  { key: 'custom_properties[].value', policy: `${repositories}.properties.*` },
  { key: 'repository.force_create', value: 'true', policy: `${repositories}.create` },
  { key: 'repository.force_create', value: 'false', note: 'The default' },
  { key: 'repository.org', policy: 'organizations[]' },
  { key: 'repository.visibility', policy: `${repositories}.create.visibility`, note: 'With force_create' },
  ...creationKeys.map((key) => ({ key: `repository.${key}`, policy: `${repositories}.create.${key}` })),
];

/** Returns the keys at a path, of which null unsets those that are known. */
export const knownKeys = (path: string, tool: AppTool): ReadonlySet<string> => keysAt(path, appKeys(tool));
