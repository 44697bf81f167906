import { check } from '../../check.ts';
import { eachPerson } from '../../person-list.ts';

export const insecureTwoFactor = check({
  id: 'insecure-two-factor',
  scope: 'organization',
  severity: 'low',
  title: 'No member receives codes by text message',
  description:
    'Text messages can be intercepted and phone numbers can be taken over. Members who own the organization are the subject of another check.',
  documents: [
    'https://docs.github.com/en/organizations/keeping-your-organization-secure/managing-two-factor-authentication-for-your-organization/viewing-whether-users-in-your-organization-have-2fa-enabled',
  ],
  maps: {},
  reads: ['membersWithInsecureTwoFactor', 'owners'],
  judge({ membersWithInsecureTwoFactor, owners }, { owner }) {
    const owning = new Set(owners.map(({ login }) => login));
    return eachPerson(
      membersWithInsecureTwoFactor.filter(({ login }) => !owning.has(login)),
      (login) => `${login} is a member of ${owner} with an insecure second factor.`,
      (login) => ({ hint: `Ask ${login} to use a security key, a passkey or an authenticator app.` }),
    );
  },
});
