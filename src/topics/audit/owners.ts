/** The organizations and enterprises of an audit. */
export interface Owner {
  readonly kind: 'organization' | 'enterprise';
  readonly name: string;
}

export const targetOf = ({ kind, name }: Owner): string => (kind === 'enterprise' ? `enterprise:${name}` : name);

/** What was audited of an owner, and what was not. */
export interface AuditedOwner {
  /** `acme` or `enterprise:sandbox`. */
  readonly name: string;
  /** Why the organization cannot be read at all. */
  readonly unreadable?: string;
  /** Absent if repositories are not audited, or cannot be listed. */
  readonly repositories?: RepositoryCounts;
}

export interface RepositoryCounts {
  readonly audited: number;
  /** Archived ones, which take no changes. */
  readonly archived: number;
  /** Those that --where does not select. */
  readonly not_selected: number;
}
