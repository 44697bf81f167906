/** The measures and their goals. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installed } from './installation.ts';
import { bin, fleetRuleset, type Platform } from './platform.ts';
import {
  canMeasureResources,
  outputOf,
  type Program,
  type Resources,
  resourcesOf,
  type Spread,
  spreadOf,
  takeTurns,
  timeOf,
} from './program.ts';

/** Environment of the measures. */
export interface Bench {
  readonly platform: Platform;
  /** Empty at first, and removed at the end. */
  readonly folder: string;
  /** Whether gh is installed. */
  readonly gh: boolean;
  /** Fewer runs, for a quick check. */
  readonly quick: boolean;
}

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
  readonly run: (bench: Bench) => Row;
}

const atMost = (limit: number, text = String(limit)): Goal => ({ text: `≤ ${text}`, met: (value) => value <= limit });
const below = (limit: number, unit = ''): Goal => ({ text: `< ${limit}${unit}`, met: (value) => value < limit });

export const measures: readonly Measure[] = [
  {
    name: 'floor',
    title: 'Node by itself: `node -e 0`',
    run: (bench) => {
      const [alone] = takeTurns(
        [{ file: process.execPath, args: ['-e', '0'], env: environment(bench) }],
        rounds(bench, 21),
      );
      return { ours: milliseconds(alone), theirs: '' };
    },
  },
  {
    name: 'version',
    title: '`forgectl --version` vs. `gh --version`',
    goal: atMost(1, '1.0'),
    run: (bench) => against(bench, 21, ['--version'], ['--version']),
  },
  {
    name: 'help',
    title: '`forgectl repos --help` vs. `gh repo --help`',
    goal: atMost(1.5),
    run: (bench) => against(bench, 21, ['repos', '--help'], ['repo', '--help']),
  },
  {
    name: 'read',
    title: 'One record: `orgs get ORG --json` vs. `gh api`',
    goal: atMost(1.5),
    run: (bench) =>
      against(bench, 21, ['orgs', 'get', 'p1-l0', '--json'], ['api', `${bench.platform.baseUrl}/orgs/p1-l0`]),
  },
  {
    name: 'package',
    title: 'The same record with the packed and installed package vs. the working copy',
    goal: atMost(1.1),
    run: (bench) => {
      const programs = [installed(bench.folder).bin, bin].map((file) => ({
        file: process.execPath,
        args: [file, 'orgs', 'get', 'p1-l0', '--json'],
        env: environment(bench),
      }));
      const [there, here] = takeTurns(programs, rounds(bench, 21));
      return { ours: milliseconds(there), theirs: milliseconds(here), ...ratio(there, here) };
    },
  },
  {
    name: 'pages',
    title: '60 pages of 100 at 50 ms each: `repos list --all -o ndjson` vs. `gh api --paginate`',
    goal: atMost(1 / 8, '1/8'),
    run: (bench) => against(bench, 5, listing('p60-l50', 'ndjson'), paginated(bench, 'p60-l50')),
  },
  {
    name: 'table',
    title: '10,000 repositories: `-o table` vs. `-o json`',
    goal: below(1.5),
    run: (bench) => {
      const programs = ['table', 'json'].map((format) => forgectl(bench, listing('p100-l0', format)));
      const [table, json] = takeTurns(programs, rounds(bench, 5));
      return { ours: seconds(table), theirs: seconds(json), ...ratio(table, json) };
    },
  },
  {
    name: 'where',
    title: '100,000 repositories as lines of JSON: `--where .archived` vs. all of them',
    goal: atMost(2),
    run: (bench) => {
      const all = listing('p1000-l0', 'ndjson');
      const programs = [[...all, '--where', '.archived'], all].map((words) => forgectl(bench, words));
      const [archived, whole] = takeTurns(programs, rounds(bench, 5));
      return { ours: seconds(archived), theirs: seconds(whole), ...ratio(archived, whole) };
    },
  },
  {
    name: 'memory',
    title: 'Peak memory of `repos list --all -o ndjson`: 1,000 pages of 100 vs. 20',
    goal: atMost(1.3),
    run: (bench) => {
      const peak = (organization: string) =>
        resources(bench, forgectl(bench, listing(organization, 'ndjson')), ({ peakMiB }) => peakMiB);
      const [long, short] = [peak('p1000-l0'), peak('p20-l0')];
      return { ours: mebibytes(long), theirs: mebibytes(short), ...ratio(long, short) };
    },
  },
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
    name: 'fleet-plan-memory',
    title: 'Peak memory of the first `policy plan`: 10,000 repositories vs. 1,000',
    goal: atMost(1.5, '1.5, and 200 MiB'),
    run: (bench) => {
      const peak = (count: number) =>
        resources(bench, plan(bench, count, 0, 'tsv'), ({ peakMiB }) => peakMiB, forgetReadings);
      const [many, few] = [peak(10_000), peak(1000)];
      const exceedsOther = (many?.median ?? 0) > 200;
      return { ours: mebibytes(many), theirs: mebibytes(few), ...ratio(many, few), exceedsOther };
    },
  },
  {
    name: 'cpu',
    title: "CPU time of 100,000 repositories, one line of JSON each: `-o ndjson` vs. `gh api --paginate --jq '.[]'`",
    goal: atMost(0.75),
    run: (bench) => cpuAgainst(bench, [...paginated(bench, 'p1000-l0'), '--jq', '.[]']),
  },
  {
    name: 'cpu-raw',
    title: 'CPU time of 100,000 repositories: `-o ndjson` vs. `gh api --paginate` (copies the response unparsed)',
    goal: atMost(0.75),
    run: (bench) => cpuAgainst(bench, paginated(bench, 'p1000-l0')),
  },
  {
    name: 'lockfile',
    title: '`snapshots create` from a package-lock.json with 2,000 packages vs. one package; the difference',
    goal: atMost(60, '60 ms'),
    run: (bench) => {
      const [many, one] = takeTurns(
        [2000, 1].map((count) => forgectl(bench, snapshotOf(bench, count))),
        rounds(bench, 21),
      );
      return {
        ours: milliseconds(many),
        theirs: milliseconds(one),
        ...(many && one && { value: many.median - one.median }),
      };
    },
  },
  {
    name: 'size',
    title: 'Installed size with all dependencies',
    goal: below(30, ' MiB'),
    run: ({ folder }) => {
      const { mebibytes: size, packages } = installed(folder);
      return { ours: `${size.toFixed(1)} MiB, ${packages} packages`, theirs: '', value: size };
    },
  },
];

