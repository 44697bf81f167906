import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { allowedFile, writeAllowed, writeExtension } from '../support/extensions.ts';
import { writeProfiles } from '../support/profiles.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const sha256 = 'd44944c7d3ff8d33a2c25cfc57b50e50463fa6b8eaa2119201b47da262f48d77';

let parent: string;
let bin: string;
let configDir: string;

beforeEach(async () => {
  parent = await temporaryDirectory();
  [bin, configDir] = [join(parent, 'bin'), join(parent, 'settings')];
});

async function forgectl(line: string, path = bin) {
  const { stdout, stderr, code } = await run(line.split(' '), { configDir, env: { PATH: path } });
  const shown = (text: string) => text.replaceAll(parent, 'PARENT');
  return { stdout: shown(stdout), stderr: shown(stderr), code };
}

it('lists extensions by name with their state', async () => {
  for (const name of ['orgs', 'mine', 'new', 'known', 'changed', 'open', 'Odd_Name']) writeExtension(bin, name);
  chmodSync(join(bin, 'forgectl-open'), 0o777);
  writeProfiles(configDir, { profiles: {}, aliases: { mine: 'orgs list' } });
  writeAllowed(configDir, {
    known: { ...allowedFile(join(bin, 'forgectl-known'), sha256), token: true },
    changed: allowedFile(join(bin, 'forgectl-changed')),
    gone: allowedFile('/usr/bin/forgectl-gone'),
  });
  const { stdout, stderr, code } = await forgectl('extensions list --fields name,state,token,reason -o csv');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout.split('\n')).toEqual([
    'name,state,token,reason',
    'changed,changed,false,',
    'gone,missing,false,',
    'known,allowed,true,',
    'mine,hidden,false,“forgectl mine” is an alias',
    'new,new,false,',
    'open,refused,false,can be written by others',
    'orgs,hidden,false,“forgectl orgs” is a command of forgectl',
    '',
  ]);
  expect(JSON.parse((await forgectl('extensions list --where .token --json')).stdout)).toEqual([
    {
      ...{ name: 'known', state: 'allowed', reason: null, token: true, path: 'PARENT/bin/forgectl-known', sha256 },
      allowed_at: '2026-03-01T12:00:00.000Z',
    },
  ]);
  const table = await run(['extensions', 'list', '-o', 'table', '--where', '.name == "new"'], {
    configDir,
    env: { PATH: bin },
    tty: true,
    columns: 60 + bin.length,
  });
  expect(table.stdout.replaceAll(/ {2,}/g, '  ')).toBe(`NAME  STATE  TOKEN  PATH\nnew  new  no  ${bin}/forgectl-new\n`);
  expect(await forgectl('extensions list', '')).toMatchObject({ code: 0 });
});

it('allows the file that is there now, and forgets it', async () => {
  const file = writeExtension(bin, 'report');
  expect(await forgectl(`extensions allow report --sha256 ${sha256.toUpperCase()} --token`)).toEqual({
    stdout: expect.stringMatching(/^name\treport\nstate\tallowed\ntoken\ttrue\npath\tPARENT\/bin\/forgectl-report\n/),
    stderr: '',
    code: 0,
  });
  expect(JSON.parse(readFileSync(join(configDir, 'extensions.json'), 'utf8'))).toEqual({
    version: 1,
    extensions: { report: { ...allowedFile(file, sha256), token: true } },
  });
  expect(await forgectl('extensions forget report --json')).toEqual({
    stdout: `${JSON.stringify({ name: 'report', path: 'PARENT/bin/forgectl-report', sha256 }, null, 2)}\n`,
    stderr: '',
    code: 0,
  });
  expect(await forgectl('extensions forget report')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The extension “report” has not been allowed.\n'),
  });
});

it('allows no other file than the expected one, and none that others can change', async () => {
  chmodSync(writeExtension(bin, 'open'), 0o777);
  writeExtension(bin, 'report');
  const other = '0'.repeat(64);
  expect(await forgectl(`extensions allow report --sha256 ${other}`)).toEqual({
    stdout: '',
    stderr: `forgectl: PARENT/bin/forgectl-report has SHA-256 ${sha256}, not ${other}. Nothing was allowed.\n`,
    code: 12,
  });
  for (const [line, message] of [
    ['report --sha256 abc', '--sha256 must be 64 hexadecimal digits'],
    ['open', 'The extension “open” was not allowed: PARENT/bin/forgectl-open can be written by others.\n'],
    ['other', 'Unknown extension “other”: PATH has no program forgectl-other.\n'],
  ])
    expect(await forgectl(`extensions allow ${line}`)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message ?? ''),
    });
});

it('is in help under its own heading, and in suggestions', async () => {
  writeExtension(bin, 'weekly-report');
  const first = (await forgectl('help')).stdout;
  expect(first).toMatch(/^EXTENSIONS\n {2}weekly-report +PARENT\/bin\/forgectl-weekly-report\n\n/m);
  expect((await forgectl('help', '')).stdout).not.toContain('EXTENSIONS');
  expect((await forgectl('help weekly-report')).stdout).toMatch(
    /^“forgectl weekly-report” is an extension:\sPARENT\/bin\/forgectl-weekly-report\.\n/,
  );
  expect((await forgectl('weekly-reprot')).stderr).toContain('Did you mean “forgectl weekly-report”?');
  expect(await forgectl('--jq . weekly-report')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--jq cannot be used with the extension “weekly-report”. Nothing was run.'),
  });
});
