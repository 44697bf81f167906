import { organizationSetting } from '../../organization-setting.ts';

export const privateForking = organizationSetting({
  id: 'private-forking',
  severity: 'medium',
  title: 'Private repositories cannot be forked',
  description:
    'Forks are outside the rulesets and the access control of the organization, and they remain when a member loses access to a team.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/managing-the-forking-policy-for-your-organization',
  ],
  maps: {},
  setting: 'members_can_fork_private_repositories',
  judge: (value) => (value === false ? undefined : { message: 'Members can fork private repositories.' }),
  fix: { value: false },
});
