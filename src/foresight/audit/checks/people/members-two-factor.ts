import { check } from '../../check.ts';
import { eachPerson } from '../../person-list.ts';

export const membersTwoFactor = check({
  id: 'members-two-factor',
  scope: 'organization',
  severity: 'high',
  title: 'All members use two-factor authentication',
  description:
    'A stolen password is enough to act as these members. Only owners see who they are. Members who own the organization are the subject of another check.',
  documents: [
    'https://docs.github.com/en/organizations/keeping-your-organization-secure/managing-two-factor-authentication-for-your-organization/viewing-whether-users-in-your-organization-have-2fa-enabled',
  ],
  maps: { steampipe: ['organization_member_mfa_enabled'] },
  reads: ['membersWithoutTwoFactor', 'owners'],
  judge({ membersWithoutTwoFactor, owners }, { owner }) {
    const owning = new Set(owners.map(({ login }) => login));
    return eachPerson(
      membersWithoutTwoFactor.filter(({ login }) => !owning.has(login)),
      (login) => `${login} is a member of ${owner} without two-factor authentication.`,
      (login) => ({
        hint: `Ask ${login} to turn on two-factor authentication, or require it in the organization’s settings.`,
      }),
    );
  },
});
