import { closeSync, lstatSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import * as Flags from '@oclif/core/flags';
import type { Planned } from '../../cli/command/command.ts';
import { GuardError, SomeFailedError, UsageError } from '../../cli/errors.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { confirmedWriteFlags, textFlag, unknownFlag, valueFlag, wordFlag } from '../../cli/input/flags.ts';
import { withoutJournal } from '../../cli/input/masked-words.ts';
import { flagWords, shellLine } from '../../cli/input/prompts/command-line.ts';
import { listOfNames, wholeNumber } from '../../cli/input/values.ts';
import type { ErrorLine, Failure } from '../../cli/report/report.ts';
import type { Client } from '../../client/client.ts';
import { FileError } from '../../client/errors.ts';
import type { PlannedRequest } from '../../client/request.ts';
import { whyUnreadable } from '../../client/system-errors.ts';
import { writeOutputFile } from '../../disk/output-file.ts';
import { readRegularFile, UnsuitableFileError } from '../../disk/regular-file.ts';
import { Journal } from '../../fleet/journal/journal.ts';
import type { JournalTarget } from '../../fleet/journal/lines.ts';
import { ApplyRun, type Extent, phasesOf, stepsIn, stepsOf, type Task } from '../../fleet/policy/apply.ts';
import { byTarget, isLoosening, type PlannedChange, type Step } from '../../fleet/policy/change.ts';
import { derivePlan } from '../../fleet/policy/derive.ts';
import { changesToAllow, tooManyDeletions } from '../../fleet/policy/guards.ts';
import { definitionsFor } from '../../fleet/policy/kinds/properties.ts';
import { planPolicy } from '../../fleet/policy/plan.ts';
import { parsePlan, planText, type SavedPlan } from '../../fleet/policy/plan-file.ts';
import { Reader } from '../../fleet/policy/requests.ts';
import { sourceName } from '../../fleet/policy/secret-sources.ts';
import { readSecrets, type Secrets } from '../../fleet/policy/secrets.ts';
import { requestFor } from '../../fleet/policy/steps.ts';
import { changesOf, undoPlan } from '../../fleet/policy/undo.ts';
import { type Shard, shardText } from '../../fleet/shard.ts';
import { counted, formatCount } from '../../output/amounts.ts';
import { safeText } from '../../output/safe-text.ts';
import type { Column } from '../../output/table/columns.ts';
import { invalid } from '../../platform/validate.ts';
import { OutcomeSummary } from '../../topics/each-outcomes.ts';
import { FleetCommand } from '../../topics/fleet-command.ts';
import { lanesOf } from '../../topics/installations.ts';
import { newJournalPath } from '../../topics/journal-path.ts';
import { whyNotWritten } from '../../topics/new-file.ts';
import { policyPathsArg } from '../../topics/policy-files.ts';
import { changeCounts, type PlanRow, planColumns, planCounts, planRows } from '../../topics/policy-plan-view.ts';
import { policyPlanReads, policyWrites } from '../../topics/policy-requests.ts';
import { policyOf, requirePlaceFor, savePlan, unplannedError } from '../../topics/policy-run.ts';
import { shardFlag } from '../../topics/shard-flag.ts';
import { stoppedError } from '../../topics/stopped-run.ts';

/** The outcome of the changes of one target. */
interface AppliedTarget {
  /** An organization or a repository. */
  readonly target: string;
  /**
   * `loosenings`: changes of an organization that are made after its repositories; `resets`: changes of a repository that
   * are made after those.
   */
  readonly phase?: 'loosenings' | 'resets';
  /** `skipped`: nothing was sent, because an earlier run did it, or an undo does not need it. */
  readonly status: 'ok' | 'failed' | 'skipped' | 'unknown';
  /** The changes that were made. */
  readonly done: readonly string[];
  readonly error?: ErrorLine['error'];
}

const printed = ({ exit: _exit, reason: _reason, stops: _stops, ...error }: Failure) => error;

/** Returns the message of an error with the fields that the platform refused, in one line. */
function errorText({ status, message, fields = [], moreFields = 0 }: ErrorLine['error']): string {
  const refused = status ? fields.map((each) => (each.field ? `${each.field} ${each.message}` : each.message)) : [];
  const more = moreFields ? [`${formatCount(moreFields)} more`] : [];
  return refused.length ? `${message}: ${[...refused, ...more].join('; ')}` : message;
}

/** Returns the target of a result with its phase, such as “acme (loosenings)”. */
const nameOf = ({ target, phase }: AppliedTarget): string => (phase ? `${target} (${phase})` : target);

/** Rows of the plan shown before the confirmation. */
const mostRows = 40;

/** In bytes: a saved plan of 10,000 repositories has about 30 MB. */
const largestPlan = 256 * 1024 * 1024;

export default class PolicyApply extends FleetCommand<AppliedTarget[]> {
  static override summary = 'Make the changes that policies call for';
  static override description =
    `Plans like policy plan, shows the plan, asks for confirmation, and makes the changes. With a plan that policy plan --out saved, makes exactly
those. Before each write the object is read again: if it changed after the plan, it is left alone, and the exit code is 9. In each target,
creations and tightenings come first; where one fails, nothing of that target is loosened or deleted. Objects that no policy declares
(manage: all) are deleted only with --prune. Secrets of registries are read from the environment variables and files that policies name,
and sent with new registries, or with --rotate-secrets. A journal records each write before it is sent; --resume continues from it.`;
  static override examples = [
    { description: 'Apply the folder policy', command: '<%= config.bin %> policy apply --yes' },
    {
      description: 'Apply exactly the plan that was saved',
      command: '<%= config.bin %> policy plan --out plan.ndjson && <%= config.bin %> policy apply plan.ndjson --yes',
    },
  ];
  static override requests = [...policyPlanReads, ...policyWrites];
  static override args = { path: policyPathsArg() };
  static override flags = {
    prune: Flags.boolean({ description: 'Delete what no policy declares, where policies say manage: all' }),
    'rotate-secrets': Flags.boolean({ description: 'Send the secrets of all existing registries again' }),
    'rotate-secret': valueFlag('--rotate-secret', listOfNames, {
      helpValue: 'NAME,…',
      description: 'Send the secrets of these existing registries again, such as NPM_REGISTRY_SECRET',
    }),
    'resend-selection': Flags.boolean({
      description: 'Send the repositories that may use existing registries again, where policies select them',
    }),
    'allow-deletes': valueFlag('--allow-deletes', wholeNumber(1), {
      helpValue: 'NUMBER',
      description: 'Allow up to this many deletions, even of a large part of a kind, or of registries',
    }),
    allow: valueFlag('--allow', listOfNames, {
      helpValue: 'archived,visibility',
      description: 'Allow changes that archive repositories, or change their visibility',
    }),
    'allow-secret': valueFlag('--allow-secret', listOfNames, {
      helpValue: 'NAME,…',
      description: 'With a saved plan, allow secrets from these variables and files; required without a terminal',
    }),
    deny: wordFlag('--deny', ['loosens'], {
      description: 'Stop before the first write if a change loosens protection',
    }),
    organization: textFlag('--organization', {
      helpValue: 'ORG',
      description: 'Organization to change instead of the one in the files; profile.yaml is ignored',
    }),
    concurrency: valueFlag('--concurrency', wholeNumber(1, 100), {
      helpValue: 'NUMBER',
      description: 'Targets at once, 1 to 100 (default: 8)',
    }),
    limit: valueFlag('--limit', wholeNumber(1), {
      helpValue: 'NUMBER',
      description: 'Change only this many repositories; --resume makes the other changes later',
    }),
    shard: shardFlag('With a saved plan, make only part I of N, which the name of a target decides; I counts from 1'),
    'undo-out': textFlag('--undo-out', {
      ...fileOnly,
      description: 'Save the plan that leads back, without secrets, for policy apply',
    }),
    journal: textFlag('--journal', {
      ...fileOnly,
      description: 'New file for the journal (default: one in the state directory); its plan is saved beside it',
    }),
    resume: textFlag('--resume', { ...fileOnly, description: 'Journal to continue, with the plan beside it' }),
    only: wordFlag('--only', ['failed'], { description: 'With --resume, process only the targets that failed' }),
    ...unknownFlag,
    ...confirmedWriteFlags,
  };

  protected override readonly readings = true;
  protected override readonly columns: readonly Column<AppliedTarget>[] = [
    { header: 'Target', get: nameOf, as: 'name', priority: 1 },
    { header: 'Status', get: 'status', as: 'state', priority: 1 },
    { header: 'Done', get: ({ done }) => done.join(', '), as: 'text', priority: 2, optional: true },
    { header: 'Error', get: ({ error }) => error && errorText(error), as: 'message', priority: 1, optional: true },
  ];
  protected override readonly recordsName = 'targets';
  protected override readonly idField = 'target';
  protected override emptyText = 'The live state matches the policy.';

  readonly #results: AppliedTarget[] = [];
  #run: ApplyRun<Failure> | undefined;
  #resumption = '';

  async run(): Promise<AppliedTarget[] | Planned> {
    const { args, flags } = await this.collect(PolicyApply);
    this.#noteProblems(flags);
    const { resume, organization } = flags;
    const { path = [] } = this.valid(args);
    if (resume !== undefined && path.length)
      throw new UsageError('--resume takes the plan beside the journal, so no paths can be given. Nothing was sent.');
    const { 'undo-out': undo } = flags;
    if (undo !== undefined) requirePlaceFor(undo);
    if (undo !== undefined && resume === undefined && lstatSync(undo, { throwIfNoEntry: false })?.isFile())
      throw new UsageError(`${undo} already exists, perhaps to undo an earlier run. Nothing was sent.`);
    const saved = resume === undefined ? savedPlanAt(path) : requirePlan(`${resume}.plan`);
    if (saved && organization !== undefined)
      throw new UsageError('--organization cannot be used with a saved plan. Nothing was sent.');
    if (!saved && flags.shard)
      throw new UsageError(
        '--shard requires a saved plan, so that all shards make the same one. Nothing was sent.',
        'Save it with: forgectl policy plan --out plan.ndjson',
      );
    const policy = saved ? undefined : await policyOf(path, this.runtime.stdin, flags);
    const client = await this.session.client();
    if (saved && saved.platform !== client.platform.baseUrl)
      throw new UsageError(`The plan is for ${saved.platform}, not for ${client.platform.baseUrl}. Nothing was sent.`);
    const warn = (text: string) => this.notice(text);
    const { concurrency, timeout: whereTimeoutMs } = flags;
    const lane = lanesOf(await this.session.connection());
    const describe = (error: unknown) => this.describe(error);
    const options = { client, concurrency, lane, describe, whereTimeoutMs, warn };
    const planned = policy && (await planPolicy(policy, options));
    const plan = planned ?? (await derivePlan(saved as SavedPlan, { client, concurrency }));
    const all = stepsOf(plan, this.#extent(plan, flags));
    this.failure = unplannedError(plan.changes);
    const keepsUndeclared = !flags.prune && plan.changes.some(({ undeclared }) => undeclared);
    if (keepsUndeclared || this.failure) this.emptyText = 'Nothing was changed.';
    if (!flags['dry-run'] && (all.length || keepsUndeclared || this.failure)) {
      const changes = withResent(plan.changes, all);
      await this.#show(changes, { prunes: flags.prune, inFull: saved !== undefined });
      this.notice(
        planned
          ? planCounts({ ...planned, changes }, flags.prune)
          : `${changeCounts(changes, flags.prune)}${plan.identity ? `, planned by ${safeText(plan.identity)}` : ''}.`,
      );
    }
    this.#guard(all, flags);
    const part = stepsIn(all, flags);
    if (saved) this.#requireSecretsAllowed(part.steps, flags);
    if (flags['dry-run']) return plannedRequests(part.steps, client);
    const secrets = await readSecrets(part.steps, this.runtime.env);
    if (part.steps.length) {
      const targets = new Set(part.steps.map(({ target }) => target)).size;
      const changes = changesOf(part.steps).length;
      await this.input.confirm(String(changes), `makes ${counted(changes, 'change')} in ${counted(targets, 'target')}`);
    }
    if (undo !== undefined) {
      const definitions = await definitionsFor(part.steps, new Reader(client));
      savePlan(undo, undoPlan(plan, part.steps, definitions), { replace: resume !== undefined });
    }
    if (part.steps.length) await this.#apply(part, plan, flags, secrets);
    return this.#results.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  async #apply({ steps, left }: PlanPart, plan: SavedPlan, flags: ApplyFlags, secrets: Secrets): Promise<void> {
    const { journal: given, resume, only, shard, concurrency } = flags;
    const path = resume ?? given ?? newJournalPath(this.runtime);
    const { platform, digest, policy_digest } = plan;
    const line = withoutJournal(this.argv);
    const header = { platform, line, plan: digest, policy_digest, ...(shard && { shard: shardText(shard) }) };
    const journal = new Journal(path, header, { resume: resume !== undefined });
    this.#resumption = `Continue with:\n  ${resumption(path, secretNames(steps), flags)}`;
    try {
      if (resume === undefined) savePlanBeside(path, plan);
      journal.recordTargets(phasesOf(steps).flat().map(targetOf));
      this.notice(`Journal: ${path}`);
      const run = new ApplyRun<Failure>(steps, {
        client: await this.session.client(),
        describe: (error) => this.describe(error),
        lane: lanesOf(await this.session.connection()),
        ...{ journal, only, left, secrets, concurrency },
        signal: this.stopSignal,
        onQuiet: () => this.leaveIfStopping(),
      });
      this.#run = run;
      for await (const outcome of run) {
        const { target, phase } = outcome.target;
        const error = 'error' in outcome ? printed(outcome.error) : undefined;
        const done = outcome.status === 'ok' ? outcome.result : [];
        this.#results.push({ target, ...(phase && { phase }), status: outcome.status, done, ...(error && { error }) });
      }
      this.#report(run, left, flags);
    } catch (error) {
      const { failure } = journal;
      throw failure ? new FileError(failure.message, { cause: error, advice: this.#resumption }) : error;
    } finally {
      journal.close();
    }
  }

  /** Prints the totals of the run, and the line that undoes it if its undo plan was saved. */
  #reportTotals(undo: string | undefined): void {
    const summary = new OutcomeSummary();
    let changes = 0;
    for (const { target, status, done } of this.#results) {
      summary.add({ target, status });
      changes += done.length;
    }
    this.notice(`${summary.counts()} (${counted(changes, 'change')}).`);
    if (undo !== undefined) this.notice(`Undo with:\n  ${shellLine(['forgectl', 'policy', 'apply', undo])}`);
  }

  #report({ stop }: ApplyRun<Failure>, left: readonly Step[], { shard, 'undo-out': undo }: ApplyFlags): void {
    this.#reportTotals(undo);
    const failed = this.#results.filter(({ status }) => status === 'failed' || status === 'unknown').length;
    if (failed > 0 || stop !== undefined) {
      this.failure =
        typeof stop === 'object'
          ? stoppedError(stop, 'the remaining targets were not begun')
          : new SomeFailedError(`${formatCount(failed)} of ${counted(this.#results.length, 'target')} failed.`);
      this.notice(this.#resumption);
      return;
    }
    const open = shard ? left.filter((step) => !step.target.includes('/') && isLoosening(step)) : left;
    if (open.length === 0) return;
    const changes = counted(changesOf(open).length, 'change');
    this.notice(
      shard
        ? `${changes} that may loosen organizations left: plan and apply again once all shards are done.`
        : `${changes} left. ${this.#resumption}`,
    );
  }

  protected override get pendingWrites(): number {
    return this.#run?.pendingWrites ?? 0;
  }

  protected override get ending(): string {
    return this.#resumption;
  }

  #noteProblems(flags: ApplyFlags): void {
    const { journal, resume, allow = [], only, 'undo-out': undo } = flags;
    const problem = (flag: string, message: string) => void this.problems.push(invalid(flag, message));
    if (journal !== undefined && resume !== undefined) problem('--journal', 'cannot be used with --resume');
    if (only !== undefined && resume === undefined) problem('--only', 'requires --resume');
    for (const [flag, value] of [
      ['--journal', journal],
      ['--resume', resume],
      ['--undo-out', undo],
    ])
      if (flags['dry-run'] && value !== undefined) problem('--dry-run', `cannot be used with ${flag}`);
    if (flags['rotate-secrets'] && flags['rotate-secret'] !== undefined)
      problem('--rotate-secret', 'cannot be used with --rotate-secrets');
    for (const word of allow)
      if (word !== 'archived' && word !== 'visibility') problem('--allow', 'must be archived, visibility or both');
  }

  /** Throws GuardError for changes that flags forbid, or do not allow. */
  #guard(steps: readonly PlannedChange[], flags: ApplyFlags): void {
    const loosening = steps.filter(({ effect }) => effect === 'loosens').length;
    if (flags.deny !== undefined && loosening)
      throw new GuardError(
        `${counted(loosening, 'change')} would loosen protection (--deny loosens). Nothing was written.`,
      );
    const tooMany = tooManyDeletions(steps, flags['allow-deletes']);
    if (tooMany) throw new GuardError(`${tooMany} Nothing was written.`);
    for (const [change, count] of changesToAllow(steps, flags.allow ?? []))
      throw new GuardError(
        `${change} of ${count === 1 ? '1 repository' : `${formatCount(count)} repositories`} would change. To allow that, add --allow ${change}. Nothing was written.`,
      );
  }

  /** Throws GuardError for secrets of a saved plan that no one could have seen, and that no flag allows. */
  #requireSecretsAllowed(steps: readonly Step[], flags: ApplyFlags): void {
    if (flags['dry-run'] || this.input.canPrompt()) return;
    const names = secretNames(steps).filter((name) => !flags['allow-secret']?.includes(name));
    if (names.length)
      throw new GuardError(
        `The plan sends ${names.length === 1 ? 'a secret' : `${names.length} secrets`} from ${names.join(', ')}. To allow that, add --allow-secret ${names.join(',')}. Nothing was written.`,
      );
  }

  /** Returns what is made only with a flag. Throws UsageError for the name of a registry without a secret in the policy. */
  #extent({ changes }: SavedPlan, flags: ApplyFlags): Extent {
    const { prune, 'rotate-secrets': rotatesAll, 'rotate-secret': names = [] } = flags;
    const isNamed = ({ id }: PlannedChange, name: string) => String(id).toLowerCase() === name.toLowerCase();
    const sealed = changes.filter(({ action, secret }) => action === 'unverified' && secret);
    const unknown = names.filter((name) => !sealed.some((change) => isNamed(change, name)));
    if (unknown.length)
      throw new UsageError(
        `The policy has no secret for an existing registry ${unknown.join(', ')}. Nothing was sent.`,
        sealed.length ? `Registries with a secret: ${sealed.map(({ id }) => id).join(', ')}` : undefined,
      );
    const rotates = (change: PlannedChange) => rotatesAll || names.some((name) => isNamed(change, name));
    return { prune, rotates, resendsSelection: flags['resend-selection'] };
  }

  async #show(changes: readonly PlannedChange[], options: { readonly prunes: boolean; readonly inFull: boolean }) {
    const rows = planRows({ changes }, options);
    // Whatever sends a secret, deletes, loosens or asks is shown.
    const isShown = ({ sign, effect, detail }: PlanRow, at: number) =>
      at < mostRows || sign === '-' || /loosens|asks/.test(effect) || detail.includes('secret from ');
    const shown = rows.filter(isShown);
    await this.noticeTable(shown, planColumns);
    const more = rows.length - shown.length;
    const where = options.inFull ? '--dry-run prints all requests' : 'see policy plan';
    if (more > 0) this.notice(`… and ${counted(more, 'more row')}; ${where}.`);
  }
}

