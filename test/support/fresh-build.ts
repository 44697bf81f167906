/** Builds dist/ before the tests where a source is newer, so that no test runs an old build. */
import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export default function setup(): void {
  const changed = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [...globSync('src/**/*.ts', { cwd: root }), 'scripts/build.ts', 'scripts/library.ts'];
  if (Math.max(...sources.map(changed)) < changed('dist/package.json')) return;
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: root, stdio: 'inherit' });
}
