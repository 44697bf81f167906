import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { confirmedWriteFlags, inputFlags } from '../../cli/input/flags.ts';
import { getOrganization, updateOrganization } from '../../platform/endpoints/orgs.ts';
import type { Organization } from '../../platform/records.ts';
import { organizationSettings } from '../../platform/resources/orgs.ts';
import { organizationDetails } from '../../topics/orgs/details.ts';

export default class OrgsUpdate extends ForgectlCommand<Organization> {
  static override summary = 'Update an organization’s profile and member privileges';
  static override description =
    `Updates only the given fields: each flag is one setting, and --no-… turns a setting off. --input reads several
settings from a file. Wide member privileges, and turning off a security feature for new repositories, require
confirmation. The response is the updated organization.`;
  static override examples = examples({
    'Restrict members to reading, without creating repositories':
      'forgectl orgs update acme --default-repository-permission read --no-members-can-create-repositories',
    'Preview the request': 'forgectl orgs update acme --description "Rockets and more" --dry-run',
  });
  static override requests = [updateOrganization.route];
  static override args = { org: orgArg() };
  static override flags = { ...fieldFlags(updateOrganization.body.entries), ...inputFlags, ...confirmedWriteFlags };

  protected override readonly details = organizationDetails;
  protected override readonly idField = 'login';

  async run() {
    const { args, flags } = await this.collect(OrgsUpdate);
    const current = () => this.call(getOrganization, { path: this.valid(args) });
    const { body } = await this.inputFor(updateOrganization, flags, {
      resource: organizationSettings,
      changes: true,
      current,
    });
    // Specification, organization update body: it takes precedence when both are given.
    const { members_can_create_repositories: may, members_allowed_repository_creation_type: type } = body;
    if (may !== undefined && type !== undefined)
      this.notice('members_allowed_repository_creation_type overrides members_can_create_repositories.');
    const { org } = this.valid(args);
    await this.input.confirmValues(org, body, current);
    return this.write(updateOrganization, { path: { org }, body }, { verifyCommand: `forgectl orgs get ${org}` });
  }
}
