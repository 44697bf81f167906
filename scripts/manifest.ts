/**
 * Writes oclif.manifest.json from the built commands, as `oclif manifest` does, but in the order of their names: `oclif
 * manifest` lists them as it finds them, in another order from run to run. A test compares both.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Plugin } from '@oclif/core';

const root = fileURLToPath(new URL('..', import.meta.url));

const plugin = new Plugin({ root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true });
await plugin.load();
const commands = Object.fromEntries(Object.entries(plugin.manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1)));
await writeFile(`${root}oclif.manifest.json`, `${JSON.stringify({ ...plugin.manifest, commands }, null, 2)}\n`);
