import type { Planned } from '../../cli/command/command.ts';
import { examples } from '../../cli/command/command.ts';
import type { Client } from '../../client/client.ts';
import { derivePlan } from '../../fleet/policy/applying/derive.ts';
import { stepsOf } from '../../fleet/policy/applying/optional-changes.ts';
import { stepsIn, type Task } from '../../fleet/policy/applying/phases.ts';
import { readSecrets, requireSources } from '../../fleet/policy/applying/secrets.ts';
import { requestsFor } from '../../fleet/policy/applying/steps.ts';
import { changesOf } from '../../fleet/policy/applying/two-steps.ts';
import { definitionsFor } from '../../fleet/policy/kinds/properties.ts';
import type { PlannedChange } from '../../fleet/policy/live/change.ts';
import { Reader } from '../../fleet/policy/live/requests.ts';
import { planPolicy } from '../../fleet/policy/planning/plan.ts';
import type { SavedPlan } from '../../fleet/policy/planning/plan-file.ts';
import type { Policy } from '../../fleet/policy/wanted/model.ts';
import { counted } from '../../output/amounts.ts';
import { type ApplyFlags, applyFlags, combinationProblems, requireFlagsFor } from '../../topics/policy/apply/flags.ts';
import { extentOf, requireAllowed, requireSecretsAllowed } from '../../topics/policy/apply/guards.ts';
import { type AppliedPart, ApplyInJournal } from '../../topics/policy/apply/in-journal.ts';
import { type AppliedTarget, nameOf, outcomeColumns, withResent } from '../../topics/policy/apply/outcomes.ts';
import { earlierApply, extentWords, requireSamePlan, tasksLeft } from '../../topics/policy/apply/resume.ts';
import { planBeside, requirePlatform, savedPlanAt } from '../../topics/policy/apply/saved-plan.ts';
import { maskedChanges, type Showing, showPlan } from '../../topics/policy/apply/shown-plan.ts';
import { requireUndoFile, UndoFile } from '../../topics/policy/apply/undo-file.ts';
import { policyPathsArg } from '../../topics/policy/files.ts';
import { planCounts, savedPlanCounts } from '../../topics/policy/rendering/counts.ts';
import { planColumns } from '../../topics/policy/rendering/rows.ts';
import { policyPlanReads, policyWrites } from '../../topics/policy/requests.ts';
import { policyOf, unplannedError, whyNoSecret } from '../../topics/policy/run.ts';
import type { EarlierRun } from '../../topics/runs/earlier-run.ts';
import { FleetCommand } from '../../topics/runs/fleet-command.ts';
import { rateLimitGroupOf } from '../../topics/runs/installations.ts';
import { settleShard } from '../../topics/runs/shard-flag.ts';

export default class PolicyApply extends FleetCommand<AppliedTarget[]> {
  static override summary = 'Apply policies';
  static override description =
    `Plans like policy plan, shows the plan, asks for confirmation, and makes the changes. With a plan that policy plan --out saved, makes exactly
those. Before each write the object is read again: if it changed after the plan, it is left alone, and the exit code is 9. In each target,
creations and tightenings come first; where one fails, nothing of that target is loosened or deleted. Objects that no policy declares
(manage: all) are deleted only with --prune. Secrets of registries are read from the environment variables and files that policies name,
and sent with new registries, or with --rotate-secrets. A journal records each write before it is sent; --resume JOURNAL alone continues the run with the plan that was saved beside it.
Writes are sent one at a time if the platform reports rate limits, otherwise up to four at a time, or as many as --concurrency.`;
  static override examples = examples({
    'Apply the folder policy': 'forgectl policy apply --yes',
    'Apply exactly the plan that was saved':
      'forgectl policy plan --out plan.ndjson && forgectl policy apply plan.ndjson --yes',
  });
  static override requests = [...policyPlanReads, ...policyWrites];
  static override args = { path: policyPathsArg() };
  static override flags = applyFlags;

  protected override readonly readings = true;
  protected override readonly writeConcurrency = 4;
  protected override readonly columns = outcomeColumns;
  protected override readonly recordsName = 'targets';
  protected override readonly idField = 'target';
  protected override emptyText = 'The live state matches the policy.';

  #run: ApplyInJournal | undefined;
  #undo: UndoFile | undefined;

