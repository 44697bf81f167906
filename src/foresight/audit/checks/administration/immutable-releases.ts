import { check, fail, pass } from '../../check.ts';

export const immutableReleases = check({
  id: 'immutable-releases',
  scope: 'organization',
  severity: 'info',
  title: 'Releases are immutable',
  description: 'Files and tags of a release that is not immutable can be replaced after it was published.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/enforcing-immutable-releases-in-your-organization',
  ],
  maps: {},
  reads: ['immutableReleases'],
  judge({ immutableReleases: { enforced_repositories: enforced } }, { owner }) {
    if (enforced === 'all') return pass;
    return fail(
      `${owner} enforces immutable releases in ${enforced === 'none' ? 'no repository' : 'some repositories only'}.`,
      [{ name: 'enforced_repositories', value: enforced }],
      {
        command: [
          ...['api', `/orgs/${owner}/settings/immutable-releases`, '--method', 'PUT'],
          ...['--field', 'enforced_repositories=all'],
        ],
      },
    );
  },
});
