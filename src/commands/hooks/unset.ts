import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, targetArg, targetName } from '../../cli/input/args.ts';
import { writeFlags } from '../../cli/input/flags.ts';
import type { PreReceiveHook } from '../../platform/records.ts';
import { preReceiveHooks } from '../../platform/resources/hooks.ts';
import { hookColumns, hooksOf } from '../../topics/hook-columns.ts';

export default class HooksUnset extends ForgectlCommand<PreReceiveHook> {
  static override summary = 'Reset a hook to its inherited setting';
  static override description =
    `Removes the setting of a pre-receive hook from a repository or organization; the hook itself stays. The response is
the effective setting. Does not ask for confirmation, because nothing is lost.`;
  static override examples = examples({
    'Restore the organization’s setting for a repository': 'forgectl hooks unset acme/site 1',
    'Preview the request': 'forgectl hooks unset acme 1 --dry-run',
  });
  static override requests = preReceiveHooks.routes('unset');
  static override args = { target: targetArg(), id: idArg('ID', 'Hook ID') };
  static override flags = writeFlags;

  protected override readonly columns = hookColumns;
  protected override readonly idField = 'id';

  protected override readonly picks = { id: hooksOf };

  async run() {
    const { args } = await this.parse(HooksUnset);
    const { target, id: pre_receive_hook_id } = args;
    const verifyCommand = `forgectl hooks get ${targetName(target)} ${pre_receive_hook_id}`;
    const { unset } = preReceiveHooks.of(target);
    return this.write(unset, { path: { ...target, pre_receive_hook_id } }, { verifyCommand });
  }
}
