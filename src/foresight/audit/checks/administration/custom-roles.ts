import { check, fail, pass } from '../../check.ts';

/** Permissions that weaken protection or hide findings, beyond what base roles have. */
const sensitive = [
  'bypass_branch_protection',
  'delete_alerts_code_scanning',
  'edit_repo_protections',
  'push_protected_branch',
];

export const customRoles = check({
  id: 'custom-roles',
  scope: 'organization',
  severity: 'low',
  title: 'Custom roles do not bypass protection',
  description: `Roles with one of ${sensitive.join(', ')} let people below admin change, bypass or hide what protects a repository.`,
  documents: [
    'https://docs.github.com/en/enterprise-server@latest/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/about-custom-repository-roles',
  ],
  maps: {},
  reads: ['roles'],
  judge({ roles }, { owner }) {
    if (roles.length === 0) return pass;
    return roles.map(({ name, permissions }) => {
      const held = sensitive.filter((permission) => permissions.includes(permission));
      if (held.length === 0) return { status: 'pass', object: name };
      return fail(
        `The custom role “${name}” includes ${held.join(', ')}.`,
        held.map((permission) => ({ name: permission, value: name })),
        { hint: `Remove the permissions from the role in the settings of ${owner}, under Repository roles.` },
        { object: name },
      );
    });
  },
});
