import { ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, targetArg, targetName } from '../../cli/input/args.ts';
import { writeFlags } from '../../cli/input/flags.ts';
import type { PreReceiveHook } from '../../platform/records.ts';
import { preReceiveHooks } from '../../platform/resources/hooks.ts';
import { hookColumns, hooksOf } from '../../topics/hook-columns.ts';

export default class HooksUnset extends ForgectlCommand<PreReceiveHook> {
  static override summary = 'Let a pre-receive hook hold as inherited, in a repository or an organization';
  static override description =
    `Removes what was set at this place; the hook itself stays. The answer is the hook as it holds from now on. Nothing is lost, so it does
not ask for confirmation.`;
  static override examples = [
    {
      description: 'A repository follows its organization again',
      command: '<%= config.bin %> hooks unset acme/site 1',
    },
    { description: 'See the request first', command: '<%= config.bin %> hooks unset acme 1 --dry-run' },
  ];
  static override requests = preReceiveHooks.routes('unset');
  static override args = { target: targetArg(), id: idArg('ID', 'Id of the hook') };
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
