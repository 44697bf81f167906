/** package-lock.json and npm-shrinkwrap.json, versions 1 to 3. */
import {
  type Companions,
  fieldOf,
  type JsonObject,
  type LockManifest,
  manifestsOf,
  type Node,
  objectOf,
  ParseError,
  parseJson,
  parseJsonBeside,
  type Root,
  textOf,
} from '../dependency-graph.ts';
import { developmentNames, npmPurl, requiredNames } from './npm-package.ts';

/** A folder that may have a node_modules folder: names resolve in its own, then in those of its parents. */
interface Folder {
  readonly key: string;
  /** Its name in a node_modules folder; undefined elsewhere. */
  readonly name: string | undefined;
  readonly parent: Folder | undefined;
  readonly depth: number;
  /** The folders in node_modules, by name. */
  installed: Map<string, Folder> | undefined;
  entry: unknown;
}

/** File systems allow no deeper paths, and each level costs a lookup for every dependency. */
const maxDepth = 200;

const tooDeep = () => new ParseError(`folders more than ${maxDepth} levels deep`);

export function parseNpm(text: string, companions: Companions): readonly LockManifest[] {
  const lock = objectOf(parseJson(text));
  const version = fieldOf(lock, 'lockfileVersion') ?? 1;
  if (version !== 1 && version !== 2 && version !== 3) throw new ParseError('not a lockfile of npm in version 1 to 3');
  if (fieldOf(lock, 'packages') !== undefined) return fromPackages(lock);
  if (fieldOf(lock, 'dependencies') === undefined && fieldOf(lock, 'lockfileVersion') !== 1)
    throw new ParseError('not a lockfile of npm: it has neither packages nor dependencies');
  return fromDependencies(lock, companions);
}

/** Versions 2 and 3: entries by path. */
function fromPackages(lock: unknown): readonly LockManifest[] {
  const top = childOf(undefined, '', undefined);
  const folders = new Map([['', top]]);
  const folderAt = (path: string, depth = 0): Folder => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    if (depth > maxDepth) throw tooDeep();
    const { name, parent } = placeOf(path);
    const folder = childOf(folderAt(parent, depth + 1), path, name);
    folders.set(path, folder);
    return folder;
  };
  const packages = objectAt(fieldOf(lock, 'packages'), 'packages');
  for (const [path, entry] of Object.entries(packages)) folderAt(path).entry = checked(entry, `packages["${path}"]`);

  const nodes = new Map<string, Node>();
  const roots: Root[] = [];
  for (const folder of folders.values()) {
    const { key, name: alias, entry } = folder;
    const { link, name, version, resolved } = objectOf(entry);
    if (entry === undefined || link === true) continue;
    if (alias === undefined) {
      roots.push({
        ...(key !== '' && { workspace: key, file: `${key}/package.json` }),
        ...directOf(folder, entry),
      });
      continue;
    }
    nodes.set(key, {
      purl: npmPurl(textOf(name) ?? alias, textOf(version), textOf(resolved)),
      dependencies: resolveAll(folder, requiredNames(entry)),
      scope: scopeOf(entry),
    });
  }
  return manifestsOf(nodes, roots.length > 0 ? roots : [{ runtime: [] }]);
}

/** Returns an object of the lockfile. Throws ParseError for anything else. */
function objectAt(value: unknown, place: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ParseError(`${place} is not an object`);
  return value as JsonObject;
}

