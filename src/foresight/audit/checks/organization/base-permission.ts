import { organizationSetting } from '../../organization-setting.ts';

export const basePermission = organizationSetting({
  id: 'base-permission',
  severity: 'medium',
  title: 'Members have no write access by default',
  description:
    'The base permission applies to every repository of the organization, private ones included. With write or admin, each member can change all of them.',
  documents: [
    'https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/setting-base-permissions-for-an-organization',
  ],
  maps: {
    legitify: ['default_repository_permission_is_not_none'],
    steampipe: ['cis_supply_chain_v100_1_3_8'],
  },
  setting: 'default_repository_permission',
  judge: (permission) =>
    permission === 'none' || permission === 'read'
      ? undefined
      : {
          message: `Every member has the ${permission} permission on every repository.`,
          severity: permission === 'admin' ? 'high' : 'medium',
        },
  fix: { value: 'read' },
});
