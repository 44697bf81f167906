/** The details of a team; JSON output has every field. */
import type { Column } from '../../output/table/columns.ts';
import type { FullTeam, Member } from '../../platform/records.ts';

export const teamDetails: readonly Column<FullTeam>[] = [
  { header: 'Slug', get: 'slug', as: 'name', link: true },
  { header: 'Name', get: 'name' },
  { header: 'ID', get: 'id' },
  { header: 'Organization', get: 'organization.login' },
  { header: 'Description', get: 'description', as: 'text' },
  { header: 'Parent', get: 'parent.slug' },
  { header: 'Privacy', get: 'privacy', as: 'state' },
  { header: 'Notifications', get: 'notification_setting' },
  { header: 'Members', get: 'members_count', as: 'count' },
  { header: 'Repositories', get: 'repos_count', as: 'count' },
  { header: 'LDAP group', get: 'ldap_dn' },
  { header: 'Created', get: 'created_at', as: 'age' },
  { header: 'Updated', get: 'updated_at', as: 'age' },
];

/** Tells people from bots, and suspended people from others, as far as the platform does. */
export const kindOfAccount = ({ type, suspended_at }: Pick<Member, 'type' | 'suspended_at'>): string =>
  suspended_at ? `${type} (suspended)` : type;
