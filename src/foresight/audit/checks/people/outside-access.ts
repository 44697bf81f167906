import { check, fail, pass, unreadable } from '../../check.ts';

/** The roles that change code or settings. */
const high: readonly unknown[] = ['admin', 'maintain'];

export const outsideAccess = check({
  id: 'outside-access',
  scope: 'repository',
  severity: 'medium',
  title: 'Outside collaborators neither administer nor maintain the repository',
  description:
    'People who are not members of the organization should not be able to change the settings and the protection of a repository.',
  documents: [
    'https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-outside-collaborators/adding-outside-collaborators-to-repositories-in-your-organization',
  ],
  maps: {},
  reads: ['outsiders'],
  judge({ outsiders }, { target }) {
    const found = outsiders.flatMap(({ login, html_url: url, role_name: role, permissions }) => {
      if (role === undefined && permissions === undefined)
        return [unreadable(`which role ${login} has is not returned`, login)];
      const held = role ?? (permissions?.admin ? 'admin' : permissions?.maintain ? 'maintain' : undefined);
      if (!high.includes(held)) return [];
      return [
        fail(
          `${login}, an outside collaborator, has the role ${held} in ${target}.`,
          [{ name: login, value: String(held), ...(url && { url }) }],
          { command: ['repos', 'grant', target, '--user', login, '--role', 'write'] },
          { object: login, severity: held === 'admin' ? 'high' : 'medium' },
        ),
      ];
    });
    return found.length > 0 ? found : pass;
  },
});
