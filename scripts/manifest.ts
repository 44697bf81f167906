/** Writes oclif.manifest.json from the built commands; with --check, only checks that it is up to date. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Plugin } from '@oclif/core';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = fileURLToPath(new URL('../oclif.manifest.json', import.meta.url));

const plugin = new Plugin({ root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true });
await plugin.load();
// Sorted, as oclif lists commands in directory order.
const commands = Object.fromEntries(Object.entries(plugin.manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1)));
const current = `${JSON.stringify({ ...plugin.manifest, commands }, null, 2)}\n`;

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== current) {
    process.stderr.write('oclif.manifest.json is out of date: run npm run build and commit it.\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, current);
}
