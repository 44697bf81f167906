/** What switching a security feature on and switching it off share. */
import { setSecurityFeature } from '../../platform/endpoints/orgs.ts';
import { orgArg, wordArg } from '../args.ts';
import { ForgectlCommand } from '../command.ts';
import { fieldFlags } from '../fields.ts';
import { writeFlags } from '../flags.ts';

const products = setSecurityFeature.path.security_product.pipe[0].options;

export const securityArgs = { org: orgArg(), product: wordArg('PRODUCT', products, 'Security feature') };

export const securityFlags = { ...fieldFlags(setSecurityFeature.body.entries), ...writeFlags };

interface SecurityArgs {
  readonly org: string;
  readonly product: (typeof products)[number];
}

/** A command that switches one feature in all repositories of an organization. */
export abstract class OrgSecurityCommand extends ForgectlCommand<Record<string, never>> {
  protected async switchTo(
    enablement: 'enable_all' | 'disable_all',
    { org, product: security_product }: SecurityArgs,
    flags: Readonly<Record<string, unknown>>,
  ) {
    const { body } = await this.inputFor(setSecurityFeature, flags);
    const look = `forgectl orgs get ${org}`;
    const switched = enablement === 'enable_all' ? 'switched on' : 'switched off';
    const done = `${security_product} is being ${switched} in the repositories of ${org}; the platform goes on by itself.`;
    return this.write(setSecurityFeature, { path: { org, security_product, enablement }, body }, { look, done });
  }
}
