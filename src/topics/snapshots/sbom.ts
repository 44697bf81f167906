/** SBOMs as sources of snapshots and comparisons. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../cli/errors.ts';
import { largestSnapshot, nameOf, notUtf8, readBytes } from '../../cli/input/sources.ts';
import type { LockManifest, ParseError } from '../../dependencies/dependency-graph.ts';
import { parseSbom } from '../../dependencies/formats.ts';
import type { OnInvalid } from '../../dependencies/sbom/listed-purl.ts';
import { counted } from '../../output/amounts.ts';
import { parsed } from './lockfile-files.ts';

export const strictFlag = {
  strict: Flags.boolean({ description: 'Reject SBOMs with invalid package URLs instead of skipping their packages' }),
};

/** Receives the number of skipped packages. If it is undefined, the first of them is an error. */
export type SkipNotice = ((text: string) => void) | undefined;

/** Returns the packages of an SBOM, without those that have an invalid package URL. Throws UsageError. */
export async function readSbom(file: string, stdin: Readable, notice: SkipNotice): Promise<readonly LockManifest[]> {
  const bytes = await readBytes(file, stdin, undefined, largestSnapshot);
  if (!isUtf8(bytes)) throw new UsageError(`${nameOf(file)} ${notUtf8}.`);
  return countSkipped(file, notice, (onInvalid) => parseSbom(bytes, onInvalid));
}

/** Returns the packages that `parse` returns of an SBOM. Throws UsageError. */
export async function countSkipped(
  file: string,
  notice: SkipNotice,
  parse: (onInvalid: OnInvalid | undefined) => Promise<readonly LockManifest[]>,
): Promise<readonly LockManifest[]> {
  const invalid: ParseError[] = [];
  const manifests = await parsed(file, () => parse(notice && ((problem) => void invalid.push(problem))));
  const [first] = invalid;
  if (first !== undefined)
    notice?.(
      `${nameOf(file)}: skipped ${counted(invalid.length, 'package')} with an invalid package URL; the first: ${first.message}.`,
    );
  return manifests;
}
