import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, targetArg } from '../../cli/input/args.ts';
import type { PreReceiveHook } from '../../platform/records.ts';
import { preReceiveHooks } from '../../platform/resources/hooks.ts';
import { hookColumns, hooksOf } from '../../topics/hook-columns.ts';

export default class HooksGet extends ForgectlCommand<PreReceiveHook> {
  static override summary = 'Show the effective setting of a pre-receive hook';
  static override description =
    `Shows the effective enforcement of a pre-receive hook for a repository or organization, and the level where it is
configured: the target itself, its owner or the whole platform.`;
  static override examples = examples({
    'Show a hook of a repository': 'forgectl hooks get acme/site 1',
    'Print only the enforcement in an organization': 'forgectl hooks get acme 1 --jq .enforcement',
  });
  static override requests = preReceiveHooks.routes('get');
  static override args = { target: targetArg(), id: idArg('ID', 'Hook ID') };

  protected override readonly columns = hookColumns;
  protected override readonly idField = 'id';

  protected override readonly picks = { id: hooksOf };

  async run() {
    const { args } = await this.parse(HooksGet);
    const { target, id: pre_receive_hook_id } = args;
    return this.call(preReceiveHooks.of(target).get, { path: { ...target, pre_receive_hook_id } });
  }
}
