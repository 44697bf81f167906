/** Members of organizations: columns, guards, and what a removal takes away. */
import { ForgectlCommand } from '../cli/command/command.ts';
import { GuardError } from '../cli/errors.ts';
import { fileOrStdin } from '../cli/input/file-flags.ts';
import { textFlag } from '../cli/input/flags.ts';
import type { DeletionPreview } from '../cli/input/prompts/questions.ts';
import { NotFoundError, PermissionError, unlessHidden } from '../client/errors.ts';
import { isSameName, refuseRename } from '../client/moves.ts';
import type { Column } from '../output/table/columns.ts';
import { type convertMember, getMembership, type removeMembership } from '../platform/endpoints/members.ts';
import { listOrganizationMembers } from '../platform/endpoints/orgs.ts';
import { getTeamMembership, listTeams } from '../platform/endpoints/teams.ts';
import type { OrganizationMembership } from '../platform/records.ts';
import { isSameLogin, refuseSelf } from './own-login.ts';
import { requireFields } from './required-fields.ts';

export const membershipColumns: readonly Column<OrganizationMembership>[] = [
  { header: 'Login', get: 'user.login', as: 'name', priority: 1 },
  { header: 'Role', get: 'role', priority: 1 },
  { header: 'State', get: 'state', as: 'state', priority: 1 },
];

/** A person in an organization, as in paths. */
export interface MemberName {
  readonly org: string;
  readonly username: string;
}

/** The flag of commands that end memberships. */
export const policyFlag = {
  policy: textFlag('--policy', {
    ...fileOrStdin,
    helpValue: 'PATH',
    description: 'Policy file or folder that may still declare the person (default: policy, if it exists)',
  }),
};

/** How a command ends a membership. `act` is `Removing` or `Converting`. */
interface Ending {
  readonly act: string;
  readonly effect: string;
  readonly done: string;
  readonly allowSelf: boolean;
  /** The policy file or folder. */
  readonly policy: string | undefined;
}

/** Maximum number of teams that a deletion preview checks. */
const maxTeams = 16;

/** The base of the commands that change who is a member or an owner. */
export abstract class MembershipCommand<T> extends ForgectlCommand<T> {
  /** Throws GuardError for the last owner, and for oneself unless that is allowed. `act` is `Removing` or `Demoting`. */
  protected async guard(
    { org, username }: MemberName,
    { role, state }: Pick<OrganizationMembership, 'role' | 'state'>,
    act: string,
    allowSelf: boolean,
  ): Promise<void> {
    if (state === 'pending') return;
    const effect = (verb: string) => `${act} ${username} ${verb} your own membership`;
    if (!allowSelf) await refuseSelf(this.session, username, effect('changes'), effect('may change'));
    // Any other role may be that of an owner.
    if (role === 'member') return;
    const path = { org };
    const owners = await this.session.list(
      listOrganizationMembers,
      { path, query: { role: 'admin' } },
      { limit: 2 },
      {},
    );
    const isOther = (login: unknown) => typeof login === 'string' && login !== '' && !isSameLogin(login, username);
    if (!(await owners.records()).some(({ login }) => isOther(login)))
      throw new GuardError(`${act} ${username} would leave ${org} without an owner. Nothing was sent.`);
  }

