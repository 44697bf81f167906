/** What a measure is, and how its figures are taken and written. */
import {
  canMeasureResources,
  type Program,
  type Resources,
  resourcesOf,
  type Spread,
  spreadOf,
  takeTurns,
} from '../program.ts';
import { type Bench, forgectl, gh } from './programs.ts';

/** One row of the results. */
export interface Row {
  readonly ours: string;
  readonly theirs: string;
  /** The value that the goal applies to: a ratio, a time, or a size in MiB. Absent if it could not be measured. */
  readonly value?: number;
  /** True if another limit that the goal names is exceeded. */
  readonly exceedsOther?: boolean;
}

export interface Goal {
  readonly text: string;
  readonly met: (value: number) => boolean;
}

export interface Measure {
  readonly name: string;
  readonly title: string;
  readonly goal?: Goal;
  /** Why the goal is missed, as the results show it if it is. */
  readonly cause?: string;
  readonly run: (bench: Bench) => Row;
}

export const atMost = (limit: number, text = String(limit)): Goal => ({
  text: `≤ ${text}`,
  met: (value) => value <= limit,
});
export const below = (limit: number, unit = ''): Goal => ({ text: `< ${limit}${unit}`, met: (value) => value < limit });

export function against(bench: Bench, most: number, ours: readonly string[], theirs: readonly string[]): Row {
  const programs = [forgectl(bench, ours), ...(bench.gh ? [gh(bench, theirs)] : [])];
  const [we, they] = takeTurns(programs, rounds(bench, most));
  return { ours: milliseconds(we), theirs: bench.gh ? milliseconds(they) : noGh, ...ratio(we, they) };
}

/** Returns undefined if GNU time is missing. */
export function resources(
  bench: Bench,
  program: Program,
  pick: (resources: Resources) => number,
  prepare: (bench: Bench) => void = () => {},
): Spread | undefined {
  if (!canMeasureResources()) return undefined;
  const runs = Array.from({ length: rounds(bench, 3) }, () => {
    prepare(bench);
    return pick(resourcesOf(program, bench.folder));
  });
  return spreadOf(runs);
}

/**
 * Returns the CPU time of short programs in milliseconds, each the mean of twenty runs as GNU time counts in hundredths of
 * a second; undefined if that is missing.
 */
export function processorTimes(bench: Bench, programs: readonly Program[]): (Spread | undefined)[] {
  const times = programs.map((): number[] => []);
  if (!canMeasureResources()) return programs.map(() => undefined);
  for (let round = 0; round < rounds(bench, 7); round++)
    for (const [index, { file, args, env }] of programs.entries()) {
      const loop = ['-c', 'for run in $(seq 20); do "$0" "$@" >/dev/null || exit 1; done', file, ...args];
      times[index]?.push(resourcesOf({ file: 'sh', args: loop, env }, bench.folder).cpuMs / 20);
    }
  return times.map(spreadOf);
}

export const noGh = 'gh is not installed';

export const rounds = ({ quick }: Bench, most: number) => (quick ? Math.ceil(most / 7) : most);

export function ratio(ours: Spread | undefined, theirs: Spread | undefined): { value?: number } {
  return ours && theirs ? { value: ours.median / theirs.median } : {};
}

export const milliseconds = (spread: Spread | undefined) => figure(spread, (value) => value.toFixed(0), 'ms');
export const seconds = (spread: Spread | undefined) => figure(spread, (value) => (value / 1000).toFixed(2), 's');
export const mebibytes = (spread: Spread | undefined) => figure(spread, (value) => value.toFixed(0), 'MiB');

export function figure(spread: Spread | undefined, text: (value: number) => string, unit: string): string {
  if (!spread) return 'GNU time is not installed';
  return `${text(spread.median)} ${unit} (${text(spread.low)} to ${text(spread.high)})`;
}
