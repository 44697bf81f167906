import * as Flags from '@oclif/core/flags';
import { examples } from '../cli/command/command.ts';
import { type InvalidArgument, orgsArg } from '../cli/input/args.ts';
import { fileOrStdin } from '../cli/input/file-flags.ts';
import { textFlag, valueFlag, whereFlag } from '../cli/input/flags.ts';
import { listOfNames, plainName, wholeNumber } from '../cli/input/values.ts';
import { ProgressLine } from '../cli/progress-line.ts';
import { shardText } from '../fleet/shard.ts';
import { checks } from '../foresight/audit/checks/index.ts';
import { formatCount } from '../output/amounts.ts';
import { listAppInstallations } from '../platform/endpoints/apps.ts';
import { invalid } from '../platform/validate.ts';
import { type Audited, type AuditOptions, auditOwners } from '../topics/audit/audit.ts';
import { AuditCommand, outputFlags } from '../topics/audit/command.ts';
import { readConfig } from '../topics/audit/config.ts';
import { routesOf } from '../topics/audit/description.ts';
import type { Owner } from '../topics/audit/owners.ts';
import type { NotChecked } from '../topics/audit/report.ts';
import { readAudit } from '../topics/audit/saved.ts';
import { selectChecks, selectionProblems } from '../topics/audit/selection.ts';
import { Tally } from '../topics/audit/tally.ts';
import { distinct } from '../topics/each/targets.ts';
import {
  allInstallationsFlag,
  installedOn,
  rateLimitGroupOf,
  useEachInstallation,
} from '../topics/runs/installations.ts';
import { settleShard, shardFlags } from '../topics/runs/shard-flag.ts';

export default class Audit extends AuditCommand {
  static override summary = 'Find risks, and how to mend them';
  static override description =
    `Judges the settings, people and rules of organizations and their repositories by checks, and shows each finding with a
command line or a policy that mends it. audit checks lists the checks. What cannot be read is never a pass: it is
counted as not checked, with the missing permission. audit.yaml changes limits, disables checks and suppresses findings
until a date. Archived repositories are not audited. Nothing is changed.`;
  static override examples = examples({
    'Audit an organization with its repositories': 'forgectl audit acme',
    'Save the findings for code scanning': 'forgectl audit acme --sarif audit.sarif',
    'Write policies that mend what they can': 'forgectl audit acme --fix-policy fixes',
  });
  static override requests = [...routesOf(checks), listAppInstallations.route];
  static override args = { org: orgsArg() };
  static override flags = {
    enterprise: valueFlag('--enterprise', plainName, {
      helpValue: 'SLUG',
      description: 'Enterprise to audit; this or ORG is required',
    }),
    ...allInstallationsFlag,
    repositories: Flags.boolean({ allowNo: true, default: true, description: 'Audit repositories (default: true)' }),
    where: {
      ...whereFlag().where,
      helpGroup: undefined,
      description: 'Only the repositories for which a jq expression is true, such as .visibility == "public"',
    },
    check: valueFlag('--check', listOfNames, { helpValue: 'ID,…', description: 'Only these checks' }),
    skip: valueFlag('--skip', listOfNames, { helpValue: 'ID,…', description: 'All checks but these' }),
    deep: Flags.boolean({ description: 'Run checks that need more than 5 requests for a repository, too' }),
    all: Flags.boolean({ description: 'Show passes, too' }),
    ...outputFlags,
    config: textFlag('--config', {
      ...fileOrStdin,
      description: 'Limits, disabled checks, properties and suppressions (default: audit.yaml, if it exists)',
    }),
    baseline: textFlag('--baseline', {
      ...fileOrStdin,
      description: 'Earlier audit, saved with -o ndjson, to compare with',
    }),
    ...shardFlags('Only part I of N of the organizations and repositories, by name; I counts from 1'),
    concurrency: valueFlag('--concurrency', wholeNumber(1, 100), {
      helpValue: 'NUMBER',
      description: 'Repositories to read in parallel, 1 to 100 (default: 8)',
    }),
  };

  protected override readonly readings = true;

