import { check, fail, pass } from '../../check.ts';

export const repositoryAdministrators = check({
  id: 'repository-administrators',
  scope: 'repository',
  severity: 'low',
  title: 'Few people besides the owners administer the repository',
  description:
    'Administrators can delete a repository, make it public and change its protection. Owners of the organization administer every repository, and are not counted.',
  documents: [
    'https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization',
  ],
  maps: {
    legitify: ['repository_has_too_many_admins'],
    steampipe: ['cis_supply_chain_v100_1_2_3'],
  },
  thresholds: { most: { default: 5, least: 0, description: 'Maximum number of administrators' } },
  reads: ['administrators', 'owners'],
  judge({ administrators, owners }, { target }, { most }) {
    const owning = new Set(owners.map(({ login }) => login));
    const others = administrators.filter(({ login }) => !owning.has(login));
    if (others.length <= most) return pass;
    return fail(
      `${others.length} people besides the owners administer ${target}, more than ${most}.`,
      others.map(({ login, html_url: url }) => ({ name: login, value: 'admin', ...(url && { url }) })),
      { hint: `See where their access comes from, and lower it: forgectl repos access ${target}` },
    );
  },
});
