/** Creates a dependency snapshot from lockfiles and SBOMs, for the commands that create and submit one. */

import { existsSync, statSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import * as Flags from '@oclif/core/flags';
import type { InferredFlags } from '@oclif/core/interfaces';
import { UsageError, ValidationError } from '../../cli/errors.ts';
import { fileOrStdin } from '../../cli/input/file-flags.ts';
import { textFlag, wordFlag } from '../../cli/input/flags.ts';
import { largestInput } from '../../cli/input/sources.ts';
import { gitEnv } from '../../cli/program-env.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { LockManifest } from '../../dependencies/dependency-graph.ts';
import { formatNames, lockfileFormat, unsupportedLockfile } from '../../dependencies/formats.ts';
import { readRegularFile } from '../../disk/regular-file.ts';
import { type Checkout, checkoutAt, type Head, headOf, isDirty, trackedFiles } from '../../git/checkout.ts';
import { jsonPieces } from '../../output/json.ts';
import { submitSnapshot } from '../../platform/endpoints/snapshots.ts';
import { checkBody, invalid, missing, type Problem } from '../../platform/validate.ts';
import { fromGit } from './from-git.ts';
import { pathInRepository, readLockfile } from './lockfile-files.ts';
import { readSbom, strictFlag } from './sbom.ts';

interface SnapshotPackage {
  package_url: string;
  relationship?: 'direct' | 'indirect';
  scope?: 'runtime' | 'development';
  dependencies?: readonly string[];
}

interface SnapshotManifest {
  name: string;
  file: { source_location: string };
  resolved: Readonly<Record<string, SnapshotPackage>>;
}

/** A snapshot in the submission format of the platform. */
export interface Snapshot {
  version: number;
  job: { id: string; correlator: string; html_url?: string };
  sha: string;
  ref: string;
  detector: { name: string; version: string; url: string };
  scanned: string;
  manifests: Readonly<Record<string, SnapshotManifest>>;
}

/** Flags for the files of a snapshot. */
export const fileFlags = {
  as: wordFlag('--as', formatNames, {
    helpValue: 'FORMAT',
    description: `Format of the given lockfiles, regardless of their names: ${formatNames.join(', ')}`,
  }),
  sbom: Flags.string({
    ...fileOrStdin,
    multiple: true,
    multipleNonGreedy: true,
    description: 'SBOM in CycloneDX 1.2 to 1.7 or SPDX 2.1 to 2.3, as JSON (repeatable)',
  }),
  ...strictFlag,
};

/** Flags for the commit, the job and the detector of a snapshot made from files. */
export const jobFlags = {
  'git-dir': textFlag('--git-dir', {
    helpValue: 'DIR',
    description:
      'Git repository of the commit and the branch, possibly bare; requires lockfile arguments (default: the repository of the current folder)',
  }),
  'job-id': textFlag('--job-id', {
    helpValue: 'ID',
    description: 'Job ID (default: the run of the CI runner)',
  }),
  correlator: textFlag('--correlator', {
    helpValue: 'KEY',
    description:
      'Key that groups submissions; only the latest per correlator and detector counts (default: workflow and job of the CI runner)',
  }),
  'html-url': textFlag('--html-url', {
    helpValue: 'URL',
    description: 'Job URL (default: the run of the CI runner)',
  }),
  'detector-name': textFlag('--detector-name', {
    helpValue: 'NAME',
    description: 'Detector name (default: forgectl)',
  }),
  'detector-version': textFlag('--detector-version', {
    helpValue: 'VERSION',
    description: 'Detector version (default: the version of forgectl)',
  }),
  'detector-url': textFlag('--detector-url', { helpValue: 'URL', description: 'Detector URL' }),
};

export type SnapshotFlags = Partial<InferredFlags<typeof jobFlags & typeof fileFlags>> & {
  readonly sha?: string | undefined;
  readonly ref?: string | undefined;
};

interface Options {
  /** Lockfiles, and folders for all that git tracks below them; without any, and without SBOMs, the current folder. */
  readonly files: readonly string[];
  readonly flags: SnapshotFlags;
  readonly runtime: Pick<Runtime, 'env' | 'stdin' | 'terminal'>;
  readonly version: string;
  readonly notice: (text: string) => void;
}

/** Creates a snapshot without a request. Throws UsageError and ValidationError. */
export async function createSnapshot({ files, flags, runtime, version, notice }: Options): Promise<Snapshot> {
  const { env } = runtime;
  const envOfGit = gitEnv(env);
  const folder = process.cwd();
  const named = flags['git-dir'];
  const checkout = named === undefined ? await fromGit('.', checkoutAt(folder, envOfGit)) : undefined;
  const head = named === undefined ? undefined : await fromGit(named, headOf(named, envOfGit));
  const snapshot = describedBy(flags, { env, head, checkout, version, now: runtime.terminal.now() });
  const sboms = flags.sbom ?? [];
  if (flags.as !== undefined && files.every(isFolder))
    throw new UsageError('--as requires a lockfile.', 'In a folder, the name of each lockfile determines its format.');
  const lockfiles = new Set<string>();
  for (const file of files.length + sboms.length > 0 ? files : ['.'])
    for (const lockfile of isFolder(file) ? await lockfilesBelow(file, envOfGit, notice, named) : [file])
      lockfiles.add(lockfile);

  const manifests = new Map<string, SnapshotManifest>();
  const size = new SnapshotSize();
  for (const file of workspacesFirst(lockfiles)) {
    const path = pathInRepository(file, folder, checkout);
    if (manifests.has(path)) continue;
    for (const manifest of await readLockfile(file, {
      path,
      folder,
      checkout,
      as: files.includes(file) ? flags.as : undefined,
    }))
      addManifest(manifests, path, size.with(manifest));
  }
  for (const file of sboms) {
    const path = file === '-' ? 'standard input' : pathInRepository(file, folder, checkout);
    for (const manifest of await readSbom(file, runtime.stdin, flags.strict ? undefined : notice))
      addManifest(manifests, path, size.with(manifest));
  }
  // Workspaces of Go may have no modules in the repository. A snapshot without manifests would close all alerts.
  if (manifests.size === 0) throw new UsageError('The files list no modules in the repository.');
  // In a pull request, a merge of the snapshot’s commit is checked out.
  if (checkout?.sha !== undefined && [undefined, checkout.sha].includes(flags.sha))
    await fromGit('.', tellDifferences([...lockfiles], folder, checkout, envOfGit, notice));
  return { ...snapshot, manifests: Object.fromEntries(manifests) };
}

/** Sorts workspace files before the lockfiles of their projects. */
function workspacesFirst(files: Iterable<string>): string[] {
  const isWorkspace = (file: string) => lockfileFormat(file.split(sep).join('/'))?.isWorkspace ?? false;
  return [...files].sort((one, other) => Number(isWorkspace(other)) - Number(isWorkspace(one)));
}

/** Returns false for what cannot be read, such as a link to itself: reading it fails with a better error. */
const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/**
 * Returns the lockfiles that git tracks below a folder, and reports how many are not supported. Throws UsageError if there
 * are none.
 */
async function lockfilesBelow(
  folder: string,
  env: NodeJS.ProcessEnv,
  notice: Options['notice'],
  repository?: string,
): Promise<string[]> {
  const advice = 'Specify lockfiles, or an SBOM with --sbom.';
  if (repository !== undefined) throw new UsageError('--git-dir cannot be used with folders.', advice);
  const tracked = await fromGit(folder, trackedFiles(folder, env), advice);
  const found = tracked.filter((path) => lockfileFormat(path) !== undefined);
  const skipped = Map.groupBy(tracked, unsupportedLockfile);
  skipped.delete(undefined);
  if (skipped.size > 0) {
    const counts = [...skipped].map(([name, paths]) => `${paths.length} ${name}`);
    notice(`Skipped lockfiles of unsupported formats: ${counts.join(', ')}.`);
  }
  if (found.length === 0)
    throw new UsageError(`git tracks no lockfiles below ${folder === '.' ? 'the current folder' : folder}.`, advice);
  return found.map((path) => join(folder, path));
}

interface SnapshotSources {
  readonly env: NodeJS.ProcessEnv;
  /** The head of the repository given by --git-dir. */
  readonly head: Head | undefined;
  readonly checkout: Checkout | undefined;
  readonly version: string;
  readonly now: Date;
}

/** Returns the commit, the job and the detector: from flags, else from the CI runner, else from git. Throws ValidationError. */
function describedBy(
  flags: SnapshotFlags,
  { env, head, checkout, version, now }: SnapshotSources,
): Omit<Snapshot, 'manifests'> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const runner = {
    sha: headOfPullRequest(env) ?? env.GITHUB_SHA,
    ref: env.GITHUB_REF,
    correlator: env.GITHUB_WORKFLOW && env.GITHUB_JOB && `${env.GITHUB_WORKFLOW}_${env.GITHUB_JOB}`,
    url: server && repository && run && `${server}/${repository}/actions/runs/${run}`,
  };
  const problems: Problem[] = [];
  const required = (flag: string, message: string, ...values: readonly (string | undefined)[]): string => {
    const value = values.find(Boolean);
    if (value === undefined) problems.push(missing(flag, message));
    return value ?? '';
  };
  const url = flags['html-url'] ?? runner.url;
  const snapshot = {
    version: 0,
    job: {
      id: required('--job-id', 'is required outside CI', flags['job-id'], run),
      correlator: required('--correlator', 'is required outside CI', flags.correlator, runner.correlator),
      ...(url && { html_url: url }),
    },
    sha: required(
      '--sha',
      'is required: git has no commit here',
      flags.sha,
      ...(head ? [head.sha] : [runner.sha, checkout?.sha]),
    ),
    ref: required(
      '--ref',
      'is required: git has no branch checked out here',
      flags.ref,
      ...(head ? [head.ref] : [runner.ref, checkout?.ref]),
    ),
    detector: {
      name: flags['detector-name'] ?? 'forgectl',
      version: flags['detector-version'] ?? version,
      url: flags['detector-url'] ?? 'https://www.npmjs.com/package/forgectl',
    },
    scanned: now.toISOString(),
  };
  if (problems.length === 0)
    problems.push(...checkBody(submitSnapshot, snapshot).problems.map(({ field, message }) => invalid(field, message)));
  if (problems.length > 0) throw new ValidationError(problems);
  return snapshot;
}