  async run() {
    const { args, flags } = await this.collect(Audit);
    this.problems.push(...this.outputProblems(flags), ...selectionProblems(flags), ...settleShard(flags));
    if (flags['fail-on'] === 'new' && flags.baseline === undefined)
      this.problems.push(invalid('--fail-on', 'requires --baseline for new'));
    if (!flags.repositories && flags.where !== undefined)
      this.problems.push(invalid('--where', 'cannot be used with --no-repositories'));
    if (flags.where !== undefined) await this.whereCheck(flags.where, 'repos:list');
    const { org = [], enterprise, all } = { ...flags, all: flags['all-installations'], org: args.org };
    const named = await this.#named(org, enterprise, all);
    this.requireFiles(flags, enterprise === undefined ? named : [...named, `enterprise:${enterprise}`]);
    const { stdin, terminal } = this.runtime;
    const config = await readConfig(flags.config, stdin);
    const selection = selectChecks({ ...flags, organizations: all || named.length > 0 }, config.disabled ?? []);
    const now = terminal.now();
    const ids = selection.selected.map(({ id }) => id);
    const tally = new Tally({
      suppressions: config.suppressions ?? [],
      compares: flags.baseline !== undefined,
      checks: ids,
      severity: flags.severity ?? 'info',
      keepsPasses: flags.all,
      now: now.getTime(),
    });
    if (flags.baseline !== undefined) await readAudit(flags.baseline, stdin, (finding) => tally.addEarlier(finding));
    const audited = await this.#audited(await this.#owners(named, enterprise, all), {
      client: await this.session.client(),
      checks: selection.selected,
      thresholds: config.thresholds ?? {},
      visibilityLimits: config.properties ?? {},
      withRepositories: flags.repositories,
      deep: flags.deep,
      where: flags.where,
      whereTimeoutMs: flags.timeout,
      shard: flags.shard,
      concurrency: flags.concurrency,
      rateLimitGroup: rateLimitGroupOf(await this.session.connection()),
      now: now.getTime(),
      describe: (error) => this.describe(error),
      found: (target, findings) => tally.add(target, findings),
    });
    if (!flags.shard || flags.shard.index === 1) tally.addExpired();
    const findings = tally.findings();
    const report = {
      audit: 1 as const,
      platform: (await this.session.connection()).platform.baseUrl,
      time: now.toISOString(),
      organizations: [...audited.owners],
      checks: ids,
      ...(flags.shard && { shard: shardText(flags.shard) }),
      summary: {
        ...tally.counts(),
        not_checked: notChecked(audited, selection),
        requests: audited.requests,
      },
      findings,
    };
    return this.shown(report, flags);
  }

  async #audited(owners: readonly Owner[], options: Omit<AuditOptions, 'progress'>): Promise<Audited> {
    const line = new ProgressLine(this.runtime.terminal);
    try {
      return await auditOwners(owners, {
        ...options,
        progress: (done, total) => line.show(`${formatCount(done)} of ${formatCount(total)} repositories`),
      });
    } finally {
      line.clear();
    }
  }

  /** Returns the named organizations. Throws ValidationError. */
  async #named(
    given: readonly (string | InvalidArgument)[],
    enterprise: string | undefined,
    all: boolean,
  ): Promise<readonly string[]> {
    if (all && given.length) this.problems.push(invalid('--all-installations', 'cannot be used with ORG'));
    const isMissing = given.length === 0 && enterprise === undefined && !all;
    const asked = isMissing
      ? await this.input.missingArgument<string>('org', { problem: 'or --enterprise is required' })
      : [];
    const { names } = this.valid({ names: [...given, asked].flat() as readonly string[] });
    return distinct(names);
  }

  async #owners(named: readonly string[], enterprise: string | undefined, all: boolean): Promise<readonly Owner[]> {
    if (all) await useEachInstallation(this.session);
    const orgs = all ? await this.#installed() : named;
    return [
      ...orgs.map((name) => ({ kind: 'organization', name }) as const),
      ...(enterprise === undefined ? [] : [{ kind: 'enterprise', name: enterprise } as const]),
    ];
  }

  async #installed(): Promise<readonly string[]> {
    const installations = await this.session.list(listAppInstallations, {}, { all: true }, {});
    return (await installations.records()).flatMap((installation) => installedOn(installation) ?? []);
  }
}

function notChecked(
  { owners }: Audited,
  { deep, disabled, skipped }: Pick<NotChecked, 'deep' | 'disabled' | 'skipped'>,
): NotChecked {
  const sum = (of: 'archived' | 'not_selected') =>
    owners.reduce((total, { repositories }) => total + (repositories?.[of] ?? 0), 0);
  return {
    organizations: owners.filter(({ unreadable }) => unreadable !== undefined).length,
    archived_repositories: sum('archived'),
    other_repositories: sum('not_selected'),
    deep,
    disabled,
    skipped,
  };
}
