/** Package URLs, such as `pkg:npm/%40actions/core@1.1.9`. */
import { PackageURL } from 'packageurl-js';

/** Most package URLs of large snapshots. Their types have no rules of their own, and parsing each takes ten times as long. */
const plain = /^pkg:(?:cargo|composer|gem|golang|npm|nuget|pypi)\/(?:(?:%40)?[\w.~-]+\/)*[\w.~-]+(?:@[\w.~-]+)?$/;

/** The other package URLs seen so far. A large snapshot names a package wherever another depends on it. */
const valid = new Set<string>();

/** Says why `text` is not a package URL; undefined when it is one. */
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
