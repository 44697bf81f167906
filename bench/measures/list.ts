/** Measures of lists. */
import { type Resources, takeTurns } from '../program.ts';
import {
  against,
  atMost,
  below,
  type Measure,
  mebibytes,
  noGh,
  type Row,
  ratio,
  resources,
  rounds,
  seconds,
} from './measure.ts';
import { type Bench, forgectl, gh, listing, paginated } from './programs.ts';

const youngGeneration = 'V8’s young generation; see “Memory of long runs” in README.md';

/** Lists as servers send them: with a length, in chunks, and compressed. */
const encodings = { '': 'with `content-length`', c: 'chunked', z: 'gzip' };

const memoryOfPages: readonly Measure[] = Object.entries(encodings).map(([encoding, words]) => ({
  name: encoding ? `memory-${encoding}` : 'memory',
  title: `Peak memory of \`repos list --all -o ndjson\`, ${words}: 1,000 pages of 100 vs. 20`,
  goal: atMost(1.25, '1.25, and 100 MiB'),
  cause: 'Up to 20 pages of 1 MB, and freed memory that the C library keeps',
  run: (bench) => {
    const [long, short] = [
      peakOf(bench, `p1000-l0${encoding}`, 'ndjson'),
      peakOf(bench, `p20-l0${encoding}`, 'ndjson'),
    ];
    const exceedsOther = (long?.median ?? 0) > 100;
    return { ours: mebibytes(long), theirs: mebibytes(short), ...ratio(long, short), exceedsOther };
  },
}));

const memoryOfFormats: readonly Measure[] = [['table'], ['json'], ['csv'], ['ndjson', '--where', '.archived']].map(
  ([format = '', ...words]) => ({
    name: `memory-of-${words.length ? 'where' : format}`,
    title: `Peak memory of 50,000 repositories, chunked: \`-o ${[format, ...words].join(' ')}\``,
    goal: atMost(200, '200 MiB'),
    cause: youngGeneration,
    run: (bench) => {
      const peak = peakOf(bench, 'p500-l0c', format, words);
      return { ours: mebibytes(peak), theirs: '', ...(peak && { value: peak.median }) };
    },
  }),
);

const memoryOfTenThousandPages: Measure = {
  name: 'memory-long',
  title: 'Peak memory of `repos list --all -o ndjson`, chunked: 10,000 pages of 100 vs. 20',
  goal: atMost(1.3),
  cause: youngGeneration,
  run: (bench) => {
    const [long, short] = [peakOf(bench, 'p10000-l0c', 'ndjson'), peakOf(bench, 'p20-l0c', 'ndjson')];
    return { ours: mebibytes(long), theirs: mebibytes(short), ...ratio(long, short) };
  },
};

const peakOf = (bench: Bench, organization: string, format: string, words: readonly string[] = []) =>
  resources(bench, forgectl(bench, [...listing(organization, format), ...words]), ({ peakMiB }) => peakMiB);

export const listMeasures: readonly Measure[] = [
  {
    name: 'pages',
    title: '60 pages of 100 at 50 ms each: `repos list --all -o ndjson` vs. `gh api --paginate`',
    goal: atMost(1 / 8, '1/8'),
    cause: '60 ms to start, four turns of 50 ms with 20 pages at once, and the CPU time of each page of 700 KB',
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
    cause: 'jq reads each record; without it, pages are copied unparsed',
    run: (bench) => {
      const all = listing('p1000-l0', 'ndjson');
      const programs = [[...all, '--where', '.archived'], all].map((words) => forgectl(bench, words));
      const [archived, whole] = takeTurns(programs, rounds(bench, 5));
      return { ours: seconds(archived), theirs: seconds(whole), ...ratio(archived, whole) };
    },
  },
  ...memoryOfPages,
  memoryOfTenThousandPages,
  ...memoryOfFormats,
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
];

function cpuAgainst(bench: Bench, theirs: readonly string[]): Row {
  const cpu = ({ cpuMs }: Resources) => cpuMs;
  const we = resources(bench, forgectl(bench, listing('p1000-l0', 'ndjson')), cpu);
  const they = bench.gh ? resources(bench, gh(bench, theirs), cpu) : undefined;
  return { ours: seconds(we), theirs: bench.gh ? seconds(they) : noGh, ...ratio(we, they) };
}
