/**
 * A project with workspaces, an alias, peers, overrides and packages of other platforms, as npm itself reads its lockfile:
 * offline, from the lockfile alone.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LockManifest, Package } from '../../src/dependencies/dependency-graph.ts';
import { temporaryDirectory } from '../support/run.ts';
import { parse } from './graph.ts';

const project = new URL('npm-project/', import.meta.url).pathname;

interface Bom {
  readonly components: readonly { readonly 'bom-ref': string; readonly purl: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** A folder of the project, as `npm query` describes it. */
interface Folder {
  readonly location: string;
  readonly name: string;
  readonly version: string;
  readonly dev: boolean;
  /** Locations. */
  readonly to: readonly string[];
}

let manifests: readonly LockManifest[];
let bom: Bom;
let folders: readonly Folder[];

beforeAll(async () => {
  const home = await temporaryDirectory();
  const npm = (...words: readonly string[]) =>
    JSON.parse(
      execFileSync('npm', [...words, '--package-lock-only', '--offline', '--loglevel=silent'], {
        cwd: project,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: home, npm_config_update_notifier: 'false' },
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
  bom = npm('sbom', '--sbom-format=cyclonedx');
  folders = npm('query', '*');
  manifests = await parse('package-lock.json', readFileSync(join(project, 'package-lock.json'), 'utf8'));
}, 120_000);

/** The members of the workspace are components of npm, and manifests of ours. */
const isMember = (purl: string) => /^pkg:npm\/(?:root|b|%40acme\/a)@/.test(purl);

const packagesOf = ({ packages }: LockManifest) => [...packages.values()];

/** Returns `@acme/a@1.0.0` for `pkg:npm/%40acme/a@1.0.0`. */
const nameOf = ({ purl }: Package) => decodeURIComponent(purl).slice('pkg:npm/'.length);

const sorted = (texts: Iterable<string>) => [...new Set(texts)].sort();

describe('a lockfile of npm', () => {
  it('has the packages that npm sbom lists', () => {
    const purls = bom.components.map(({ purl }) => purl).filter((purl) => !isMember(purl));
    expect(purls).toHaveLength(31);
    expect(sorted(manifests.flatMap(packagesOf).map(({ purl }) => purl))).toEqual(sorted(purls));
  });

  it('has the dependencies that npm sbom lists, apart from those on members of the workspace', () => {
    const purlOf = new Map(bom.components.map((each) => [each['bom-ref'], each.purl]));
    const theirs = bom.dependencies.flatMap(({ ref, dependsOn }) =>
      dependsOn.map((to) => [purlOf.get(ref) ?? 'pkg:npm/root@1.0.0', purlOf.get(to) ?? ''] as const),
    );
    const edges = theirs.filter((edge) => !edge.some(isMember)).map((edge) => edge.join(' → '));
    const ours = manifests
      .flatMap(packagesOf)
      .flatMap(({ purl, dependencies }) => dependencies.map((to) => `${purl} → ${to}`));
    expect(sorted(ours)).toEqual(sorted(edges));
    expect(sorted(edges)).toHaveLength(26);
  });

  it('has the direct packages of each member that npm query lists', () => {
    const named = new Map(folders.map((each) => [each.location, `${each.name}@${each.version}`]));
    for (const manifest of manifests) {
      const { to = [] } = folders.find(({ location }) => location === (manifest.workspace ?? '')) ?? {};
      const direct = packagesOf(manifest).filter(({ relationship }) => relationship === 'direct');
      // Links to members have no version.
      const theirs = to.flatMap((location) => named.get(location) ?? []);
      expect(sorted(direct.map(nameOf)), manifest.workspace).toEqual(sorted(theirs));
    }
  });

  it('has the packages for development that npm query lists', () => {
    const runtime = new Set(
      manifests
        .flatMap(packagesOf)
        .filter(({ scope }) => scope === 'runtime')
        .map(({ purl }) => purl),
    );
    const ours = manifests.flatMap(packagesOf).filter(({ purl }) => !runtime.has(purl));
    // A version that is installed twice is for runtime if one of the two is.
    const forRuntime = new Set(folders.filter(({ dev }) => !dev).map(({ name, version }) => `${name}@${version}`));
    const theirs = folders.map(({ name, version }) => `${name}@${version}`).filter((each) => !forRuntime.has(each));
    expect(sorted(ours.map(nameOf))).toEqual(sorted(theirs));
    expect(sorted(theirs)).toEqual([
      'debug@4.3.4',
      'isarray@2.0.5',
      'lru-cache@6.0.0',
      'semver@7.5.4',
      'yallist@4.0.0',
    ]);
  });
});
