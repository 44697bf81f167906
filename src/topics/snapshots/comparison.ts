/** Compares the packages of two snapshots, SBOMs or commits. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { UsageError } from '../../cli/errors.ts';
import { parseBody } from '../../cli/input/body-input.ts';
import { largestSnapshot, nameOf, notUtf8, readBytes, utf8Text } from '../../cli/input/sources.ts';
import { fieldOf, textOf } from '../../dependencies/dependency-graph.ts';
import { sbomManifests } from '../../dependencies/formats.ts';
import { asText, isObject } from '../../json/exact-json.ts';
import { JsonList, parseWithLists } from '../../json/json-lists.ts';
import { parsePurl, purl } from '../../platform/package-url.ts';
import type { DependencyChange, DependencyVulnerability } from '../../platform/records.ts';
import type { Given } from '../../platform/validate.ts';
import { countSkipped, type SkipNotice } from './sbom.ts';

export interface PackageChange {
  change: 'added' | 'removed' | 'changed';
  /** Absent if an SBOM is compared: SBOMs have no manifests. */
  manifest?: string;
  /** The package URL without version. */
  package: string;
  /** Earlier versions, comma-separated; absent for an added package. */
  before?: string;
  after?: string;
  relationship?: string;
  scope?: string;
  /** Known vulnerabilities of the versions after, if the platform compared two commits. */
  vulnerabilities?: DependencyVulnerability[];
}

/** A snapshot or an SBOM, with the name of its file for messages. */
export interface Document {
  readonly file: string;
  readonly content: Given;
}

interface Facts {
  readonly versions: Set<string>;
  relationship?: string | undefined;
  scope?: string | undefined;
  vulnerabilities?: readonly DependencyVulnerability[] | undefined;
}

/** The packages of a manifest by package URL without version. */
type Packages = ReadonlyMap<string, Facts>;

/** The packages of each manifest; without a name, those of an SBOM. */
type Manifests = ReadonlyMap<string | undefined, Packages>;

/** Reads a snapshot or an SBOM, whose lists are parsed item by item. Throws UsageError. */
export async function readDocument(file: string, stdin: Readable, flag?: string): Promise<Document> {
  const bytes = await readBytes(file, stdin, flag, largestSnapshot);
  const name = nameOf(file, flag);
  try {
    const content = isUtf8(bytes) && parseWithLists(bytes);
    if (isObject(content)) return { file, content };
  } catch {
    // YAML, or the error that the parser below reports with its line.
  }
  const text = utf8Text(bytes);
  if (text === undefined) throw new UsageError(`${name} ${notUtf8}.`);
  return { file, content: await parseBody(name, text) };
}

/** Returns the packages that differ, by manifest and package. Throws UsageError for a file that is neither a snapshot nor an SBOM. */
export async function compareDocuments(
  before: Document,
  after: Document,
  notice: SkipNotice,
): Promise<PackageChange[]> {
  const [old, current] = [await packagesOf(before, notice), await packagesOf(after, notice)];
  return old.has(undefined) || current.has(undefined)
    ? differences(merged(old), merged(current))
    : differences(old, current);
}

/** Returns the changes that the platform lists as added and removed versions. */
export function changesOf(records: readonly DependencyChange[]): PackageChange[] {
  const removed = new Map<string, Map<string, Facts>>();
  const added = new Map<string, Map<string, Facts>>();
  for (const record of records) {
    const { change_type: type, scope, vulnerabilities } = record;
    const [manifest = '', version = ''] = [record.manifest, record.version].map((value) => asText(value ?? ''));
    const side = type === 'removed' ? removed : added;
    const packages = side.get(manifest) ?? new Map<string, Facts>();
    side.set(manifest, packages);
    addVersion(packages, packageOf(record), {
      versions: new Set([version]),
      scope: scope === 'unknown' ? undefined : scope,
      vulnerabilities: type !== 'removed' && Array.isArray(vulnerabilities) ? vulnerabilities : undefined,
    });
  }
  return differences(removed, added);
}

function packageOf({ package_url: url, ecosystem, name }: DependencyChange): string {
  return parsed(url ?? '')?.name ?? `pkg:${asText(ecosystem)}/${asText(name)}`;
}

/** Returns a package URL without its version, and the version; undefined if it is invalid. */
function parsed(url: string): { readonly name: string; readonly version: string } | undefined {
  try {
    const { type, namespace, name, version = '' } = parsePurl(url);
    return { name: purl({ type, namespace, name }), version };
  } catch {
    return undefined;
  }
}

