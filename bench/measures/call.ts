/** Measures of single calls, and of the package. */
import { installed } from '../installation.ts';
import { bin } from '../platform.ts';
import { takeTurns } from '../program.ts';
import { against, atMost, below, type Measure, milliseconds, processorTimes, ratio, rounds } from './measure.ts';
import { environment, forgectl, snapshotOf } from './programs.ts';

export const callMeasures: readonly Measure[] = [
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
    goal: atMost(1.3),
    cause: 'Starting Node takes 60 % of the time that gh takes in all',
    run: (bench) => against(bench, 21, ['repos', '--help'], ['repo', '--help']),
  },
  {
    name: 'read',
    title: 'One record: `orgs get ORG --json` vs. `gh api`',
    goal: atMost(1.3),
    cause: 'Starting Node takes half of the time that gh takes in all',
    run: (bench) =>
      against(bench, 21, ['orgs', 'get', 'p1-l0', '--json'], ['api', `${bench.platform.baseUrl}/orgs/p1-l0`]),
  },
  {
    name: 'read-cpu',
    title: 'CPU time of one record: `orgs get ORG --json` vs. a minimal Node program with one `node:http` request',
    goal: atMost(1.65),
    cause: 'oclif, the flags of the command and the cache of compiled code; README.md has the phases',
    run: (bench) => {
      const path = `${bench.platform.baseUrl}/orgs/p1-l0`;
      const minimal = `require('node:http').get('${path}', async (response) => {
        let text = ''; for await (const part of response) text += part; console.log(JSON.stringify(JSON.parse(text)));
      })`;
      const [ours, theirs] = processorTimes(bench, [
        forgectl(bench, ['orgs', 'get', 'p1-l0', '--json']),
        { file: process.execPath, args: ['-e', minimal], env: environment(bench) },
      ]);
      return { ours: milliseconds(ours), theirs: milliseconds(theirs), ...ratio(ours, theirs) };
    },
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
