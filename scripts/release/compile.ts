/**
 * Writes V8's compiled code of modules, all functions included, each beside its module. The arguments are the folder and
 * the paths of the modules. Run by the Node that will load the code, with fixed seeds, so that two runs write the same.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { compiledModule } from '../../src/start/modules.ts';

const [folder = '', ...paths] = process.argv.slice(2);

setFlagsFromString('--no-lazy');
const scripts = paths.map((path) => [path, compiledModule(readFileSync(join(folder, path), 'utf8'), path)] as const);
// V8 accepts code only under the flags that it was written under: the defaults.
for (const flag of ['--lazy', '--hash-seed=0', '--random-seed=0']) setFlagsFromString(flag);
for (const [path, script] of scripts) writeFileSync(join(folder, `${path}.compiled`), script.createCachedData());
