import { organizationSetting } from '../../organization-setting.ts';

export const privateForking = organizationSetting({
  id: 'private-forking',
  severity: 'medium',
  title: 'Private repositories cannot be forked',
  description:
    'A member can copy a private repository with its history to a personal account, where the rulesets and settings of the organization do not apply.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/managing-the-forking-policy-for-your-organization',
  ],
  maps: {},
  setting: 'members_can_fork_private_repositories',
  judge: (value) => (value === false ? undefined : { message: 'Members can fork private repositories.' }),
  fix: { value: false },
});
