import { check, fail, pass } from '../../check.ts';

export const ownerCount = check({
  id: 'owner-count',
  scope: 'organization',
  severity: 'medium',
  title: 'The organization has neither too few nor too many owners',
  description:
    'With a single owner, the organization is lost with that account. Every further owner can change and delete everything in it.',
  documents: [
    'https://docs.github.com/en/organizations/managing-peoples-access-to-your-organization-with-roles/maintaining-ownership-continuity-for-your-organization',
  ],
  maps: {
    legitify: ['organization_has_too_many_admins'],
    steampipe: ['cis_supply_chain_v100_1_3_3'],
  },
  thresholds: {
    least: { default: 2, least: 1, description: 'Minimum number of owners' },
    most: { default: 5, least: 1, description: 'Maximum number of owners' },
  },
  reads: ['owners'],
  judge({ owners }, { owner }, { least, most }) {
    const evidence = owners.map(({ login, html_url: url }) => ({ name: login, url }));
    if (owners.length < least)
      return fail(
        `${owner} has ${owners.length === 1 ? '1 owner' : `${owners.length} owners`}, fewer than ${least}.`,
        evidence,
        {
          hint: `Make a second person an owner: forgectl members set ${owner} LOGIN --role admin`,
        },
      );
    if (owners.length > most)
      return fail(
        `${owner} has ${owners.length} owners, more than ${most}.`,
        evidence,
        {
          hint: `Make members of those who need not own the organization: forgectl members set ${owner} LOGIN --role member`,
        },
        { severity: 'low' },
      );
    return pass;
  },
});
