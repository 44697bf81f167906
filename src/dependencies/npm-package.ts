/** Packages of npm and of the package managers that share its registry. */

import { PurlError, purl } from '../platform/package-url.ts';
import { fieldOf, objectOf, ParseError } from './dependency-graph.ts';

export interface NpmPackage {
  readonly purl: string;
  readonly name: string;
  readonly version: string | undefined;
}

/** Registries whose packages need no qualifier: npm’s own and its mirror for Yarn. */
const publicRegistries = new Set(['registry.npmjs.org', 'registry.npmjs.com', 'registry.yarnpkg.com']);

/**
 * Returns a package with its canonical package URL. `source` is the location that it was downloaded from: a URL of a
 * registry, a tarball or a git repository. Throws ParseError.
 */
export function npmPackage(name: string, version: string | undefined, source = ''): NpmPackage {
  const slash = name.startsWith('@') ? name.indexOf('/') : -1;
  try {
    return {
      purl: purl({
        type: 'npm',
        namespace: slash === -1 ? undefined : name.slice(0, slash),
        name: name.slice(slash + 1),
        version,
        qualifiers: qualifiersOf(name, source),
      }),
      name,
      version,
    };
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
    const [repository = '', commit] = withoutCredentials(source).split('#');
    return { vcs_url: commit ? `${repository}@${commit}` : repository };
  }
  if (source.startsWith('file:')) return { download_url: withoutCredentials(source) };
  if (!/^https?:/.test(source)) return undefined;
  const url = withoutCredentials(source);
  const host = /^https?:\/\/([^/]*)/.exec(url)?.[1] ?? '';
  if (publicRegistries.has(host)) return undefined;
  const inRegistry = url.replaceAll(/%2f/gi, '/').indexOf(`/${name}/-/`);
  return inRegistry === -1 ? { download_url: url } : { repository_url: url.slice(0, inRegistry) };
}

const isGit = (source: string): boolean =>
  /^(?:git[+:@]|github:|gitlab:|bitbucket:|ssh:)/.test(source) || /\.git(?:#|$)/.test(source);

/** Registries put tokens into URLs; the user `git` of SSH is none. */
function withoutCredentials(source: string): string {
  const [address = '', fragment] = source.split('#', 2);
  const bare = address.replace(/^([\w+.-]+:\/\/)(?!git@)[^/]*@/, '$1').replace(/\?.*$/s, '');
  return fragment && isGit(source) ? `${bare}#${fragment}` : bare;
}

/** Returns the names that a package requires, with its peers. */
export const requiredNames = (manifest: unknown): string[] =>
  namesIn(manifest, 'dependencies', 'optionalDependencies', 'peerDependencies');

export const developmentNames = (project: unknown): string[] => namesIn(project, 'devDependencies');

function namesIn(manifest: unknown, ...fields: readonly string[]): string[] {
  const names: string[] = [];
  for (const field of fields) {
    const value = fieldOf(manifest, field);
    if (value !== undefined) for (const name of Object.keys(objectOf(value))) names.push(name);
  }
  return names;
}
