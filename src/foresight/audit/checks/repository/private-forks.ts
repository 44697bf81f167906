import { check, fail, pass, unreadable } from '../../check.ts';

export const privateForks = check({
  id: 'private-forks',
  scope: 'repository',
  severity: 'low',
  title: 'A private repository has no forks',
  description:
    'A fork has the whole history, but rulesets, settings and administrators of its own. Those in personal accounts are outside the organization.',
  documents: [
    'https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/working-with-forks/about-permissions-and-visibility-of-forks',
  ],
  maps: {},
  reads: ['repository'],
  judge({ repository }, { target }) {
    const { private: isPrivate, visibility = 'private', forks_count: forks, html_url: url } = repository;
    if (isPrivate === undefined) return unreadable('the platform does not return whether the repository is private');
    if (!isPrivate) return undefined;
    if (forks === undefined) return unreadable('GET /orgs/{org}/repos does not return forks_count');
    if (forks === 0) return pass;
    return fail(
      `${target} is ${visibility}, and has ${forks} fork${forks === 1 ? '' : 's'}.`,
      [{ name: 'forks', value: forks, url }],
      { hint: `An administrator of a fork can delete it. List the forks: forgectl forks list ${target}` },
    );
  },
});
