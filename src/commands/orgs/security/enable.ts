import { setSecurityFeature } from '../../../platform/endpoints/orgs.ts';
import { OrgSecurityCommand, securityArgs, securityFlags } from '../../../topics/org-security.ts';

export default class OrgsSecurityEnable extends OrgSecurityCommand {
  static override summary = 'Switch a security feature on in all repositories of an organization';
  static override description =
    `Switches a security feature on in every eligible repository, after you type the organization’s login. The platform responds at
once and continues in the background; until it is done, it refuses another change. Code security configurations replace this.`;
  static override examples = [
    {
      description: 'Secret scanning everywhere',
      command: '<%= config.bin %> orgs security enable acme secret_scanning --yes',
    },
    {
      description: 'Code scanning with the extended queries',
      command: '<%= config.bin %> orgs security enable acme code_scanning_default_setup --query-suite extended --yes',
    },
  ];
  static override requests = [setSecurityFeature.route];
  static override args = securityArgs;
  static override flags = securityFlags;

  async run() {
    const { args, flags } = await this.collect(OrgsSecurityEnable);
    return this.switchTo('enable_all', args, flags);
  }
}
