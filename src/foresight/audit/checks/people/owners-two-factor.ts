import { check, fail, pass } from '../../check.ts';

export const ownersTwoFactor = check({
  id: 'owners-two-factor',
  scope: 'organization',
  severity: 'high',
  title: 'Owners use a secure second factor',
  description:
    'Owners can change and delete everything. Text messages can be intercepted, so that they do not count as secure for owners.',
  documents: [
    'https://docs.github.com/en/organizations/keeping-your-organization-secure/managing-two-factor-authentication-for-your-organization/viewing-whether-users-in-your-organization-have-2fa-enabled',
  ],
  maps: {},
  reads: ['owners', 'membersWithoutTwoFactor', 'membersWithInsecureTwoFactor'],
  judge({ owners, membersWithoutTwoFactor, membersWithInsecureTwoFactor }, { owner }) {
    const [none, insecure] = [membersWithoutTwoFactor, membersWithInsecureTwoFactor].map(
      (people) => new Set(people.map(({ login }) => login)),
    );
    const found = owners.flatMap(({ login, html_url: url }) => {
      const lacks = none?.has(login)
        ? 'no second factor'
        : insecure?.has(login)
          ? 'an insecure second factor'
          : undefined;
      if (lacks === undefined) return [];
      const hint = `Ask ${login} to use a security key, a passkey or an authenticator app.`;
      return [
        fail(
          `${login} owns ${owner} and has ${lacks}.`,
          [{ name: login, value: lacks, url }],
          { hint },
          { object: login },
        ),
      ];
    });
    return found.length > 0 ? found : pass;
  },
});
