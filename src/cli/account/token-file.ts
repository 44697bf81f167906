/** The token in the file that `FORGECTL_TOKEN_FILE` names, such as a mounted secret. */
import { tokenProblem } from '../../client/credential.ts';
import { readRegularFile, UnsuitableFileError } from '../../disk/regular-file.ts';
import { whyUnreadable } from '../../disk/system-errors.ts';
import { UsageError } from '../errors.ts';
import { exposureNotice } from './exposed-file.ts';

/** In bytes; larger than any token with line breaks around it. */
const largestFile = 64 * 1024;

/**
 * Returns the token, without white space around it, and a notice if others can read it. Throws UsageError, which never
 * quotes the file.
 *
 * @param named path, in which `{index}` is the index of the shard, from 0
 * @param shard of the run, counted from 1
 */
export function readTokenFile(
  named: string,
  shard: { readonly index: number } | undefined,
): { readonly token: string; readonly warning: string | undefined } {
  if (named.includes('{index}') && !shard)
    throw new UsageError(
      'FORGECTL_TOKEN_FILE contains {index}, but no shard is selected.',
      'Add --shard-index I --shards N, or name a file without {index}.',
    );
  const path = named.replaceAll('{index}', String((shard?.index ?? 0) - 1));
  const token = textOf(path).trim();
  const problem = tokenProblem(token);
  if (problem) throw new UsageError(`The token in ${path} (FORGECTL_TOKEN_FILE) ${problem}.`);
  return { token, warning: exposureNotice(path, 'the token') };
}

function textOf(path: string): string {
  try {
    // Latin 1 keeps all bytes, so that those that are no token are rejected.
    return readRegularFile(path, largestFile).toString('latin1');
  } catch (error) {
    const why = error instanceof UnsuitableFileError ? `it ${error.message}` : whyUnreadable(error);
    if (why === undefined) throw error;
    throw new UsageError(`Cannot read the token in ${path} (FORGECTL_TOKEN_FILE): ${why}. Nothing was sent.`);
  }
}
