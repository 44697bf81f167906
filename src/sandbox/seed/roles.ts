/** Roles of the seeded people. */
import type { people } from './words.ts';

/** Roles of a person in an organization. */
export type OrganizationRole =
  | 'owner'
  | 'member'
  | 'security manager'
  | 'bypass reviewer'
  | 'billing manager'
  | 'outside collaborator';

type Login = (typeof people)[number][0];

/** Roles in the first organization. All others are members. */
export const seededRoles: Readonly<Partial<Record<Login, readonly OrganizationRole[]>>> = {
  riverotter: ['owner'],
  copperbee: ['outside collaborator'],
  stonewren: ['member', 'bypass reviewer'],
  velvetmole: ['billing manager'],
  lunarcrab: ['member', 'security manager'],
};
