/** Checks of people and their access. */
import { inactiveMembers } from './inactive-members.ts';
import { inactiveOwners } from './inactive-owners.ts';
import { insecureTwoFactor } from './insecure-two-factor.ts';
import { membersTwoFactor } from './members-two-factor.ts';
import { outsideAccess } from './outside-access.ts';
import { outsideCollaborators } from './outside-collaborators.ts';
import { outsideTwoFactor } from './outside-two-factor.ts';
import { ownersTwoFactor } from './owners-two-factor.ts';
import { repositoryAdministrators } from './repository-administrators.ts';

export const peopleChecks = [
  ownersTwoFactor,
  membersTwoFactor,
  insecureTwoFactor,
  outsideTwoFactor,
  outsideCollaborators,
  outsideAccess,
  repositoryAdministrators,
  inactiveOwners,
  inactiveMembers,
];
