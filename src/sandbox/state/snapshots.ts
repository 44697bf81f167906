/** Dependency snapshots and the resulting dependencies. */
import type { SandboxPlatform } from '../platform.ts';
import type { Collection } from '../store.ts';
import type { RepositoryState } from './repositories.ts';

export interface SnapshotState {
  readonly id: number;
  readonly correlator: string;
  readonly detector: string;
  /**
   * Whether the platform submitted it automatically. In the sandbox, submissions of installation tokens count as
   * automatic.
   */
  readonly automatic: boolean;
  readonly manifests: readonly ManifestState[];
}

export interface ManifestState {
  /** The path of the file, or the manifest's name without one: identifies the manifest. */
  readonly file: string;
  readonly packages: readonly string[];
}

/** By correlator and detector: only the latest submission of both counts. */
export function snapshotsOf({ store }: SandboxPlatform, repository: RepositoryState): Collection<SnapshotState> {
  return store.collection<SnapshotState>('snapshots', repository.id);
}

export const snapshotKey = ({ correlator, detector }: SnapshotState): string => `${correlator}\n${detector}`;

/**
 * Resolves each manifest: user submissions take precedence over automatic ones, and these over static analysis. Of
 * different detectors, the alphabetically first correlator counts; submissions of the same detector are merged.
 * Specification, Dependency snapshots, deduplication rule.
 */
export function effectiveManifests(platform: SandboxPlatform, repository: RepositoryState): ManifestState[] {
  const snapshots = snapshotsOf(platform, repository)
    .values()
    .sort((a, b) => Number(a.automatic) - Number(b.automatic) || compare(a.correlator, b.correlator));
  const submitted = new Map<string, { detector: string; automatic: boolean; packages: Set<string> }>();
  for (const { detector, automatic, manifests } of snapshots)
    for (const { file, packages } of manifests) {
      const first = submitted.get(file);
      if (!first) submitted.set(file, { detector, automatic, packages: new Set(packages) });
      else if (first.detector === detector && first.automatic === automatic)
        for (const each of packages) first.packages.add(each);
    }
  const found = analysed(repository).filter(({ file }) => !submitted.has(file));
  return [...found, ...[...submitted].map(([file, { packages }]) => ({ file, packages: [...packages] }))];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Dependencies that static analysis finds, unless the repository is empty. */
function analysed({ size }: RepositoryState): ManifestState[] {
  if (size <= 1) return [];
  return [
    { file: 'package.json', packages: ['pkg:npm/lodash@4.17.21', 'pkg:npm/semver@7.6.0', 'pkg:npm/axios@1.7.2'] },
  ];
}
