/** yarn.lock, of Yarn 1 (classic) and of later versions (berry). */
import {
  type Companions,
  fieldOf,
  type LockManifest,
  listOf,
  manifestsOf,
  type Node,
  objectOf,
  ParseError,
  parseJsonBeside,
  type Root,
} from '../dependency-graph.ts';
import { mapOf, parsePlainYaml, type Yaml } from '../text/plain-yaml.ts';
import { npmPurl } from './npm-package.ts';

export function parseYarn(text: string, companions: Companions): readonly LockManifest[] {
  return /^__metadata:/m.test(text) ? parseBerry(text, companions) : parseClassic(text, companions);
}

interface Project {
  /** The folder of a workspace, or `.`. */
  readonly path: string;
  readonly manifest: unknown;
}

/** Returns package.json beside the lockfile and those of the workspaces that it names. */
function projectsOf(companions: Companions): Project[] {
  const manifest = parseJsonBeside(companions, 'package.json');
  if (manifest === undefined) return [];
  const field = fieldOf(manifest, 'workspaces');
  const patterns = Array.isArray(field) ? field : fieldOf(field, 'packages');
  const paths = new Set<string>();
  for (const pattern of listOf(patterns))
    if (typeof pattern === 'string' && !pattern.startsWith('!'))
      for (const file of companions.glob(`${pattern.replace(/^\.\/|\/+$/g, '')}/package.json`)) paths.add(file);
  return [
    { path: '.', manifest },
    ...[...paths].sort().flatMap((file) => {
      const member = parseJsonBeside(companions, file);
      const path = file.slice(0, -'/package.json'.length);
      return member === undefined ? [] : { path, manifest: member };
    }),
  ];
}

/** The dependencies of package.json as `name` and `range`. */
function* rangesIn(manifest: unknown, fields: readonly string[]): Generator<readonly [name: string, range: string]> {
  for (const field of fields)
    for (const [name, range] of Object.entries(objectOf(fieldOf(manifest, field))))
      if (typeof range === 'string') yield [name, range];
}

const member = (path: string) => (path === '.' ? {} : { workspace: path, file: `${path}/package.json` });

// Yarn 1 ────────────────────────────────────────────────────────────────────────────────────────────────────────────

interface ClassicEntry {
  readonly patterns: readonly string[];
  readonly fields: Map<string, string>;
  readonly dependencies: (readonly [name: string, range: string])[];
}

/** The lockfile has no direct packages: they are those of package.json, where there is one. */
function parseClassic(text: string, companions: Companions): readonly LockManifest[] {
  const entries = classicEntries(text);
  const byPattern = new Map<string, string>();
  for (const [place, { patterns }] of entries.entries())
    for (const pattern of patterns) byPattern.set(pattern, String(place));

  const nodes = new Map<string, Node>();
  for (const [place, { patterns, fields, dependencies }] of entries.entries()) {
    const { name, range } = splitPattern(patterns[0] ?? '');
    const version = fields.get('version');
    const resolved = fields.get('resolved') ?? (isLocation(range) ? range : undefined);
    const local = fields.get('resolved') === undefined && /^(?:file|link|portal):|^\.{0,2}\//.test(range);
    nodes.set(String(place), {
      purl: local ? undefined : npmPurl(realName(name, range), version, resolved),
      dependencies: dependencies.flatMap(([to, wanted]) => byPattern.get(`${to}@${wanted}`) ?? []),
    });
  }

  const projects = projectsOf(companions);
  const keysOf = (manifest: unknown, fields: readonly string[]) =>
    [...rangesIn(manifest, fields)].flatMap(([name, range]) => byPattern.get(`${name}@${range}`) ?? []);
  const roots: Root[] = projects.map(({ path, manifest }) => ({
    ...member(path),
    runtime: keysOf(manifest, ['dependencies', 'optionalDependencies']),
    development: keysOf(manifest, ['devDependencies']),
  }));
  return manifestsOf(nodes, roots.length > 0 ? roots : [{ runtime: [] }]);
}

/** Splits `@scope/name@npm:other@^1.0.0` at the first @ of the range. */
function splitPattern(pattern: string): { readonly name: string; readonly range: string } {
  const at = pattern.indexOf('@', 1);
  return at === -1 ? { name: pattern, range: '' } : { name: pattern.slice(0, at), range: pattern.slice(at + 1) };
}

