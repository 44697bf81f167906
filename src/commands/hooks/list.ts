import * as Flags from '@oclif/core/flags';
import { ForgectlCommand } from '../../cli/command/command.ts';
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
  static override summary = 'List the pre-receive hooks of a repository, an organization or the platform';
  static override description =
    `Lists the hooks that are enabled or testing, and those disabled ones that may be enabled at that place; with --installation all hooks of
the platform, with their scripts and environments. Works only with classic tokens.`;
  static override examples = [
    {
      description: 'What runs when somebody pushes to a repository',
      command: '<%= config.bin %> hooks list acme/site',
    },
    {
      description: 'All hooks of the platform, by name',
      command: '<%= config.bin %> hooks list --installation --sort name',
    },
  ];
  static override requests = [...preReceiveHooks.routes('list'), listInstallationHooks.route];
  static override args = {
    target: optionalTargetArg('TARGET', 'Organization (acme) or repository (acme/site); left out with --installation'),
  };
  static override flags = {
    installation: Flags.boolean({ description: 'The hooks of the whole platform; only site administrators may' }),
    ...queryFlags(listRepositoryHooks.query),
    ...listFlags,
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
            problem: 'is required, or --installation for the whole platform',
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
