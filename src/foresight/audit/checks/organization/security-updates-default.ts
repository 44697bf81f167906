import { organizationSetting } from '../../organization-setting.ts';

export const securityUpdatesDefault = organizationSetting({
  id: 'security-updates-default',
  severity: 'low',
  title: 'Dependency security updates are enabled in new repositories',
  description: 'The updates are pull requests that replace vulnerable dependencies.',
  documents: [
    'https://docs.github.com/en/code-security/dependabot/dependabot-security-updates/configuring-dependabot-security-updates',
  ],
  maps: {},
  setting: 'dependabot_security_updates_enabled_for_new_repositories',
  judge: (value) => (value === true ? undefined : { message: 'New repositories have no dependency security updates.' }),
  fix: { value: true },
});
