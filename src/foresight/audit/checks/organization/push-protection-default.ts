import { organizationSetting } from '../../organization-setting.ts';

export const pushProtectionDefault = organizationSetting({
  id: 'push-protection-default',
  severity: 'medium',
  title: 'Push protection is enabled in new repositories',
  description: 'Push protection refuses a push with a secret, before others can read it.',
  documents: [
    'https://docs.github.com/en/code-security/secret-scanning/enabling-secret-scanning-features/enabling-push-protection-for-your-repository',
  ],
  maps: {},
  setting: 'secret_scanning_push_protection_enabled_for_new_repositories',
  judge: (value) => (value === true ? undefined : { message: 'New repositories have no push protection.' }),
  fix: { value: true },
});
