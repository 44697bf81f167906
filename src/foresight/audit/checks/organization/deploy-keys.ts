import { organizationSetting } from '../../organization-setting.ts';

export const deployKeys = organizationSetting({
  id: 'deploy-keys',
  severity: 'low',
  title: 'Repositories cannot have deploy keys',
  description: 'A deploy key belongs to nobody, does not expire, and is not covered by the two-factor requirement.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/restricting-deploy-keys-in-your-organization',
  ],
  maps: {},
  setting: 'deploy_keys_enabled_for_repositories',
  judge: (value) => (value === false ? undefined : { message: 'Repositories can have deploy keys.' }),
  fix: { value: false },
});
