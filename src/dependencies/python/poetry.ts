/** poetry.lock. What is direct is known from the pyproject.toml beside it. */
import {
  type Companions,
  fieldOf,
  type JsonObject,
  type LockManifest,
  objectOf,
  type Package,
  ParseError,
  textOf,
} from '../dependency-graph.ts';
import { parseToml, parseTomlBeside } from '../text/toml.ts';
import { type DirectNames, type LockedPackage, projectManifest, standardNames } from './locked-project.ts';
import { type PythonSource, pythonPurl } from './python.ts';

export function parsePoetry(text: string, companions: Companions): readonly LockManifest[] {
  const lock = parseToml(text);
  if (fieldOf(lock, 'package') === undefined && fieldOf(lock, 'metadata') === undefined)
    throw new ParseError('not a lockfile of Poetry: it has neither [[package]] nor [metadata]');
  if (!/^[12](?:\.|$)/.test(textOf(fieldOf(fieldOf(lock, 'metadata'), 'lock-version')) ?? '1'))
    throw new ParseError('not a lockfile of Poetry in version 1 or 2');
  const packages = [fieldOf(lock, 'package') ?? []].flat().map((table): LockedPackage => {
    const name = textOf(fieldOf(table, 'name'));
    const version = textOf(fieldOf(table, 'version'));
    if (name === undefined || version === undefined) throw new ParseError('a [[package]] without name or version');
    const source = fieldOf(table, 'source');
    return {
      name,
      purl: fieldOf(source, 'type') === 'directory' ? undefined : pythonPurl(name, version, sourceOf(source)),
      requires: Object.keys(objectOf(fieldOf(table, 'dependencies'))),
      scope: lockedScope(table),
    };
  });
  const project = parseTomlBeside(companions, 'pyproject.toml');
  return projectManifest(packages, project && directNames(project));
}

/** Poetry before 1.5 writes a category, and Poetry 2 writes groups; versions between write neither. */
function lockedScope(table: unknown): Package['scope'] {
  const groups = fieldOf(table, 'groups') ?? fieldOf(table, 'category');
  if (groups === undefined) return undefined;
  return [groups].flat().includes('main') ? 'runtime' : 'development';
}

function directNames(project: JsonObject): DirectNames {
  const { runtime, development } = standardNames(project);
  const poetry = fieldOf(fieldOf(project, 'tool'), 'poetry');
  const keys = (table: unknown) => Object.keys(objectOf(table));
  const groups = Object.values(objectOf(fieldOf(poetry, 'group')));
  return {
    runtime: [...runtime, ...keys(fieldOf(poetry, 'dependencies'))],
    development: [
      ...development,
      ...keys(fieldOf(poetry, 'dev-dependencies')),
      ...groups.flatMap((group) => keys(fieldOf(group, 'dependencies'))),
    ],
  };
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
