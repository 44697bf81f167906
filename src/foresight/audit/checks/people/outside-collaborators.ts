import { check, fail, pass } from '../../check.ts';

export const outsideCollaborators = check({
  id: 'outside-collaborators',
  scope: 'organization',
  severity: 'info',
  title: 'The organization has few outside collaborators',
  description:
    'Outside collaborators have access to repositories, but are easily forgotten: they are in no team, and policies for members do not apply to them.',
  documents: [
    'https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-outside-collaborators/adding-outside-collaborators-to-repositories-in-your-organization',
  ],
  maps: {},
  thresholds: { most: { default: 10, least: 0, description: 'Maximum number of outside collaborators' } },
  reads: ['outsideCollaborators'],
  judge({ outsideCollaborators: people }, { owner }, { most }) {
    if (people.length <= most) return pass;
    return fail(
      `${owner} has ${people.length} outside collaborators, more than ${most}.`,
      people.map(({ login, html_url: url }) => ({ name: login, ...(url && { url }) })),
      { hint: `Remove those who no longer need access: forgectl members remove ${owner} LOGIN --outside` },
    );
  },
});
