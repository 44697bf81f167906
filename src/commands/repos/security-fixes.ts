import { examples } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import {
  disableAutomatedSecurityFixes,
  enableAutomatedSecurityFixes,
  getAutomatedSecurityFixes,
} from '../../platform/endpoints/alerts.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import { SwitchCommand, switchFlags } from '../../topics/repos/switches.ts';

interface SecurityFixes {
  enabled: boolean;
  /** Only where they are read. */
  paused?: boolean;
}

export default class ReposSecurityFixes extends SwitchCommand<SecurityFixes> {
  static override summary = 'Show or switch automated security fixes';
  static override description =
    `Shows whether the platform opens pull requests that update vulnerable dependencies, and whether this is paused. If
automated security fixes are not enabled, the platform returns 404: exit code 3. --enable requires dependency alerts;
--disable asks for confirmation. Not all platforms can switch them: 404, too.`;
  static override examples = examples({
    'Show details': 'forgectl repos security-fixes acme/site',
    'Print true or false': 'forgectl repos security-fixes acme/site --jq .enabled',
    'Preview the request that enables them': 'forgectl repos security-fixes acme/site --enable --dry-run',
  });
  static override requests = [
    getAutomatedSecurityFixes.route,
    getRepository.route,
    enableAutomatedSecurityFixes.route,
    disableAutomatedSecurityFixes.route,
  ];
  static override args = { repo: repoArg() };
  static override flags = switchFlags;

  async run() {
    const { args, flags } = await this.collect(ReposSecurityFixes);
    this.checkFlags(flags);
    const { owner, repo } = this.valid(args).repo;
    if (!flags.enable && !flags.disable) return this.call(getAutomatedSecurityFixes, { path: { owner, repo } });
    return this.switchTo({ owner, repo }, flags, {
      enable: enableAutomatedSecurityFixes,
      disable: disableAutomatedSecurityFixes,
      name: 'automated security fixes',
      verifyCommand: `forgectl repos security-fixes ${owner}/${repo}`,
    });
  }
}
