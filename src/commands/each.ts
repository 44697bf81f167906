import { examples } from '../cli/command/command.ts';
import { optionalWordArg, orgsArg } from '../cli/input/args.ts';
import type { Listing } from '../cli/result/listing.ts';
import type { WhereCheck } from '../cli/result/where-check.ts';
import { listAppInstallations } from '../platform/endpoints/apps.ts';
import { listOrganizations } from '../platform/endpoints/orgs.ts';
import { listOrganizationRepositories } from '../platform/endpoints/repos.ts';
import { Approval } from '../topics/each/approval.ts';
import { outcomeColumns, requestColumns } from '../topics/each/columns.ts';
import { combinationProblems, eachFlags } from '../topics/each/flags.ts';
import { EachJournal, type JournalOptions } from '../topics/each/journal.ts';
import { EachLine } from '../topics/each/line.ts';
import type { TargetOutcome } from '../topics/each/outcomes.ts';
import { EachReport, type ReportOptions } from '../topics/each/report.ts';
import { resumedWords } from '../topics/each/resume.ts';
import { runOn } from '../topics/each/run.ts';
import { type NameOf, type Select, TargetSelection, targetsOfRun } from '../topics/each/selection.ts';
import { SharedStdin } from '../topics/each/shared-stdin.ts';
import { requireUnmasked, splitWords, type TypedWords } from '../topics/each/words.ts';
import { EachWork } from '../topics/each/work.ts';
import { type EarlierRun, earlierRun } from '../topics/runs/earlier-run.ts';
import { FleetCommand } from '../topics/runs/fleet-command.ts';
import { useEachInstallation } from '../topics/runs/installations.ts';
import { settleShard } from '../topics/runs/shard-flag.ts';

export default class Each extends FleetCommand<Listing<TargetOutcome>> {
  static override summary = 'Run one command on many targets';
  static override description =
    `Runs a forgectl command on every repository of organizations, on named or all organizations, or on the targets of a
file, in one process and over one connection pool. In the command, {} is the target (acme/site), {org} its owner and
{name} the repository’s name; in arguments that begin with { or [, such as JSON, other braces stay unchanged. The
command is checked before the first request. A target that fails does not stop the others; if any fails, the exit code
is 9.

Runs that change something keep a journal. --resume JOURNAL resumes a run without other arguments: completed targets are
skipped, and a write without a response is sent again only if the platform shows that it did not happen. Writes are sent
one at a time if the platform reports rate limits, otherwise up to four at a time, or as many as --concurrency. On a
terminal, a summary of the targets and the change precedes the first write, and a change of more than 10 targets must be
confirmed by typing their number, or with --yes. A command that itself requires confirmation always requires the number,
or --yes and --expect.

As an app, each target is processed with the token of the installation on its organization. A rate limit or a refusal of
one installation stops only its own targets.`;
  static override usage = 'each (repos ORG… | orgs [ORG…] | --from FILE | --resume JOURNAL) [FLAGS] [-- COMMAND…]';
  static override examples = examples({
    'List the rulesets of every repository, one line of JSON per repository':
      'forgectl each repos acme -o ndjson -- rulesets list {} --no-includes-parents',
    'Preview a change to all repositories that are not archived': `forgectl each repos acme --where '.archived | not' --dry-run -- repos update {} --delete-branch-on-merge`,
    'Show one setting of all organizations':
      'forgectl each orgs --fields target,result.default_repository_permission -- orgs get {}',
    'Archive the repositories listed in a file if there are at most 40':
      'forgectl each --from stale.txt --yes --expect 1..40 -- repos archive {}',
  });
  static override requests = [listOrganizationRepositories.route, listOrganizations.route, listAppInstallations.route];
  static override args = {
    targets: optionalWordArg('TARGETS', ['repos', 'orgs'], 'Kind of targets; omitted with --from'),
    org: orgsArg(),
  };
  static override flags = eachFlags;

  protected override columns = outcomeColumns;
  protected override readonly idField = 'target';
  protected override readonly recordsName = 'targets';
  protected override readonly wherePicksResult = false;
  protected override readonly writeConcurrency = 4;

  #work: EachWork | undefined;
  #report: EachReport | undefined;

