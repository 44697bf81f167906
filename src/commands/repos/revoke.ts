import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { type RepoName, repoArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { unlessHidden } from '../../client/errors.ts';
import { getAuthenticatedUser } from '../../platform/endpoints/accounts.ts';
import { cancelInvitation, listInvitations, removeCollaborator, revokeTeam } from '../../platform/endpoints/grants.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import type { RepositoryInvitation } from '../../platform/records.ts';
import { isSameLogin, refuseSelf } from '../../topics/own-login.ts';
import { granteeFlags } from '../../topics/repos/grants.ts';
import { namedRepository } from '../../topics/repos/named.ts';
import { invitationPreview, teamPreview, userPreview } from '../../topics/repos/revocation.ts';
import { requireFields } from '../../topics/required-fields.ts';

export default class ReposRevoke extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Revoke access of a team or a person';
  static override description =
    `Revokes the role that a team or a person was given in a repository, or cancels a pending invitation. Access from other
teams, ownership or the base permission remains; the prompt shows it as far as a few requests can. Refuses to revoke the
access of the token’s owner unless --allow-self is given.`;
  static override examples = examples({
    'Preview the request': 'forgectl repos revoke acme/site --team engineering --dry-run',
    'Revoke access without confirmation': 'forgectl repos revoke acme/site --user copperbee --yes',
  });
  static override requests = [
    getRepository.route,
    getAuthenticatedUser.route,
    listInvitations.route,
    revokeTeam.route,
    removeCollaborator.route,
    cancelInvitation.route,
  ];
  static override args = { repo: repoArg() };
  static override flags = {
    ...granteeFlags,
    'allow-self': Flags.boolean({ description: 'Allow the removal of the token owner’s own access' }),
    ...confirmedWriteFlags,
  };

  async run() {
    const { args, flags } = await this.collect(ReposRevoke);
    const { team, user } = await this.input.oneOfFlags(['team', 'user'], flags);
    const { owner, repo } = this.valid(args).repo;
    if (team !== undefined) return this.revokeTeam({ owner, repo }, team, flags['dry-run']);
    return this.revokeUser({ owner, repo }, user ?? '', flags);
  }

  private async revokeTeam(named: RepoName, team: string, dryRun: boolean) {
    const repository = `${named.owner}/${named.repo}`;
    const effect = `revokes the access of team ${team} to ${repository}`;
    const preview = () => teamPreview(this.session, named, team);
    await this.input.confirm(team, effect, preview);
    // The platform may find a renamed repository by its former name.
    if (!dryRun) await namedRepository(this.session, named);
    const path = { org: named.owner, team_slug: team, ...named };
    const done = `Revoked the access of team ${team} to ${repository}.`;
    return this.write(revokeTeam, { path }, { verifyCommand: `forgectl repos access ${repository}`, done });
  }

  private async revokeUser(path: RepoName, user: string, { 'allow-self': allowSelf }: { 'allow-self': boolean }) {
    const repository = `${path.owner}/${path.repo}`;
    const effect = `revokes the access of ${user} to ${repository}`;
    // Without a prompt, nothing is read before the confirmation.
    if (!this.input.canPrompt()) await this.input.confirm(user, effect);
    const ofOwner = (verb: string) => `This ${verb} your own access to ${repository}`;
    if (!allowSelf) await refuseSelf(this.session, user, ofOwner('revokes'), ofOwner('may revoke'));
    const verifyCommand = `forgectl repos access ${repository} --user ${user}`;
    const invitation = await this.invitationOf(path, user);
    if (!invitation) {
      const preview = () => userPreview(this.session, path, user);
      const done = `Revoked the access of ${user} to ${repository}.`;
      const input = { path: { ...path, username: user } };
      return this.remove(removeCollaborator, input, { name: user, effect, preview, verifyCommand, done });
    }
    return this.remove(
      cancelInvitation,
      { path: { ...path, invitation_id: invitation.id } },
      {
        name: user,
        effect: `cancels the invitation of ${user} to ${repository}`,
        preview: async () => invitationPreview(invitation),
        verifyCommand,
        done: `Cancelled the invitation of ${user} to ${repository}.`,
      },
    );
  }

  /** Returns the pending invitation of a person; undefined if there is none, or the token may not see any. */
  private async invitationOf(path: RepoName, user: string): Promise<RepositoryInvitation | undefined> {
    const listing = await this.session.list(listInvitations, { path: { ...path } }, { all: true }, {});
    const pending = (await unlessHidden(listing.records())) ?? [];
    const asked = { method: 'GET', path: `/repos/${path.owner}/${path.repo}/invitations` };
    // One whose invitee has no login may be that of the person.
    for (const each of pending)
      requireFields(each, asked, { id: 'id', ...(each.invitee !== null && { 'invitee.login': 'text' }) });
    return pending.find(({ invitee }) => isSameLogin(invitee?.login, user));
  }
}
