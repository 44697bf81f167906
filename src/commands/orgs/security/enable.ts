import { examples } from '../../../cli/command/command.ts';
import { setSecurityFeature } from '../../../platform/endpoints/orgs.ts';
import { OrgSecurityCommand, securityArgs, securityFlags } from '../../../topics/orgs/security.ts';

export default class OrgsSecurityEnable extends OrgSecurityCommand {
  static override summary = 'Enable a security feature in all repositories';
  static override description =
    `Enables a security feature in every eligible repository of an organization, after you type its login. The change
continues in the background; until it is complete, the platform rejects another one. Code security configurations
replace this endpoint.`;
  static override examples = examples({
    'Enable secret scanning everywhere': 'forgectl orgs security enable acme secret_scanning --yes',
    'Enable code scanning with the extended queries':
      'forgectl orgs security enable acme code_scanning_default_setup --query-suite extended --yes',
  });
  static override requests = [setSecurityFeature.route];
  static override args = securityArgs;
  static override flags = securityFlags;

  async run() {
    const { args, flags } = await this.collect(OrgsSecurityEnable);
    return this.switchTo('enable_all', args, flags);
  }
}