function against(bench: Bench, most: number, ours: readonly string[], theirs: readonly string[]): Row {
  const programs = [forgectl(bench, ours), ...(bench.gh ? [gh(bench, theirs)] : [])];
  const [we, they] = takeTurns(programs, rounds(bench, most));
  return { ours: milliseconds(we), theirs: bench.gh ? milliseconds(they) : noGh, ...ratio(we, they) };
}

function cpuAgainst(bench: Bench, theirs: readonly string[]): Row {
  const cpu = ({ cpuMs }: Resources) => cpuMs;
  const we = resources(bench, forgectl(bench, listing('p1000-l0', 'ndjson')), cpu);
  const they = bench.gh ? resources(bench, gh(bench, theirs), cpu) : undefined;
  return { ours: seconds(we), theirs: bench.gh ? seconds(they) : noGh, ...ratio(we, they) };
}

/** Returns undefined if GNU time is missing. */
function resources(
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

const noGh = 'gh is not installed';

const rounds = ({ quick }: Bench, most: number) => (quick ? Math.ceil(most / 7) : most);

const listing = (organization: string, format: string) => ['repos', 'list', organization, '--all', '-o', format];

/** Returns a file with organizations of different names and one latency. */
function targets({ folder }: Bench, count: number, latency: number): string {
  const file = join(folder, `targets-${count}-${latency}`);
  writeFileSync(file, Array.from({ length: count }, (_, index) => `p${index + 1}-l${latency}\n`).join(''));
  return file;
}

const each = (bench: Bench, count: number, latency: number) => {
  const from = ['--from', targets(bench, count, latency)];
  return ['each', ...from, '--concurrency', '20', '-o', 'ndjson', '--', 'orgs', 'get', '{}'];
};

/** Returns the words that create a snapshot of a lockfile with that many packages, each of which requires three others. */
function snapshotOf({ folder }: Bench, count: number): string[] {
  const nameOf = (place: number) => (place % 5 === 0 ? `@scope/package-${place}` : `package-${place}`);
  const packages = Array.from({ length: count }, (_, place) => [
    `node_modules/${nameOf(place)}`,
    {
      version: '1.2.3',
      resolved: `https://registry.npmjs.org/${nameOf(place)}/-/package-${place}-1.2.3.tgz`,
      integrity: `sha512-${'A'.repeat(86)}==`,
      dev: place % 3 === 0,
      license: 'MIT',
      dependencies: Object.fromEntries([1, 7, 31].map((step) => [nameOf((place + step) % count), '^1.2.0'])),
      engines: { node: '>=18' },
    },
  ]);
  const root = { dependencies: Object.fromEntries([0, 1, 2].map((place) => [nameOf(place), '^1.2.0'])) };
  const file = join(folder, `lockfile-${count}`, 'package-lock.json');
  mkdirSync(dirname(file), { recursive: true });
  const lock = { lockfileVersion: 3, packages: Object.fromEntries([['', root], ...packages]) };
  writeFileSync(file, JSON.stringify(lock, null, 2));
  const commit = ['--sha', '0'.repeat(40), '--ref', 'refs/heads/main'];
  return ['snapshots', 'create', file, '--job-id', '1', '--correlator', 'bench', ...commit];
}

/** Returns a plan for an organization whose repositories have the ruleset that the policy wants. */
function plan(bench: Bench, count: number, latency: number, format: string, concurrency = 8): Program {
  const organization = `f${count}-l${latency}`;
  const file = join(bench.folder, `${organization}.yaml`);
  // JSON is YAML.
  const repositories = [{ select: {}, rulesets: [fleetRuleset] }];
  writeFileSync(file, JSON.stringify({ organizations: [organization], repositories }));
  return forgectl(bench, ['policy', 'plan', file, '--concurrency', String(concurrency), '-o', format]);
}

const requestsOf = (bench: Bench, count: number): { sent: number; not_modified: number } =>
  JSON.parse(outputOf(plan(bench, count, 0, 'json'))).requests;

/** Removes the responses of earlier plans. */
const forgetReadings = ({ folder }: Bench): void =>
  rmSync(join(folder, '.cache/forgectl/forgectl-cache-v1/readings'), { recursive: true, force: true });

/** gh accepts a full URL instead of a path, and then supports servers without TLS. */
const paginated = ({ platform }: Bench, organization: string) => [
  'api',
  '--paginate',
  `${platform.baseUrl}/orgs/${organization}/repos?per_page=100`,
];

const forgectl = (bench: Bench, words: readonly string[]): Program => ({
  file: process.execPath,
  args: [bin, ...words],
  env: environment(bench),
});

const gh = (bench: Bench, words: readonly string[]): Program => ({ file: 'gh', args: words, env: environment(bench) });

const environment = ({ folder, platform }: Bench) => environmentOf(folder, platform);

/** The same environment for all programs, without the user's settings. */
export function environmentOf(home: string, { baseUrl, token }: Platform): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    FORGECTL_BASE_URL: baseUrl,
    FORGECTL_TOKEN: token,
    GH_ENTERPRISE_TOKEN: token,
    GH_NO_UPDATE_NOTIFIER: '1',
  };
}

function ratio(ours: Spread | undefined, theirs: Spread | undefined): { value?: number } {
  return ours && theirs ? { value: ours.median / theirs.median } : {};
}

const milliseconds = (spread: Spread | undefined) => figure(spread, (value) => value.toFixed(0), 'ms');
const seconds = (spread: Spread | undefined) => figure(spread, (value) => (value / 1000).toFixed(2), 's');
const mebibytes = (spread: Spread | undefined) => figure(spread, (value) => value.toFixed(0), 'MiB');

function figure(spread: Spread | undefined, text: (value: number) => string, unit: string): string {
  if (!spread) return 'GNU time is not installed';
  return `${text(spread.median)} ${unit} (${text(spread.low)} to ${text(spread.high)})`;
}
