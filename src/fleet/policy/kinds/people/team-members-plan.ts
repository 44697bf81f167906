/** Plans the members of the teams of an organization. */
import { readAll } from '../../../read-all.ts';
import { isStep, type PlannedChange } from '../../live/change.ts';
import type { OwnerReadings } from '../../live/owner-readings.ts';
import { absentOf, type WantedTarget, wantedOf } from '../../wanted/model.ts';
import { type Place, sourceText } from '../../wanted/placed.ts';
import { fieldUpdate } from '../field-update.ts';
import type { KindDeclaration } from '../kind.ts';
import type { Draft, Refusal } from '../object-declaration.ts';
import { directoryOf, type Person, userIdOf } from './directory.ts';
import { isSameLogin, type Login } from './logins.ts';
import { managementOf } from './managed-teams.ts';
import { declaredRole } from './members.ts';
import { teamMembership, teammatesIn, teamOf, teamsIn, type WantedTeam, type WantedTeammate } from './team-list.ts';
import { slugOfTeam } from './team-names.ts';

/** The plan of the members of all teams of an organization. */
export class TeamMembersPlan {
  readonly #kind: KindDeclaration;
  readonly #wanted: WantedTarget;
  readonly #readings: OwnerReadings;
  readonly #removed: readonly string[];

  constructor(kind: KindDeclaration, wanted: WantedTarget, readings: OwnerReadings) {
    this.#kind = kind;
    this.#wanted = wanted;
    this.#readings = readings;
    this.#removed = absentOf<Login>(wanted, 'members').map(({ name }) => name);
  }

