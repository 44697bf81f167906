/**
 * Makes executables in build/executables, forgectl and Node in one file, with their checksums and licences, and tests the
 * one for this machine. The arguments are the platforms (default: all).
 */
import { rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { executableName, makeExecutables } from './release/executables.ts';
import { licences, write, writeSums } from './release/files.ts';
import { platforms } from './release/node-binaries.ts';
import { smoke } from './smoke.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

if (process.platform !== 'linux' || process.arch !== 'x64') {
  process.stdout.write('Executables can only be built on Linux x64; skipped.\n');
  process.exit();
}

const words = process.argv.slice(2);
const chosen = platforms.filter((platform) => words.length === 0 || words.includes(platform));
if (chosen.length < words.length) throw new Error(`The platforms are ${platforms.join(', ')}.`);

const to = 'build/executables';
rmSync(to, { recursive: true, force: true });
const made = await makeExecutables({ platforms: chosen, to });
write(join(to, 'THIRD_PARTY_LICENSES'), licences());
if (chosen.includes('linux-x64')) await smoke([resolve(to, executableName('linux-x64'))]);
const sums = writeSums(to);
for (const file of made) process.stdout.write(`${file}: ${Math.round(statSync(file).size / 2 ** 20)} MiB\n`);
process.stdout.write(`${sums.length} files in ${to}/SHA256SUMS.\n`);
