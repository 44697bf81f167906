/** Access to a repository that is given to a team or to a person. */
import { valueFlag } from '../../cli/input/flags.ts';
import { plainName } from '../../cli/input/values.ts';
import type { Column } from '../../output/table/columns.ts';

export interface RepositoryGrant {
  repository: string;
  type: 'team' | 'user';
  /** The slug of the team, or the login of the person. */
  name: string;
  role: string;
  /** `pending` until an outside collaborator accepts the invitation. */
  state: 'active' | 'pending';
  /** Null unless pending. */
  invitation_id: number | null;
}

export const grantColumns: readonly Column<RepositoryGrant>[] = [
  { header: 'Repository', get: 'repository', priority: 1 },
  { header: 'Type', get: 'type', priority: 1 },
  { header: 'Name', get: 'name', as: 'name', priority: 1 },
  { header: 'Role', get: 'role', as: 'state', priority: 1 },
  { header: 'State', get: 'state', as: 'state', priority: 1 },
];

/** The flags of which one says whose access it is. */
export const granteeFlags = {
  team: valueFlag('--team', plainName, { helpValue: 'SLUG', description: 'Slug of a team of the organization' }),
  user: valueFlag('--user', plainName, { helpValue: 'LOGIN', description: 'Login of a person' }),
};
