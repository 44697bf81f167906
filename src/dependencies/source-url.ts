/** Where packages come from, as qualifiers of package URLs. */

import { PurlError, type PurlParts, purl } from '../platform/package-url.ts';
import { ParseError } from './dependency-graph.ts';

/** Returns the canonical package URL. Throws ParseError. */
export function packageUrl(parts: PurlParts, line?: number): string {
  try {
    return purl(parts);
  } catch (error) {
    if (!(error instanceof PurlError)) throw error;
    // A line that is not understood may be of another kind of file, with secrets.
    throw new ParseError(`${line ? '' : `“${parts.name}” is `}not a package: ${error.message}`, line);
  }
}

/** Returns a URL without credentials, query and fragment: registries put tokens into URLs. The user `git` of SSH is none. */
export function publicUrl(url: string): string {
  const [address = ''] = url.split(/[?#]/, 1);
  return address.replace(/^([\w+.-]+:\/\/)(?!git@)[^/]*@/, '$1');
}

/** Returns the location of a Git repository as SPDX writes it, such as `git+https://example.com/acme/a.git@5d41402`. */
export function gitUrl(url: string, revision?: string, folder?: string): string {
  // The short form of SSH: git@example.com:acme/a.git
  const long = url.replace(/^git\+/, '').replace(/^([\w.-]+@[\w.-]+):(?!\/\/)/, 'ssh://$1/');
  const address = publicUrl(long);
  return [
    address.startsWith('git:') ? address : `git+${address}`,
    revision ? `@${revision}` : '',
    folder && folder !== '.' ? `#${folder}` : '',
  ].join('');
}

/** Returns the URL of a registry as a qualifier; undefined if it is one of the public ones of its ecosystem. */
export function registryUrl(url: string | undefined, publicOnes: readonly string[]): string | undefined {
  if (!url) return undefined;
  let bare = publicUrl(url);
  while (bare.endsWith('/')) bare = bare.slice(0, -1);
  return publicOnes.includes(bare) ? undefined : bare;
}
