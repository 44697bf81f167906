import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listOrganizationMembers } from '../../platform/endpoints/orgs.ts';
import type { Actor } from '../../platform/records.ts';

export default class MembersList extends ForgectlCommand<Listing<Actor>> {
  static override summary = 'List the members of an organization';
  static override description =
    'Lists members. Members of the organization see all of them; others see public members only. --filter requires an organization owner.';
  static override examples = examples({
    'List all members': 'forgectl members list acme --all',
    'List the owners': 'forgectl members list acme --role admin',
    'List members without two-factor authentication': 'forgectl members list acme --filter 2fa_disabled --all',
  });
  static override requests = [listOrganizationMembers.route];
  static override args = { org: orgArg() };
  static override flags = { ...queryFlags(listOrganizationMembers.query), ...listFlags('.site_admin'), ...webListFlag };

  protected override readonly columns: readonly Column<Actor>[] = [
    { header: 'Login', get: 'login', as: 'name', priority: 1, link: true },
    { header: 'ID', get: 'id', priority: 1 },
    { header: 'Site admin', get: 'site_admin' },
  ];
  protected override readonly recordsName = 'members';
  protected override readonly idField = 'login';

  async run() {
    const { args, flags } = await this.collect(MembersList);
    const input = await this.inputFor(listOrganizationMembers, flags);
    return this.list(listOrganizationMembers, { path: { org: this.valid(args).org }, ...input }, flags);
  }
}
