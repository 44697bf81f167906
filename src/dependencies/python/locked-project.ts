/** The single project of a Python lockfile. Only its pyproject.toml lists its direct dependencies. */
import {
  fieldOf,
  type JsonObject,
  type LockManifest,
  listOf,
  objectOf,
  type Package,
  textOf,
} from '../dependency-graph.ts';
import { NameIndex } from '../name-index.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { normalName, requirementName } from './python.ts';

export interface LockedPackage {
  readonly name: string;
  /** Undefined for a folder of the repository. */
  readonly purl: string | undefined;
  /** Names of packages. */
  readonly requires: readonly string[];
  /** The scope that the lockfile states. */
  readonly scope: Package['scope'];
}

/** Names of packages that a project requires directly. */
export interface DirectNames {
  readonly runtime: readonly string[];
  readonly development: readonly string[];
}

/** Returns the manifest of a lockfile. Without `direct`, it contains only facts from the lockfile itself. */
export function projectManifest(
  packages: readonly LockedPackage[],
  direct: DirectNames | undefined,
): readonly LockManifest[] {
  const index = new NameIndex<number>();
  for (const [place, { name }] of packages.entries()) index.add(normalName(name), place);
  const placesOf = (names: readonly string[]) => names.flatMap((name) => index.find(normalName(name)));
  const required = packages.map(({ requires }) => placesOf(requires));

  // A project without dependencies is not the one that was locked.
  const names = direct && direct.runtime.length + direct.development.length > 0 ? direct : undefined;
  const runtime = new Set(placesOf(names?.runtime ?? []));
  const development = new Set(placesOf(names?.development ?? []));
  const needed = reach(required, runtime);
  const all = reach(required, [...runtime, ...development]);

  const nodes = new Map<string, MarkedNode>();
  for (const [place, { purl, scope }] of packages.entries())
    nodes.set(String(place), {
      purl,
      relationship: names && (runtime.has(place) || development.has(place) ? 'direct' : 'indirect'),
      scope: scope ?? (all.has(place) ? (needed.has(place) ? 'runtime' : 'development') : undefined),
      dependencies: (required[place] ?? []).map(String),
    });
  return singleManifest(nodes);
}

/** Returns the positions of packages that others require, also through local folders, which have no lockfile of their own. */
function reach(required: readonly (readonly number[])[], from: Iterable<number>): Set<number> {
  const reached = new Set(from);
  // Iterating over a set includes elements added meanwhile.
  for (const place of reached) for (const next of required[place] ?? []) reached.add(next);
  return reached;
}

/** Returns the names in the tables of pyproject.toml that all tools share. */
export function standardNames(project: JsonObject): DirectNames {
  const standard = fieldOf(project, 'project');
  return {
    runtime: [
      ...namesIn(fieldOf(standard, 'dependencies')),
      ...groupedNames(fieldOf(standard, 'optional-dependencies')),
    ],
    development: groupedNames(fieldOf(project, 'dependency-groups')),
  };
}

export const groupedNames = (groups: unknown): string[] => Object.values(objectOf(groups)).flatMap(namesIn);

export const namesIn = (requirements: unknown): string[] =>
  listOf(requirements).flatMap((each) => requirementName(textOf(each) ?? '') ?? []);
