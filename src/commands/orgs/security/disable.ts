import { setSecurityFeature } from '../../../platform/endpoints/orgs.ts';
import { OrgSecurityCommand, securityArgs, securityFlags } from '../../../topics/org-security.ts';

export default class OrgsSecurityDisable extends OrgSecurityCommand {
  static override summary = 'Switch a security feature off in all repositories of an organization';
  static override description =
    `Switches a security feature off in every eligible repository, after you type the organization’s login. The platform responds at
once and continues in the background; until it is done, it refuses another change. Code security configurations replace this.`;
  static override examples = [
    {
      description: 'Secret scanning off everywhere',
      command: '<%= config.bin %> orgs security disable acme secret_scanning --yes',
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
