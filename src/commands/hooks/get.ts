import { ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, targetArg } from '../../cli/input/args.ts';
import type { PreReceiveHook } from '../../platform/records.ts';
import { preReceiveHooks } from '../../platform/resources/hooks.ts';
import { hookColumns, hooksOf } from '../../topics/hook-columns.ts';

export default class HooksGet extends ForgectlCommand<PreReceiveHook> {
  static override summary = 'Show a pre-receive hook as it holds for a repository or an organization';
  static override description =
    'Shows whether the hook runs there, and where that is configured: at the place itself, at its owner, or for the whole platform.';
  static override examples = [
    { description: 'In a repository', command: '<%= config.bin %> hooks get acme/site 1' },
    {
      description: 'In an organization, only whether it runs',
      command: '<%= config.bin %> hooks get acme 1 --jq .enforcement',
    },
  ];
  static override requests = preReceiveHooks.routes('get');
  static override args = { target: targetArg(), id: idArg('ID', 'Id of the hook') };

  protected override readonly columns = hookColumns;
  protected override readonly idField = 'id';

  protected override readonly picks = { id: hooksOf };

  async run() {
    const { args } = await this.parse(HooksGet);
    const { target, id: pre_receive_hook_id } = args;
    return this.call(preReceiveHooks.of(target).get, { path: { ...target, pre_receive_hook_id } });
  }
}