  async run() {
    const { words, earlier } = await this.#words();
    const { args: collected, flags } = await this.collect(Each, [...words.own]);
    settleShard(flags);
    const { targets: kind, org: orgs = [] } = this.valid(collected);
    const { replace: mark = '{}', only, 'dry-run': isDryRun } = flags;
    const line = await EachLine.read(words.inner, { mark, showSecrets: flags['show-secrets'] });
    const { session, runtime, input } = this;
    const check = await this.#fieldCheck(kind, flags);
    const select: Select = (list, where, nameOf) => this.#selected(list, where, nameOf, check);
    const { writes } = line;
    const selection = new TargetSelection({ session, runtime, kind, orgs, flags, select, writes, earlier });
    const samples = await selection.samples();
    line.refuseOrganizations(samples);

    if (flags['all-installations']) await useEachInstallation(session);
    const { baseUrl } = (await session.connection()).platform;
    const notice = (text: string) => this.notice(text);
    const isRequired = earlier?.state.header.stdin === true;
    const stdin = new SharedStdin({ stdin: runtime.stdin, from: flags.from, isRequired });
    const work = await this.#workOn(line, stdin, isDryRun);
    const checked = await work.check(samples);
    const approval = new Approval({ work, line, checked, input, runtime, baseUrl, flags, notice });

    const journal = this.#journalOf({ baseUrl, flags, words, line, earlier, hasReadStdin: () => stdin.hasRead });
    const state = earlier?.state;
    const all = await selection.targets(await approval.shownFields(samples));
    const total = selection.countOf(all);
    const ofShard = targetsOfRun(all, { ...flags, total });
    const targets = only ? ofShard.filter(({ name }) => state?.find(name)?.outcome === only) : ofShard;
    const open = targets.filter(({ name }) => state?.find(name)?.outcome !== 'ok');
    await approval.ask(open, total);

    const { isWrite } = checked;
    const running = journal.forRun({ targets: ofShard, total, isWrite, mayWrite: line.writes });
    if (isDryRun) this.columns = requestColumns(baseUrl);
    const names = (isDryRun ? open : targets).map(({ name }) => name);
    const shared = { connection: await session.connection(), signal: this.stopSignal };
    this.#work = work;
    this.#report = this.#reportOf({ total: names.length, journal, work, isDryRun });
    return this.#report.listing(runOn(names, { work, journal: running, earlier: state, selection, flags, ...shared }));
  }

  protected override get pendingWrites(): number {
    return this.#work?.pendingWrites ?? 0;
  }

  protected override get progress(): string | undefined {
    return this.#report?.progress;
  }

  protected override get ending(): string | undefined {
    return this.#report?.text();
  }

  async #selected<T>(list: Listing<T>, where: string, idField: NameOf<T>, check: WhereCheck | undefined) {
    const { recordsName } = this;
    return (await this.output.selected(list, where, { idField, recordsName, check })) as Listing<T>;
  }

  /** Returns the check of the fields in --where. The records of a file have only the fields that occur in it. */
  async #fieldCheck(
    kind: string | undefined,
    {
      where,
      from,
      'all-installations': isAll,
    }: { where?: string | undefined; from?: string | undefined; 'all-installations': boolean },
  ): Promise<WhereCheck | undefined> {
    if (where === undefined) return undefined;
    if (from === undefined)
      return this.whereCheck(where, kind === 'orgs' && isAll ? 'installations:list' : `${kind}:list`);
    const { WhereCheck } = await import('../cli/result/where-check.ts');
    return new WhereCheck(where);
  }

  async #workOn(line: EachLine, stdin: SharedStdin, isDryRun: boolean): Promise<EachWork> {
    const { config, session } = this;
    return new EachWork({
      ...{ ...(await this.runContext()), line, config, stdin: () => stdin.read() },
      // A command is planned, too, before it is run.
      addSecret: (secret, inRecords = false) => this.addSecret(secret, (isDryRun && inRecords) || undefined),
      connection: await session.connection(),
    });
  }

  /** Returns the words of the run, and the run that it continues, whose command need not be given. */
  async #words(): Promise<{ readonly words: TypedWords; readonly earlier: EarlierRun | undefined }> {
    const words = splitWords(this.typed.given);
    const { args, flags } = await this.collect(Each, [...words.own]);
    this.problems.push(...combinationProblems(args, flags));
    this.valid(args);
    requireUnmasked(words.inner);
    const earlier = earlierRun(flags, 'each');
    if (earlier) return { words: resumedWords(earlier, words, this.typed.declared), earlier };
    this.problems.push(...combinationProblems(args, { ...flags, 'resume-or-start': undefined }));
    return { words, earlier };
  }

  #journalOf(
    parts: Pick<JournalOptions, 'baseUrl' | 'flags' | 'words' | 'line' | 'earlier' | 'hasReadStdin'>,
  ): EachJournal {
    return new EachJournal({
      ...{ ...parts, typed: { ...this.typed, given: splitWords(this.typed.given).own }, runtime: this.runtime },
      mask: (text) => this.masked(text),
      notice: (text) => this.notice(text),
    });
  }

  #reportOf(parts: Pick<ReportOptions, 'total' | 'journal' | 'work' | 'isDryRun'>): EachReport {
    return new EachReport({
      ...parts,
      now: () => this.runtime.clock.now(),
      signal: this.stopSignal,
      notice: (text) => this.notice(text),
      fail: (error) => {
        this.failure = error;
      },
    });
  }
}
