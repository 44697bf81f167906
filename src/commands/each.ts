import * as Flags from '@oclif/core/flags';
import { GuardError, SomeFailedError, UsageError } from '../cli/errors.ts';
import { optionalWordArg, orgsArg } from '../cli/input/args.ts';
import { fileOnly, fileOrStdin } from '../cli/input/file-flags.ts';
import { textFlag, valueFlag, whereFlag, wordFlag } from '../cli/input/flags.ts';
import { maskedWords, withoutJournal } from '../cli/input/masked-words.ts';
import { shellLine } from '../cli/input/prompts/command-line.ts';
import { largestSnapshot, readBytes, readSource, nameOf as sourceName } from '../cli/input/sources.ts';
import { wholeNumber } from '../cli/input/values.ts';
import type { Failure } from '../cli/report/report.ts';
import { Listing } from '../cli/result/listing.ts';
import { tellingProgress } from '../cli/result/listing-progress.ts';
import { FileError } from '../client/errors.ts';
import type { Page } from '../client/pages.ts';
import { Limiter } from '../client/transport/limiter.ts';
import { DeferredJournal, type RunJournal } from '../fleet/journal/deferred.ts';
import { Journal } from '../fleet/journal/journal.ts';
import type { JournalHeader } from '../fleet/journal/lines.ts';
import { FleetRun } from '../fleet/runner.ts';
import { inShard, type Shard, shardText } from '../fleet/shard.ts';
import { secretMask } from '../json/secrets.ts';
import { counted, formatCount } from '../output/amounts.ts';
import type { Column } from '../output/table/columns.ts';
import { listAppInstallations } from '../platform/endpoints/apps.ts';
import { listOrganizations } from '../platform/endpoints/orgs.ts';
import { listOrganizationRepositories } from '../platform/endpoints/repos.ts';
import { type Given, invalid, missing } from '../platform/validate.ts';
import { EachLine } from '../topics/each-line.ts';
import { OutcomeSummary, type TargetOutcome } from '../topics/each-outcomes.ts';
import { EachProgress } from '../topics/each-progress.ts';
import {
  distinct,
  nameOf,
  parseExpected,
  parseShare,
  recordsIn,
  repositoryIn,
  targetsIn,
} from '../topics/each-targets.ts';
import { EachWork } from '../topics/each-work.ts';
import { FleetCommand } from '../topics/fleet-command.ts';
import {
  allInstallationsFlag,
  concernsOneInstallation,
  installedOn,
  lanesOf,
  useEachInstallation,
  usesEachInstallation,
} from '../topics/installations.ts';
import { newJournalPath } from '../topics/journal-path.ts';
import { shardFlag } from '../topics/shard-flag.ts';
import { stoppedError } from '../topics/stopped-run.ts';

/** Organizations whose repositories are listed at the same time. */
const listsAtOnce = 8;

/** The flags that select the targets and control the run. */
interface EachFlags {
  readonly from?: string | undefined;
  readonly where?: string | undefined;
  readonly journal?: string | undefined;
  readonly resume?: string | undefined;
  readonly only?: string | undefined;
  readonly 'dry-run': boolean;
  readonly 'all-installations': boolean;
}

