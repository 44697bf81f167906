/** A run of `properties set` that takes several requests, with its journal. Changes are made as in `policy apply`. */
import * as v from 'valibot';
import type { SomeFailedError } from '../../cli/errors.ts';
import { maskedWords } from '../../cli/input/masked-words.ts';
import { type PrintedLine, printedLine, wordsWithoutFlags } from '../../cli/input/printed-line.ts';
import type { ErrorLine, Failure } from '../../cli/report/report.ts';
import { FileError } from '../../client/errors.ts';
import { Journal } from '../../fleet/journal/journal.ts';
import type { JournalTarget } from '../../fleet/journal/lines.ts';
import { ApplyRun } from '../../fleet/policy/applying/apply.ts';
import { stepName } from '../../fleet/policy/applying/steps.ts';
import { ChangedSincePlanError } from '../../fleet/policy/errors.ts';
import { valueShape, withoutDefaults } from '../../fleet/policy/kinds/properties.ts';
import type { Step } from '../../fleet/policy/live/change.ts';
import { checked, requireShape, shape } from '../../fleet/policy/live/record-shapes.ts';
import { valueNamed } from '../../platform/custom-properties.ts';
import { listPropertyValues } from '../../platform/endpoints/properties.ts';
import type { CustomProperty, RepositoryPropertyValues } from '../../platform/records.ts';
import type { Given } from '../../platform/validate.ts';
import { OutcomeSummary } from '../each/outcomes.ts';
import { type EarlierRun, ofJournal } from '../runs/earlier-run.ts';
import { newJournalPath } from '../runs/journal-path.ts';
import type { RunContext } from '../runs/run-context.ts';
import { runFailure } from '../runs/stopped-run.ts';
import { argsIn, continuing } from './resume.ts';
import { definitionsByName, type PropertyValue } from './values.ts';

const valuesOfAll = checked(
  listPropertyValues,
  shape<RepositoryPropertyValues>({
    repository_id: v.number(),
    repository_full_name: v.string(),
    properties: v.array(v.object(valueShape)),
  }),
);

/** The properties that a run sets, and the repositories. */
export interface SetParts {
  readonly org: string;
  /** Names without the owner; with IDs, if an earlier run has recorded them. */
  readonly repositories: readonly JournalTarget[];
  readonly values: readonly PropertyValue[];
  readonly definitions: readonly CustomProperty[];
  /** The run to continue. */
  readonly earlier: EarlierRun | undefined;
  /** The file for the new journal, if one is given. */
  readonly journal: string | undefined;
}

interface SetOptions extends SetParts, RunContext {
  readonly typed: Pick<PrintedLine, 'command' | 'given' | 'declared'>;
}

/** The result for a repository. Skipped: done by an earlier run. */
export interface RepositoryResult {
  readonly result: 'updated' | 'failed' | 'unknown' | 'skipped';
  readonly error?: ErrorLine['error'];
}

const results = { ok: 'updated', failed: 'failed', unknown: 'unknown', skipped: 'skipped' } as const;

export class SetInJournal {
  readonly #with: SetOptions;
  readonly #path: string;
  readonly #results = new Map<string, RepositoryResult>();
  readonly #summary = new OutcomeSummary();
  #run: ApplyRun<Failure> | undefined;

  constructor(options: SetOptions) {
    this.#with = options;
    const { earlier, journal, runtime } = options;
    this.#path = earlier?.path ?? journal ?? newJournalPath(runtime);
  }

  /** Writes that were sent and have no response yet. */
  get pendingWrites(): number {
    return this.#run?.pendingWrites ?? 0;
  }

  /** The command line that continues the run; undefined before it has started. */
  get continuation(): string | undefined {
    const { typed, mask } = this.#with;
    return this.#run && printedLine('Continue with', { ...continuing(typed, this.#path, this.#masked), mask });
  }

  /** Returns the result for a repository; undefined if the run ended before it. */
  resultOf(name: string): RepositoryResult | undefined {
    return this.#results.get(name.toLowerCase());
  }

  /** Makes the changes. Returns the error to report after the results. Throws JournalError, FileError and the client's errors. */
  async make(): Promise<SomeFailedError | undefined> {
    const steps = await this.#steps();
    if (steps.length === 0) return this.#report();
    const { client, signal, onQuiet, notice } = this.#with;
    const journal = this.#open();
    try {
      journal.recordTargets(
        steps.map(({ target, repository_id: id }) => ({ name: target, ...(id !== undefined && { id }) })),
      );
      notice(`Journal: ${this.#path}`);
      const describe = (error: unknown) => this.#described(error);
      const run = new ApplyRun<Failure>(steps, { client, describe, journal, signal, onQuiet });
      this.#run = run;
      for await (const outcome of run) {
        const { target } = outcome.target;
        const error = 'error' in outcome ? outcome.error : undefined;
        this.#add(target, outcome.status, error);
      }
      return this.#report(run);
    } catch (error) {
      const { failure } = journal;
      throw failure ? new FileError(failure.message, { cause: error, advice: this.continuation }) : error;
    } finally {
      journal.close();
    }
  }

