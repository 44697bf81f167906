import { OrgSecurityCommand, securityArgs, securityFlags } from '../../../cli/topics/org-security.ts';
import { setSecurityFeature } from '../../../platform/endpoints/orgs.ts';

export default class OrgsSecurityDisable extends OrgSecurityCommand {
  static override summary = 'Switch a security feature off in all repositories of an organization';
  static override description =
    `Switches a security feature off in every repository that is eligible, without asking. The platform answers at once and goes on
with the work afterwards; while it does, another change is refused. Code security configurations replace this.`;
  static override examples = [
    {
      description: 'Secret scanning off everywhere',
      command: '<%= config.bin %> orgs security disable acme secret_scanning',
    },
    {
      description: 'See the request first',
      command: '<%= config.bin %> orgs security disable acme dependency_graph --dry-run',
    },
  ];
  static override requests = [setSecurityFeature.route];
  static override args = securityArgs;
  static override flags = securityFlags;

  async run() {
    const { args, flags } = await this.collect(OrgsSecurityDisable);
    return this.switchTo('disable_all', args, flags);
  }
}