export default class Each extends FleetCommand<Listing<TargetOutcome>> {
  static override summary = 'Run one command on many targets';
  static override description =
    `Runs a forgectl command on every repository of organizations, on every organization, or on the targets of a file, in one
process and over one connection pool. In the command, {} is the target (acme/site), {org} its owner and {name} the
repository’s name; words that begin with { or [, such as JSON, stay unchanged otherwise. The command is checked before the
first request. A target that fails does not stop the others; if any fails, the exit code is 9.

Runs that change something keep a journal, from which --resume continues: completed targets are skipped, and a write without a
response is sent again only if the platform shows that it did not happen. Writes are sent one at a time where the platform announces rate limits, otherwise up to four.
A command that asks for confirmation runs after you have typed the number of targets, or with --yes and --expect.

As an app, each target is processed with the token of the installation on its organization. A rate limit or a refusal of one
installation stops only its own targets.`;
  static override usage = 'each (repos ORG… | orgs | --from FILE) [FLAGS] -- COMMAND…';
  static override examples = [
    {
      description: 'Rulesets of every repository, as one line of JSON for each',
      command: '<%= config.bin %> each repos acme -o ndjson -- rulesets list {} --no-includes-parents',
    },
    {
      description: 'Preview a change of all repositories that are not archived',
      command: `<%= config.bin %> each repos acme --where '.archived | not' --dry-run -- repos update {} --delete-branch-on-merge`,
    },
    {
      description: 'One setting of all organizations',
      command: '<%= config.bin %> each orgs --fields target,result.default_repository_permission -- orgs get {}',
    },
    {
      description: 'Archive the repositories of a file, if there are at most 40',
      command: '<%= config.bin %> each --from stale.txt --yes --expect 1..40 -- repos archive {}',
    },
  ];
  static override requests = [listOrganizationRepositories.route, listOrganizations.route, listAppInstallations.route];
  static override args = {
    targets: optionalWordArg('TARGETS', ['repos', 'orgs'], 'Targets, unless --from names them'),
    org: orgsArg(),
  };
  static override flags = {
    from: Flags.string({
      ...fileOrStdin,
      description: 'File with a target on each line, or JSON records of lists or of results (- for standard input)',
    }),
    where: {
      ...whereFlag.where,
      helpGroup: undefined,
      description:
        'Process only the repositories or organizations for which a jq expression is true, such as .archived',
    },
    ...allInstallationsFlag,
    replace: textFlag('--replace', {
      helpValue: 'MARK',
      description: 'Mark for the target in the command (default: {})',
    }),
    concurrency: valueFlag('--concurrency', wholeNumber(1, 100), {
      helpValue: 'NUMBER',
      description: 'Targets to process in parallel, for each installation of an app, 1 to 100 (default: 8)',
    }),
    expect: valueFlag('--expect', parseExpected, {
      helpValue: 'N..M',
      description: 'Expected number of targets; with more or fewer nothing is sent, and the exit code is 12',
    }),
    'max-failures': valueFlag('--max-failures', parseShare, {
      helpValue: 'N[%]',
      description: 'Failures after which the other targets are skipped, as a number or a share of all targets',
    }),
    shard: shardFlag('Process only part I of N, which the name of a target decides; I counts from 1'),
    journal: Flags.string({
      ...fileOnly,
      description: 'New file for the journal (default: one in the state directory, for commands that change something)',
    }),
    resume: Flags.string({ ...fileOnly, description: 'Journal to continue; it is created if missing' }),
    only: wordFlag('--only', ['failed'], { description: 'With --resume, process only the targets that failed' }),
    'dry-run': Flags.boolean({
      helpGroup: 'REQUEST',
      description: 'Print the requests for all targets without sending them',
    }),
    yes: Flags.boolean({ helpGroup: 'REQUEST', description: 'Skip the confirmation prompt; requires --expect' }),
  };

  protected override readonly columns: readonly Column<TargetOutcome>[] = [
    { header: 'Target', get: 'target', as: 'name', priority: 1 },
    { header: 'Status', get: 'status', as: 'state', priority: 1 },
    { header: 'Result', get: ({ result }) => shortResult(result), as: 'text', optional: true },
    { header: 'Error', get: 'error.message', as: 'message', optional: true },
  ];
  protected override readonly idField = 'target';
  protected override readonly recordsName = 'targets';
  protected override readonly wherePicksResult = false;
  protected override readonly writeConcurrency = 4;

  /** The words before and after the first --. oclif keeps only those that it has parsed. */
  readonly #typed = splitWords(this.argv);
  readonly #summary = new OutcomeSummary();
  /** Organizations whose repositories cannot be listed, in place of these. */
  readonly #unlisted = new Map<string, Error>();
  /** The IDs of listed repositories. */
  readonly #ids = new Map<string, number>();
  /** What the command line has masked in journals. */
  #masked: readonly string[] = [];
  #readsStdin = false;
  #work: EachWork | undefined;
  #run: EachRun | undefined;
  #journal: Journal | undefined;
  #total = 0;
  #isOver = false;

