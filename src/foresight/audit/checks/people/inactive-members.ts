import { check } from '../../check.ts';
import { activityDays } from '../../periods.ts';
import { eachPerson, removal } from '../../person-list.ts';

export const inactiveMembers = check({
  id: 'inactive-members',
  scope: 'organization',
  severity: 'low',
  title: 'Members are active',
  description: `Accounts that nobody uses are not missed when they are stolen. A member without an event in the audit log for ${activityDays} days is inactive; how long the log keeps pushes and clones depends on the platform.`,
  documents: [
    'https://docs.github.com/en/organizations/keeping-your-organization-secure/managing-security-settings-for-your-organization/reviewing-the-audit-log-for-your-organization',
  ],
  maps: { legitify: ['stale_member_found'], steampipe: ['cis_supply_chain_v100_1_3_1'] },
  reads: ['members', 'owners', 'inactive'],
  judge({ members, owners, inactive }, context) {
    const owning = new Set(owners.map(({ login }) => login));
    return eachPerson(
      members.filter(({ login }) => inactive.has(login) && !owning.has(login)),
      (login) => `${login} has no event in the audit log of ${context.owner} for ${activityDays} days.`,
      (login) => removal(context, login),
    );
  },
});