/** Returns a package of the lockfile. Throws ParseError for a form that npm does not write. */
function checked(value: unknown, place: string): JsonObject {
  const entry = objectAt(value, place);
  for (const field of ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'])
    if (entry[field] !== undefined) objectAt(entry[field], `${place}.${field}`);
  const { version } = entry;
  if (version !== undefined && typeof version !== 'string') throw new ParseError(`${place}.version is not text`);
  return entry;
}

interface Place {
  /** The name of a folder in node_modules, such as `@types/node`; undefined for other folders. */
  readonly name: string | undefined;
  /** The path of the folder with the node_modules folder, or of the parent of other folders. */
  readonly parent: string;
}

function placeOf(path: string): Place {
  const installed = /^(?:(.*)\/)?node_modules\/((?:@[^/]+\/)?[^/]+)$/s.exec(path);
  if (installed !== null) return { name: installed[2], parent: installed[1] ?? '' };
  return { name: undefined, parent: path.slice(0, Math.max(path.lastIndexOf('/'), 0)) };
}

/** Creates a folder, which is installed in its parent if it has a name. */
function childOf(parent: Folder | undefined, key: string, name: string | undefined): Folder {
  const depth = parent === undefined ? 0 : parent.depth + 1;
  if (depth > maxDepth) throw tooDeep();
  const folder: Folder = { key, name, parent, depth, installed: undefined, entry: undefined };
  if (parent !== undefined && name !== undefined) {
    parent.installed ??= new Map();
    parent.installed.set(name, folder);
  }
  return folder;
}

/** Returns the keys of the folders that names resolve to; without those that are not installed. */
function resolveAll(from: Folder, names: readonly string[]): string[] {
  const keys: string[] = [];
  for (const name of names) {
    const found = resolve(from, name);
    if (found !== undefined) keys.push(found.key);
  }
  return keys;
}

function resolve(from: Folder, name: string): Folder | undefined {
  for (let folder: Folder | undefined = from; folder !== undefined; folder = folder.parent) {
    const found = folder.installed?.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the direct dependencies of a project. Those that the lockfile marks as development only have that scope. */
function directOf(folder: Folder, project: unknown): Pick<Root, 'runtime' | 'development'> {
  const { runtime = [], development = [] } = Object.groupBy(requiredNames(project), (name) =>
    scopeOf(resolve(folder, name)?.entry),
  );
  return {
    runtime: resolveAll(folder, runtime),
    development: resolveAll(folder, [...development, ...developmentNames(project)]),
  };
}

/**
 * Version 1, and shrinkwraps without a version: packages lie within those that they are installed in. The direct ones
 * are known from package.json only.
 */
function fromDependencies(lock: unknown, companions: Companions): readonly LockManifest[] {
  const top = childOf(undefined, '', undefined);
  top.entry = { dependencies: objectAt(fieldOf(lock, 'dependencies') ?? {}, 'dependencies') };
  const folders: Folder[] = [top];
  for (const folder of folders)
    for (const [name, entry] of Object.entries(objectOf(fieldOf(folder.entry, 'dependencies')))) {
      const child = childOf(folder, `${folders.length}`, name);
      child.entry = checked(entry, `dependencies["${name}"]`);
      folders.push(child);
    }

  const nodes = new Map<string, Node>();
  const locals: Root[] = [];
  for (const folder of folders)
    for (const [alias, child] of folder.installed ?? []) {
      const version = textOf(fieldOf(child.entry, 'version'));
      const dependencies = resolveAll(child, Object.keys(objectOf(fieldOf(child.entry, 'requires'))));
      const path = version?.startsWith('file:') && !/\.t(?:ar\.)?gz$/.test(version) ? version.slice(5) : undefined;
      if (path === undefined)
        nodes.set(child.key, {
          purl: purlOf(alias, version, textOf(fieldOf(child.entry, 'resolved'))),
          dependencies,
          scope: scopeOf(child.entry),
        });
      else if (dependencies.length > 0)
        locals.push({ workspace: path, file: `${path}/package.json`, runtime: dependencies, development: [] });
    }

  const project = parseJsonBeside(companions, 'package.json');
  if (project === undefined) return manifestsOf(nodes, [{ runtime: [] }, ...locals]);
  return manifestsOf(nodes, [directOf(top, project), ...locals]);
}

function purlOf(alias: string, version = '', resolved?: string): string {
  const real = /^npm:(.+)@([^@]*)$/s.exec(version);
  if (real !== null) return npmPurl(real[1] ?? '', real[2], resolved);
  const tarball = /^https?:\/\/.+?\/((?:@[^/]+\/)?([^/@]+))\/-\/\2-(\d[^/]*)\.tgz$/.exec(version);
  if (tarball !== null) return npmPurl(tarball[1] ?? '', tarball[3], version);
  // Versions of other sources are their location.
  return /[:/]/.test(version) ? npmPurl(alias, undefined, version) : npmPurl(alias, version || undefined, resolved);
}

const scopeOf = (entry: unknown) => (objectOf(entry).dev === true ? 'development' : 'runtime');
