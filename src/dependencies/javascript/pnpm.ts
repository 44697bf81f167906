/** pnpm-lock.yaml, versions 5 to 9. */
import { type LockManifest, manifestsOf, type Node, ParseError, type Root } from '../dependency-graph.ts';
import { mapOf, parsePlainYaml, type Yaml, type YamlMap } from '../text/plain-yaml.ts';
import { npmPurl } from './npm-package.ts';

export function parsePnpm(text: string): readonly LockManifest[] {
  const lock = mapOf(parsePlainYaml(text));
  const version = Number.parseFloat(textOf(lock.get('lockfileVersion')) ?? '');
  if (!(version >= 5 && version < 10)) throw new ParseError('not a lockfile of pnpm in version 5 to 9');

  const packages = mapOf(lock.get('packages'));
  // Version 9 keeps the facts of a package apart from what each of its installations depends on.
  const installed = version >= 9 ? mapOf(lock.get('snapshots')) : packages;
  const nodes = new Map<string, Node>();
  const locals: Root[] = [];
  for (const [key, value] of installed) {
    const entry = mapOf(value);
    const facts = version >= 9 ? mapOf(packages.get(withoutPeers(key))) : entry;
    const resolution = mapOf(facts.get('resolution'));
    const dependencies = resolved(installed, entry, ['dependencies', 'optionalDependencies']);
    const directory = textOf(resolution.get('directory'));
    if (directory !== undefined) {
      if (dependencies.length > 0) locals.push(member(directory, dependencies, []));
      continue;
    }
    const named = version >= 6 ? nameAndVersion(key) : nameAndVersion5(key);
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

/** Parses `registry.example.com/@scope/name/1.0.0_peer@2.0.0`; the default registry is left out. */
function nameAndVersion5(key: string): { readonly name: string; readonly version: string | undefined } {
  const parts = /^[^/]*\/((?:@[^/]+\/)?[^/]+)\/([^/_(]+)/.exec(key);
  return { name: parts?.[1] ?? key, version: parts?.[2] };
}

function sourceOf(resolution: YamlMap): string | undefined {
  const repository = textOf(resolution.get('repo'));
  if (repository === undefined) return textOf(resolution.get('tarball'));
  const url = /^git[+@:]/.test(repository) ? repository : `git+${repository}`;
  return `${url}#${textOf(resolution.get('commit')) ?? ''}`;
}
