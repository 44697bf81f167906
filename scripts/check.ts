/** Runs all checks, cheapest first. Arguments are passed on to vitest. */
import { spawnSync } from 'node:child_process';

const steps: readonly (readonly [name: string, command: string])[] = [
  ['types', 'npm run --silent types'],
  ['lint, format and architecture', 'npm run --silent lint'],
  ['spelling', 'npm run --silent spell'],
  ['build', 'node scripts/build.ts'],
  ['schemas are up to date', 'node scripts/schemas.ts --check'],
  ['reference is up to date', 'node scripts/reference.ts --check'],
  ['tests', ['vitest run', ...process.argv.slice(2)].join(' ')],
  ['packed tarball installs, runs and exports valid types', 'node scripts/smoke.ts'],
  ['single executable builds and runs', 'node scripts/package.ts linux-x64'],
];

for (const [name, command] of steps) {
  process.stdout.write(`\n== ${name}: ${command}\n`);
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  if (status !== 0) {
    process.stderr.write(`\nCheck failed: ${name}\n`);
    process.exit(1);
  }
}
process.stdout.write('\nAll checks passed.\n');
