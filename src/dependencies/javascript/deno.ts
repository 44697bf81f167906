/** deno.lock, versions 3 to 5. It does not distinguish development dependencies, and its URLs are not packages. */
import {
  type Companions,
  fieldOf,
  type LockManifest,
  listOf,
  manifestsOf,
  type Node,
  objectOf,
  ParseError,
  parseJson,
  type Root,
  textOf,
} from '../dependency-graph.ts';
import { packageUrl } from '../source-url.ts';
import { npmPurl, splitDescriptor } from './npm-package.ts';

export function parseDeno(text: string, companions: Companions): readonly LockManifest[] {
  const lock = parseJson(text);
  const version = fieldOf(lock, 'version');
  if (version !== '3' && version !== '4' && version !== '5')
    throw new ParseError('not a Deno lockfile (supported: versions 3 to 5)');
  const packages = version === '3' ? fieldOf(lock, 'packages') : lock;
  const specifiers = specifiersIn(packages);
  const named = new Set<string>();
  const resolve = (list: unknown) =>
    listOf(list).flatMap((text) => {
      const found = specifiers.get(textOf(text) ?? '');
      if (found === undefined) return [];
      named.add(found.specifier);
      return found.key;
    });

  const nodes = new Map<string, Node>(npmNodes(fieldOf(packages, 'npm')));
  for (const [id, entry] of Object.entries(objectOf(fieldOf(packages, 'jsr'))))
    nodes.set(`jsr:${id}`, { purl: jsrPurl(id), dependencies: resolve(fieldOf(entry, 'dependencies')) });

  const required = (project: unknown) => [
    ...resolve(fieldOf(project, 'dependencies')),
    ...resolve(fieldOf(fieldOf(project, 'packageJson'), 'dependencies')),
  ];
  const workspace = fieldOf(lock, 'workspace');
  const members = Object.entries(objectOf(fieldOf(workspace, 'members'))).map(
    ([path, member]): Root => ({ workspace: path, file: manifestAt(path, companions), runtime: required(member) }),
  );
  const own = required(workspace);
  // The rest is imported by the code of the project.
  const imported = [...specifiers.values()].flatMap(({ specifier, key }) => (named.has(specifier) ? [] : key));
  return manifestsOf(nodes, [{ runtime: [...own, ...imported] }, ...members]);
}

interface Specifier {
  /** The requirement, such as `jsr:@std/path@^1.1.4`. */
  readonly specifier: string;
  /** The key of the package that it resolves to, such as `jsr:@std/path@1.1.4`. */
  readonly key: string;
}

/** Returns specifiers by their text, and by their name alone if no other has it. */
function specifiersIn(packages: unknown): ReadonlyMap<string, Specifier> {
  const found = new Map<string, Specifier>();
  for (const [specifier, resolved] of Object.entries(objectOf(fieldOf(packages, 'specifiers')))) {
    const { name } = splitDescriptor(specifier.slice(4));
    const version = textOf(resolved) ?? '';
    const isWhole = version.startsWith(specifier.slice(0, 4));
    found.set(specifier, { specifier, key: isWhole ? version : `${specifier.slice(0, 4)}${name}@${version}` });
  }
  for (const each of [...found.values()]) {
    const name = each.specifier.slice(0, 4) + splitDescriptor(each.specifier.slice(4)).name;
    if (!found.has(name)) found.set(name, each);
  }
  return found;
}

/** Yields packages by keys such as `npm:vite@8.0.3_@emnapi+core@1.9.1`, with the versions of peers after the first `_`. */
function* npmNodes(packages: unknown): Generator<[string, Node]> {
  const entries = Object.entries(objectOf(packages));
  const byName = new Map(entries.map(([id]) => [splitDescriptor(id).name, id]));
  /** Resolves `a`, `a@1.0.0` and `alias@npm:a@1.0.0`. */
  const keyOf = (text: string) => `npm:${byName.get(text) ?? text.replace(/^.[^@]*@npm:/, '')}`;
  for (const [id, entry] of entries) {
    const { name, range } = splitDescriptor(id);
    yield [
      `npm:${id}`,
      {
        purl: npmPurl(name, range.split('_', 1)[0], textOf(fieldOf(entry, 'tarball'))),
        dependencies: ['dependencies', 'optionalDependencies']
          // Version 3 writes keys by name.
          .flatMap((field) => {
            const list = fieldOf(entry, field);
            return Array.isArray(list) ? list : Object.values(objectOf(list));
          })
          .flatMap((text) => (typeof text === 'string' ? keyOf(text) : [])),
      },
    ];
  }
}

/** The specification of package URLs has no type for JSR. The registry itself uses this one. */
function jsrPurl(id: string): string {
  const { name, range } = splitDescriptor(id);
  const slash = name.indexOf('/');
  return packageUrl({
    type: 'jsr',
    namespace: name.slice(0, Math.max(slash, 0)),
    name: name.slice(slash + 1),
    version: range,
  });
}

function manifestAt(path: string, companions: Companions): string | undefined {
  const files = ['deno.json', 'deno.jsonc', 'package.json'].map((name) => `${path}/${name}`);
  return files.find((file) => companions.read(file) !== undefined);
}