type PlanPart = ReturnType<typeof stepsIn>;

/** Returns the target of a task as journals have it. */
function targetOf({ name, steps }: Task): JournalTarget {
  const id = steps[0]?.repository_id;
  return { name, ...(id !== undefined && { id }) };
}

/** Returns the variables and files from which steps take secrets. */
const secretNames = (steps: readonly Step[]): string[] => [
  ...new Set(steps.flatMap(({ secret }) => (secret ? [sourceName(secret)] : []))),
];

interface ApplyFlags {
  readonly prune: boolean;
  readonly 'rotate-secrets': boolean;
  readonly 'rotate-secret'?: readonly string[] | undefined;
  readonly 'resend-selection': boolean;
  readonly 'dry-run': boolean;
  readonly deny?: string | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly 'allow-secret'?: readonly string[] | undefined;
  readonly 'allow-deletes'?: number | undefined;
  readonly journal?: string | undefined;
  readonly resume?: string | undefined;
  readonly only?: 'failed' | undefined;
  readonly limit?: number | undefined;
  readonly shard?: Shard | undefined;
  readonly 'undo-out'?: string | undefined;
  readonly concurrency?: number | undefined;
}

/** Returns the command line that continues a run. */
function resumption(
  path: string,
  secrets: readonly string[],
  { allow, deny, shard, concurrency, ...flags }: ApplyFlags,
): string {
  const given: readonly (readonly [string, string | undefined])[] = [
    ['allow-deletes', flags['allow-deletes']?.toString()],
    ['allow', allow?.join(',')],
    ['allow-secret', secrets.length ? secrets.join(',') : undefined],
    ['deny', deny],
    ['rotate-secret', flags['rotate-secret']?.join(',')],
    ['shard', shard && shardText(shard)],
    ['concurrency', concurrency?.toString()],
    ['undo-out', flags['undo-out']],
    ['resume', path],
  ];
  const words = given.flatMap(([flag, value]) => (value === undefined ? [] : flagWords(flag, value)));
  const switches = (['prune', 'rotate-secrets', 'resend-selection'] as const).filter((name) => flags[name]);
  return shellLine(['forgectl', 'policy', 'apply', ...switches.map((name) => `--${name}`), ...words, '--yes']);
}

