/** Package URLs, such as `pkg:npm/%40actions/core@1.1.9`. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Says why `text` is not a package URL; undefined when it is one. */
export function packageUrlProblem(text: string): string | undefined {
  // Loaded on first use: it takes 9 ms, and only snapshots need it.
  const { PackageURL } = require('packageurl-js') as typeof import('packageurl-js');
  try {
    PackageURL.fromString(text);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^Invalid purl: /, '');
  }
}
