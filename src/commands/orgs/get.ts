import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { webFlag } from '../../cli/input/flags.ts';
import { getOrganization } from '../../platform/endpoints/orgs.ts';
import type { Organization } from '../../platform/records.ts';
import { organizationDetails } from '../../topics/orgs/details.ts';

export default class OrgsGet extends ForgectlCommand<Organization> {
  static override summary = 'Show an organization';
  static override description =
    `Shows an organization’s profile and settings. Owners see everything: member privileges, plan, billing email and the
security defaults for new repositories; others see only the profile. To see everything, classic and OAuth tokens need
the scope admin:org; apps need the permission organization_plan for the plan.`;
  static override examples = examples({
    'Show details': 'forgectl orgs get acme',
    'Print two settings as JSON': 'forgectl orgs get acme --json --fields login,default_repository_permission',
  });
  static override requests = [getOrganization.route];
  static override args = { org: orgArg() };
  static override flags = webFlag;

  protected override readonly details = organizationDetails;
  protected override readonly idField = 'login';

  async run() {
    const { args } = await this.parse(OrgsGet);
    return this.call(getOrganization, { path: { org: args.org } });
  }
}
