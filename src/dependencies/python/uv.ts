/** uv.lock */
import {
  fieldOf,
  type LockManifest,
  listOf,
  manifestsOf,
  type Node,
  objectOf,
  ParseError,
  type Root,
  textOf,
} from '../dependency-graph.ts';
import { NameIndex } from '../name-index.ts';
import { parseToml } from '../text/toml.ts';
import { type PythonSource, pythonPurl } from './python.ts';

export function parseUv(text: string): readonly LockManifest[] {
  const lock = parseToml(text);
  if (fieldOf(lock, 'version') !== 1) throw new ParseError('not a lockfile of uv, or not of version 1');
  const entries = listOf(fieldOf(lock, 'package')).map((table, place) => {
    const name = textOf(fieldOf(table, 'name'));
    if (name === undefined) throw new ParseError('a [[package]] without a name');
    const source = objectOf(fieldOf(table, 'source'));
    return {
      key: String(place),
      table,
      name,
      version: textOf(fieldOf(table, 'version')),
      source,
      folder: folderOf(source),
    };
  });
  const index = new NameIndex<(typeof entries)[number]>();
  for (const entry of entries) index.add(entry.name, entry);

  /** Returns the keys of dependencies. They have a version and a source only if several packages have their name. */
  const resolve = (dependencies: unknown): string[] =>
    listOf(dependencies).flatMap((dependency) => {
      const version = textOf(fieldOf(dependency, 'version'));
      const source = fieldOf(dependency, 'source');
      return index
        .find(textOf(fieldOf(dependency, 'name')) ?? '')
        .filter((entry) => version === undefined || entry.version === version)
        .filter((entry) => source === undefined || sameSource(entry.source, objectOf(source)))
        .map(({ key }) => key);
    });
  const resolveGroups = (groups: unknown): string[] => Object.values(objectOf(groups)).flatMap(resolve);

  const nodes = new Map<string, Node>();
  const roots: Root[] = [];
  for (const { key, table, name, version, source, folder } of entries) {
    // Extras are locked only if something requires them.
    const dependencies = [
      ...resolve(fieldOf(table, 'dependencies')),
      ...resolveGroups(fieldOf(table, 'optional-dependencies')),
    ];
    if (folder === undefined) nodes.set(key, { purl: pythonPurl(name, version, sourceOf(source)), dependencies });
    else
      roots.push({
        ...(folder !== '.' && { workspace: name, file: `${folder}/pyproject.toml` }),
        runtime: dependencies,
        development: resolveGroups(fieldOf(table, 'dev-dependencies')),
      });
  }
  const manifest = fieldOf(lock, 'manifest');
  const own = {
    runtime: resolve(fieldOf(manifest, 'requirements')),
    development: resolveGroups(fieldOf(manifest, 'dependency-groups')),
  };
  // The requirements of a script, or of a workspace whose root is not a package.
  if (roots.length === 0 || own.runtime.length + own.development.length > 0) roots.unshift(own);
  return manifestsOf(nodes, roots);
}

const folderOf = (source: unknown): string | undefined =>
  ['editable', 'virtual', 'directory'].flatMap((kind) => textOf(fieldOf(source, kind)) ?? [])[0];

const sameSource = (one: object, other: object): boolean =>
  Object.entries(other).every(([kind, value]) => fieldOf(one, kind) === value);

function sourceOf(source: unknown): PythonSource {
  const [repository = '', revision] = (textOf(fieldOf(source, 'git')) ?? '').split('#');
  return {
    index: textOf(fieldOf(source, 'registry')),
    git: repository || undefined,
    revision,
    folder: /[?&]subdirectory=([^&]*)/.exec(repository)?.[1],
    archive: textOf(fieldOf(source, 'url')),
  };
}
