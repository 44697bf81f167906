/** oclif.manifest.json, from which help and completion list the commands, against the manifest that oclif's own tool writes. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from './commands.ts';

/** Returns the members of a manifest, each command as its JSON: `oclif manifest` lists commands as it finds them. */
function membersOf(file: string) {
  const { commands, ...others } = JSON.parse(readFileSync(file, 'utf8')) as { commands: Record<string, object> };
  const texts = Object.entries(commands).map(([id, command]) => [id, JSON.stringify(command, null, 2)]);
  return { ...others, commands: Object.fromEntries(texts) };
}

it('oclif manifest describes the same commands; if not, run npm run build', () => {
  // oclif writes, and before that deletes, the manifest of the folder it runs in.
  const folder = mkdtempSync(join(tmpdir(), 'forgectl-manifest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['package.json', 'dist']) cpSync(join(root, name), join(folder, name), { recursive: true });
  execFileSync(process.execPath, [join(root, 'node_modules/oclif/bin/run.js'), 'manifest'], {
    cwd: folder,
    // Otherwise it asks the registry for a newer version of itself.
    env: { PATH: process.env.PATH, HOME: folder, OCLIF_SKIP_NEW_VERSION_CHECK: 'true' },
    stdio: 'pipe',
  });
  expect(membersOf(join(root, 'oclif.manifest.json'))).toEqual(membersOf(join(folder, 'oclif.manifest.json')));
});
