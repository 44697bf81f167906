/** The programs that are measured. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bin, fleetRuleset, type Platform } from '../platform.ts';
import type { Program } from '../program.ts';

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

export const forgectl = (bench: Bench, words: readonly string[]): Program => ({
  file: process.execPath,
  args: [bin, ...words],
  env: environment(bench),
});

export const gh = (bench: Bench, words: readonly string[]): Program => ({
  file: 'gh',
  args: words,
  env: environment(bench),
});

export const environment = ({ folder, platform }: Bench) => environmentOf(folder, platform);

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

export const listing = (organization: string, format: string) => ['repos', 'list', organization, '--all', '-o', format];

/** gh accepts a full URL instead of a path, and then supports servers without TLS. */
export const paginated = ({ platform }: Bench, organization: string) => [
  'api',
  '--paginate',
  `${platform.baseUrl}/orgs/${organization}/repos?per_page=100`,
];

/** Returns a file with organizations of different names and one latency. */
export function targets({ folder }: Bench, count: number, latency: number): string {
  const file = join(folder, `targets-${count}-${latency}`);
  writeFileSync(file, Array.from({ length: count }, (_, index) => `p${index + 1}-l${latency}\n`).join(''));
  return file;
}

export const each = (bench: Bench, count: number, latency: number) => {
  const from = ['--from', targets(bench, count, latency)];
  return ['each', ...from, '--concurrency', '20', '-o', 'ndjson', '--', 'orgs', 'get', '{}'];
};

/** Returns the words that create a snapshot of a lockfile with that many packages, each of which requires three others. */
export function snapshotOf({ folder }: Bench, count: number): string[] {
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
export function plan(bench: Bench, count: number, latency: number, format: string, concurrency = 8): Program {
  const organization = `f${count}-l${latency}`;
  const file = join(bench.folder, `${organization}.yaml`);
  // JSON is YAML.
  const repositories = [{ select: {}, rulesets: [fleetRuleset] }];
  writeFileSync(file, JSON.stringify({ organizations: [organization], repositories }));
  return forgectl(bench, ['policy', 'plan', file, '--concurrency', String(concurrency), '-o', format]);
}