function differences(old: Manifests, current: Manifests): PackageChange[] {
  const changes: PackageChange[] = [];
  for (const manifest of [...new Set([...old.keys(), ...current.keys()])].sort()) {
    const [one, other] = [old.get(manifest) ?? none, current.get(manifest) ?? none];
    for (const name of [...new Set([...one.keys(), ...other.keys()])].sort()) {
      const change = changeOf(one.get(name), other.get(name));
      if (change !== undefined) changes.push({ ...(manifest !== undefined && { manifest }), package: name, ...change });
    }
  }
  return changes;
}

/**
 * Returns how many packages the earlier document has, and how many of them the later one does not have in any version.
 * Throws UsageError.
 */
export async function countMissingPackages(
  before: Document,
  after: Document,
  notice: SkipNotice,
): Promise<{ readonly all: number; readonly gone: number }> {
  const names = async (document: Document) =>
    new Set([...(await packagesOf(document, notice)).values()].flatMap((each) => [...each.keys()]));
  const [old, current] = [await names(before), await names(after)];
  return { all: old.size, gone: [...old].filter((name) => !current.has(name)).length };
}

const none: Packages = new Map();

type Change = Omit<PackageChange, 'manifest' | 'package'>;

function changeOf(before: Facts | undefined, after: Facts | undefined): Change | undefined {
  const versions = (facts: Facts) => [...facts.versions].sort().join(', ');
  const about = ({ relationship, scope, vulnerabilities = [] }: Facts) => ({
    ...(relationship && { relationship }),
    ...(scope && { scope }),
    ...(vulnerabilities.length > 0 && { vulnerabilities: [...vulnerabilities] }),
  });
  if (before === undefined) return after && { change: 'added', after: versions(after), ...about(after) };
  if (after === undefined) return { change: 'removed', before: versions(before), ...about(before) };
  const [old, current] = [versions(before), versions(after)];
  return old === current ? undefined : { change: 'changed', before: old, after: current, ...about(after) };
}

async function packagesOf({ file, content }: Document, notice: SkipNotice): Promise<Manifests> {
  if (['bomFormat', 'spdxVersion', 'sbom', '@context'].some((field) => fieldOf(content, field) !== undefined))
    return new Map([[undefined, await packagesInSbom(file, content, notice)]]);
  // A snapshot without manifests is valid, and has a detector. Lockfiles have neither.
  const { manifests = isJsonObject(content.detector) ? {} : undefined } = content;
  if (!isJsonObject(manifests)) throw new UsageError(`${nameOf(file)} is neither a snapshot nor an SBOM.`);
  return new Map(Object.entries(manifests).map(([key, manifest]) => [key, packagesIn(manifest)]));
}

/** Returns whether a value is a JSON object. */
const isJsonObject = (value: unknown): value is Given => isObject(value) && !(value instanceof JsonList);

async function packagesInSbom(file: string, content: Given, notice: SkipNotice): Promise<Packages> {
  const packages = new Map<string, Facts>();
  for (const manifest of await countSkipped(file, notice, (onInvalid) => sbomManifests(content, onInvalid)))
    for (const { purl, ...facts } of manifest.packages.values()) addPackage(packages, purl, facts);
  return packages;
}

function packagesIn(manifest: unknown): Packages {
  const packages = new Map<string, Facts>();
  const resolved = isObject(manifest) && isObject(manifest.resolved) ? Object.values(manifest.resolved) : [];
  for (const each of resolved)
    if (isObject(each) && typeof each.package_url === 'string')
      addPackage(packages, each.package_url, { relationship: textOf(each.relationship), scope: textOf(each.scope) });
  return packages;
}

function addPackage(packages: Map<string, Facts>, url: string, facts: Omit<Facts, 'versions'>): void {
  const { name, version } = parsed(url) ?? { name: url, version: '' };
  addVersion(packages, name, { ...facts, versions: new Set([version]) });
}

/** Of several versions, direct counts before indirect, and runtime before development. */
function addVersion(packages: Map<string, Facts>, name: string, facts: Facts): void {
  const others = packages.get(name);
  if (others === undefined) {
    packages.set(name, facts);
    return;
  }
  for (const version of facts.versions) others.versions.add(version);
  if (others.relationship !== 'direct') others.relationship = facts.relationship ?? others.relationship;
  if (others.scope !== 'runtime') others.scope = facts.scope ?? others.scope;
  others.vulnerabilities = [...(others.vulnerabilities ?? []), ...(facts.vulnerabilities ?? [])];
}

/** Returns the packages of all manifests as those of one without a name. */
function merged(manifests: Manifests): Manifests {
  const packages = new Map<string, Facts>();
  for (const each of manifests.values())
    for (const [name, facts] of each) addVersion(packages, name, { ...facts, versions: new Set(facts.versions) });
  return new Map([[undefined, packages]]);
}
