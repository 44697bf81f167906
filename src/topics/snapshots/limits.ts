/** The size of dependency snapshots, and the platform's limits on it. */
import { bytes, counted } from '../../output/amounts.ts';
import type { InputOf } from '../../platform/endpoint.ts';
import type { submitSnapshot } from '../../platform/endpoints/snapshots.ts';
import type { Given } from '../../platform/validate.ts';

/** The default of self-managed platforms. Public platform, Troubleshooting the dependency graph, Processing limits. */
const mostManifests = 600;

/** The platform states no limit. Its view of the dependencies times out after a snapshot of 25 MB. */
const largeSnapshot = 20 * 1024 * 1024;

/** Returns the notices to print before snapshots of one repository are submitted. */
export function limitNotices(snapshots: readonly Given[]): string[] {
  const notices: string[] = [];
  const namesOf = ({ manifests }: Given) => Object.keys(manifests ?? {});
  const count = snapshots.reduce((sum, snapshot) => sum + namesOf(snapshot).length, 0);
  if (count > mostManifests)
    notices.push(
      `${counted(count, 'manifest')}; by default, the platform processes at most ${mostManifests} per repository.`,
    );
  for (const snapshot of snapshots) {
    const size = Buffer.byteLength(JSON.stringify(snapshot));
    if (size <= largeSnapshot) continue;
    const [name, ...others] = namesOf(snapshot);
    notices.push(
      others.length > 0
        ? `The snapshot has ${bytes(size)}. If the platform times out, submit each manifest separately with --from and --split.`
        : `The snapshot of ${name} has ${bytes(size)}. The platform may time out.`,
    );
  }
  return notices;
}

/** Returns the size of a snapshot: `3 manifests with 120 packages`. */
export function snapshotSize({ manifests = {} }: InputOf<typeof submitSnapshot>['body']): string {
  const all = Object.values(manifests);
  const packages = all.reduce((sum, { resolved = {} }) => sum + Object.keys(resolved).length, 0);
  return `${counted(all.length, 'manifest')} with ${counted(packages, 'package')}`;
}
