import { organizationSetting } from '../../organization-setting.ts';

export const repositoryDeletion = organizationSetting({
  id: 'repository-deletion',
  severity: 'medium',
  title: 'Only owners can delete and transfer repositories',
  description:
    'With the privilege, each administrator of a repository can delete it, or transfer it out of the organization.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/setting-permissions-for-deleting-or-transferring-repositories',
  ],
  maps: { steampipe: ['cis_supply_chain_v100_1_2_3'] },
  setting: 'members_can_delete_repositories',
  judge: (value) =>
    value === false ? undefined : { message: 'Administrators of repositories can delete and transfer them.' },
  fix: {
    hint: 'Turn off “Allow members to delete or transfer repositories for this organization” in the organization’s settings, under Member privileges.',
  },
});
