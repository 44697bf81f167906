import { examples } from '../../../cli/command/command.ts';
import { setSecurityFeature } from '../../../platform/endpoints/orgs.ts';
import { OrgSecurityCommand, securityArgs, securityFlags } from '../../../topics/orgs/security.ts';

export default class OrgsSecurityDisable extends OrgSecurityCommand {
  static override summary = 'Disable a security feature in all repositories';
  static override description =
    `Disables a security feature in every eligible repository of an organization, after you type its login. The change
continues in the background; until it is complete, the platform rejects another one. Code security configurations
replace this endpoint.`;
  static override examples = examples({
    'Disable secret scanning everywhere': 'forgectl orgs security disable acme secret_scanning --yes',
    'Preview the request': 'forgectl orgs security disable acme dependency_graph --dry-run',
  });
  static override requests = [setSecurityFeature.route];
  static override args = securityArgs;
  static override flags = securityFlags;

  async run() {
    const { args, flags } = await this.collect(OrgsSecurityDisable);
    return this.switchTo('disable_all', args, flags);
  }
}
