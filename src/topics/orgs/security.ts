/** The base of the commands that enable and disable a security feature. */
import { ForgectlCommand } from '../../cli/command/command.ts';
import { type InvalidArgument, invalidArgument, orgArg, wordArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { formatCount } from '../../output/amounts.ts';
import type { Column } from '../../output/table/columns.ts';
import { getOrganization, setSecurityFeature } from '../../platform/endpoints/orgs.ts';
import type { Organization } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';

const products = setSecurityFeature.path.security_product.pipe[0].options;

export const securityArgs = { org: orgArg(), product: wordArg('PRODUCT', products, 'Security feature') };

export const securityFlags = { ...fieldFlags(setSecurityFeature.body.entries), ...confirmedWriteFlags };

interface SecurityArgs {
  readonly org: string | InvalidArgument;
  readonly product: (typeof products)[number] | InvalidArgument;
}

const columns: readonly Column<Organization>[] = [
  { header: 'Login', get: 'login' },
  { header: 'Name', get: 'name' },
];

/** Enables or disables a feature in all repositories of an organization. */
export abstract class OrgSecurityCommand extends ForgectlCommand<Record<string, never>> {
  protected async switchTo(
    enablement: 'enable_all' | 'disable_all',
    args: SecurityArgs,
    flags: Readonly<Record<string, unknown>>,
  ) {
    const { product } = args;
    if (flags['query-suite'] !== undefined && product !== invalidArgument && product !== 'code_scanning_default_setup')
      this.problems.push(invalid('--query-suite', `requires code_scanning_default_setup, not ${product}`));
    const { body } = await this.inputFor(setSecurityFeature, flags);
    const { org, product: security_product } = this.valid(args);
    const verifyCommand = `forgectl orgs get ${org}`;
    const [switches, switched] = enablement === 'enable_all' ? ['enables', 'enabled'] : ['disables', 'disabled'];
    const done = `${security_product} is being ${switched} in the repositories of ${org}; this continues in the background.`;
    const effect = `${switches} ${security_product} in all repositories of ${org}`;
    const preview = async () => {
      const record = await this.call(getOrganization, { path: { org } });
      return { record, columns, effect: `${switches} ${security_product} in ${repositoriesOf(record)}` };
    };
    const input = { path: { org, security_product, enablement }, body };
    return this.remove(setSecurityFeature, input, { name: org, effect, preview, verifyCommand, done });
  }
}

/** Describes the affected repositories; only owners see the number of private ones. */
function repositoriesOf({ login, public_repos: open, total_private_repos: others }: Organization): string {
  if (others === undefined) return `all repositories of ${login}: ${open} public and all private ones`;
  const total = open + others;
  return total === 1 ? `the only repository of ${login}` : `all ${formatCount(total)} repositories of ${login}`;
}
