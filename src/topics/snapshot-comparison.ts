/** The packages of two snapshots, compared. */
import { isObject } from '../json/exact-json.ts';
import type { Given } from '../platform/validate.ts';

export interface PackageChange {
  change: 'added' | 'removed' | 'changed';
  manifest: string;
  /** The package URL without version. */
  package: string;
  /** Versions before, with commas between several; absent for an added package. */
  before?: string;
  after?: string;
  relationship?: string;
  scope?: string;
}

interface Facts {
  readonly versions: Set<string>;
  relationship?: string | undefined;
  scope?: string | undefined;
}

/** The packages of a manifest by package URL without version. */
type Packages = ReadonlyMap<string, Facts>;

/** Returns the packages that differ, by manifest and package. */
export function comparePackages(before: Given, after: Given): PackageChange[] {
  const [old, current] = [packagesOf(before), packagesOf(after)];
  const changes: PackageChange[] = [];
  for (const manifest of [...new Set([...old.keys(), ...current.keys()])].sort()) {
    const [one, other] = [old.get(manifest) ?? none, current.get(manifest) ?? none];
    for (const name of [...new Set([...one.keys(), ...other.keys()])].sort()) {
      const change = changeOf(one.get(name), other.get(name));
      if (change !== undefined) changes.push({ manifest, package: name, ...change });
    }
  }
  return changes;
}

/** Returns how many packages the earlier snapshot has, and how many of them the later one has in no version. */
export function vanished(before: Given, after: Given): { readonly all: number; readonly gone: number } {
  const names = (snapshot: Given) => new Set([...packagesOf(snapshot).values()].flatMap((each) => [...each.keys()]));
  const [old, current] = [names(before), names(after)];
  return { all: old.size, gone: [...old].filter((name) => !current.has(name)).length };
}

const none: Packages = new Map();

type Change = Omit<PackageChange, 'manifest' | 'package'>;

function changeOf(before: Facts | undefined, after: Facts | undefined): Change | undefined {
  const versions = (facts: Facts) => [...facts.versions].sort().join(', ');
  const about = ({ relationship, scope }: Facts) => ({
    ...(relationship && { relationship }),
    ...(scope && { scope }),
  });
  if (before === undefined) return after && { change: 'added', after: versions(after), ...about(after) };
  if (after === undefined) return { change: 'removed', before: versions(before), ...about(before) };
  const [old, current] = [versions(before), versions(after)];
  return old === current ? undefined : { change: 'changed', before: old, after: current, ...about(after) };
}

function packagesOf(snapshot: Given): Map<string, Packages> {
  const manifests = isObject(snapshot.manifests) ? Object.entries(snapshot.manifests) : [];
  return new Map(manifests.map(([key, manifest]) => [key, packagesIn(manifest)]));
}

function packagesIn(manifest: unknown): Packages {
  const packages = new Map<string, Facts>();
  const resolved = isObject(manifest) && isObject(manifest.resolved) ? Object.values(manifest.resolved) : [];
  for (const each of resolved) {
    if (!isObject(each) || typeof each.package_url !== 'string') continue;
    const [, name = '', version = ''] = /^([^@?#]*)(?:@([^?#]*))?/.exec(each.package_url) ?? [];
    const facts = packages.get(name) ?? { versions: new Set() };
    facts.versions.add(decoded(version));
    if (facts.relationship !== 'direct') facts.relationship = textOf(each.relationship) ?? facts.relationship;
    if (facts.scope !== 'runtime') facts.scope = textOf(each.scope) ?? facts.scope;
    packages.set(name, facts);
  }
  return packages;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
