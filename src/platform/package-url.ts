/** Package URLs, such as `pkg:npm/%40actions/core@1.1.9`. */
import { PackageURL } from 'packageurl-js';

/**
 * Matches most package URLs of large snapshots. Their types have no rules of their own, and parsing each takes ten
 * times as long.
 */
const plain = /^pkg:(?:cargo|composer|gem|golang|npm|nuget|pypi)\/(?:(?:%40)?[\w.~-]+\/)*[\w.~-]+(?:@[\w.~-]+)?$/;

/** Other valid package URLs seen so far. A large snapshot repeats a package for every dependent. */
const valid = new Set<string>();

/** Returns why `text` is not a valid package URL; undefined if it is valid. */
export function packageUrlProblem(text: string): string | undefined {
  if (plain.test(text) || valid.has(text)) return undefined;
  try {
    PackageURL.fromString(text);
    valid.add(text);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^Invalid purl: /, '');
  }
}
