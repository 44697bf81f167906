/**
 * pnpm-lock.yaml, versions 5 to 9. pnpm 11 and later write two documents: the dependencies of pnpm itself (its pinned
 * version and the packages that configure it), and those of the project.
 */
import { type LockManifest, manifestsOf, type Node, ParseError, type Root } from '../dependency-graph.ts';
import { mapOf, parseYamlDocuments, type Yaml, type YamlMap } from '../text/yaml.ts';
import { npmPurl } from './npm-package.ts';

export function parsePnpm(text: string): readonly LockManifest[] {
  const documents = parseYamlDocuments(text).map(mapOf);
  if (documents.length > 2) throw new ParseError('more than two documents');
  if (documents.length === 0 || !documents.every(isSupported))
    throw new ParseError('not a pnpm lockfile (supported: versions 5 to 9)');
  return documents.toReversed().flatMap((lock, place) => {
    const isConfiguration = place === 1 || configurationFields.some((field) => projectOf(lock).has(field));
    return isConfiguration ? configurationIn(lock) : projectsIn(lock);
  });
}

function isSupported(lock: YamlMap): boolean {
  const version = Number.parseFloat(textOf(lock.get('lockfileVersion')) ?? '');
  return version >= 5 && version < 10;
}

const configurationFields = ['configDependencies', 'packageManagerDependencies'];

const projectOf = (lock: YamlMap): YamlMap => mapOf(mapOf(lock.get('importers')).get('.'));

/** The dependencies of pnpm itself are never runtime dependencies of the project. */
function configurationIn(lock: YamlMap): readonly LockManifest[] {
  const { installed, nodes } = packagesIn(lock);
  const development = resolved(installed, projectOf(lock), configurationFields);
  return manifestsOf(nodes, [{ part: 'configuration', runtime: [], development }]);
}

function projectsIn(lock: YamlMap): readonly LockManifest[] {
  const { installed, nodes, locals } = packagesIn(lock);
  const importers = lock.has('importers') ? mapOf(lock.get('importers')) : new Map<string, Yaml>([['.', lock]]);
  const roots = [...importers].map(([path, value]) =>
    member(
      path,
      resolved(installed, mapOf(value), ['dependencies', 'optionalDependencies']),
      resolved(installed, mapOf(value), ['devDependencies']),
    ),
  );
  const first = roots.find(({ workspace }) => workspace === undefined) ?? { runtime: [] };
  const known = new Set(importers.keys());
  return manifestsOf(nodes, [
    first,
    ...roots.filter((root) => root !== first),
    ...locals.filter(({ workspace }) => workspace === undefined || !known.has(workspace)),
  ]);
}

interface LockedPackages {
  /** The dependencies of each installation of a package. */
  readonly installed: YamlMap;
  readonly nodes: ReadonlyMap<string, Node>;
  /** The folders of the repository among them. */
  readonly locals: readonly Root[];
}

function packagesIn(lock: YamlMap): LockedPackages {
  const packages = mapOf(lock.get('packages'));
  // Version 9 keeps the facts of a package apart from what each of its installations depends on.
  const installed = lock.has('snapshots') ? mapOf(lock.get('snapshots')) : packages;
  const nodes = new Map<string, Node>();
  const locals: Root[] = [];
  for (const [key, value] of installed) {
    const entry = mapOf(value);
    const facts = installed === packages ? entry : mapOf(packages.get(withoutPeers(key)));
    const resolution = mapOf(facts.get('resolution'));
    const dependencies = resolved(installed, entry, ['dependencies', 'optionalDependencies']);
    const directory = textOf(resolution.get('directory'));
    if (directory !== undefined) {
      if (dependencies.length > 0) locals.push(member(directory, dependencies, []));
      continue;
    }
    const named = nameAndVersion5(key) ?? nameAndVersion(key);
    nodes.set(key, {
      purl: npmPurl(
        textOf(facts.get('name')) ?? named.name,
        textOf(facts.get('version')) ?? named.version,
        sourceOf(resolution),
      ),
      dependencies,
      scope: stated(entry.get('dev')),
    });
  }
  return { installed, nodes, locals };
}

const member = (path: string, runtime: readonly string[], development: readonly string[]): Root => ({
  ...(path !== '.' && { workspace: path, file: `${path}/package.json` }),
  runtime,
  development,
});

const textOf = (value: Yaml | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/** Versions before 9 state the scope; later ones leave it to the graph. */
const stated = (dev: Yaml | undefined) => (dev === 'true' ? 'development' : dev === 'false' ? 'runtime' : undefined);

function resolved(installed: YamlMap, entry: YamlMap, fields: readonly string[]): string[] {
  return fields.flatMap((field) =>
    [...mapOf(entry.get(field))].flatMap(([name, value]) => {
      const reference = textOf(value) ?? textOf(mapOf(value).get('version')) ?? '';
      const keys = [`${name}@${reference}`, `/${name}@${reference}`, `/${name}/${reference}`, reference];
      return keys.find((key) => installed.has(key)) ?? [];
    }),
  );
}

const withoutPeers = (key: string): string => {
  const bracket = key.indexOf('(');
  return bracket === -1 ? key : key.slice(0, bracket);
};

/** Parses `/@scope/name@1.0.0(peer@2.0.0)`, without the slash from version 9 on. */
function nameAndVersion(key: string): { readonly name: string; readonly version: string | undefined } {
  const bare = withoutPeers(key).replace(/^\//, '');
  const at = bare.indexOf('@', 1);
  if (at === -1) return { name: bare, version: undefined };
  const version = bare.slice(at + 1);
  // Versions of other sources are their location.
  return { name: bare.slice(0, at), version: /[:/]/.test(version) ? undefined : version };
}

/**
 * Parses `registry.example.com/@scope/name/1.0.0_peer@2.0.0`, the keys of version 5, which omit the default registry.
 * Returns undefined for other keys: files that were edited or merged mix them, whatever version they state.
 */
function nameAndVersion5(key: string): { readonly name: string; readonly version: string } | undefined {
  const [, name, version] = /^[^/@]*\/((?:@[^/]+\/)?[^/@]+)\/([^/_(]+)/.exec(key) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

function sourceOf(resolution: YamlMap): string | undefined {
  const repository = textOf(resolution.get('repo'));
  if (repository === undefined) return textOf(resolution.get('tarball'));
  const url = /^git[+@:]/.test(repository) ? repository : `git+${repository}`;
  return `${url}#${textOf(resolution.get('commit')) ?? ''}`;
}
