import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { isRepo, type RepoName, type Target, targetArg, textArg } from '../../cli/input/args.ts';
import { gitEnv } from '../../cli/program-env.ts';
import { ProgressLine } from '../../cli/progress-line.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { inShard } from '../../fleet/shard.ts';
import type { PastPush } from '../../foresight/impact.ts';
import type { LazyList } from '../../json/lazy-list.ts';
import { formatCount } from '../../output/amounts.ts';
import type { Terminal } from '../../output/terminal.ts';
import { listOrganizationInstallations } from '../../platform/endpoints/installations.ts';
import { getMembership } from '../../platform/endpoints/members.ts';
import { listPropertyValues } from '../../platform/endpoints/properties.ts';
import { getRepository, listOrganizationRepositories, listRepositoryActivity } from '../../platform/endpoints/repos.ts';
import { listTeamMembers, listTeams } from '../../platform/endpoints/teams.ts';
import type { Repository } from '../../platform/records.ts';
import { ruleSuites, rulesets } from '../../platform/resources/rulesets.ts';
import { invalid } from '../../platform/validate.ts';
import { htmlProblems, requireReportFile, writeReport } from '../../topics/html-report.ts';
import { Clones } from '../../topics/rulesets/impact/clones.ts';
import { drawnImpact } from '../../topics/rulesets/impact/drawn.ts';
import { failureOf, repositoriesText } from '../../topics/rulesets/impact/failure.ts';
import { defaultDetails, type ImpactFlags, impactFlags, ofOrganizations } from '../../topics/rulesets/impact/flags.ts';
import { keptOf, type SelectedRepository, selectRepositories } from '../../topics/rulesets/impact/repositories.ts';
import {
  type Impact,
  type ImpactPush,
  ImpactPushes,
  impactOf,
  pushColumns,
  shownPushes,
  summaryNotes,
  summaryText,
} from '../../topics/rulesets/impact/result.ts';
import { type Judged, judgeRepositories } from '../../topics/rulesets/impact/run.ts';
import {
  isId,
  isKnown,
  liveSubject,
  requireKnown,
  type Subject,
  subjectOf,
} from '../../topics/rulesets/impact/subject.ts';
import { settleShard } from '../../topics/runs/shard-flag.ts';

export default class RulesetsImpact extends ForgectlCommand<Impact | LazyList<ImpactPush>> {
  static override summary = 'Judge past pushes by a ruleset';
  static override description =
    `Shows what a ruleset would have done to the pushes of the last month, or another period, in a repository or in all
repositories of an organization that it selects: allowed, refused, bypassed, or unknown where the platform does not
show what decides. A ruleset in a file is judged as if it were active, like a live one with its ID. For the ID of a
ruleset in evaluate, shows the platform's own evaluations.

Pushes are those of the activity of repositories, which has branches only, and those that were refused, which rule
suites show for at most a month. Rules about commits are unknown without --clones. Nothing is changed.`;
  static override examples = examples({
    'Judge the pushes of the last month by a file': 'forgectl rulesets impact ruleset.yaml acme',
    'Write a report with plots and all pushes': 'forgectl rulesets impact ruleset.yaml acme --html impact.html',
    'Show what a changed ruleset would do differently':
      'forgectl rulesets impact ruleset.yaml acme --compare --time-period week',
    'Show the evaluations of a ruleset in evaluate': 'forgectl rulesets impact 21000011 acme/site',
  });
  static override requests = [
    ...rulesets.routes('get'),
    listOrganizationRepositories.route,
    getRepository.route,
    listRepositoryActivity.route,
    ...ruleSuites.routes('list'),
    ...ruleSuites.routes('get'),
    listPropertyValues.route,
    getMembership.route,
    listTeams.route,
    listTeamMembers.route,
    listOrganizationInstallations.route,
  ];
  static override args = {
    ruleset: textArg('FILE|ID', 'Ruleset file, - for standard input, or the ID of a ruleset'),
    target: targetArg(),
  };
  static override flags = impactFlags;

  protected override readonly columns = pushColumns;
  protected override readonly recordsName = 'pushes';
  protected override emptyText = '';
  protected override readonly readings = true;
  protected override readonly wherePicksResult = false;
  protected override readonly rowsOf = (impact: Impact | LazyList<ImpactPush>) => shownPushes(impact as Impact);
  protected override readonly drawn = (impact: Impact | LazyList<ImpactPush>, terminal: Terminal) =>
    drawnImpact(impact as Impact, terminal);

