/** poetry.lock. What is direct is known from the pyproject.toml beside it. */
import {
  type Companions,
  fieldOf,
  type JsonObject,
  type LockManifest,
  listOf,
  objectOf,
  type Package,
  ParseError,
  textOf,
} from '../dependency-graph.ts';
import { NameIndex } from '../name-index.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { parseToml, parseTomlBeside } from '../text/toml.ts';
import { normalName, type PythonSource, pythonPurl, requirementName } from './python.ts';

interface Entry {
  readonly key: string;
  readonly table: unknown;
  readonly name: string;
  readonly version: string;
  /** A folder of the repository. */
  readonly local: boolean;
  readonly dependencies: string[];
}

export function parsePoetry(text: string, companions: Companions): readonly LockManifest[] {
  const lock = parseToml(text);
  if (fieldOf(lock, 'package') === undefined && fieldOf(lock, 'metadata') === undefined)
    throw new ParseError('not a lockfile of Poetry: it has neither [[package]] nor [metadata]');
  if (!/^[12](?:\.|$)/.test(textOf(fieldOf(fieldOf(lock, 'metadata'), 'lock-version')) ?? '1'))
    throw new ParseError('not a lockfile of Poetry in version 1 or 2');
  const entries = [fieldOf(lock, 'package') ?? []].flat().map((table, place): Entry => {
    const name = textOf(fieldOf(table, 'name'));
    const version = textOf(fieldOf(table, 'version'));
    if (name === undefined || version === undefined) throw new ParseError('a [[package]] without name or version');
    const local = fieldOf(fieldOf(table, 'source'), 'type') === 'directory';
    return { key: String(place), table, name, version, local, dependencies: [] };
  });
  const index = new NameIndex<Entry>();
  for (const entry of entries) index.add(normalName(entry.name), entry);
  const keysOf = (names: Iterable<string>) =>
    [...names].flatMap((name) => index.find(normalName(name)).map(({ key }) => key));
  for (const { table, dependencies } of entries)
    for (const key of keysOf(Object.keys(objectOf(fieldOf(table, 'dependencies'))))) dependencies.push(key);

  const project = parseTomlBeside(companions, 'pyproject.toml');
  const names = project && directNames(project);
  const runtime = names && new Set(keysOf(names.runtime));
  const development = names && new Set(keysOf(names.development));
  const needed = runtime && reach(entries, runtime);
  const all = runtime && development && reach(entries, [...runtime, ...development]);

  const nodes = new Map<string, MarkedNode>();
  for (const { key, table, name, version, local, dependencies } of entries)
    nodes.set(key, {
      purl: local ? undefined : pythonPurl(name, version, sourceOf(fieldOf(table, 'source'))),
      relationship: names && (runtime?.has(key) || development?.has(key) ? 'direct' : 'indirect'),
      scope: lockedScope(table) ?? (all?.has(key) ? (needed?.has(key) ? 'runtime' : 'development') : undefined),
      dependencies,
    });
  return singleManifest(nodes);
}

/** Poetry before 1.5 writes a category, and Poetry 2 writes groups; versions between write neither. */
function lockedScope(table: unknown): Package['scope'] {
  const groups = fieldOf(table, 'groups') ?? fieldOf(table, 'category');
  if (groups === undefined) return undefined;
  return [groups].flat().includes('main') ? 'runtime' : 'development';
}

function directNames(project: JsonObject): { runtime: Set<string>; development: Set<string> } {
  const standard = fieldOf(project, 'project');
  const poetry = fieldOf(fieldOf(project, 'tool'), 'poetry');
  const requirements = (list: unknown) => listOf(list).flatMap((each) => requirementName(textOf(each) ?? '') ?? []);
  const keys = (table: unknown) => Object.keys(objectOf(table));
  const groups = Object.entries(objectOf(fieldOf(poetry, 'group')));
  return {
    runtime: new Set([
      ...requirements(fieldOf(standard, 'dependencies')),
      ...Object.values(objectOf(fieldOf(standard, 'optional-dependencies'))).flatMap(requirements),
      ...keys(fieldOf(poetry, 'dependencies')),
    ]),
    development: new Set([
      ...keys(fieldOf(poetry, 'dev-dependencies')),
      ...groups.flatMap(([, group]) => keys(fieldOf(group, 'dependencies'))),
      ...Object.values(objectOf(fieldOf(project, 'dependency-groups'))).flatMap(requirements),
    ]),
  };
}

/**
 * Returns the keys of packages that others need, looking through local folders, which have no lockfile of their own.
 */
function reach(entries: readonly Entry[], from: Iterable<string>): Set<string> {
  const reached = new Set(from);
  // A set also iterates over what is added on the way.
  for (const key of reached) for (const next of entries[Number(key)]?.dependencies ?? []) reached.add(next);
  return reached;
}

function sourceOf(source: unknown): PythonSource {
  const url = textOf(fieldOf(source, 'url'));
  switch (fieldOf(source, 'type')) {
    case 'git':
      return {
        git: url,
        revision: textOf(fieldOf(source, 'resolved_reference')),
        folder: textOf(fieldOf(source, 'subdirectory')),
      };
    case 'legacy':
      return { index: url };
    case 'url':
      return { archive: url };
    default:
      return {};
  }
}