/** Saves the plan of a run beside its new journal. Throws FileError. */
function savePlanBeside(journal: string, plan: SavedPlan): void {
  const file = `${journal}.plan`;
  try {
    writeOutputFile(file, planText(plan), { replace: true, isPrivate: true });
  } catch (error) {
    // Without its plan, no run can resume it.
    rmSync(journal, { force: true });
    throw new FileError(`Cannot write ${file}: ${whyNotWritten(file, error)}. Nothing was sent.`);
  }
}

/** Returns the requests of steps in the order in which they are sent. */
async function plannedRequests(steps: readonly Step[], client: Client): Promise<PlannedRequest[]> {
  const requests: PlannedRequest[] = [];
  for (const task of phasesOf(steps).flat())
    for (const step of task.steps) {
      const request = await requestFor(step, client);
      if (request) requests.push(client.plan(request.endpoint, request.input as never));
    }
  return requests;
}

/** Returns the changes of a plan, in which steps that send write-only fields again replace the lines of these fields. */
function withResent(changes: readonly PlannedChange[], steps: readonly PlannedChange[]): readonly PlannedChange[] {
  const resent = steps.filter(({ action }) => action === 'resend');
  const left = changes.flatMap((change) => {
    const sent = change.action === 'unverified' && resent.find((step) => isSameObject(step, change));
    if (!sent) return [change];
    const unsent = change.changes.filter(({ path }) => !sent.changes.some((each) => each.path === path));
    return unsent.length ? [{ ...change, changes: unsent }] : [];
  });
  return [...left, ...resent].toSorted(byTarget);
}

