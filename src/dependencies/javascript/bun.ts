/** bun.lock, the text format of bun 1.2 and later. */
import {
  fieldOf,
  type LockManifest,
  manifestsOf,
  type Node,
  objectOf,
  ParseError,
  parseJson,
  type Root,
  textOf,
} from '../dependency-graph.ts';
import { developmentNames, npmPurl, requiredNames } from './npm-package.ts';

export function parseBun(text: string): readonly LockManifest[] {
  const lock = objectOf(parseJson(withoutTrailingCommas(text)));
  const packages = objectOf(fieldOf(lock, 'packages'));
  const workspaces = objectOf(fieldOf(lock, 'workspaces'));
  const version = fieldOf(lock, 'lockfileVersion');
  if (version === undefined) throw new ParseError('not a lockfile of bun: no lockfileVersion');
  if (version !== 0 && version !== 1) throw new ParseError('not a lockfile of bun in version 0 or 1');

  const nodes = new Map<string, Node>();
  const locals: Root[] = [];
  for (const [key, entry] of Object.entries(packages)) {
    if (!Array.isArray(entry)) throw new ParseError(`“${key}” is not a list`);
    const resolution = textOf(entry[0]) ?? '';
    const at = resolution.indexOf('@', 1);
    const name = at === -1 ? resolution : resolution.slice(0, at);
    const version = at === -1 ? '' : resolution.slice(at + 1);
    const facts = entry.find((each) => typeof each === 'object' && each !== null && !Array.isArray(each));
    const dependencies = resolveAll(packages, key, requiredNames(facts));
    if (version.startsWith('workspace:') || /^(?:root|link|file):(?!.*\.t(?:ar\.)?gz$)/.test(version)) {
      nodes.set(key, { purl: undefined, dependencies });
      const path = version.slice(version.indexOf(':') + 1);
      if (!version.startsWith('workspace:') && dependencies.length > 0)
        locals.push({ workspace: path, file: `${path}/package.json`, runtime: dependencies, development: [] });
      continue;
    }
    // Versions of other sources are their location; the second item is the registry of those that have one.
    const source = /[:/]/.test(version) ? version : registryOf(textOf(entry[1]), name);
    nodes.set(key, { purl: npmPurl(name, source === version ? undefined : version, source), dependencies });
  }

  const roots = Object.entries(workspaces).map(([path, workspace]): Root => {
    // Packages of a member lie below its name; those of the project at the lockfile do not.
    const name = path === '' ? '' : (textOf(fieldOf(workspace, 'name')) ?? '');
    return {
      ...(path !== '' && { workspace: path, file: `${path}/package.json` }),
      runtime: resolveAll(packages, name, requiredNames(workspace)),
      development: resolveAll(packages, name, developmentNames(workspace)),
    };
  });
  return manifestsOf(nodes, [...(roots.length > 0 ? roots : [{ runtime: [] }]), ...locals]);
}

/** An empty registry is npm’s own. Others are the URL of a registry or of a tarball. */
function registryOf(registry: string | undefined, name: string): string | undefined {
  if (!registry) return undefined;
  return registry.endsWith('.tgz') ? registry : `${registry.replace(/(?<!\/)\/+$/, '')}/${name}/-/`;
}

/** Keys are names, after those of the packages that they are installed in: `vite/esbuild`. */
function resolveAll(packages: object, key: string, names: readonly string[]): string[] {
  const parents = prefixesOf(key);
  return names.flatMap(
    (name) => parents.map((parent) => `${parent}${name}`).find((each) => Object.hasOwn(packages, each)) ?? [],
  );
}

/** Returns `a/@b/c/`, `a/` and the empty text for `a/@b/c`. */
function prefixesOf(key: string): string[] {
  const names = key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];
  if (names.length > 100) throw new ParseError('packages nested more than 100 levels deep');
  return [...names.map((_, place) => `${names.slice(0, place + 1).join('/')}/`).reverse(), ''];
}

/** bun writes commas before closing brackets. Texts keep theirs. */
function withoutTrailingCommas(text: string): string {
  const pieces: string[] = [];
  let [isText, start] = [false, 0];
  // One by one: the matches of a large file would not fit in memory.
  for (const { 0: match, index } of text.matchAll(/\\.|"|,\s*(?=[}\]])/g)) {
    if (match === '"') isText = !isText;
    if (isText || !match.startsWith(',')) continue;
    pieces.push(text.slice(start, index));
    start = index + 1;
  }
  return pieces.join('') + text.slice(start);
}