  async run() {
    const { own, inner } = this.#typed;
    const { args: collected, flags } = await this.collect(Each, [...own]);
    this.#noteProblems(collected, flags);
    const { targets: kind, org: orgs = [] } = this.valid(collected);
    const { replace: mark = '{}', shard, expect, yes, only, 'dry-run': dryRun } = flags;
    const line = await EachLine.read(inner, {
      mark,
      showSecrets: flags['show-secrets'],
    });
    this.#requireUnmasked(inner);
    const given = flags.from === undefined ? undefined : await this.#targetsOf(flags.from, flags.where);
    const samples = given ? sampleOf(given) : [kind === 'orgs' ? 'ORG' : `${orgs[0] ?? 'ORG'}/NAME`];
    requireRepositories(line, given ?? samples);

    if (flags['all-installations']) await useEachInstallation(this.session);
    const connection = await this.session.connection();
    const stdin = this.#standardInput(flags.from);
    const { config, runtime } = this;
    const notice = (text: string) => this.notice(text);
    const client = await this.session.client();
    const { stopSignal: signal } = this;
    const work = new EachWork({
      ...{ line, config, runtime, connection, client, stdin, notice, signal },
      describe: (error) => this.describe(error),
      onQuiet: () => this.leaveIfStopping(),
    });
    const { effect, isWrite } = await this.#check(work, samples);
    if (effect !== undefined && !dryRun) this.#requireAnswer(effect, { yes, isExpected: expect !== undefined });

    const named = flags.resume ?? flags.journal;
    const header = this.#headerOf(line, connection.platform.baseUrl, shard);
    const resume = flags.resume !== undefined;
    const earlier = named === undefined ? undefined : Journal.check(named, header, { resume });
    // A deleted or archived repository may no longer be listed.
    const all = distinct(given ?? [...(await this.#list(kind, orgs, flags)), ...(earlier?.changed ?? [])]);
    if (expect && (all.length < expect.least || all.length > expect.most))
      throw new GuardError(`${counted(all.length, 'target')} found, which --expect does not allow. Nothing was sent.`);
    const sharded = shard ? all.filter((target) => inShard(target, shard)) : all;
    const targets = only ? sharded.filter((target) => earlier?.find(target)?.outcome === only) : sharded;
    if (effect !== undefined && !dryRun) {
      if (!yes) {
        await this.input.confirm(String(targets.length), `${effect} (${counted(targets.length, 'target')})`);
        await this.input.noteAnswer('--expect', String(all.length));
      }
      work.confirm();
    }
    const open = (path = newJournalPath(this.runtime)) => this.#openJournal(path, header, resume, sharded);
    let journal: RunJournal | undefined;
    if (!dryRun && (named !== undefined || isWrite)) journal = open(named);
    else if (!dryRun && line.writes) journal = new DeferredJournal(open);
    this.#work = work;
    this.#total = targets.length;
    const run = new FleetRun<string, unknown, Failure>({
      targets,
      name: (target) => target,
      work: async (target, writes) => {
        const failure = this.#unlisted.get(target);
        if (failure) throw failure;
        return dryRun ? work.plan(target) : work.run(target, writes, earlier?.idOf(target));
      },
      lane: lanesOf(connection),
      describe: (error) => work.describe(error),
      verify: (target, write) => work.verify(target, write),
      settlesDoubts: true,
      journal,
      concurrency: connection.concurrency,
      maxFailures: flags['max-failures']?.(targets.length),
      signal,
    });
    this.#run = run;
    const progress = new EachProgress(targets.length, this.#summary, () => this.runtime.clock.now());
    return new Outcomes(this.#outcomes(run, targets.length), {
      limit: undefined,
      progress: () => progress.line(),
      summary: () => (dryRun ? 'Dry run: nothing was sent.' : this.#report()),
    });
  }

  protected override get pendingWrites(): number {
    return this.#work?.pendingWrites ?? 0;
  }

  protected override get ending(): string | undefined {
    return this.#work && this.#report();
  }

  #noteProblems({ targets, org = [] }: { targets?: unknown; org?: readonly unknown[] | undefined }, flags: EachFlags) {
    const { from, journal, resume, only, 'all-installations': all } = flags;
    const problem = (field: string, message: string) => void this.problems.push(invalid(field, message));
    if (all && from !== undefined) problem('--all-installations', 'cannot be used with --from');
    if (all && org.length > 0) problem('--all-installations', 'cannot be used with ORG');
    if (targets === undefined && from === undefined)
      this.problems.push(missing('TARGETS', 'is required: repos ORG…, orgs, or --from FILE'));
    if (targets !== undefined && from !== undefined) problem('--from', `cannot be used with ${targets}`);
    if (targets === 'repos' && org.length === 0 && !all)
      this.problems.push(missing('ORG', 'is required: Organization logins'));
    if (targets === 'orgs' && org.length > 0) problem('ORG', 'is not supported: orgs means all organizations');
    if (journal !== undefined && resume !== undefined) problem('--journal', 'cannot be used with --resume');
    if (only !== undefined && resume === undefined) problem('--only', 'requires --resume');
    if (flags['dry-run'] && (journal ?? resume) !== undefined)
      problem('--dry-run', `cannot be used with --${journal === undefined ? 'resume' : 'journal'}`);
  }

  /** Returns the targets of a file; with --where, those of its records that it selects. */
  async #targetsOf(source: string, where: string | undefined): Promise<readonly string[]> {
    const text = await readSource(source, this.runtime.stdin, '--from', largestSnapshot);
    const name = source === '-' ? 'standard input' : sourceName(source, '--from');
    if (where === undefined) return targetsIn(text, name, (record) => this.#noteId(record));
    return this.#names(Listing.of(recordsIn(text, name)), where, nameOf, 'targets');
  }

  /** Returns a function that reads standard input once, for the commands of all targets. */
  #standardInput(from: string | undefined): () => Promise<Uint8Array> {
    let bytes: Promise<Uint8Array> | undefined;
    return async () => {
      if (from === '-') throw new UsageError('Standard input has the targets, so the command cannot read it.');
      this.#readsStdin = true;
      bytes ??= readBytes('-', this.runtime.stdin, undefined, largestSnapshot);
      return bytes;
    };
  }

  /** Checks the command line for all kinds of targets. */
  async #check(work: EachWork, samples: readonly string[]) {
    let effect: string | undefined;
    let isWrite = false;
    for (const sample of samples) {
      const checked = await work.check(sample);
      effect = checked.effect?.replaceAll(sample, 'every target') ?? effect;
      isWrite ||= checked.isWrite;
    }
    return { effect, isWrite };
  }

  /** Throws before any request if no one can be prompted for the confirmation. */
  #requireAnswer(effect: string, { yes, isExpected }: { readonly yes: boolean; readonly isExpected: boolean }): void {
    if (yes ? isExpected : this.input.mayConfirm()) return;
    throw new UsageError(`Nothing was sent. This ${effect}; confirm with --yes and --expect N..M.`);
  }

