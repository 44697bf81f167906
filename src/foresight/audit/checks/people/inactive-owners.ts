import { check } from '../../check.ts';
import { activityDays } from '../../periods.ts';
import { eachPerson } from '../../person-list.ts';

export const inactiveOwners = check({
  id: 'inactive-owners',
  scope: 'organization',
  severity: 'medium',
  title: 'Owners are active',
  description: `Owners who do not work with the organization need not own it. An owner without an event in the audit log for ${activityDays} days is inactive.`,
  documents: [
    'https://docs.github.com/en/organizations/keeping-your-organization-secure/managing-security-settings-for-your-organization/reviewing-the-audit-log-for-your-organization',
  ],
  maps: { legitify: ['stale_admin_found'], steampipe: ['cis_supply_chain_v100_1_3_1'] },
  reads: ['owners', 'inactive'],
  judge: ({ owners, inactive }, { owner }) =>
    eachPerson(
      owners.filter(({ login }) => inactive.has(login)),
      (login) => `${login} owns ${owner} and has no event in its audit log for ${activityDays} days.`,
      (login) =>
        owners.length > 1
          ? { command: ['members', 'set', owner, login, '--role', 'member'] }
          : { hint: `Make another person an owner first: forgectl members set ${owner} LOGIN --role admin` },
    ),
});
