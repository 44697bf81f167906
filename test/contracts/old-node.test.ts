import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './commands.ts';

const bin = join(root, 'bin/run.js');

function runOn(version: string | undefined) {
  const pretend = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`;
  const options = version === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...options, bin, 'version', '--jq', '.version'], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it.each(['20.11.0', '22.19.1'])('reports in one line that Node %s is too old, and exits with 1', (version) => {
  expect(runOn(version)).toEqual({
    status: 1,
    stdout: '',
    stderr: `forgectl requires Node 22.20 or newer; this is Node ${version}.\n`,
  });
});

it.each([undefined, '22.20.0', '26.0.0'])('runs on the current Node, and on %s', (version) => {
  expect(runOn(version)).toEqual({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
});
