/** Teams that an identity provider manages. Lists do not show that, so a team is read before a change of it is planned. */
import { isStep, type PlannedChange } from '../../live/change.ts';
import type { OwnerReadings } from '../../live/owner-readings.ts';
import type { Reader, Reading } from '../../live/requests.ts';
import { type LiveTeam, teamNamed } from './team-list.ts';

/** Returns the management of the teams of an organization. */
export const managementOf = ({ shared }: Pick<OwnerReadings, 'shared'>): Promise<Management> => shared(openManagement);

const openManagement = async (reader: Reader, org: string): Promise<Management> => new Management(reader, org);

export class Management {
  readonly #reader: Reader;
  readonly #org: string;
  readonly #known = new Map<number, Promise<Reading<boolean>>>();
  readonly #reported = new Set<number>();

  constructor(reader: Reader, org: string) {
    this.#reader = reader;
    this.#org = org;
  }

  /** Returns whether an identity provider manages a team, which is read at most once. */
  isManaged(team: LiveTeam): Promise<Reading<boolean>> {
    const read = this.#known.get(team.id) ?? this.#read(team);
    this.#known.set(team.id, read);
    return read;
  }

  /** Returns changes without those of managed teams. `teamOf` returns the live team of a change; undefined for a new one. */
  async unmanaged(
    changes: readonly PlannedChange[],
    teamOf: (change: PlannedChange) => LiveTeam | undefined,
    { warn }: Pick<OwnerReadings, 'warn'>,
  ): Promise<readonly PlannedChange[]> {
    const left = async (change: PlannedChange): Promise<readonly PlannedChange[]> => {
      const team = isStep(change) ? teamOf(change) : undefined;
      if (!team) return [change];
      const read = await this.isManaged(team);
      const { kind, action, target, name, source } = change;
      const refused = { kind, target, name, source, changes: [] } as const;
      if ('unreadable' in read) return [{ ...refused, action: 'unreadable', reason: read.unreadable }];
      if (!read.value) return [change];
      if (kind === 'team' && action === 'delete')
        return change.undeclared
          ? []
          : [{ ...refused, action: 'unresolved', reason: 'an identity provider manages it' }];
      if (!this.#reported.has(team.id))
        warn(`The team ${team.name} of ${target} is managed by an identity provider (ldap_dn), and not planned.`);
      this.#reported.add(team.id);
      return [];
    };
    return (await Promise.all(changes.map(left))).flat();
  }

  async #read({ slug, isManaged }: LiveTeam): Promise<Reading<boolean>> {
    if (isManaged !== undefined) return { value: isManaged };
    const read = await teamNamed(this.#reader.forTask(), this.#org, slug);
    return 'unreadable' in read ? read : { value: read.value?.isManaged ?? false };
  }
}
