import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { optionalTargetArg, type Target } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listInstallationHooks, listRepositoryHooks } from '../../platform/endpoints/hooks.ts';
import type { PreReceiveHook } from '../../platform/records.ts';
import { preReceiveHooks } from '../../platform/resources/hooks.ts';
import { invalid } from '../../platform/validate.ts';
import { hookColumns, installationHookColumns } from '../../topics/hook-columns.ts';

export default class HooksList extends ForgectlCommand<Listing<PreReceiveHook>> {
  static override summary = 'List pre-receive hooks';
  static override description =
    `Lists the hooks that are enabled or testing for a repository or organization, and disabled ones that may be enabled
there. With --installation, lists all hooks of the platform with their scripts and environments. Requires a classic
token.`;
  static override examples = examples({
    'List the hooks that run on pushes to a repository': 'forgectl hooks list acme/site',
    'List all hooks of the platform by name': 'forgectl hooks list --installation --sort name',
  });
  static override requests = [...preReceiveHooks.routes('list'), listInstallationHooks.route];
  static override args = {
    target: optionalTargetArg('TARGET', 'Organization (acme) or repository (acme/site); omitted with --installation'),
  };
  static override flags = {
    installation: Flags.boolean({ description: 'List the hooks of the whole platform; site administrators only' }),
    ...queryFlags(listRepositoryHooks.query),
    ...listFlags('.enforcement == "enabled"'),
  };

  protected override columns = hookColumns;
  protected override readonly recordsName = 'hooks';
  protected override readonly idField = 'id';

  async run() {
    const { args, flags } = await this.collect(HooksList);
    if (flags.installation && args.target) this.problems.push(invalid('TARGET', 'cannot be used with --installation'));
    const given =
      args.target !== undefined || flags.installation
        ? args.target
        : await this.input.missingArgument<Target>('target', {
            problem: 'or --installation is required',
          });
    const input = await this.inputFor(listInstallationHooks, flags);
    const { target } = this.valid({ target: given });
    if (!target) {
      this.columns = installationHookColumns;
      return this.list(listInstallationHooks, input, flags);
    }
    return this.list(preReceiveHooks.of(target).list, { path: target, ...input }, flags);
  }
}
