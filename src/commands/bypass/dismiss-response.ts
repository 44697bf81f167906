import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, repoArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { dismissBypassResponse } from '../../platform/endpoints/bypass.ts';

export default class BypassDismissResponse extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Dismiss a response to a bypass request';
  static override description =
    `Dismisses a reviewer’s response to a request to bypass secret-scanning push protection, so that the request can be
reviewed again. Response IDs are in the output of bypass get.`;
  static override examples = examples({
    'Preview the request': 'forgectl bypass dismiss-response acme/site 100001030 --dry-run',
    'Dismiss without confirmation': 'forgectl bypass dismiss-response acme/site 100001030 --yes',
  });
  static override requests = [dismissBypassResponse.route];
  static override args = { repo: repoArg(), id: idArg('ID', 'Response ID') };
  static override flags = confirmedWriteFlags;

  async run() {
    const { args } = await this.parse(BypassDismissResponse);
    const { owner, repo } = args.repo;
    const verifyCommand = `forgectl bypass list ${owner}/${repo} --time-period month`;
    const effect = `dismisses response ${args.id} in ${owner}/${repo}`;
    return this.remove(
      dismissBypassResponse,
      { path: { owner, repo, bypass_response_id: args.id } },
      { name: String(args.id), effect, verifyCommand, done: `Dismissed response ${args.id} in ${owner}/${repo}.` },
    );
  }
}
