import { ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, repoArg } from '../../cli/input/args.ts';
import { writeFlags } from '../../cli/input/flags.ts';
import { cancelDismissal, getDismissal } from '../../platform/endpoints/dismissals.ts';
import { dismissalColumns } from '../../topics/dismissal-columns.ts';

export default class DismissalsCancel extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Take back the request to dismiss a dependency alert';
  static override description =
    'Takes back a request that is not decided yet; the alert stays open. Whoever made the request may, and its reviewers.';
  static override examples = [
    { description: 'See the request first', command: '<%= config.bin %> dismissals cancel acme/site 4 --dry-run' },
    { description: 'In a script', command: '<%= config.bin %> dismissals cancel acme/site 4 --yes' },
  ];
  static override requests = [cancelDismissal.route];
  static override args = { repo: repoArg(), alert: idArg('ALERT', 'Number of the alert') };
  static override flags = writeFlags;

  async run() {
    const { args } = await this.parse(DismissalsCancel);
    const { owner, repo } = args.repo;
    const verifyCommand = `forgectl dismissals get ${owner}/${repo} ${args.alert}`;
    const effect = `takes back the request to dismiss alert ${args.alert} of ${owner}/${repo}`;
    const input = { path: { owner, repo, alert_number: args.alert } };
    const preview = async () => ({ record: await this.call(getDismissal, input), columns: dismissalColumns });
    const done = `Took back the request to dismiss alert ${args.alert} of ${owner}/${repo}.`;
    return this.remove(cancelDismissal, input, { name: String(args.alert), effect, verifyCommand, done, preview });
  }
}
