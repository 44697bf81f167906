import * as Flags from '@oclif/core/flags';
import { examples } from '../../cli/command/command.ts';
import { loginArg, orgArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { getAuthenticatedUser } from '../../platform/endpoints/accounts.ts';
import { getMembership, removeMembership, removeOutsideCollaborator } from '../../platform/endpoints/members.ts';
import { listOrganizationMembers } from '../../platform/endpoints/orgs.ts';
import { invalid } from '../../platform/validate.ts';
import { MembershipCommand, policyFlag } from '../../topics/memberships.ts';

export default class MembersRemove extends MembershipCommand<Record<string, never>> {
  static override summary = 'Remove a member, or cancel an invitation';
  static override description =
    `Removes a person from an organization with all team memberships and all access to its repositories, or cancels a
pending invitation; with --outside, removes an outside collaborator from all repositories. Names the policy files that still
declare the person. Refuses to remove the last owner, and the token’s owner unless --allow-self is given.`;
  static override examples = examples({
    'Preview the request': 'forgectl members remove acme paperfox --dry-run',
    'Remove a member without confirmation': 'forgectl members remove acme paperfox --yes',
    'Remove a person everywhere': 'forgectl each orgs --yes --expect 1..9 -- members remove {} paperfox',
  });
  static override requests = [
    getMembership.route,
    getAuthenticatedUser.route,
    listOrganizationMembers.route,
    removeMembership.route,
    removeOutsideCollaborator.route,
  ];
  static override args = { org: orgArg(), login: loginArg() };
  static override flags = {
    outside: Flags.boolean({ description: 'Remove an outside collaborator instead of a member' }),
    'allow-self': Flags.boolean({ description: 'Allow the removal of the token’s owner' }),
    ...policyFlag,
    ...confirmedWriteFlags,
  };

  async run() {
    const { args, flags } = await this.collect(MembersRemove);
    if (flags.outside && flags['allow-self'])
      this.problems.push(invalid('--outside and --allow-self', 'cannot be used together'));
    if (flags.outside && flags.policy !== undefined)
      this.problems.push(invalid('--outside and --policy', 'cannot be used together'));
    const { org, login: username } = this.valid(args);
    const effect = `removes ${username} from ${flags.outside ? 'all repositories of ' : ''}${org}`;
    const done = `Removed ${username} from ${org}.`;
    if (!flags.outside) {
      const options = { act: 'Removing', effect, done, allowSelf: flags['allow-self'], policy: flags.policy };
      return this.endMembership({ org, username }, removeMembership, options);
    }
    const verifyCommand = `forgectl members list ${org} --outside --all`;
    const input = { path: { org, username } };
    return this.remove(removeOutsideCollaborator, input, { name: username, effect, verifyCommand, done });
  }
}
