import { organizationSetting } from '../../organization-setting.ts';

export const secretScanningDefault = organizationSetting({
  id: 'secret-scanning-default',
  severity: 'medium',
  title: 'Secret scanning is enabled in new repositories',
  description: 'Without scanning, nobody learns of secrets that are pushed to a new repository.',
  documents: [
    'https://docs.github.com/en/code-security/secret-scanning/enabling-secret-scanning-features/enabling-secret-scanning-for-your-repository',
  ],
  maps: {},
  setting: 'secret_scanning_enabled_for_new_repositories',
  judge: (value) => (value === true ? undefined : { message: 'New repositories have no secret scanning.' }),
  fix: { value: true },
});
