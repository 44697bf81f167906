/** yarn.lock. Later versions of Yarn write another format than Yarn 1 (classic). */
import {
  type Companions,
  fieldOf,
  type LockManifest,
  listOf,
  manifestsOf,
  type Node,
  ParseError,
  parseJsonBeside,
  type Root,
} from '../dependency-graph.ts';
import { endOf, quotedAt } from '../text/quoted.ts';
import { memberAt, npmPurl, rangesIn, splitDescriptor } from './npm-package.ts';
import { parseBerry } from './yarn-berry.ts';

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
      for (const file of companions.glob(`${pattern.replace(/^\.\/|(?<!\/)\/+$/g, '')}/package.json`)) paths.add(file);
  return [
    { path: '.', manifest },
    ...[...paths].sort().flatMap((file) => {
      const member = parseJsonBeside(companions, file);
      const path = file.slice(0, -'/package.json'.length);
      return member === undefined ? [] : { path, manifest: member };
    }),
  ];
}

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
    const { name, range } = splitDescriptor(patterns[0] ?? '');
    const version = fields.get('version');
    const resolved = fields.get('resolved') ?? (isLocation(range) ? range : undefined);
    const local = fields.get('resolved') === undefined && /^(?:file|link|portal):|^\.{0,2}\//.test(range);
    nodes.set(String(place), {
      purl: local ? undefined : npmPurl(nameInRegistry(resolved) ?? realName(name, range), version, resolved),
      dependencies: dependencies.flatMap(([to, wanted]) => byPattern.get(`${to}@${wanted}`) ?? []),
    });
  }

  const projects = projectsOf(companions);
  const keysOf = (manifest: unknown, fields: readonly string[]) =>
    [...rangesIn(manifest, fields)].flatMap(([name, range]) => byPattern.get(`${name}@${range}`) ?? []);
  const roots: Root[] = projects.map(({ path, manifest }) => ({
    ...memberAt(path),
    runtime: keysOf(manifest, ['dependencies', 'optionalDependencies']),
    development: keysOf(manifest, ['devDependencies']),
  }));
  return manifestsOf(nodes, roots.length > 0 ? roots : [{ runtime: [] }]);
}

/** Returns the name in the URL of a tarball, which is that of the package itself; patterns contain aliases and replaced names. */
function nameInRegistry(resolved = ''): string | undefined {
  const tarball = /^https?:\/\/.+?\/((?:@[^/]+\/)?([^/@]+))\/-\/(?:@[^/]+\/)?\2-\d[^/]*\.tgz/;
  return tarball.exec(resolved.replace(/%2f/gi, '/'))?.[1];
}

const realName = (name: string, range: string): string =>
  range.startsWith('npm:') ? splitDescriptor(range.slice(4)).name : name;

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

const bareWord = /[^\s",][^\s,]*/y;
const separator = /\s*,?\s*/y;

/** Splits a line into words, quoted or not, which spaces or commas separate. */
function wordsOf(line: string, number: number): string[] {
  const words: string[] = [];
  const text = line.trim();
  for (let at = 0; at < text.length; at = endOf(separator, text, at)) {
    const quoted = text[at] === '"' ? quotedAt(text, at) : undefined;
    const end = quoted === undefined ? endOf(bareWord, text, at) : at + quoted.length + 2;
    if (end === at) throw new ParseError('a quote is not closed', number);
    words.push(quoted?.replace(/\\(.)/g, '$1') ?? text.slice(at, end));
    at = end;
  }
  return words;
}
