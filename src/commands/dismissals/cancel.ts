import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, repoArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { cancelDismissal, getDismissal } from '../../platform/endpoints/dismissals.ts';
import { dismissalColumns } from '../../topics/reviews/dismissal-columns.ts';

export default class DismissalsCancel extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Cancel a request to dismiss a dependency alert';
  static override description =
    'Cancels a request that is still open; the alert stays open. The requester and reviewers may do this.';
  static override examples = examples({
    'Preview the request': 'forgectl dismissals cancel acme/site 4 --dry-run',
    'Cancel without confirmation': 'forgectl dismissals cancel acme/site 4 --yes',
  });
  static override requests = [cancelDismissal.route];
  static override args = { repo: repoArg(), alert: idArg('ALERT', 'Alert number') };
  static override flags = confirmedWriteFlags;

  async run() {
    const { args } = await this.parse(DismissalsCancel);
    const { owner, repo } = args.repo;
    const verifyCommand = `forgectl dismissals get ${owner}/${repo} ${args.alert}`;
    const effect = `cancels the request to dismiss alert ${args.alert} of ${owner}/${repo}`;
    const input = { path: { owner, repo, alert_number: args.alert } };
    const preview = async () => ({ record: await this.call(getDismissal, input), columns: dismissalColumns });
    const done = `Cancelled the request to dismiss alert ${args.alert} of ${owner}/${repo}.`;
    return this.remove(cancelDismissal, input, { name: String(args.alert), effect, verifyCommand, done, preview });
  }
}
