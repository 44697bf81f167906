import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listOrganizationMembers, listOutsideCollaborators } from '../../platform/endpoints/orgs.ts';
import type { Member } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';
import { kindOfAccount } from '../../topics/teams/details.ts';

export default class MembersList extends ForgectlCommand<Listing<Member>> {
  static override summary = 'List the members of an organization';
  static override description =
    'Lists members. Members of the organization see all of them; others see public members only. --outside lists the people with access to repositories who are not members. --filter requires an organization owner.';
  static override examples = examples({
    'List all members': 'forgectl members list acme --all',
    'List the owners': 'forgectl members list acme --role admin',
    'List the outside collaborators': 'forgectl members list acme --outside',
    'List members without two-factor authentication': 'forgectl members list acme --filter 2fa_disabled --all',
  });
  static override requests = [listOrganizationMembers.route, listOutsideCollaborators.route];
  static override args = { org: orgArg() };
  static override flags = {
    ...queryFlags(listOrganizationMembers.query),
    outside: Flags.boolean({ description: 'List outside collaborators instead of members' }),
    ...listFlags('.site_admin'),
    ...webListFlag,
  };

  protected override readonly columns: readonly Column<Member>[] = [
    { header: 'Login', get: 'login', as: 'name', priority: 1, link: true },
    { header: 'ID', get: 'id', priority: 1 },
    { header: 'Site admin', get: 'site_admin' },
    { header: 'Type', get: kindOfAccount },
  ];
  protected override readonly recordsName = 'members';
  protected override readonly idField = 'login';

  async run() {
    const { args, flags } = await this.collect(MembersList);
    if (flags.outside && flags.role !== undefined)
      this.problems.push(invalid('--outside and --role', 'cannot be used together'));
    const endpoint = flags.outside ? listOutsideCollaborators : listOrganizationMembers;
    const input = await this.inputFor(endpoint, flags);
    return this.list(endpoint, { path: { org: this.valid(args).org }, ...input }, flags);
  }
}
