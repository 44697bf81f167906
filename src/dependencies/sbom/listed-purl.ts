import { PurlError, type PurlParts, parsePurl, purl } from '../../platform/package-url.ts';
import { ParseError } from '../dependency-graph.ts';
import { packageUrl } from '../source-url.ts';

/** Returns the canonical package URL of an SBOM entry; one of type generic if it has none. Throws ParseError. */
export function listedPurl(text: string | undefined, parts: Omit<PurlParts, 'type'>): string {
  if (!text) return packageUrl({ ...parts, type: 'generic' });
  try {
    return purl(parsePurl(text));
  } catch (error) {
    if (error instanceof PurlError)
      throw new ParseError(`“${text.slice(0, 120)}” is not a package URL: ${error.message}`);
    throw error;
  }
}
