import type * as v from 'valibot';
import { compareDependencies, exportSbom, submitSnapshot } from '../../platform/endpoints/snapshots.ts';
import { parsePurl } from '../../platform/package-url.ts';
import type { DependencyChange, SnapshotResult, SpdxDocument } from '../../platform/records.ts';
import type { SandboxPlatform } from '../platform.ts';
import { Refusal } from '../refusals.ts';
import { type App, route } from '../route.ts';
import { isoSeconds } from '../state/accounts.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { isEnabled } from '../state/security.ts';
import {
  currentManifests,
  keepSnapshot,
  type ManifestState,
  manifestsAt,
  type PackageState,
  type SnapshotState,
} from '../state/snapshots.ts';
import { fullName } from '../views/repository.ts';

type Body = v.InferInput<(typeof submitSnapshot)['body']>;
type Result = Pick<SnapshotResult, 'result' | 'message'>;

export function mountSnapshots(app: App): void {
  const { platform } = app;

  route(app, submitSnapshot, ({ repository, body, caller }) => {
    requireDependencyGraph(platform, repository);
    const { result, message } = judge(repository, body);
    const snapshot = stateOf(platform, body, caller.kind === 'installation');
    if (result !== 'INVALID') keepSnapshot(platform, repository, snapshot);
    return { id: snapshot.id, created_at: isoSeconds(platform.clock()), result, message };
  });

  route(app, compareDependencies, ({ repository, path, query }) => {
    requireDependencyGraph(platform, repository);
    const [base, head, ...more] = path.basehead.split('...').map((each) => manifestsAt(platform, repository, each));
    if (base === undefined || head === undefined || more.length > 0) throw new Refusal(404, 'Not Found');
    const changes = [...changesBetween(head, base, 'removed'), ...changesBetween(base, head, 'added')];
    return query.name === undefined ? changes : changes.filter(({ manifest }) => manifest === query.name);
  });

  route(app, exportSbom, ({ repository }) => {
    requireDependencyGraph(platform, repository);
    return { sbom: sbomView(platform, repository) };
  });
}

function requireDependencyGraph(platform: SandboxPlatform, repository: RepositoryState): void {
  if (!isEnabled(platform, repository, 'dependency_graph'))
    throw new Refusal(404, 'The dependency graph is disabled for this repository. Enable it first.');
}

/** A well-formed snapshot can still be invalid, which the platform reports in a 201. */
function judge({ default_branch }: RepositoryState, { sha, ref, manifests = {} }: Body): Result {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(sha))
    return { result: 'INVALID', message: `The snapshot is invalid: ${sha} is not the full id of a commit.` };
  for (const [key, { resolved = {} }] of Object.entries(manifests))
    for (const [name, { package_url: url }] of Object.entries(resolved))
      if (url === undefined)
        return {
          result: 'INVALID',
          message: `The snapshot is invalid: ${name} of manifest ${key} has no package_url.`,
        };
  return ref === `refs/heads/${default_branch}`
    ? { result: 'SUCCESS', message: 'Dependency results for the repo have been successfully updated.' }
    : {
        result: 'ACCEPTED',
        message:
          'The snapshot was accepted, but it is not for the default branch. It will not update dependency results for the repository.',
      };
}

function stateOf(
  { store }: SandboxPlatform,
  { sha, ref, job, detector, manifests = {} }: Body,
  automatic: boolean,
): SnapshotState {
  return {
    id: store.next('snapshots', 12_345),
    sha,
    ref,
    correlator: job.correlator,
    detector: detector.name,
    automatic,
    manifests: Object.values(manifests).map(({ name, file, resolved = {} }) => ({
      file: file?.source_location ?? name,
      packages: Object.values(resolved).flatMap(({ package_url: url, scope }) =>
        url === undefined ? [] : { url, ...(scope && { scope }) },
      ),
    })),
  };
}

/** Returns the packages that only the second manifests have. */
function changesBetween(
  some: readonly ManifestState[],
  others: readonly ManifestState[],
  change_type: 'added' | 'removed',
): DependencyChange[] {
  return others.flatMap(({ file, packages }) => {
    const known = new Set(some.find((each) => each.file === file)?.packages.map(({ url }) => url));
    return packages.filter(({ url }) => !known.has(url)).map((each) => changeView(file, change_type, each));
  });
}

function changeView(manifest: string, change_type: string, { url, scope }: PackageState): DependencyChange {
  return {
    change_type,
    manifest,
    ecosystem: parsePurl(url).type,
    ...nameAndVersion(url),
    package_url: url,
    license: null,
    source_repository_url: null,
    vulnerabilities: [],
    scope: scope ?? 'unknown',
  };
}

function nameAndVersion(url: string): { readonly name: string; readonly version: string } {
  const { namespace, name, version = '' } = parsePurl(url);
  return { name: namespace === undefined ? name : `${namespace}/${name}`, version };
}

/** Returns a software bill of materials in SPDX 2.3. */
function sbomView(platform: SandboxPlatform, repository: RepositoryState): SpdxDocument {
  const urls = currentManifests(platform, repository).flatMap(({ packages }) => packages.map(({ url }) => url));
  const name = fullName(platform, repository);
  return {
    SPDXID: 'SPDXRef-DOCUMENT',
    spdxVersion: 'SPDX-2.3',
    creationInfo: { created: isoSeconds(platform.clock()), creators: ['Tool: sandbox-dependency-graph'] },
    name: `com.sandbox.${name}`,
    dataLicense: 'CC0-1.0',
    documentNamespace: `${platform.origin}/${name}/dependency_graph/sbom`,
    packages: [...new Set(urls)].map((locator, place) => {
      const { name, version } = nameAndVersion(locator);
      return {
        SPDXID: `SPDXRef-Package-${place + 1}`,
        name,
        versionInfo: version,
        downloadLocation: 'NOASSERTION',
        filesAnalyzed: false,
        externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: locator }],
      };
    }),
    relationships: [],
  };
}
