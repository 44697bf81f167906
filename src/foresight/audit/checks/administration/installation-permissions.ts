import { check, fail, pass, unreadable } from '../../check.ts';

/** Permissions that change who has access, what is protected, or the code of all repositories. */
const wide = [
  'administration',
  'contents',
  'members',
  'organization_administration',
  'organization_custom_roles',
  'organization_secrets',
  'secrets',
  'workflows',
];

export const installationPermissions = check({
  id: 'installation-permissions',
  scope: 'organization',
  severity: 'medium',
  title: 'No app may change settings or code of all repositories',
  description: `An app that is installed on all repositories, including future ones, with write access to ${wide.join(', ')} can do what an owner can. Its private key is as valuable as the password of an owner.`,
  documents: ['https://docs.github.com/en/apps/using-github-apps/reviewing-and-modifying-installed-github-apps'],
  maps: {},
  reads: ['installations'],
  judge({ installations }) {
    if (installations.length === 0) return pass;
    return installations.map(
      ({ app_slug: app, html_url: url, permissions, repository_selection: selection, suspended_at: suspended }) => {
        const held = wide.filter((name) => permissions[name] === 'write' || permissions[name] === 'admin');
        const isOnAll = selection === 'all' || selection === undefined;
        if (held.length === 0 || !isOnAll || suspended) return { status: 'pass', object: app };
        if (selection === undefined) return unreadable('the platform does not return repository_selection', app);
        return fail(
          `The app ${app} is installed on all repositories, and may change: ${held.join(', ')}.`,
          held.map((name) => ({ name, value: String(permissions[name]), url })),
          { hint: `Select the repositories that the app needs, at ${url}, or ask its owner for fewer permissions.` },
          { object: app, severity: held.some((name) => name.includes('administration')) ? 'high' : 'medium' },
        );
      },
    );
  },
});
