import * as Flags from '@oclif/core/flags';
import { examples } from '../../cli/command/command.ts';
import { loginArg, orgArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { getAuthenticatedUser } from '../../platform/endpoints/accounts.ts';
import { convertMember, getMembership } from '../../platform/endpoints/members.ts';
import { listOrganizationMembers } from '../../platform/endpoints/orgs.ts';
import { MembershipCommand, policyFlag } from '../../topics/memberships.ts';

export default class MembersConvert extends MembershipCommand<Record<string, never>> {
  static override summary = 'Make a member an outside collaborator';
  static override description =
    `Ends a membership, but keeps the person’s access to the repositories of their teams. Refuses to convert the last
owner, and the token’s owner unless --allow-self is given.`;
  static override examples = examples({
    'Preview the request': 'forgectl members convert acme paperfox --dry-run',
    'Convert a member without confirmation': 'forgectl members convert acme paperfox --yes',
  });
  static override requests = [
    getMembership.route,
    getAuthenticatedUser.route,
    listOrganizationMembers.route,
    convertMember.route,
  ];
  static override args = { org: orgArg(), login: loginArg() };
  static override flags = {
    'allow-self': Flags.boolean({ description: 'Allow the conversion of the token’s owner' }),
    ...policyFlag,
    ...confirmedWriteFlags,
  };

  async run() {
    const { args, flags } = await this.parse(MembersConvert);
    const { org, login: username } = args;
    return this.endMembership({ org, username }, convertMember, {
      act: 'Converting',
      effect: `makes ${username} an outside collaborator of ${org}`,
      done: `Made ${username} an outside collaborator of ${org}.`,
      allowSelf: flags['allow-self'],
      policy: flags.policy,
    });
  }
}
