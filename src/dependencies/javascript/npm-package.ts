/** Packages of npm and of the package managers that share its registry. */

import { PurlError, purl } from '../../platform/package-url.ts';
import { fieldOf, objectOf, ParseError } from '../dependency-graph.ts';
import { gitUrl, publicUrl } from '../source-url.ts';

/** Registries whose packages need no qualifier: npm’s own and its mirror for Yarn. */
const publicRegistries = new Set(['registry.npmjs.org', 'registry.npmjs.com', 'registry.yarnpkg.com']);

/**
 * Returns the canonical package URL of a package. `source` is the location that it was downloaded from: a URL of a
 * registry, a tarball or a git repository. Throws ParseError.
 */
export function npmPurl(name: string, version: string | undefined, source = ''): string {
  const slash = name.startsWith('@') ? name.indexOf('/') : -1;
  try {
    return purl({
      type: 'npm',
      namespace: slash === -1 ? undefined : name.slice(0, slash),
      name: name.slice(slash + 1),
      version,
      qualifiers: qualifiersOf(name, source),
    });
  } catch (error) {
    if (error instanceof PurlError) throw new ParseError(`“${name}” is not the name of a package`);
    throw error;
  }
}

/** The source of almost every package. */
const npmRegistry = 'https://registry.npmjs.org/';

function qualifiersOf(name: string, source: string): Record<string, string> | undefined {
  if (source === '' || (source.startsWith(npmRegistry) && !source.includes('#'))) return undefined;
  if (isGit(source)) {
    const [repository = '', commit] = source.split('#', 2);
    return {
      vcs_url: gitUrl(
        repository.replace(/^\w+:(?!\/\/)/, (prefix) => hosts.get(prefix) ?? prefix),
        commit,
      ),
    };
  }
  if (source.startsWith('file:')) return { download_url: publicUrl(source) };
  if (!/^https?:/.test(source)) return undefined;
  const url = publicUrl(source);
  const host = /^https?:\/\/([^/]*)/.exec(url)?.[1] ?? '';
  if (publicRegistries.has(host)) return undefined;
  const inRegistry = url.replaceAll(/%2f/gi, '/').indexOf(`/${name}/-/`);
  return inRegistry === -1 ? { download_url: url } : { repository_url: url.slice(0, inRegistry) };
}

/** Hosts by the prefix of their short form, such as `github:acme/fork`. */
const hosts: ReadonlyMap<string, string> = new Map([
  ['github:', 'https://github.com/'],
  ['gitlab:', 'https://gitlab.com/'],
  ['bitbucket:', 'https://bitbucket.org/'],
  ['gist:', 'https://gist.github.com/'],
]);

const isGit = (source: string): boolean =>
  /^(?:git[+:@]|github:|gitlab:|bitbucket:|gist:|ssh:)/.test(source) || /\.git(?:#|$)/.test(source);

export function requiredNames(manifest: unknown): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = objectOf(manifest);
  const names: string[] = [];
  addNames(dependencies, names);
  addNames(optionalDependencies, names);
  addNames(peerDependencies, names);
  return names;
}

export function developmentNames(project: unknown): string[] {
  const names: string[] = [];
  addNames(objectOf(project).devDependencies, names);
  return names;
}

function addNames(field: unknown, names: string[]): void {
  // Object.keys takes twice as long.
  if (field !== undefined) for (const name in objectOf(field)) names.push(name);
}

/** The dependencies of package.json as `name` and `range`. */
export function* rangesIn(
  manifest: unknown,
  fields: readonly string[],
): Generator<readonly [name: string, range: string]> {
  for (const field of fields)
    for (const [name, range] of Object.entries(objectOf(fieldOf(manifest, field))))
      if (typeof range === 'string') yield [name, range];
}

/** Splits `@scope/name@npm:other@^1.0.0` at the first @ of the range. */
export function splitDescriptor(descriptor: string): { readonly name: string; readonly range: string } {
  const at = descriptor.indexOf('@', 1);
  return at === -1
    ? { name: descriptor, range: '' }
    : { name: descriptor.slice(0, at), range: descriptor.slice(at + 1) };
}

/** Returns the text that distinguishes a workspace from the project at the lockfile, whose path is a dot. */
export const memberAt = (path: string) => (path === '.' ? {} : { workspace: path, file: `${path}/package.json` });
