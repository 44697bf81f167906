import { organizationSetting } from '../../organization-setting.ts';

export const publicRepositoryCreation = organizationSetting({
  id: 'public-repository-creation',
  severity: 'medium',
  title: 'Members cannot create public repositories',
  description: 'Code that a member publishes by mistake may be copied before anyone notices.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/restricting-repository-creation-in-your-organization',
  ],
  maps: { legitify: ['non_admins_can_create_public_repositories'], steampipe: ['cis_supply_chain_v100_1_2_2'] },
  setting: 'members_can_create_public_repositories',
  judge: (value) => (value === false ? undefined : { message: 'Every member can create public repositories.' }),
  fix: { value: false },
});
