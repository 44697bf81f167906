import { ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { webFlag } from '../../cli/input/flags.ts';
import { getOrganization } from '../../platform/endpoints/orgs.ts';
import type { Organization } from '../../platform/records.ts';
import { organizationSheet } from '../../topics/organization-sheet.ts';

export default class OrgsGet extends ForgectlCommand<Organization> {
  static override summary = 'Show an organization';
  static override description =
    `Shows the profile and the settings of an organization. Owners see all of it: members’ privileges, plan, billing address and
what is switched on in new repositories; others see the profile. Classic and OAuth tokens need the scope admin:org for all of it,
apps the permission organization_plan for the plan.`;
  static override examples = [
    { description: 'As a sheet', command: '<%= config.bin %> orgs get acme' },
    {
      description: 'Two settings, for a script',
      command: '<%= config.bin %> orgs get acme --json --fields login,default_repository_permission',
    },
  ];
  static override requests = [getOrganization.route];
  static override args = { org: orgArg() };
  static override flags = webFlag;

  protected override readonly sheet = organizationSheet;
  protected override readonly idField = 'login';

  async run() {
    const { args } = await this.parse(OrgsGet);
    return this.call(getOrganization, { path: { org: args.org } });
  }
}