  async changes(): Promise<readonly PlannedChange[]> {
    const declared = wantedOf<WantedTeam>(this.#wanted, 'teams');
    const listed = declared.length > 0 ? await this.#readings.shared(teamsIn) : undefined;
    // The plan of the teams says why they cannot be read.
    if (!listed || 'unreadable' in listed) return [];
    const changes: PlannedChange[] = [];
    const management = await managementOf(this.#readings);
    const plan = async (team: WantedTeam) => {
      const live = teamOf(team, listed.value);
      if (!live) return this.#ofNew(team);
      if (!team.people) return [];
      const planned = await this.#ofExisting(team, team.people, live.slug);
      const left = await management.unmanaged(planned, () => live, this.#readings);
      return left.map((change) => (isStep(change) ? { ...change, team_id: live.id } : change));
    };
    for await (const planned of readAll(declared, plan)) for (const change of planned) changes.push(change);
    return changes;
  }

  /** Plans the members of a team that is created; the platform makes its creator a maintainer. */
  async #ofNew({ name, people = [], body: { place } }: WantedTeam): Promise<readonly PlannedChange[]> {
    const slug = slugOfTeam(name);
    const { identity } = this.#readings;
    const creator = identity === undefined || identity.startsWith('app:') ? undefined : identity;
    const isCreator = (login: string) => creator !== undefined && isSameLogin(login, creator);
    const own = people.find((each) => isCreator(each.name));
    const added: PlannedChange[] = [];
    for (const each of people)
      if (this.#isRemoved(each)) added.push(this.#refused(slug, each, this.#removal()));
      else if (each !== own) added.push(...(await this.#added(slug, each)));
    const start = { before: { role: 'maintainer' }, effect: 'tightens', sent: true } as const;
    const member = `${slug}/${creator}`;
    if (creator !== undefined && !own) added.push(this.#change('delete', member, place, { ...start, of: 0 }));
    if (own?.role === 'member' && !(await this.#isOwner(own.name))) {
      const changes = [{ path: 'role', from: 'maintainer', to: 'member' }];
      added.push(this.#change('update', member, own.place, { ...start, changes, body: { role: 'member' } }));
    }
    return added;
  }

  async #ofExisting(
    { name }: WantedTeam,
    people: readonly WantedTeammate[],
    liveSlug: string,
  ): Promise<readonly PlannedChange[]> {
    const slug = slugOfTeam(name);
    const managed = this.#wanted.managed.get('teams');
    const own = await teammatesIn(this.#readings.reader.forTask(), this.#wanted.target, liveSlug);
    if ('unreadable' in own) {
      const refusal = { action: 'unreadable', reason: own.unreadable } as const;
      return [
        ...people.map((each) => this.#refused(slug, each, refusal)),
        ...(managed ? [this.#refused(slug, { name: '*', place: managed }, refusal)] : []),
      ];
    }
    const changes: PlannedChange[] = [];
    const removed: PlannedChange[] = [];
    for (const each of people) {
      const live = own.value.find((other) => isSameLogin(other.name, each.name));
      if (this.#isRemoved(each)) removed.push(this.#refused(slug, each, this.#removal()));
      else changes.push(...(live ? await this.#updated(slug, each, live) : await this.#added(slug, each, liveSlug)));
    }
    const unknown = changes.filter(({ action }) => action === 'unresolved');
    const undeclared = own.value.filter(({ name: login }) => !people.some((each) => isSameLogin(each.name, login)));
    if (!managed || undeclared.length === 0) return [...removed, ...changes];
    if (unknown.length > 0) {
      const reason = 'not declared, but perhaps the new login of somebody who is';
      const spared = undeclared.map((each) =>
        this.#refused(slug, { name: each.name, place: managed }, { action: 'unresolved', reason }),
      );
      return [...removed, ...changes, ...spared];
    }
    const of = own.value.length;
    const pruned = undeclared.map(({ id: user_id, name: login, role }) => {
      const known = { effect: 'tightens', undeclared: true, of, before: { role }, user_id } as const;
      return this.#change('delete', `${slug}/${login}`, managed, known);
    });
    return [...removed, ...changes, ...pruned];
  }

  /** Plans somebody whom the list of a team lacks. `liveSlug`: the slug of a team that exists. */
  async #added(slug: string, teammate: WantedTeammate, liveSlug?: string): Promise<readonly PlannedChange[]> {
    const { name, role, place } = teammate;
    const { target: org } = this.#wanted;
    const person = await (await directoryOf(this.#readings)).person(name);
    if (person.refused) return [this.#refused(slug, teammate, person.refused)];
    if (typeof person.id !== 'number')
      return [this.#refused(slug, teammate, { action: 'unresolved', reason: `the account of “${name}” was deleted` })];
    if (person.role !== undefined && !person.isListed && liveSlug !== undefined) {
      const path = { org, team_slug: liveSlug, username: name };
      const pending = await this.#readings.reader.forTask().find(teamMembership, { path });
      if ('unreadable' in pending)
        return [this.#refused(slug, teammate, { action: 'unreadable', reason: pending.unreadable })];
      if (pending.value) return this.#updated(slug, teammate, { id: person.id, name, role: pending.value.role });
    }
    const body = { role: (await this.#isOwner(name)) ? 'maintainer' : role };
    const changes = [{ path: 'role', to: body.role }];
    const made = { changes, effect: 'loosens', body, ...userIdOf(person) } as const;
    return [this.#change('create', `${slug}/${person.name}`, place, made)];
  }

  async #updated(
    slug: string,
    { name, role, place }: WantedTeammate,
    live: Pick<Person, 'id' | 'name' | 'role'>,
  ): Promise<readonly PlannedChange[]> {
    const update = fieldUpdate({ role }, { role: live.role }, this.#kind);
    if (!update || (role === 'member' && (await this.#isOwner(name)))) return [];
    return [this.#change('update', `${slug}/${live.name}`, place, { ...update, ...userIdOf(live) })];
  }

  #isRemoved({ name }: Login): boolean {
    return this.#removed.some((login) => isSameLogin(login, name));
  }

  #removal(): Refusal {
    return { action: 'unresolved', reason: `is removed from ${this.#wanted.target} (absent.members)` };
  }

  /** Returns whether somebody owns the organization, now or after the changes of its members. */
  async #isOwner(login: string): Promise<boolean> {
    const declared = declaredRole(this.#wanted, login);
    if (declared !== undefined) return declared === 'admin';
    return (await (await directoryOf(this.#readings)).member(login))?.role === 'admin';
  }

  #refused(
    slug: string,
    { name, place }: Login & { readonly place: Place },
    { action, reason }: Refusal,
  ): PlannedChange {
    return this.#change(action, `${slug}/${name}`, place, { reason });
  }

  readonly #change: Draft = (action, name, place, rest) =>
    ({
      action,
      kind: 'team_member',
      target: this.#wanted.target,
      name,
      source: sourceText(place),
      changes: [],
      ...rest,
    }) as unknown as PlannedChange;
}