  async run(): Promise<AppliedTarget[] | Planned> {
    const { args, flags: given } = await this.collect(PolicyApply);
    this.problems.push(...combinationProblems(given));
    const { path = [] } = this.valid(args);
    const earlier = earlierApply(given, path);
    const flags = earlier ? await this.#flagsOf(earlier) : given;
    const saved = earlier ? planBeside(earlier.path) : savedPlanAt(path);
    if (flags['undo-out'] !== undefined) requireUndoFile(flags['undo-out'], earlier && saved);
    requireFlagsFor(saved, flags);
    const policy = saved ? undefined : await policyOf(path, this.runtime, flags, this.config.root);
    const client = await this.session.client();
    if (saved) {
      requirePlatform(saved, client.platform.baseUrl);
      requireSources(saved.changes, whyNoSecret(this.runtime.env));
    }
    const planned = policy && (await this.#planned(policy, client, flags));
    const plan = planned ?? (await derivePlan(saved as SavedPlan, { client, concurrency: flags.concurrency }));
    if (earlier) requireSamePlan(earlier, plan);
    const all = stepsOf(plan, extentOf(plan, flags));
    this.failure = unplannedError(plan.changes);
    const keepsUndeclared = !flags.prune && plan.changes.some(({ undeclared }) => undeclared);
    if (keepsUndeclared || this.failure) this.emptyText = 'Nothing was changed.';
    if (!flags['dry-run'] && (all.length || keepsUndeclared || this.failure)) {
      const changes = withResent(plan.changes, all);
      const counts = planned
        ? planCounts({ ...planned, changes }, flags.prune)
        : savedPlanCounts(saved ?? plan, changes, flags.prune);
      await this.#show(changes, { counts, prunes: flags.prune, file: earlier?.path ?? (saved && path[0]) });
    }
    const { tokenKind } = await this.session.connection();
    await requireAllowed(all, flags, { reader: new Reader(client), tokenKind });
    const part = { ...stepsIn(all, flags), ofShard: stepsIn(all, { shard: flags.shard }).steps };
    if (saved && !flags['dry-run'] && !this.input.canPrompt()) requireSecretsAllowed(part.steps, flags);
    const left = tasksLeft(part.steps, earlier?.state, flags.only);
    if (!flags['dry-run']) return this.#apply({ ...part, plan: saved ?? plan, flags, earlier }, left);
    const steps = left.flatMap((task) => task.steps);
    return (await requestsFor(steps, client)).map(({ endpoint, input }) => client.plan(endpoint, input as never));
  }

  #show(changes: readonly PlannedChange[], shown: Pick<Showing, 'counts' | 'prunes' | 'file'>): Promise<void> {
    return showPlan(
      maskedChanges(changes, (text) => this.masked(text)),
      {
        ...{ ...shown, typed: this.typed },
        draw: (layOut) => this.noticeDrawn(layOut),
        table: (rows) => this.noticeTable(rows, planColumns),
        notice: (text) => this.notice(text),
      },
    );
  }

  /** Makes the changes once they are confirmed. `open` are those that an earlier run has not made. */
  async #apply(part: Omit<AppliedPart, 'secrets'>, open: readonly Task[]): Promise<AppliedTarget[]> {
    const { steps, plan, flags, earlier } = part;
    const secrets = await readSecrets(steps, this.runtime.env, whyNoSecret(this.runtime.env));
    for (const { secret } of steps) if (secret) this.addSentSecret(Buffer.from(secrets(secret)).toString());
    const changes = changesOf(open.flatMap((task) => task.steps)).length;
    if (changes > 0) {
      const targets = new Set(open.map(({ target }) => target)).size;
      await this.input.confirm(String(changes), `makes ${counted(changes, 'change')} in ${counted(targets, 'target')}`);
    }
    const { 'undo-out': undo } = flags;
    const client = await this.session.client();
    if (undo !== undefined) this.#undo = new UndoFile(undo, plan, await definitionsFor(steps, new Reader(client)));
    const saveUndo = () => {
      this.#undo?.save(steps, { continues: earlier !== undefined });
      if (undo !== undefined) this.notice(`Undo plan: ${undo}`);
    };
    if (steps.length === 0) {
      saveUndo();
      return [];
    }
    this.#run = new ApplyInJournal({
      ...{ ...part, ...(await this.runContext()), secrets, typed: this.typed, saveUndo },
      rateLimitGroup: rateLimitGroupOf(await this.session.connection()),
    });
    try {
      const { results, failure } = await this.#run.make();
      this.failure = failure ?? this.failure;
      return results.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    } finally {
      this.leaving();
    }
  }

  /** Keeps only what was made in the undo plan: somebody else may have made the rest. */
  protected override leaving(): void {
    const made = this.#run?.made;
    if (made) this.#undo?.update(made, (text) => this.notice(text));
  }

  protected override get pendingWrites(): number {
    return this.#run?.pendingWrites ?? 0;
  }

  protected override get progress(): string | undefined {
    return this.#run?.progress;
  }

  protected override get ending(): string | undefined {
    return this.#run?.ending;
  }

  /** Returns the flags with those of an earlier run that decide which changes it makes. */
  async #flagsOf(earlier: EarlierRun): Promise<ApplyFlags> {
    const { given, declared } = this.typed;
    const { flags } = await this.collect(PolicyApply, [...extentWords(earlier, given, declared), ...given]);
    settleShard(flags);
    return flags;
  }

  async #planned(policy: Policy, client: Client, flags: ApplyFlags & { readonly timeout?: number | undefined }) {
    return planPolicy(policy, {
      client,
      concurrency: flags.concurrency,
      rateLimitGroup: rateLimitGroupOf(await this.session.connection()),
      describe: (error) => this.describe(error),
      whereTimeoutMs: flags.timeout,
      warn: (text) => this.notice(text),
    });
  }
}
