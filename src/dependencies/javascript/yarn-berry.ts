/** yarn.lock of Yarn 2 and later (berry). */
import {
  type Companions,
  type LockManifest,
  manifestsOf,
  type Node,
  ParseError,
  parseJsonBeside,
  type Root,
} from '../dependency-graph.ts';
import { mapOf, parseYaml, type YamlMap } from '../text/yaml.ts';
import { memberAt, npmPurl, rangesIn, splitDescriptor } from './npm-package.ts';
import { type Locator, rangeReplacements, withProtocol } from './yarn-ranges.ts';

/** The lockfile lists workspaces; only package.json shows which of their dependencies are for development. */
export function parseBerry(text: string, companions: Companions): readonly LockManifest[] {
  const lock = mapOf(parseYaml(text));
  const find = descriptorsOf(lock, companions);
  const byResolution = new Map<string, string>();
  for (const [key, entry] of lock) {
    const resolution = mapOf(entry).get('resolution');
    if (typeof resolution === 'string') byResolution.set(resolution, key);
  }

  const nodes = new Map<string, Node>();
  const roots: Root[] = [];
  for (const [key, entry] of lock) {
    if (key === '__metadata') continue;
    const fields = mapOf(entry);
    const resolution = fields.get('resolution');
    if (typeof resolution !== 'string') throw new ParseError(`“${key}” has no resolution`);
    const locator = splitDescriptor(resolution);
    const { name, range } = locator;
    const required = new Map<string, string>();
    for (const [wanted, range] of mapOf(fields.get('dependencies'))) {
      const found = typeof range === 'string' ? find(locator, wanted, range) : undefined;
      if (found !== undefined) required.set(wanted, found);
    }
    const dependencies = [...required.values()];
    if (range.startsWith('workspace:')) roots.push(workspaceAt(range.slice(10), required, companions));
    else if (/^(?:link|portal):/.test(range)) nodes.set(key, { purl: undefined, dependencies });
    else {
      const version = fields.get('version');
      // A patched package is listed beside its original, which is part of it.
      const original = /^patch:([^#]*)/.exec(range)?.[1];
      nodes.set(key, {
        purl: npmPurl(name, typeof version === 'string' ? version : undefined, sourceOf(range)),
        dependencies:
          original === undefined ? dependencies : [...dependencies, byResolution.get(decoded(original)) ?? ''],
      });
    }
  }
  roots.sort((one, other) => Number(one.workspace !== undefined) - Number(other.workspace !== undefined));
  return manifestsOf(nodes, roots.length > 0 ? roots : [{ runtime: [] }]);
}

/** Returns a function that finds the key of the package that a dependency resolves to. */
function descriptorsOf(
  lock: YamlMap,
  companions: Companions,
): (from: Locator, name: string, range: string) => string | undefined {
  const byDescriptor = new Map<string, string>();
  let project = '';
  for (const [key, entry] of lock) {
    if (key === '__metadata') continue;
    for (const descriptor of key.split(', ')) byDescriptor.set(descriptor, key);
    const resolution = mapOf(entry).get('resolution');
    if (typeof resolution === 'string' && resolution.endsWith('@workspace:.')) project = resolution;
  }
  const replaced = rangeReplacements(companions);
  return (from, name, range) => {
    const replacement = replaced(from, name, range);
    const wanted = replacement ?? range;
    // Paths are relative to the workspace that contains them.
    const owner = replacement === undefined ? `${from.name}@${from.range}` : project;
    // Escapes in YAML can be half a character.
    const locator = encodeURIComponent(owner.toWellFormed());
    const descriptor = [wanted, withProtocol(wanted), `${wanted}::locator=${locator}`]
      .map((each) => `${name}@${each}`)
      .find((each) => byDescriptor.has(each));
    return descriptor && byDescriptor.get(descriptor);
  };
}

function workspaceAt(path: string, required: ReadonlyMap<string, string>, companions: Companions): Root {
  const manifest = parseJsonBeside(companions, path === '.' ? 'package.json' : `${path}/package.json`);
  if (manifest === undefined) return { ...memberAt(path), runtime: [...required.values()] };
  const names = (...fields: readonly string[]) => new Set([...rangesIn(manifest, fields)].map(([name]) => name));
  const runtime = names('dependencies', 'optionalDependencies');
  const development = names('devDependencies');
  const keys = (isDevelopment: boolean) =>
    [...required]
      .filter(([name]) => (development.has(name) && !runtime.has(name)) === isDevelopment)
      .map(([, key]) => key);
  return { ...memberAt(path), runtime: keys(false), development: keys(true) };
}

/** Returns the source of a package that is not from the registry. */
function sourceOf(range: string): string | undefined {
  if (range.startsWith('npm:')) {
    const archive = /::__archiveUrl=([^&]+)/.exec(range)?.[1];
    return archive === undefined ? undefined : decoded(archive);
  }
  if (range.startsWith('patch:')) return undefined;
  return range.replace(/::.*$/s, '').replace(/#commit=/, '#');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