  /** Removes a member in one of two ways, after the guards and the confirmation. */
  protected async endMembership(
    path: MemberName,
    endpoint: typeof removeMembership | typeof convertMember,
    { act, effect: removal, done, allowSelf, policy }: Ending,
  ) {
    const { org, username } = path;
    const { declarationsOf } = await import('./policy/declared-person.ts');
    const declared = await declarationsOf(username, policy, this.runtime);
    const warned = (effect: string) =>
      declared === undefined ? effect : `${effect}, although the policy still declares this person (${declared})`;
    const effect = warned(removal);
    if (declared !== undefined && !this.input.canPrompt())
      this.notice(`The policy still declares ${username} (${declared}); applying it may invite them again.`);
    // Without a prompt, nothing is read before the confirmation.
    if (!this.input.canPrompt()) await this.input.confirm(username, effect);
    const membership = await this.membership(path);
    await this.guard(path, membership, act, allowSelf);
    let isShown = false;
    const preview = async () => {
      isShown = true;
      const shown = await this.#removalPreview(path, membership);
      return shown.effect === undefined ? shown : { ...shown, effect: warned(shown.effect) };
    };
    await this.input.confirm(username, effect, preview);
    if (isShown) await this.membership(path, membership);
    const verifyCommand = `forgectl members get ${org} ${username}`;
    return this.write(endpoint, { path }, { verifyCommand, done });
  }

  /**
   * Reads a membership. Throws GuardError for that of somebody else, because logins are reused, and RenamedError for that in an
   * organization with another name. `shown`: the one before a prompt.
   */
  protected async membership(path: MemberName, shown?: OrganizationMembership): Promise<OrganizationMembership> {
    const { data: membership, asked } = await this.session.read(getMembership, { path });
    const { username } = path;
    // Without a role, an owner would look like a member.
    requireFields(membership, asked, { 'user.login': 'text', role: 'text', ...(shown && { 'user.id': 'id' }) });
    const { id, login } = membership.user ?? { login: '' };
    if (!isSameLogin(login, username)) throw new GuardError(`${username} is now ${login}. Nothing was sent.`);
    const current = membership.organization?.login;
    if (current !== undefined) requireFields(membership, asked, { 'organization.login': 'text' });
    if (current !== undefined && !isSameName(current, path.org)) refuseRename({ named: path.org, current }, asked);
    if (shown && id !== shown.user?.id)
      throw new GuardError(`${username} is now a different person. Nothing was sent.`);
    if (shown && membership.organization?.id !== shown.organization?.id)
      throw new GuardError(`${path.org} is now a different organization. Nothing was sent.`);
    return membership;
  }

  /** Returns a member with the teams that the person leaves, as far as a few requests show them. */
  async #removalPreview(
    { org, username }: MemberName,
    { role, state }: OrganizationMembership,
  ): Promise<DeletionPreview> {
    if (state === 'pending')
      return { record: { login: username, role, state }, effect: `cancels the invitation of ${username} to ${org}` };
    const listing = await this.session.list(listTeams, { path: { org } }, { limit: 100 }, {});
    const all = await unlessHidden(listing.records());
    const checked = (all ?? []).slice(0, maxTeams);
    const isMember = await Promise.all(checked.map(({ slug }) => this.#isInTeam({ org, team_slug: slug, username })));
    const teams = checked.filter((_, index) => isMember[index]).map(({ slug }) => slug);
    const unknown = (all?.length ?? 0) - isMember.filter((known) => known !== undefined).length;
    const others = listing.more ? 'other teams' : `${unknown} ${unknown === 1 ? 'team' : 'teams'}`;
    const hidden = all === undefined ? ['teams'] : unknown > 0 || listing.more ? [others] : [];
    const uncounted = ['access given directly', 'forks', ...hidden];
    const none = hidden.length ? 'unknown' : 'none';
    return {
      record: { login: username, role, state, teams: teams.join(', ') || none, uncounted: uncounted.join(', ') },
      columns: [
        { header: 'Login', get: 'login', as: 'name' },
        { header: 'Role', get: 'role' },
        { header: 'Teams', get: 'teams', as: 'text' },
        { header: 'Not counted', get: 'uncounted', as: 'text' },
      ],
    };
  }

  /** Returns whether a person is in a team; undefined if the token may not see it. */
  async #isInTeam(path: MemberName & { readonly team_slug: string }): Promise<boolean | undefined> {
    try {
      await this.call(getTeamMembership, { path });
      return true;
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      if (error instanceof PermissionError) return undefined;
      throw error;
    }
  }
}
