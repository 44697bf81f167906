/** What all parts of a release have in common: its version, its date, its checksums and its licences. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { licenceOfNode, nodeVersion } from './node-binaries.ts';

/** Version of forgectl. */
export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/**
 * Returns the date of all files in packages, in seconds: `SOURCE_DATE_EPOCH`, by default that of the last commit, so that
 * two builds are the same. See https://reproducible-builds.org/specs/source-date-epoch/.
 */
export function sourceDate(): number {
  const date =
    process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' });
  if (!/^\d+\s*$/.test(date)) throw new Error(`SOURCE_DATE_EPOCH is “${date}”, not a number of seconds.`);
  return Number(date);
}

/** Returns the licences of forgectl, of the code that it contains, and of Node. */
export function licences(nodeReleases?: string): string {
  const [own, bundled] = ['LICENSE', 'dist/THIRD_PARTY_LICENSES'].map((file) => readFileSync(file, 'utf8'));
  return `${own}\n${bundled}\nThe executables contain Node.js ${nodeVersion}.\n\n${licenceOfNode(nodeReleases)}`;
}

/** Writes SHA256SUMS of all other files in a folder, as `sha256sum` does. Returns its lines. */
export function writeSums(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name !== 'SHA256SUMS');
  const lines = names.sort().map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}`);
  writeFileSync(join(folder, 'SHA256SUMS'), `${lines.join('\n')}\n`);
  return lines;
}

/** Returns a SHA-256 hash in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Writes a file and the folders above it. */
export function write(file: string, content: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
}
