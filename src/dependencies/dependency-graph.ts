/** Packages of a lockfile and how they depend on each other. */
import { ownMember } from '../json/exact-json.ts';
import { jsonErrorAt } from '../json/json-error.ts';
import { isJsonTooDeep, maxJsonDepth, tooDeep } from '../json/nesting.ts';

export interface Package {
  /** Canonical package URL. */
  readonly purl: string;
  /** Undefined if the format cannot say. */
  readonly relationship?: 'direct' | 'indirect' | undefined;
  /** Undefined if the format cannot say. */
  readonly scope?: 'runtime' | 'development' | undefined;
  /** Package URLs of other packages of the same manifest. */
  readonly dependencies: readonly string[];
}

/** The packages of one project: of the lockfile’s own, or of a member of its workspace. */
export interface LockManifest {
  /** Name or folder of the workspace member; undefined for the project at the lockfile. */
  readonly workspace?: string | undefined;
  /** The member’s own manifest, such as `packages/a/package.json`, relative to the folder of the lockfile; if it is known. */
  readonly file?: string | undefined;
  /** The part of the lockfile that is apart from its projects, such as `configuration`. */
  readonly part?: string | undefined;
  /** By package URL. */
  readonly packages: ReadonlyMap<string, Package>;
}

/** Files beside a lockfile, such as package.json, with paths relative to its folder. */
export interface Companions {
  /** Returns the text of a file; undefined if there is none. */
  read(path: string): string | undefined;
  /** Returns the files that match a glob pattern, sorted. */
  glob(pattern: string): readonly string[];
}

/** Returns the manifests of a lockfile. Throws only ParseError, whatever the text is. */
export type Parse = (text: string, companions: Companions) => readonly LockManifest[];

/** A lockfile that is damaged or of an unknown version. */
export class ParseError extends Error {
  /** 1-based. */
  readonly line: number | undefined;
  /** 1-based; only for JSON, which often has a single line. */
  readonly column: number | undefined;

