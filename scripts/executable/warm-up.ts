/**
 * Loaded before main.ts, in plain Node: serves it the package from the directory of `FORGECTL_ASSETS`, and writes there
 * what V8 has compiled of each module by the end of the run, functions that were called first among it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sea from 'node:sea';
import v8 from 'node:v8';
import vm, { type Script, type ScriptOptions } from 'node:vm';

const { FORGECTL_ASSETS: directory = '' } = process.env;
sea.getRawAsset = (path) => {
  const { buffer, byteOffset, byteLength } = readFileSync(join(directory, path));
  return buffer.slice(byteOffset, byteOffset + byteLength);
};

/** V8 takes compiled code only with the flags that it was compiled with, and a run may set some on its way. */
const flags: string[] = [];
const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flag) => void flags.push(flag);

interface Compiled {
  readonly script: Script;
  readonly filename: string;
}

const before: Compiled[] = [];
const after: Compiled[] = [];
vm.Script = class extends vm.Script {
  constructor(source: string, options: ScriptOptions = {}) {
    super(source, options);
    (flags.length ? after : before).push({ script: this, filename: options.filename ?? '' });
  }
};

function keep(compiled: readonly Compiled[]): void {
  for (const { script, filename } of compiled) {
    const file = `${join(directory, filename.replace('/forgectl.executable/', ''))}.compiled`;
    if (!existsSync(file)) writeFileSync(file, script.createCachedData());
  }
}

process.on('exit', () => {
  keep(before);
  for (const flag of flags) setFlagsFromString(flag);
  keep(after);
});