  /** What the journal has only as masks. */
  get #masked(): readonly string[] {
    const { typed, mask } = this.#with;
    return maskedWords(argsIn(typed.given, typed.declared), mask).masked;
  }

  #open(): Journal {
    const { client, earlier, typed, mask } = this.#with;
    const { words: line } = maskedWords(wordsWithoutFlags(typed.given, typed.declared, ofJournal), mask);
    const masked = this.#masked.length ? { masked: this.#masked } : {};
    const header = { platform: client.platform.baseUrl, line, kept_by: 'properties set', ...masked } as const;
    return new Journal(this.#path, header, { resume: earlier !== undefined, mask });
  }

  /** Returns the changes of the repositories that the organization has. The others have failed, unless an earlier run changed them. */
  async #steps(): Promise<readonly Step[]> {
    const { org, repositories, earlier, notice } = this.#with;
    const live = await this.#live();
    const missing: string[] = [];
    const steps = repositories.flatMap(({ name, id }) => {
      const target = `${org}/${name}`;
      const found = live.get(target.toLowerCase());
      if (found) return [this.#stepFor(target, found, id)];
      const isDone = earlier?.state.find(target)?.outcome === 'ok';
      if (!isDone) missing.push(target);
      this.#add(target, isDone ? 'skipped' : 'failed');
      return [];
    });
    if (missing.length) notice(`Not found: ${missing.join(', ')}.`);
    return steps;
  }

  /** Returns the property values of all repositories of the organization, by lower-case full name: a page has 100. */
  async #live(): Promise<ReadonlyMap<string, RepositoryPropertyValues>> {
    const { client, org } = this.#with;
    const input = { path: { org } };
    const all: RepositoryPropertyValues[] = [];
    for await (const { items } of client.pages(valuesOfAll, input, { perPage: 100 }))
      for (const item of items) all.push(item);
    requireShape(valuesOfAll, all, client.plan(valuesOfAll, input).asked);
    return new Map(all.map((each) => [each.repository_full_name.toLowerCase(), each]));
  }

  #stepFor(target: string, { repository_id, properties }: RepositoryPropertyValues, id = repository_id): Step {
    const { values, definitions, earlier } = this.#with;
    const step = { action: 'update', kind: 'properties', target, name: '', source: '', changes: [] } as const;
    const body: Given = Object.fromEntries(values.map(({ property_name: name, value }) => [name, value]));
    const live = Object.fromEntries(properties.map(({ property_name: name, value }) => [name, value]));
    const own = Object.fromEntries(Object.keys(body).map((name) => [name, valueNamed(name, live)]));
    const defined = definitionsByName(definitions);
    // The values before a write without a response show whether it happened.
    const doubtful = earlier?.state.find(target)?.inDoubt.get(stepName(step))?.before as Given | undefined;
    return {
      ...step,
      repository_id: id,
      before: doubtful ?? withoutDefaults(own, defined, (name) => body[name] === null),
      body,
    };
  }

  async #described(error: unknown): Promise<Failure> {
    const failure = await this.#with.describe(error);
    if (!(error instanceof ChangedSincePlanError)) return failure;
    const message = `The values of ${error.target} changed after they were listed, so nothing was sent.`;
    return { ...failure, message, advice: undefined };
  }

  #add(target: string, status: keyof typeof results, error?: Failure): void {
    const { exit: _exit, reason, stops: _stops, ...printed } = error ?? {};
    this.#summary.add({ target, status }, reason ?? error?.message);
    this.#results.set(target.toLowerCase(), {
      result: results[status],
      ...(error && { error: printed as ErrorLine['error'] }),
    });
  }

  #report(run?: ApplyRun<Failure>): SomeFailedError | undefined {
    const { repositories, notice } = this.#with;
    if (run) notice([this.#summary.counts(), ...this.#summary.reasons()].join('\n'));
    const failure = runFailure(
      run ?? { stop: undefined, stoppedGroups: new Set() },
      this.#summary,
      repositories.length,
    );
    if (failure && this.continuation) notice(this.continuation);
    return failure;
  }
}
