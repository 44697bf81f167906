import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { getAutomatedSecurityFixes } from '../../platform/endpoints/alerts.ts';
import type { AutomatedSecurityFixes } from '../../platform/records.ts';

export default class ReposSecurityFixes extends ForgectlCommand<AutomatedSecurityFixes> {
  static override summary = 'Show whether automated security fixes are enabled';
  static override description =
    `Shows whether the platform opens pull requests that update vulnerable dependencies, and whether this is paused. If
automated security fixes are not enabled, the platform returns 404: exit code 3.`;
  static override examples = examples({
    'Show details': 'forgectl repos security-fixes acme/site',
    'Print true or false': 'forgectl repos security-fixes acme/site --jq .enabled',
  });
  static override requests = [getAutomatedSecurityFixes.route];
  static override args = { repo: repoArg() };

  async run() {
    const { args } = await this.parse(ReposSecurityFixes);
    return this.call(getAutomatedSecurityFixes, { path: { ...args.repo } });
  }
}