  /** Lists the names of repositories or organizations. */
  async #list(kind: string | undefined, orgs: readonly string[], flags: EachFlags): Promise<readonly string[]> {
    const { where, 'all-installations': all } = flags;
    const installed = async (condition?: string) =>
      this.#names(
        await this.session.list(listAppInstallations, {}, { all: true }, {}),
        condition,
        installedOn,
        'installations',
      );
    if (kind === 'orgs' && all) return installed(where);
    if (kind === 'orgs') {
      const list = await this.session.list(listOrganizations, {}, { all: true }, {});
      return this.#names(list, where, nameOf, 'organizations');
    }
    const several = usesEachInstallation(await this.session.connection()) && (all || orgs.length > 1);
    const places = new Limiter(listsAtOnce);
    const what = orgs.length === 1 ? `repositories of ${orgs[0]}` : 'repositories';
    const lists: Listing<unknown>[] = [];
    const repositories = async (org: string) => {
      try {
        const list = await this.session.list(listOrganizationRepositories, { path: { org } }, { all: true }, {});
        return await this.#names(list, where, nameOf, what, lists);
      } catch (error) {
        if (!several || !concernsOneInstallation(error)) throw error;
        this.#unlisted.set(org, error as Error);
        return [org];
      }
    };
    const listed = all ? await installed() : orgs;
    return (await Promise.all(listed.map((org) => places.run(() => repositories(org))))).flat();
  }

  /**
   * Returns the names of the records that --where selects. The progress line counts the records of all lists that are
   * fetched together.
   */
  async #names<T>(
    list: Listing<T>,
    where: string | undefined,
    nameOf: NameOf<T>,
    what: string,
    together: Listing<unknown>[] = [],
  ): Promise<string[]> {
    const naming = { idField: nameOf, recordsName: this.recordsName };
    const selected = where === undefined ? list : ((await this.output.selected(list, where, naming)) as Listing<T>);
    together.push(selected);
    const told = {
      pages: () => selected.pages(),
      get seen() {
        return together.reduce((sum, { seen }) => sum + seen, 0);
      },
    };
    const { terminal, clock } = this.runtime;
    const names: string[] = [];
    for await (const page of tellingProgress(told, what, { terminal, clock, isPrinted: false }))
      for (const record of page) {
        this.#noteId(record);
        names.push(nameOf(record) ?? '');
      }
    return names.filter(Boolean);
  }

  #headerOf({ words }: EachLine, platform: string, shard: Shard | undefined): Omit<JournalHeader, 'journal'> {
    const { words: command, masked } = maskedWords(words, (text) => this.masked(text));
    const line = maskedWords(withoutJournal(this.#typed.own)).words;
    this.#masked = masked;
    const again = { ...(masked.length && { masked }), ...(readsStdin(words) && { stdin: true as const }) };
    return { platform, line, command, ...again, ...(shard && { shard: shardText(shard) }) };
  }

  #noteId(record: unknown): void {
    const found = repositoryIn(record);
    if (found) this.#ids.set(found.name.toLowerCase(), found.id);
  }

  /** Throws UsageError for a command line with masks in place of secrets, such as one that a journal shows. */
  #requireUnmasked(words: readonly string[]): void {
    const copied = words.filter((word) => word.includes(secretMask));
    const { masked } = maskedWords(
      words.filter((word, at) => copied.includes(word) || copied.includes(words[at + 1] ?? '')),
    );
    if (masked.length)
      throw new UsageError(`Give ${masked.join(' and ')} again, in place of ${secretMask}. Nothing was sent.`);
  }

  #openJournal(
    path: string,
    header: Omit<JournalHeader, 'journal'>,
    resume: boolean,
    targets: readonly string[],
  ): Journal {
    const journal = new Journal(path, header, { resume, mask: (text) => this.masked(text) });
    this.#journal = journal;
    const idOf = (name: string) => this.#ids.get(name.toLowerCase());
    journal.recordTargets(
      targets.map((name) => ({ name, ...(idOf(name) !== undefined && { id: idOf(name) as number }) })),
    );
    this.notice(`Journal: ${path}`);
    return journal;
  }

  async *#outcomes(run: EachRun, total: number): AsyncGenerator<Page<TargetOutcome>, void> {
    try {
      for await (const { target, status, ...outcome } of run) {
        const record: TargetOutcome = { target, status, ...detailsOf(status, outcome) };
        const { error } = outcome as Details;
        this.#summary.add(record, error?.reason ?? error?.message);
        yield { items: [record], more: true };
      }
      this.failure = this.#failureOf(run, total);
      this.#isOver = true;
    } catch (error) {
      this.notice(this.#counts());
      throw error instanceof FileError
        ? new FileError(error.message, { cause: error, advice: this.#continuation })
        : error;
    } finally {
      this.#journal?.close();
    }
  }

  #failureOf({ stop, stoppedLanes }: EachRun, total: number): SomeFailedError | undefined {
    const { failures, total: ended, skipped } = this.#summary;
    const left = total - ended;
    if (stop === 'max failures')
      return new SomeFailedError(`Stopped after ${counted(failures, 'failure')}: ${formatCount(skipped)} skipped.`);
    // Without lanes, the error concerns all targets that are left.
    if (typeof stop === 'object' && left > 0 && stoppedLanes.has(''))
      return stoppedError(stop, `${counted(left, 'target')} not begun`);
    if (failures === 0) return undefined;
    const advice = typeof stop === 'object' && left > 0 ? stop.advice : undefined;
    return new SomeFailedError(this.#summary.failureText(total), advice);
  }

  /** Returns the summary of the run so far: counts, reasons of failures, and the command line that continues it. */
  #report(): string {
    const isPartial = this.failure !== undefined || this.stopSignal.aborted || !this.#isOver;
    const continuation = isPartial ? this.#continuation : undefined;
    return [this.#counts(), ...(continuation ? [continuation] : [])].join('\n');
  }

  #counts(): string {
    const doubtful = this.#run?.doubtful ?? 0;
    const open = this.stopSignal.aborted ? this.#total - this.#summary.total - doubtful : 0;
    return [this.#summary.counts({ open, doubtful }), ...this.#summary.reasons()].join('\n');
  }

  /** The command line that continues the run; undefined for one without a journal. */
  get #continuation(): string | undefined {
    if (!this.#journal) return undefined;
    const again = [
      ...(this.#masked.length ? [`Give ${this.#masked.join(' and ')} again, in place of ${secretMask}.`] : []),
      ...(this.#readsStdin ? ['The command read standard input: give the same again.'] : []),
    ];
    return [`Continue with:\n  ${this.#resumption(this.#journal.path)}`, ...again].join('\n');
  }

  #resumption(path: string): string {
    const { own, inner } = this.#typed;
    const isNamed = (word: string | undefined) => /^--(?:journal|resume)$/.test(word ?? '');
    const kept = own.filter((word, at) => !/^--(?:journal|resume)(?:=|$)/.test(word) && !isNamed(own[at - 1]));
    return shellLine(['forgectl', 'each', ...kept, '--resume', path, '--', ...maskedWords(inner).words]);
  }
}

type NameOf<T> = (record: T) => string | undefined;

type EachRun = FleetRun<string, unknown, Failure>;

/** Returns whether a command reads standard input, as far as its words say so: `-`, `@-`, `--secret-stdin`. */
const readsStdin = (words: readonly string[]): boolean =>
  words.some((word) => /^-$|[=@]-$|^--[a-z-]+-stdin$/.test(word));

function splitWords(words: readonly string[]): { readonly own: readonly string[]; readonly inner: readonly string[] } {
  const end = words.indexOf('--');
  return end === -1 ? { own: words, inner: [] } : { own: words.slice(0, end), inner: words.slice(end + 1) };
}

/** A list with the summary of the run after it. */
class Outcomes extends Listing<TargetOutcome> {
  readonly #summary: () => string;

  constructor(
    pages: AsyncIterable<Page<TargetOutcome>>,
    { summary, ...options }: ConstructorParameters<typeof Listing>[1] & { readonly summary: () => string },
  ) {
    super(pages, options);
    this.#summary = summary;
  }

  override get note(): string {
    return this.#summary();
  }
}

type Details = { readonly result?: unknown; readonly error?: Failure };

function detailsOf(
  status: TargetOutcome['status'],
  { result, error }: Details,
): Omit<TargetOutcome, 'target' | 'status'> {
  if (!error) return { ...(status === 'ok' ? { exit: 0 } : {}), ...(result === undefined ? {} : { result }) };
  const { exit, reason: _reason, stops: _stops, ...said } = error;
  return { exit, error: said };
}

/** One target of each kind: a command line may suit only one of them. */
const sampleOf = (targets: readonly string[]): string[] =>
  [targets.find((target) => target.includes('/')), targets.find((target) => !target.includes('/'))].filter(
    (target) => target !== undefined,
  );

function requireRepositories(line: EachLine, targets: readonly string[]): void {
  const organization = targets.find((target) => !target.includes('/'));
  if (organization === undefined || !line.namesRepository) return;
  throw new UsageError(`{name} stands for a repository, and ${organization} is an organization. Nothing was sent.`);
}

/** Returns a result on one line: text unchanged, a list by its length, and a dry-run request by its method. */
function shortResult(result: unknown): string | undefined {
  if (Array.isArray(result)) return counted(result.length, 'item');
  if (typeof result !== 'object' || result === null) return result === undefined ? undefined : String(result);
  const { method, url } = result as Given;
  return method === undefined ? undefined : `${method} ${url}`;
}
