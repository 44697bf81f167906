import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { loginArg, orgArg } from '../../cli/input/args.ts';
import type { OrganizationMembership } from '../../platform/records.ts';
import { memberships } from '../../platform/resources/members.ts';
import { membershipColumns } from '../../topics/memberships.ts';

export default class MembersGet extends ForgectlCommand<OrganizationMembership> {
  static override summary = 'Show a person’s membership in an organization';
  static override description =
    'Shows the role of a member, and whether an invitation is still pending. Role admin means owner.';
  static override examples = examples({
    'Show a membership': 'forgectl members get acme paperfox',
    'Print only the role': 'forgectl members get acme paperfox --jq .role',
  });
  static override requests = memberships.routes('get');
  static override args = { org: orgArg(), login: loginArg() };

  protected override readonly columns = membershipColumns;
  protected override readonly idField = 'user.login';

  async run() {
    const { args } = await this.parse(MembersGet);
    const { org, login: username } = args;
    return this.call(memberships.of({ org }).get, { path: { org, username } });
  }
}
