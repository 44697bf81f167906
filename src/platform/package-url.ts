/** Package URLs, such as `pkg:npm/%40actions/core@1.1.9`. */
import { PackageURL } from 'packageurl-js';

/** Says why `text` is not a package URL; undefined when it is one. */
export function packageUrlProblem(text: string): string | undefined {
  try {
    PackageURL.fromString(text);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^Invalid purl: /, '');
  }
}
