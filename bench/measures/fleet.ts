/** Measures of commands over a fleet. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf, spreadOf, takeTurns, timeOf } from '../program.ts';
import { atMost, type Measure, mebibytes, noGh, type Row, ratio, resources, rounds, seconds } from './measure.ts';
import { type Bench, each, environment, forgectl, plan, targets } from './programs.ts';

export const fleetMeasures: readonly Measure[] = [
  {
    name: 'fleet',
    title: '1,000 organizations at 50 ms: `each --concurrency 20 -- orgs get {}` vs. 100 with a loop of `gh api`',
    goal: atMost(3.5, '3.5 s'),
    run: (bench) => {
      const url = `${bench.platform.baseUrl}/orgs/{}`;
      const loop = { file: 'xargs', args: ['-a', targets(bench, 100, 50), '-I{}', 'gh', 'api', url] };
      const [we] = takeTurns([forgectl(bench, each(bench, 1000, 50))], rounds(bench, 5));
      const [they] = bench.gh ? takeTurns([{ ...loop, env: environment(bench) }], 1) : [];
      return {
        ours: seconds(we),
        theirs: bench.gh ? seconds(they) : noGh,
        ...(we && { value: we.median / 1000 }),
      };
    },
  },
  {
    name: 'fleet-memory',
    title: 'Peak memory of `each -- orgs get {}`: 10,000 organizations vs. 1,000',
    goal: atMost(1.3),
    cause: 'V8’s young generation: the state of 20 targets, 30 KB each, survives every collection of it',
    run: (bench) => {
      const peak = (count: number) =>
        resources(bench, forgectl(bench, each(bench, count, 0)), ({ peakMiB }) => peakMiB);
      const [many, few] = [peak(10_000), peak(1000)];
      return { ours: mebibytes(many), theirs: mebibytes(few), ...ratio(many, few) };
    },
  },
  {
    name: 'fleet-plan-requests',
    title: 'Requests per repository of `policy plan`, 1,000 repositories with a ruleset each',
    goal: atMost(2.03),
    run: (bench) => {
      forgetReadings(bench);
      const { sent } = requestsOf(bench, 1000);
      return { ours: String(sent), theirs: '', value: sent / 1000 };
    },
  },
  {
    name: 'fleet-plan-requests-again',
    title: 'Requests per repository of the same plan again, nothing changed',
    goal: atMost(1.02, '1.02, and 5 of the quota'),
    run: (bench) => {
      requestsOf(bench, 1000);
      const { sent, not_modified: notModified } = requestsOf(bench, 1000);
      const ours = `${sent}, ${sent - notModified} of the quota`;
      return { ours, theirs: '', value: sent / 1000, exceedsOther: sent - notModified > 5 };
    },
  },
  {
    name: 'fleet-plan',
    title: 'First `policy plan --concurrency 100` of 10,000 repositories with a ruleset each, at 50 ms',
    goal: atMost(15, '15 s'),
    run: (bench) => {
      const times = Array.from({ length: rounds(bench, 3) }, () => {
        forgetReadings(bench);
        return timeOf(plan(bench, 10_000, 50, 'tsv', 100));
      });
      const spread = spreadOf(times);
      return { ours: seconds(spread), theirs: '', value: spread.median / 1000 };
    },
  },
  {
    name: 'fleet-plan-again',
    title: 'The same plan again, nothing changed',
    goal: atMost(8, '8 s'),
    run: (bench) => {
      const [spread] = takeTurns([plan(bench, 10_000, 50, 'tsv', 100)], rounds(bench, 3));
      return { ours: seconds(spread), theirs: '', ...(spread && { value: spread.median / 1000 }) };
    },
  },
  {
    name: 'fleet-plan-cpu',
    title: 'CPU time of the first plan of 10,000 repositories, at 50 ms and --concurrency 100',
    goal: atMost(8, '8 s'),
    run: (bench) => planCpu(bench, forgetReadings),
  },
  {
    name: 'fleet-plan-cpu-again',
    title: 'CPU time of the same plan again',
    goal: atMost(6, '6 s'),
    run: (bench) => planCpu(bench, () => {}),
  },
  {
    name: 'fleet-plan-memory',
    title: 'Peak memory of the first `policy plan`: 10,000 repositories vs. 1,000',
    goal: atMost(1.5, '1.5, and 220 MiB'),
    run: (bench) => {
      const [many, few] = [peakOfPlan(bench, 10_000), peakOfPlan(bench, 1000)];
      const exceedsOther = (many?.median ?? 0) > 220;
      return { ours: mebibytes(many), theirs: mebibytes(few), ...ratio(many, few), exceedsOther };
    },
  },
  {
    name: 'fleet-plan-memory-3000',
    title: 'Peak memory of the first `policy plan` of 3,000 repositories',
    goal: atMost(170, '170 MiB'),
    run: (bench) => {
      const peak = peakOfPlan(bench, 3000);
      return { ours: mebibytes(peak), theirs: '', ...(peak && { value: peak.median }) };
    },
  },
];

/** Returns the peak memory of a first plan. */
const peakOfPlan = (bench: Bench, count: number) =>
  resources(bench, plan(bench, count, 0, 'tsv'), ({ peakMiB }) => peakMiB, forgetReadings);

const requestsOf = (bench: Bench, count: number): { sent: number; not_modified: number } =>
  JSON.parse(outputOf(plan(bench, count, 0, 'json'))).requests;

/** Removes the responses of earlier plans. */
const forgetReadings = ({ folder }: Bench): void =>
  rmSync(join(folder, '.cache/forgectl/forgectl-cache-v1/readings'), { recursive: true, force: true });

function planCpu(bench: Bench, prepare: (bench: Bench) => void): Row {
  const cpu = resources(bench, plan(bench, 10_000, 50, 'tsv', 100), ({ cpuMs }) => cpuMs, prepare);
  return { ours: seconds(cpu), theirs: '', ...(cpu && { value: cpu.median / 1000 }) };
}
