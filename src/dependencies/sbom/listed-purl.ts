import { PurlError, type PurlParts, parsePurl, purl } from '../../platform/package-url.ts';
import { ParseError } from '../dependency-graph.ts';
import { packageUrl } from '../source-url.ts';

/** Receives the problem of each SBOM entry with an invalid package URL, which is omitted; may throw it. */
export type OnInvalid = (problem: ParseError) => void;

export const refuse: OnInvalid = (problem) => {
  throw problem;
};

/**
 * Returns the canonical package URL of an SBOM entry, such as a component; one of type generic if it has none, and
 * undefined if it is invalid. Throws ParseError.
 */
export function listedPurl(
  text: string | undefined,
  parts: Omit<PurlParts, 'type'>,
  entry: string,
  onInvalid: OnInvalid,
): string | undefined {
  if (!text) return packageUrl({ ...parts, type: 'generic' });
  try {
    return purl(parsePurl(text));
  } catch (error) {
    if (!(error instanceof PurlError)) throw error;
    const place = `${entry} “${parts.name.slice(0, 120)}”`;
    onInvalid(new ParseError(`${place}: “${text.slice(0, 120)}” is not a package URL: ${error.message}`));
    return undefined;
  }
}
