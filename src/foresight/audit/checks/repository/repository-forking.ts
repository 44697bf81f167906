import { check, fail, pass, unreadable } from '../../check.ts';

export const repositoryForking = check({
  id: 'repository-forking',
  scope: 'repository',
  severity: 'low',
  title: 'A private repository cannot be forked',
  description: 'Everyone who can read a private repository that allows forking can copy it to another account.',
  documents: [
    'https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/managing-repository-settings/managing-the-forking-policy-for-your-repository',
  ],
  maps: { legitify: ['forking_allowed_for_repository'] },
  reads: ['repository'],
  mayRead: ['organization'],
  judge({ repository, organization }, { target }) {
    const { private: isPrivate, visibility = 'private', allow_forking: allowed, html_url: url } = repository;
    if (isPrivate === undefined) return unreadable('the platform does not return whether the repository is private');
    if (!isPrivate) return undefined;
    // Repositories cannot override it. Public platform, Managing the forking policy for your organization.
    if ('value' in organization && organization.value.members_can_fork_private_repositories === false) return pass;
    if (allowed === undefined) return unreadable('GET /orgs/{org}/repos does not return allow_forking');
    if (!allowed) return pass;
    // No policy: the policy of “private-forking” forbids it in all repositories, and the platform then refuses this setting.
    return fail(`${target} is ${visibility}, and can be forked.`, [{ name: 'allow_forking', value: true, url }], {
      command: ['repos', 'update', target, '--no-allow-forking'],
    });
  },
});
