import { check } from '../../check.ts';
import { eachPerson } from '../../person-list.ts';

export const outsideTwoFactor = check({
  id: 'outside-two-factor',
  scope: 'organization',
  severity: 'high',
  title: 'All outside collaborators use two-factor authentication',
  description: 'A stolen password is enough to act as these people in the repositories that they have access to.',
  documents: [
    'https://docs.github.com/en/organizations/keeping-your-organization-secure/managing-two-factor-authentication-for-your-organization/viewing-whether-users-in-your-organization-have-2fa-enabled',
  ],
  maps: {},
  reads: ['outsideWithoutTwoFactor'],
  judge: ({ outsideWithoutTwoFactor }, { owner }) =>
    eachPerson(
      outsideWithoutTwoFactor,
      (login) => `${login} is an outside collaborator of ${owner} without two-factor authentication.`,
      (login) => ({ command: ['members', 'remove', owner, login, '--outside'] }),
    ),
});