  constructor(message: string, line?: number, column?: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Parses JSON. Throws ParseError. */
export function parseJson(text: string): unknown {
  requireShallow(text);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson(text);
  }
}

/** JSON.parse takes fifty times the memory of brackets within each other. */
function requireShallow(text: string): void {
  if (isJsonTooDeep(text)) throw new ParseError(`nested more than ${maxJsonDepth} levels deep`);
}

/** Returns the error of a text that is not JSON. Throws ParseError if it is nested too deep. */
export function invalidJson(text: string): ParseError {
  requireShallow(text);
  const { line, column } = jsonErrorAt(text) ?? {};
  return new ParseError('not valid JSON', line, column);
}

/** Parses a file beside the lockfile. Returns undefined if there is none. Throws ParseError. */
export function parseJsonBeside(companions: Companions, path: string): unknown {
  const text = companions.read(path);
  if (text === undefined) return undefined;
  if (isJsonTooDeep(text)) throw new ParseError(`${path} beside it ${tooDeep()}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ParseError(`${path} beside it is not valid JSON`);
  }
}

/**
 * Returns what `read` returns of a file that a line of the lockfile names, with the name of the file in its errors.
 * Throws ParseError.
 */
export function naming<T>(file: string, line: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new ParseError(`${file}${error.line ? `, line ${error.line}` : ''}: ${error.message}`, line);
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns an object without fields for anything else. Names such as `__proto__` are safe in objects that JSON.parse made. */
export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

/** Returns the own field of an object; undefined for inherited ones such as `constructor`. */
export const fieldOf = (value: unknown, name: string): unknown => ownMember(objectOf(value), name);

/** Returns an empty list for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A package at one place of a lockfile, or a folder of the repository, which counts as no package. */
export interface Node {
  /** Undefined for a local folder. */
  readonly purl: string | undefined;
  /** Keys of nodes. Unknown keys are ignored. */
  readonly dependencies: Iterable<string>;
  /** The scope that the lockfile itself states; for nodes whose scope does not follow from a root. */
  readonly scope?: Package['scope'];
}

/** A project whose dependencies are locked. */
export interface Root {
  readonly workspace?: string | undefined;
  readonly file?: string | undefined;
  readonly part?: string | undefined;
  /** Keys of its direct dependencies. */
  readonly runtime: Iterable<string>;
  /** Undefined if the lockfile does not distinguish them. */
  readonly development?: Iterable<string> | undefined;
}

/** A file with more was made to be slow: many projects that all need the same many packages. */
const largestResult = 2_000_000;

/** A file with more was made to be slow: many projects or versions that all need the same many packages. */
const mostDependencies = 20_000_000;

/** Returns a function to call for each dependency. It throws ParseError after too many of them. */
export function dependencyLimit(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > mostDependencies)
      throw new ParseError(`more than ${mostDependencies.toLocaleString('en')} dependencies of packages`);
  };
}

/**
 * Returns a manifest for each root: what it reaches, without passing through local folders, which are roots of their
 * own. Nodes of the same package URL become one package. Packages that no root reaches belong to the first one, without
 * relationship, with what they depend on.
 */
export function manifestsOf(nodes: ReadonlyMap<string, Node>, roots: readonly Root[]): LockManifest[] {
  const unreached = new Set(nodes.keys());
  let size = 0;
  const countReached = dependencyLimit();
  const scopes = roots.map(({ runtime, development }) => {
    const scopes: Scopes = new Map();
    reach(nodes, runtime, development && 'runtime', scopes, countReached);
    if (development !== undefined) reach(nodes, development, 'development', scopes, countReached);
    size += scopes.size;
    if (size > largestResult)
      throw new ParseError(`more than ${largestResult.toLocaleString('en')} packages in all projects together`);
    for (const key of scopes.keys()) unreached.delete(key);
    return scopes;
  });
  const others: Scopes = new Map();
  reach(nodes, unreached, undefined, others, countReached);

  const targets = new Map<string, readonly string[]>();
  const countTarget = dependencyLimit();
  return roots.map(({ workspace, file, part, runtime, development }, place) => {
    const packages = new PackageMap();
    const add = (key: string, relationship: Package['relationship'], scope: Package['scope']) => {
      const node = nodes.get(key);
      if (node?.purl === undefined) return;
      const dependencies = targets.get(key) ?? purlsOf(node, nodes, countTarget);
      targets.set(key, dependencies);
      packages.add({ purl: node.purl, relationship, scope: scope ?? node.scope, dependencies });
    };
    const direct = new Set(runtime);
    for (const key of development ?? []) direct.add(key);
    const reached: Scopes = scopes[place] ?? new Map();
    for (const key of reached.keys()) add(key, direct.has(key) ? 'direct' : 'indirect', reached.get(key));
    if (place === 0)
      for (const key of new Set([...unreached, ...others.keys()]))
        if (!reached.has(key)) add(key, undefined, undefined);
    return { workspace, file, ...(part !== undefined && { part }), packages: packages.byPurl };
  });
}

/** Returns the dependencies of a node, as package URLs. Calls `count` for each. */
export function purlsOf(node: Node, nodes: ReadonlyMap<string, Node>, count: () => void): readonly string[] {
  const purls = new Set<string>();
  for (const dependency of node.dependencies) {
    count();
    const purl = nodes.get(dependency)?.purl;
    if (purl !== undefined && purl !== node.purl) purls.add(purl);
  }
  return [...purls];
}

/** The scopes of packages that a root reaches, by key; undefined where it has no scopes. */
type Scopes = Map<string, Package['scope']>;

/** Adds the packages that can be reached from some, apart from those that are there. Calls `count` for each dependency. */
function reach(
  nodes: ReadonlyMap<string, Node>,
  from: Iterable<string>,
  scope: Package['scope'],
  reached: Scopes,
  count: () => void,
): void {
  const waiting = [...from];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (reached.has(key)) continue;
    const node = nodes.get(key);
    if (node?.purl === undefined) continue;
    reached.set(key, scope);
    for (const dependency of node.dependencies) {
      count();
      waiting.push(dependency);
    }
  }
}

/** Packages by package URL. Packages of the same URL become one: direct before indirect, runtime before development. */
export class PackageMap {
  readonly #packages = new Map<string, Package>();
  /** Dependencies of packages that were added more than once. */
  readonly #merged = new Map<string, Set<string>>();

  add(each: Package): void {
    const { purl } = each;
    const other = this.#packages.get(purl);
    if (other === undefined) {
      this.#packages.set(purl, each);
      return;
    }
    const targets = this.#merged.get(purl) ?? new Set(other.dependencies);
    this.#merged.set(purl, targets);
    for (const dependency of each.dependencies) targets.add(dependency);
    this.#packages.set(purl, {
      ...other,
      relationship: first('direct', other.relationship, each.relationship),
      scope: first('runtime', other.scope, each.scope),
    });
  }

  get byPurl(): ReadonlyMap<string, Package> {
    for (const [purl, targets] of this.#merged) {
      const each = this.#packages.get(purl);
      if (each !== undefined) this.#packages.set(purl, { ...each, dependencies: [...targets] });
    }
    return this.#packages;
  }
}

const first = <T>(preferred: T, one: T | undefined, other: T | undefined): T | undefined =>
  one === preferred || other === preferred ? preferred : (one ?? other);
