import { organizationSetting } from '../../organization-setting.ts';

export const teamCreation = organizationSetting({
  id: 'team-creation',
  severity: 'low',
  title: 'Only owners can create teams',
  description: 'Teams give access to repositories, and their maintainers decide about members.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/setting-team-creation-permissions-in-your-organization',
  ],
  maps: {},
  setting: 'members_can_create_teams',
  judge: (value) => (value === false ? undefined : { message: 'Every member can create teams.' }),
  fix: { hint: 'Turn off “Allow members to create teams” in the organization’s settings, under Member privileges.' },
});