const isSameObject = (a: PlannedChange, b: PlannedChange): boolean =>
  a.kind === b.kind && a.target === b.target && a.id === b.id;

/** Returns the saved plan at a path; undefined for policies. */
function savedPlanAt(paths: readonly string[]): SavedPlan | undefined {
  const [path, ...others] = paths;
  if (path === undefined || path === '-' || others.length || !isPlan(path)) return undefined;
  return requirePlan(path);
}

/** Plans have any name; one that cannot be read is a plan by its name. */
function isPlan(path: string): boolean {
  if (path.endsWith('.ndjson')) return true;
  const start = '{"plan":';
  try {
    // What is read from a pipe is gone.
    if (!statSync(path).isFile()) return false;
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(start.length);
      return readSync(file, bytes) === start.length && bytes.equals(Buffer.from(start));
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** Throws UsageError, and PlanFileError. */
function requirePlan(path: string): SavedPlan {
  let text: string;
  try {
    text = readRegularFile(path, largestPlan).toString();
  } catch (error) {
    if (error instanceof UnsuitableFileError) throw new UsageError(`${path} ${error.message}. Nothing was sent.`);
    throw new UsageError(`Cannot read ${path}: ${whyUnreadable(error) ?? (error as Error).message}. Nothing was sent.`);
  }
  return parsePlan(path, text);
}
