import { organizationSetting } from '../../organization-setting.ts';

export const outsideCollaboratorInvitations = organizationSetting({
  id: 'outside-collaborator-invitations',
  severity: 'medium',
  title: 'Only owners can invite outside collaborators',
  description:
    'With the privilege, each administrator of a repository can give access to people whom the organization does not know.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/setting-permissions-for-adding-outside-collaborators',
  ],
  maps: {},
  setting: 'members_can_invite_outside_collaborators',
  judge: (value) =>
    value === false ? undefined : { message: 'Administrators of repositories can invite outside collaborators.' },
  fix: {
    hint: 'Restrict invitations of outside collaborators to owners in the organization’s settings, under Member privileges.',
  },
});
