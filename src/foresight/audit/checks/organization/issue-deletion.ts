import { organizationSetting } from '../../organization-setting.ts';

export const issueDeletion = organizationSetting({
  id: 'issue-deletion',
  severity: 'low',
  title: 'Only owners can delete issues',
  description: 'A deleted issue cannot be restored.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/allowing-people-to-delete-issues-in-your-organization',
  ],
  maps: { steampipe: ['cis_supply_chain_v100_1_2_4'] },
  setting: 'members_can_delete_issues',
  judge: (value) => (value === false ? undefined : { message: 'Administrators of repositories can delete issues.' }),
  fix: {
    hint: 'Turn off “Allow repository administrators to delete issues for this organization” in the organization’s settings, under Member privileges.',
  },
});
