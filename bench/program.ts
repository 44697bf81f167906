/** Runs programs without their output, and measures them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Median and quartiles of several measurements. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface Resources {
  /** User and system time, in milliseconds. */
  readonly cpuMs: number;
  readonly peakMiB: number;
}

/**
 * Returns the wall time of each program in milliseconds. The programs take turns, so that other load affects all of
 * them; the first round warms caches and does not count.
 */
export function takeTurns(programs: readonly Program[], rounds: number): Spread[] {
  const times = programs.map((): number[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [index, program] of programs.entries()) {
      const time = timeOf(program);
      if (round > 0) times[index]?.push(time);
    }
  return times.map(spreadOf);
}

/** Returns the wall time of one run in milliseconds. */
export function timeOf({ file, args, env }: Program): number {
  const start = performance.now();
  run(file, args, env);
  return performance.now() - start;
}

/** Returns what a program writes to stdout. Throws if it fails. */
export function outputOf({ file, args, env }: Program): string {
  return execFileSync(file, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const gnuTime = '/usr/bin/time';

/** Whether CPU time and peak memory can be measured: Node does not report them for child processes. */
export const canMeasureResources = (): boolean => existsSync(gnuTime);

/** Measures CPU time and peak memory of one run with GNU time, whose output is written to `folder`. */
export function resourcesOf({ file, args, env }: Program, folder: string): Resources {
  const notes = join(folder, 'resources');
  run(gnuTime, ['--format=%U %S %M', `--output=${notes}`, file, ...args], env);
  const [user = 0, system = 0, peakKiB = 0] = readFileSync(notes, 'utf8').trim().split(' ').map(Number);
  return { cpuMs: (user + system) * 1000, peakMiB: peakKiB / 1024 };
}

/** Throws if the program fails. */
export function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const { error, status, stderr } = spawnSync(file, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  if (error) throw error;
  if (status !== 0) throw new Error(`${[file, ...args].join(' ')} exited with ${status}: ${stderr.toString().trim()}`);
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