  async run() {
    const { args, flags } = await this.collect(RulesetsImpact);
    this.problems.push(...settleShard(flags));
    if (isRepo(args.target as Target))
      for (const name of ofOrganizations)
        if (flags[name] !== undefined) this.problems.push(invalid(`--${name}`, 'requires ORG'));
    if (flags.compare && isId(String(args.ruleset)))
      this.problems.push(invalid('--compare', 'requires a file with a proposed version'));
    this.problems.push(...htmlProblems(flags));
    const { ruleset: named, target } = this.valid(args);
    requireReportFile(flags);
    const clones = flags.clones === undefined ? undefined : new Clones(flags.clones, gitEnv(this.runtime.env));
    const subject = await subjectOf(named, target, { session: this.session, stdin: this.runtime.stdin });
    const compared = flags.compare ? liveSubject(subject, named, target) : undefined;
    requireKnown(subject, flags);

    const period = flags['time-period'] ?? 'month';
    const isKnownHere = isKnown(subject);
    const repositories = isKnownHere
      ? await this.#repositories(target, [subject, ...(compared ? [compared] : [])], flags)
      : [];
    const pushes = new ImpactPushes();
    const judged = isKnownHere
      ? await this.#judged({ subject, compared, target, repositories, clones, flags }, pushes)
      : undefined;
    const all = { judged, pushes, period, repositories: repositories.length, isCompared: flags.compare };
    const impact = impactOf({ subject, ...all });
    const notes = this.#conclude(impact, { subject, refusedAgain: pushes.refusedAgain }, flags);
    if (flags.html !== undefined) {
      const { impactReport } = await import('../../topics/rulesets/impact/report.ts');
      const { platform } = await this.session.connection();
      const facts = {
        notes: notes.map((note) => this.masked(note)),
        platform: platform.baseUrl,
        now: this.runtime.terminal.now(),
      };
      const report = impactReport((await this.output.valueOf(impact)) as Impact, facts);
      this.closing.push(await writeReport(flags.html, report, flags, this.config));
    }
    return flags.output === 'ndjson' ? impact.pushes : impact;
  }

  async #repositories(target: Target, subjects: readonly Subject[], flags: ImpactFlags): Promise<SelectedRepository[]> {
    const { session } = this;
    const client = await session.client();
    const rulesets = subjects.map(({ ruleset }) => ruleset);
    if (isRepo(target)) {
      const repository = keptOf(await this.call(getRepository, { path: target }), target.owner);
      return selectRepositories([repository], rulesets, { client, org: target.owner });
    }
    const { where, limit, shard } = flags;
    const check = where === undefined ? undefined : await this.whereCheck(where, 'repos:list');
    const list = await session.list(listOrganizationRepositories, { path: target, query: {} }, { all: true }, {});
    const idField = ({ full_name: name }: Repository) => name;
    const options = { idField, recordsName: 'repositories', check };
    const selected = where === undefined ? list : await this.output.selected(list, where, options);
    const kept: SelectedRepository[] = [];
    for await (const page of (selected as Listing<Repository>).pages())
      for (const each of page) kept.push(keptOf(each, target.org));
    const all = await selectRepositories(kept, rulesets, { client, org: target.org });
    const ofShard = shard ? all.filter(({ full_name: name }) => inShard(name, shard)) : all;
    return ofShard.slice(0, limit);
  }

  async #judged({ clones, flags, ...parts }: JudgeParts, pushes: ImpactPushes): Promise<Judged> {
    const { terminal } = this.runtime;
    const line = new ProgressLine(terminal);
    const total = repositoriesText(parts.repositories.length);
    const needsCommits = Clones.areNeededFor(parts.subject.ruleset);
    try {
      const options = {
        ...parts,
        client: await this.session.client(),
        period: flags['time-period'] ?? 'month',
        mostDetails: flags['suite-details'] ?? defaultDetails,
        concurrency: flags.concurrency,
        commitsOf:
          clones && needsCommits
            ? (repository: RepoName, push: PastPush) => clones.commitsOf(repository, push)
            : undefined,
        describe: (error: unknown) => this.describe(error),
        progress: (done: number) => line.show(`${formatCount(done)} of ${total}`),
      };
      return await judgeRepositories(options, (repository, judged) => pushes.add(repository, judged));
    } finally {
      line.clear();
    }
  }

  /** Sets how the run ends. Returns what a reader of the summary must know. */
  #conclude(impact: Impact, judged: { subject: Subject; refusedAgain: number }, flags: ImpactFlags): readonly string[] {
    const { summary } = impact;
    const mostDetails = flags['suite-details'] ?? defaultDetails;
    const notes = summaryNotes(impact, { ...judged, mostDetails });
    for (const { repository, reason } of summary.unreadable) notes.push(`${repository} cannot be read: ${reason}.`);
    this.closing.push(summaryText(summary), ...notes);
    this.failure = failureOf(summary, flags);
    return notes;
  }
}

interface JudgeParts {
  readonly subject: Subject;
  readonly compared: Subject | undefined;
  readonly target: Target;
  readonly repositories: readonly SelectedRepository[];
  readonly clones: Clones | undefined;
  readonly flags: ImpactFlags;
}
