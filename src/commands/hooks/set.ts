import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, isRepo, targetArg, targetName } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { setOrganizationHook } from '../../platform/endpoints/hooks.ts';
import type { PreReceiveHook } from '../../platform/records.ts';
import { preReceiveHooks } from '../../platform/resources/hooks.ts';
import { invalid } from '../../platform/validate.ts';
import { hookColumns, hooksOf } from '../../topics/hook-columns.ts';

export default class HooksSet extends ForgectlCommand<PreReceiveHook> {
  static override summary = 'Enable, disable or test a pre-receive hook';
  static override description =
    `Overrides the inherited setting of a pre-receive hook for a repository or organization, if the level above allows it.
“hooks unset” restores the inherited setting. A repository requires --enforcement and takes no other setting.`;
  static override examples = examples({
    'Test a hook without rejecting pushes': 'forgectl hooks set acme/site 1 --enforcement testing',
    'Enforce a hook in a whole organization':
      'forgectl hooks set acme 1 --enforcement enabled --no-allow-downstream-configuration',
  });
  static override requests = preReceiveHooks.routes('update');
  static override args = { target: targetArg(), id: idArg('ID', 'Hook ID') };
  static override flags = { ...fieldFlags(setOrganizationHook.body.entries), ...inputFlags, ...writeFlags };

  protected override readonly columns = hookColumns;
  protected override readonly idField = 'id';

  protected override readonly picks = { id: hooksOf };

  async run() {
    const { args, flags } = await this.collect(HooksSet);
    if (isRepo(args.target) && flags['allow-downstream-configuration'] !== undefined)
      this.problems.push(invalid('--allow-downstream-configuration', 'requires an organization'));
    const { get, update } = preReceiveHooks.of(args.target);
    const path = () => {
      const { target, id: pre_receive_hook_id } = this.valid(args);
      return { ...target, pre_receive_hook_id };
    };
    const current = () => this.call(get, { path: path() });
    const { body } = await this.inputFor(update, flags, { resource: preReceiveHooks, changes: true, current });
    const { target, id } = this.valid(args);
    const verifyCommand = `forgectl hooks get ${targetName(target)} ${id}`;
    return this.write(update, { path: path(), body }, { verifyCommand });
  }
}
