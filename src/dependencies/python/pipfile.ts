/** Pipfile.lock. What is direct is known from the Pipfile beside it. */
import { isObject } from '../../json/exact-json.ts';
import {
  type Companions,
  fieldOf,
  type LockManifest,
  listOf,
  objectOf,
  type Package,
  ParseError,
  parseJson,
  textOf,
} from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { parseTomlBeside } from '../text/toml.ts';
import { normalName, type PythonSource, pythonPurl } from './python.ts';

const scopes: ReadonlyMap<string, Package['scope']> = new Map([
  ['default', 'runtime'],
  ['develop', 'development'],
]);

/** The fields of packages of which each has at least one. */
const sources = ['version', 'git', 'hg', 'svn', 'bzr', 'path', 'file'];

export function parsePipfile(text: string, companions: Companions): readonly LockManifest[] {
  const lock = objectOf(parseJson(text));
  const meta = fieldOf(lock, '_meta');
  if (meta === undefined) throw new ParseError('not a lockfile of Pipenv: it has no _meta');
  const indexes = new Map<unknown, string | undefined>();
  for (const source of listOf(fieldOf(meta, 'sources')))
    indexes.set(fieldOf(source, 'name'), textOf(fieldOf(source, 'url')));

  const direct = directNames(companions);
  const nodes = new Map<string, MarkedNode>();
  for (const [category, packages] of Object.entries(lock)) {
    if (category === '_meta') continue;
    if (!isObject(packages)) throw new ParseError(`${category} is not a table of packages`);
    for (const [name, entry] of Object.entries(packages)) {
      if (!sources.some((source) => textOf(fieldOf(entry, source)) !== undefined))
        throw new ParseError(`${category} has a package without version or source`);
      const version = textOf(fieldOf(entry, 'version'))?.replace(/^===?/, '');
      const source: PythonSource = {
        index: indexes.get(fieldOf(entry, 'index')),
        git: textOf(fieldOf(entry, 'git')),
        revision: textOf(fieldOf(entry, 'ref')),
        folder: textOf(fieldOf(entry, 'subdirectory')),
        archive: remote(fieldOf(entry, 'file')),
      };
      // Without any of them, it is a folder of the repository, or from another version control system.
      if (version === undefined && source.git === undefined && source.archive === undefined) continue;
      nodes.set(`${category} ${name}`, {
        purl: pythonPurl(name, version, source),
        relationship: direct && (direct.has(normalName(name)) ? 'direct' : 'indirect'),
        scope: scopes.get(category),
        dependencies: [],
      });
    }
  }
  return singleManifest(nodes);
}

function directNames(companions: Companions): ReadonlySet<string> | undefined {
  const pipfile = parseTomlBeside(companions, 'Pipfile');
  if (pipfile === undefined) return undefined;
  // Other tables that name packages are categories. Settings tables name no locked packages.
  const tables = Object.entries(pipfile).filter(
    ([name]) => !['source', 'requires', 'scripts', 'pipenv'].includes(name),
  );
  return new Set(tables.flatMap(([, table]) => Object.keys(objectOf(table)).map(normalName)));
}

const remote = (file: unknown): string | undefined => (/^https?:/.test(textOf(file) ?? '') ? textOf(file) : undefined);
