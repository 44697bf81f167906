/**
 * Makes all files of a release in build/release, twice, to show that others can make the same, and checks them. With
 * --dry-run, a check whose programs are missing is listed with the command that installs them; without, it is an error,
 * and so are a changed working tree and Node from npm instead of the Node project (--node FOLDER).
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, copyFileSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Check, checks } from './release/checks.ts';
import { makeDebianPackage } from './release/debian.ts';
import { makeExecutables } from './release/executables.ts';
import { licences, write, writeSums } from './release/files.ts';
import { makeImage } from './release/image.ts';
import { platforms } from './release/node-binaries.ts';
import { makeSbom } from './release/sbom.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, node: { type: 'string' } } });
const isDryRun = values['dry-run'] === true;
const nodeReleases = values.node;
const say = (line: string) => process.stdout.write(`${line}\n`);

if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('Releases are built on Linux x64.');
if (!isDryRun) {
  if (nodeReleases === undefined)
    throw new Error('Specify --node FOLDER with verified releases of Node, or --dry-run.');
  const changed = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' });
  if (changed !== '') throw new Error(`The working tree has changes:\n${changed}`);
}

const folder = 'build/release';
await make(folder);
const again = 'build/release-again';
await make(again);
const [first, second] = [folder, again].map((made) => readFileSync(join(made, 'SHA256SUMS'), 'utf8'));
if (first !== second) throw new Error(`Two builds differ: diff ${folder}/SHA256SUMS ${again}/SHA256SUMS`);
rmSync(again, { recursive: true });
say(`Two builds are the same:\n${first}`);

const skipped: string[] = [];
for (const check of checks) {
  const reasons = missingFor(check);
  if (reasons.length > 0) {
    skipped.push(`${check.name}: ${reasons.join('; ')}`);
    continue;
  }
  await check.run(folder);
  say(`✓ ${check.name}`);
}
for (const line of skipped) say(`– ${line}`);
if (skipped.length > 0 && !isDryRun) throw new Error('A release needs all checks.');

async function make(to: string): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  await makeExecutables({ platforms, to, nodeReleases });
  write(join(to, 'THIRD_PARTY_LICENSES'), licences(nodeReleases));
  for (const platform of ['linux-x64', 'linux-arm64'] as const) makeDebianPackage(platform, to);
  makeImage(to);
  makeSbom(to, nodeReleases);
  copyFileSync('install.sh', join(to, 'install.sh'));
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', to], { stdio: 'ignore' });
  writeSums(to);
}

/** Returns what keeps a check from running here. */
function missingFor({ programs, asRoot }: Check): string[] {
  const packages = Object.entries(programs).flatMap(([program, name]) => (isInstalled(program) ? [] : [name]));
  const install = packages.length > 0 ? [`apt-get install ${packages.join(' ')}`] : [];
  return [...install, ...(asRoot && process.getuid?.() !== 0 ? ['run as root, in a container'] : [])];
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((path) => {
    try {
      accessSync(join(path, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
