/** The roles of the seeded people. */
import type { people } from './words.ts';

/** What somebody is in an organization; several roles can go together. */
export type OrganizationRole =
  | 'owner'
  | 'member'
  | 'security manager'
  | 'bypass reviewer'
  | 'billing manager'
  | 'outside collaborator';

type Login = (typeof people)[number][0];

/** Roles in the first organization. Everybody else is a member of it. */
export const seededRoles: Readonly<Partial<Record<Login, readonly OrganizationRole[]>>> = {
  riverotter: ['owner'],
  copperbee: ['outside collaborator'],
  stonewren: ['member', 'bypass reviewer'],
  velvetmole: ['billing manager'],
  lunarcrab: ['member', 'security manager'],
};
