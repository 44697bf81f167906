/** The run of `each` over its targets. */
import type { Connection } from '../../cli/account/connection.ts';
import type { Failure } from '../../cli/report/report.ts';
import type { RunJournal } from '../../fleet/journal/deferred.ts';
import type { JournalState } from '../../fleet/journal/state.ts';
import { FleetRun } from '../../fleet/runner.ts';
import { rateLimitGroupOf } from '../runs/installations.ts';
import type { TargetSelection } from './selection.ts';
import type { EachWork } from './work.ts';

export type EachRun = FleetRun<string, unknown, Failure>;

interface RunParts {
  readonly work: EachWork;
  readonly journal: RunJournal | undefined;
  readonly earlier: JournalState | undefined;
  readonly selection: Pick<TargetSelection, 'unlisted' | 'idOf' | 'listedIdOf'>;
  readonly connection: Connection;
  readonly signal: AbortSignal;
  readonly flags: {
    readonly 'dry-run': boolean;
    readonly 'max-failures'?: ((total: number) => number) | undefined;
  };
}

/** Returns the run of a command on targets, which is not begun. */
export function runOn(targets: readonly string[], parts: RunParts): EachRun {
  const { work, journal, earlier, selection, connection, signal, flags } = parts;
  return new FleetRun<string, unknown, Failure>({
    ...{ targets, journal, signal },
    name: (target) => target,
    work: async (target, writes) => {
      const failure = selection.unlisted.get(target);
      if (failure) throw failure;
      return flags['dry-run']
        ? work.plan(target, earlier?.find(target)?.done)
        : work.run(target, writes, selection.idOf(target), selection.listedIdOf(target));
    },
    rateLimitGroup: rateLimitGroupOf(connection),
    describe: (error) => work.describe(error),
    verify: (target, write) => work.verify(target, write, selection.idOf(target)),
    concurrency: connection.concurrency,
    maxFailures: flags['max-failures']?.(targets.length),
  });
}
