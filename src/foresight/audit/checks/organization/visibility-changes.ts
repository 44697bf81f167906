import { organizationSetting } from '../../organization-setting.ts';

export const visibilityChanges = organizationSetting({
  id: 'visibility-changes',
  severity: 'medium',
  title: 'Only owners can change the visibility of repositories',
  description: 'With the privilege, each administrator of a repository can make it public.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/restricting-repository-visibility-changes-in-your-organization',
  ],
  maps: {},
  setting: 'members_can_change_repo_visibility',
  judge: (value) =>
    value === false ? undefined : { message: 'Administrators of repositories can change their visibility.' },
  fix: {
    hint: 'Turn off “Allow members to change repository visibilities for this organization” in the organization’s settings, under Member privileges.',
  },
});
