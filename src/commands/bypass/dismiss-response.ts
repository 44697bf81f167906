import { ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, repoArg } from '../../cli/input/args.ts';
import { writeFlags } from '../../cli/input/flags.ts';
import { dismissBypassResponse } from '../../platform/endpoints/bypass.ts';

export default class BypassDismissResponse extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Take back a response to a request to bypass push protection';
  static override description =
    'Takes back what a reviewer decided, so that the request can be decided again. bypass get shows the ids of responses.';
  static override examples = [
    {
      description: 'See the request first',
      command: '<%= config.bin %> bypass dismiss-response acme/site 100001030 --dry-run',
    },
    { description: 'In a script', command: '<%= config.bin %> bypass dismiss-response acme/site 100001030 --yes' },
  ];
  static override requests = [dismissBypassResponse.route];
  static override args = { repo: repoArg(), id: idArg('ID', 'Id of the response') };
  static override flags = writeFlags;

  async run() {
    const { args } = await this.parse(BypassDismissResponse);
    const { owner, repo } = args.repo;
    const verifyCommand = `forgectl bypass list ${owner}/${repo} --time-period month`;
    const effect = `takes back response ${args.id} in ${owner}/${repo}`;
    return this.remove(
      dismissBypassResponse,
      { path: { owner, repo, bypass_response_id: args.id } },
      { name: String(args.id), effect, verifyCommand, done: `Took back response ${args.id} in ${owner}/${repo}.` },
    );
  }
}