/**
 * For pull requests, the runner checks out a merge commit that is not on the branch; for `pull_request_target`, it
 * checks out and reports the base branch.
 */
function headOfPullRequest({
  GITHUB_EVENT_NAME: name = '',
  GITHUB_EVENT_PATH: path,
}: NodeJS.ProcessEnv): string | undefined {
  if (!/^pull_request(?!_target$)/.test(name) || path === undefined) return undefined;
  try {
    const sha: unknown = JSON.parse(readRegularFile(path, largestInput).toString()).pull_request.head.sha;
    return typeof sha === 'string' ? sha : undefined;
  } catch {
    return undefined;
  }
}

/** A repository can have one large lockfile under any number of names. */
export class SnapshotSize {
  #packages: number;
  #dependencies: number;

  /** The limits are more than a platform accepts. */
  constructor({ packages = 2_000_000, dependencies = 20_000_000 } = {}) {
    this.#packages = packages;
    this.#dependencies = dependencies;
  }

  /** Returns the manifest if all together have not too many packages. Throws UsageError. */
  with(manifest: LockManifest): LockManifest {
    this.#packages -= manifest.packages.size;
    for (const { dependencies } of manifest.packages.values()) this.#dependencies -= dependencies.length;
    if (this.#packages < 0 || this.#dependencies < 0)
      throw new UsageError(
        'The files list more than 2,000,000 packages, or 20,000,000 dependencies of packages.',
        'Create several snapshots, each of some of the files.',
      );
    return manifest;
  }
}

function addManifest(manifests: Map<string, SnapshotManifest>, lockfile: string, manifest: LockManifest): void {
  const { workspace, part, packages } = manifest;
  const own = manifest.file === undefined ? undefined : posix.join(posix.dirname(lockfile), manifest.file);
  const location = own === undefined || own.startsWith('../') ? lockfile : own;
  const whole = workspace === undefined || location !== lockfile ? location : `${lockfile} (${workspace})`;
  const named = part === undefined ? whole : `${lockfile}#${part}`;
  // Two lockfiles of one folder have the same workspaces.
  const name = manifests.has(named) ? `${lockfile} (${workspace ?? manifests.size})` : named;
  manifests.set(name, { name, file: { source_location: location }, resolved: resolvedPackages(packages) });
}

/** Object.fromEntries and spreads take five times as long. */
function resolvedPackages(packages: LockManifest['packages']): SnapshotManifest['resolved'] {
  const resolved: Record<string, SnapshotPackage> = {};
  for (const { purl, relationship, scope, dependencies } of packages.values()) {
    const each: SnapshotPackage = { package_url: purl };
    if (relationship !== undefined) each.relationship = relationship;
    if (scope !== undefined) each.scope = scope;
    if (dependencies.length > 0) each.dependencies = dependencies;
    resolved[purl] = each;
  }
  return resolved;
}

/** Warns if the files differ from the commit that the snapshot is for. */
async function tellDifferences(
  files: readonly string[],
  folder: string,
  checkout: Checkout,
  env: NodeJS.ProcessEnv,
  notice: (text: string) => void,
): Promise<void> {
  const tracked = new Set(await trackedFiles(checkout.root, env));
  for (const file of files)
    if (!tracked.has(pathInRepository(file, folder, checkout))) notice(`git does not track ${file}.`);
  if (await isDirty(checkout, env))
    notice(`The working tree has changes that are not in commit ${checkout.sha?.slice(0, 7)}.`);
}

/** Yields a snapshot as JSON, package by package. */
export function* snapshotText(snapshot: Snapshot): Generator<string> {
  yield* jsonPieces(snapshot, 4);
  yield '\n';
}

export const splitByManifest = (snapshot: Snapshot): Snapshot[] =>
  Object.entries(snapshot.manifests).map(([name, manifest]) => ({
    ...snapshot,
    job: { ...snapshot.job, correlator: `${snapshot.job.correlator} ${name}` },
    manifests: { [name]: manifest },
  }));
