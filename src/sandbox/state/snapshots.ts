/** Dependency snapshots and the resulting dependencies. */
import type { SandboxPlatform } from '../platform.ts';
import type { Collection } from '../store.ts';
import { refExists } from './git.ts';
import type { RepositoryState } from './repositories.ts';

export interface SnapshotState {
  readonly id: number;
  readonly sha: string;
  readonly ref: string;
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
  readonly packages: readonly PackageState[];
}

export interface PackageState {
  /** Package URL. */
  readonly url: string;
  readonly scope?: 'runtime' | 'development' | undefined;
}

/** By commit, ref, correlator and detector: of those of one commit, only the latest submission counts. */
function snapshotsOf({ store }: SandboxPlatform, repository: RepositoryState): Collection<SnapshotState> {
  return store.collection<SnapshotState>('snapshots', repository.id);
}

export function keepSnapshot(platform: SandboxPlatform, repository: RepositoryState, snapshot: SnapshotState): void {
  const { sha, ref } = snapshot;
  snapshotsOf(platform, repository).set([sha, ref, snapshotKey(snapshot)].join('\n'), snapshot);
}

const snapshotKey = ({ correlator, detector }: SnapshotState): string => `${correlator}\n${detector}`;

/** Returns the dependencies of the default branch. */
export function currentManifests(platform: SandboxPlatform, repository: RepositoryState): ManifestState[] {
  const ref = `refs/heads/${repository.default_branch}`;
  return effectiveManifests(platform, repository, repository.default_branch, (snapshot) => snapshot.ref === ref);
}

/** Returns the dependencies of a branch, tag or commit; undefined if there is none of that name. */
export function manifestsAt(
  platform: SandboxPlatform,
  repository: RepositoryState,
  revision: string,
): ManifestState[] | undefined {
  const names = [revision, `refs/heads/${revision}`, `refs/tags/${revision}`];
  const isThere = ({ sha, ref }: SnapshotState) => sha === revision || names.includes(ref);
  const exists = refExists(platform, repository, revision) || snapshotsOf(platform, repository).values().some(isThere);
  return exists ? effectiveManifests(platform, repository, revision, isThere) : undefined;
}

/**
 * Resolves each manifest: user submissions take precedence over automatic ones, and these over static analysis. Of
 * different detectors, the alphabetically first correlator counts; submissions of the same detector are merged.
 * Specification, Dependency snapshots, deduplication rule.
 */
function effectiveManifests(
  platform: SandboxPlatform,
  repository: RepositoryState,
  revision: string,
  counts: (snapshot: SnapshotState) => boolean,
): ManifestState[] {
  const all = snapshotsOf(platform, repository)
    .values()
    .filter(counts)
    .sort((a, b) => a.id - b.id);
  const latest = [...new Map(all.map((snapshot) => [snapshotKey(snapshot), snapshot])).values()];
  latest.sort((a, b) => Number(a.automatic) - Number(b.automatic) || compare(a.correlator, b.correlator));
  const submitted = new Map<string, { detector: string; automatic: boolean; packages: Map<string, PackageState> }>();
  for (const { detector, automatic, manifests } of latest)
    for (const { file, packages } of manifests) {
      const first = submitted.get(file);
      const entries = packages.map((each) => [each.url, each] as const);
      if (!first) submitted.set(file, { detector, automatic, packages: new Map(entries) });
      else if (first.detector === detector && first.automatic === automatic)
        for (const [url, each] of entries) first.packages.set(url, each);
    }
  const found = analysed(repository, revision).filter(({ file }) => !submitted.has(file));
  return [...found, ...[...submitted].map(([file, { packages }]) => ({ file, packages: [...packages.values()] }))];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Dependencies that static analysis finds, unless the repository is empty. The branch develop is ahead of the others. */
function analysed({ size }: RepositoryState, revision: string): ManifestState[] {
  if (size <= 1) return [];
  const axios = /^(?:refs\/heads\/)?develop$/.test(revision) ? '1.7.9' : '1.7.2';
  const urls = ['pkg:npm/lodash@4.17.21', 'pkg:npm/semver@7.6.0', `pkg:npm/axios@${axios}`];
  return [{ file: 'package.json', packages: urls.map((url) => ({ url, scope: 'runtime' })) }];
}
