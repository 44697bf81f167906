/** The base of the commands that change teams and their members. A team must be the one that was named and read. */
import * as Flags from '@oclif/core/flags';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { GuardError, SomeFailedError } from '../../cli/errors.ts';
import { valueFlag } from '../../cli/input/flags.ts';
import { plainName } from '../../cli/input/values.ts';
import { Listing } from '../../cli/result/listing.ts';
import { NotFoundError, RenamedError } from '../../client/errors.ts';
import { isSameName } from '../../client/moves.ts';
import { PlannedRequest } from '../../client/request.ts';
import { asText } from '../../json/exact-json.ts';
import { getTeam, getTeamMembership } from '../../platform/endpoints/teams.ts';
import type { FullTeam, TeamMembership } from '../../platform/records.ts';
import { requireFields } from '../required-fields.ts';
import { teamsOf } from './choice.ts';

/** A team, as in paths. */
export interface TeamPath {
  readonly org: string;
  readonly team_slug: string;
}

export const teamName = ({ org, team_slug }: TeamPath): string => `${org}/${team_slug}`;

export const parentFlag = {
  parent: valueFlag('--parent', plainName, {
    helpGroup: 'BODY',
    helpValue: 'SLUG',
    description: 'Parent team, by its slug',
  }),
};

export const noParentFlag = {
  'no-parent': Flags.boolean({ helpGroup: 'BODY', description: 'Move the team to the top level' }),
};

/** Stands for the ID of a parent until the whole command line is valid, and the parent can be read. */
const unread = 1;

/** Returns the field that the flags for the parent set. */
export function parentField(flags: { readonly parent?: string | undefined; readonly 'no-parent'?: boolean }) {
  if (flags['no-parent']) return { parent_team_id: null };
  return flags.parent === undefined ? {} : { parent_team_id: unread };
}

export abstract class TeamCommand<T> extends ForgectlCommand<T> {
  protected override readonly picks = { team: teamsOf };

  /** Reads a team. Throws RenamedError if the team or its organization has another name, with or without a redirect. */
  protected async team(path: TeamPath): Promise<FullTeam> {
    const { data, asked } = await this.session.read(getTeam, { path });
    requireFields(data, asked, { id: 'id', slug: 'text', 'organization.login': 'text' });
    const current = teamName({ org: data.organization.login, team_slug: data.slug });
    if (!isSameName(teamName(path), current)) throw new RenamedError(asked, { named: teamName(path), current });
    return data;
  }

  /** Reads a team before it is changed. Throws GuardError if it is another one than before a prompt. */
  protected async requireSame(path: TeamPath, shown: Pick<FullTeam, 'id'> | undefined): Promise<void> {
    const { id } = await this.team(path);
    if (shown && shown.id !== id)
      throw new GuardError(
        `${teamName(path)} is now a different team: its ID is ${JSON.stringify(id)}, not ${shown.id}. Nothing was sent.`,
      );
  }

  /** Reads a team whose members can be changed. Throws GuardError if an LDAP group determines them. */
  protected async unmanagedTeam(path: TeamPath): Promise<FullTeam> {
    const team = await this.team(path);
    if (team.ldap_dn)
      throw new GuardError(
        `The members of ${teamName(path)} are those of the LDAP group ${asText(team.ldap_dn)}. Change them there. Nothing was sent.`,
      );
    return team;
  }

  /** Returns the membership of a person, also through a child team; undefined for none. */
  protected async membership(path: TeamPath, username: string): Promise<TeamMembership | undefined> {
    try {
      const { data, asked } = await this.session.read(getTeamMembership, { path: { ...path, username } });
      // Without a role, a maintainer would become a member.
      requireFields(data, asked, { role: 'text' });
      return data;
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /** Changes the memberships of several people one after another. A refused one does not affect the others. */
  protected async changeMembers<R extends object>(
    logins: readonly string[],
    change: (login: string) => Promise<R | PlannedRequest>,
    failed: (login: string) => R,
  ): Promise<Listing<R> | PlannedRequest | readonly PlannedRequest[]> {
    const done: R[] = [];
    const planned: PlannedRequest[] = [];
    let failures = 0;
    const changeOne = async (login: string) => {
      const result = await change(login).catch(async (error: unknown) => {
        if (logins.length === 1) throw error;
        await this.reportRefusal(error);
        failures++;
        return failed(login);
      });
      if (result instanceof PlannedRequest) planned.push(result);
      else done.push(result);
    };
    try {
      for (const login of logins) await changeOne(login);
    } catch (error) {
      this.failAfter([...done, ...planned], error);
    }
    const [only] = planned;
    if (only) return logins.length === 1 ? only : planned;
    if (failures > 0)
      this.failure ??= new SomeFailedError(`${failures} of ${logins.length} memberships were not changed.`);
    return Listing.of(done);
  }

  /** Returns a body with the ID of the parent that a flag names. */
  protected async withParent<B extends object>(org: string, body: B, parent: string | undefined): Promise<B> {
    return parent === undefined ? body : { ...body, parent_team_id: (await this.team({ org, team_slug: parent })).id };
  }
}

/** Returns logins without duplicates, which are case-insensitive. */
export const distinctLogins = (logins: readonly string[]): string[] => [
  ...new Map(logins.map((login) => [login.toLowerCase(), login])).values(),
];