const realName = (name: string, range: string): string =>
  range.startsWith('npm:') ? splitPattern(range.slice(4)).name : name;

const isLocation = (range: string): boolean => /^(?:https?|git|ssh|file)[:+]|\.git(?:#|$)/.test(range);

function classicEntries(text: string): ClassicEntry[] {
  const entries: ClassicEntry[] = [];
  let inDependencies = false;
  for (const [place, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trimEnd();
    if (line === '' || line.startsWith('#')) continue;
    const indent = line.length - line.trimStart().length;
    if (indent === 0) {
      if (!line.endsWith(':')) throw new ParseError('expected the name of a package and a colon', place + 1);
      const patterns = wordsOf(line.slice(0, -1), place + 1);
      entries.push({ patterns, fields: new Map(), dependencies: [] });
      inDependencies = false;
      continue;
    }
    const entry = entries.at(-1);
    if (entry === undefined) throw new ParseError('expected the name of a package and a colon', place + 1);
    if (indent === 2 && line.endsWith(':')) {
      inDependencies = /^ {2}(?:dependencies|optionalDependencies):$/.test(line);
      continue;
    }
    const [key = '', value = ''] = wordsOf(line, place + 1);
    if (indent === 2) entry.fields.set(key, value);
    else if (inDependencies) entry.dependencies.push([key, value]);
  }
  return entries;
}

/** Splits a line into words, quoted or not, which spaces or commas separate. */
function wordsOf(line: string, number: number): string[] {
  const words: string[] = [];
  const word = /\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",][^\s,]*))\s*,?/y;
  const text = line.trim();
  while (word.lastIndex < text.length) {
    const found = word.exec(text);
    if (found === null) throw new ParseError('a quote is not closed', number);
    words.push(found[1]?.replace(/\\(.)/g, '$1') ?? found[2] ?? '');
  }
  return words;
}

// Yarn 2 and later ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Workspaces are in the lockfile; which of their dependencies are for development, only package.json says. */
function parseBerry(text: string, companions: Companions): readonly LockManifest[] {
  const lock = mapOf(parsePlainYaml(text));
  const byDescriptor = new Map<string, string>();
  for (const key of lock.keys())
    if (key !== '__metadata') for (const descriptor of key.split(', ')) byDescriptor.set(descriptor, key);

  const find = (name: string, range: string): string[] => {
    const bare = range.replace(/^npm:(?=[^@]*$)/, '');
    const found = [`${name}@${range}`, `${name}@npm:${bare}`].find((descriptor) => byDescriptor.has(descriptor));
    return found === undefined ? [] : [byDescriptor.get(found) ?? ''];
  };
  const dependenciesOf = (entry: Yaml | undefined) =>
    [...mapOf(mapOf(entry).get('dependencies'))].flatMap(([name, range]) =>
      typeof range === 'string' ? find(name, range) : [],
    );

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
    const { name, range } = splitPattern(resolution);
    const dependencies = dependenciesOf(entry);
    if (range.startsWith('workspace:')) roots.push(workspaceOf(range.slice(10), dependencies, companions, find));
    else if (/^(?:link|portal):/.test(range)) nodes.set(key, { purl: undefined, dependencies });
    else {
      const version = fields.get('version');
      // A patched package lies beside its original, which is part of it.
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

function workspaceOf(
  path: string,
  dependencies: readonly string[],
  companions: Companions,
  find: (name: string, range: string) => string[],
): Root {
  const file = path === '.' ? 'package.json' : `${path}/package.json`;
  const manifest = parseJsonBeside(companions, file);
  if (manifest === undefined) return { ...member(path), runtime: dependencies };
  const names = (fields: readonly string[]) => new Set([...rangesIn(manifest, fields)].map(([name]) => name));
  const runtime = names(['dependencies', 'optionalDependencies']);
  const development = new Set(
    [...rangesIn(manifest, ['devDependencies'])]
      .filter(([name]) => !runtime.has(name))
      .flatMap(([name, range]) => find(name, range)),
  );
  return {
    ...member(path),
    runtime: dependencies.filter((key) => !development.has(key)),
    development: dependencies.filter((key) => development.has(key)),
  };
}

/** Returns the source of a package from outside the registry. */
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
