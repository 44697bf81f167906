import { check, fail, pass, unreadable } from '../../check.ts';
import { repositoryPolicy } from '../../fixes.ts';

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
    const { private: isPrivate, allow_forking: allowed, html_url: url } = repository;
    if (!isPrivate) return undefined;
    if (allowed === undefined) return unreadable('GET /orgs/{org}/repos does not return allow_forking');
    if (!allowed) return pass;
    return fail(`${target} is not public, and can be forked.`, [{ name: 'allow_forking', value: true, url }], {
      command: ['repos', 'update', target, '--no-allow-forking'],
      // Otherwise, the check “private-forking” has a policy that forbids it in all repositories.
      ...(!('value' in organization && organization.value.members_can_fork_private_repositories) && {
        policy: repositoryPolicy(target, { settings: { allow_forking: false } }),
      }),
    });
  },
});
