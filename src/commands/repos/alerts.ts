import { examples } from '../../cli/command/command.ts';
import { type RepoName, repoArg } from '../../cli/input/args.ts';
import { NotFoundError, unlessHidden } from '../../client/errors.ts';
import type { Column } from '../../output/table/columns.ts';
import {
  disableVulnerabilityAlerts,
  enableVulnerabilityAlerts,
  getVulnerabilityAlerts,
} from '../../platform/endpoints/alerts.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import { SwitchCommand, switchFlags } from '../../topics/repos/switches.ts';

interface DependencyAlerts {
  enabled: boolean;
}

export default class ReposAlerts extends SwitchCommand<DependencyAlerts> {
  static override summary = 'Show or switch dependency alerts';
  static override description =
    `Shows whether the platform reports vulnerable dependencies of a repository. --enable also enables the dependency graph;
--disable asks for confirmation, and ends automated security fixes, too. Requires admin access to the repository.`;
  static override examples = examples({
    'Show whether alerts are enabled': 'forgectl repos alerts acme/site',
    'Enable alerts': 'forgectl repos alerts acme/site --enable',
  });
  static override requests = [
    getVulnerabilityAlerts.route,
    getRepository.route,
    enableVulnerabilityAlerts.route,
    disableVulnerabilityAlerts.route,
  ];
  static override args = { repo: repoArg() };
  static override flags = switchFlags;

  protected override readonly columns: readonly Column<DependencyAlerts>[] = [
    { header: 'Enabled', get: 'enabled', as: 'state' },
  ];

  async run() {
    const { args, flags } = await this.collect(ReposAlerts);
    this.checkFlags(flags);
    const { owner, repo } = this.valid(args).repo;
    if (!flags.enable && !flags.disable) return this.current({ owner, repo });
    return this.switchTo({ owner, repo }, flags, {
      enable: enableVulnerabilityAlerts,
      disable: disableVulnerabilityAlerts,
      name: 'dependency alerts and automated security fixes',
      verifyCommand: `forgectl repos alerts ${owner}/${repo}`,
    });
  }

  /** The platform returns 404 if alerts are disabled, and to everyone but administrators. */
  private async current(path: RepoName): Promise<DependencyAlerts> {
    try {
      await this.call(getVulnerabilityAlerts, { path: { ...path } });
      return { enabled: true };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const repository = await unlessHidden(this.call(getRepository, { path: { ...path } }));
      if (repository?.permissions?.admin !== true) throw error;
      return { enabled: false };
    }
  }
}
