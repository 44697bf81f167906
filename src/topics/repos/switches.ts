/** The base of the commands that show, enable and disable a feature of a repository. */
import * as Flags from '@oclif/core/flags';
import type { RepoName } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { PlannedRequest } from '../../client/request.ts';
import type {
  disableAutomatedSecurityFixes,
  disableVulnerabilityAlerts,
  enableAutomatedSecurityFixes,
  enableVulnerabilityAlerts,
} from '../../platform/endpoints/alerts.ts';
import { invalid } from '../../platform/validate.ts';
import { NamedRepositoryCommand } from './named.ts';

export const switchFlags = {
  enable: Flags.boolean({ description: 'Enable it' }),
  disable: Flags.boolean({ description: 'Disable it, after confirmation' }),
  ...confirmedWriteFlags,
};

interface SwitchFlags {
  readonly enable: boolean;
  readonly disable: boolean;
  readonly 'dry-run': boolean;
}

interface Feature {
  readonly enable: typeof enableVulnerabilityAlerts | typeof enableAutomatedSecurityFixes;
  readonly disable: typeof disableVulnerabilityAlerts | typeof disableAutomatedSecurityFixes;
  /** What is disabled: `dependency alerts`. */
  readonly name: string;
  readonly verifyCommand: string;
}

export abstract class SwitchCommand<T> extends NamedRepositoryCommand<T> {
  /** Records a problem if both flags are given. */
  protected checkFlags({ enable, disable }: SwitchFlags): void {
    if (enable && disable) this.problems.push(invalid('--enable and --disable', 'cannot be used together'));
  }

  /** Enables or disables the feature; the latter after confirmation. */
  protected async switchTo(
    named: RepoName,
    flags: SwitchFlags,
    { enable, disable, name, verifyCommand }: Feature,
  ): Promise<{ enabled: boolean } | PlannedRequest> {
    const repository = `${named.owner}/${named.repo}`;
    if (flags.disable) await this.confirmNamed(named, `disables ${name} in ${repository}`, flags);
    const answer = await this.session.write(flags.enable ? enable : disable, { path: { ...named } }, { verifyCommand });
    return answer instanceof PlannedRequest ? answer : { enabled: !flags.disable };
  }
}
