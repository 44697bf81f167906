import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands, root } from '../contracts/commands.ts';

const folder = join(root, 'docs/reference');
const files = readdirSync(folder);
const pageOf = (file: string) => readFileSync(join(folder, file), 'utf8');

it('is as the commands have it', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/reference.ts', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}, 30_000);

it.each(commands)('has $name with its arguments, flags and requests', ({ name, args, flags, requests }) => {
  const page = pageOf(`${name.split(' ')[0]}.md`);
  const part = page.split(/^#+ /m).slice(1);
  const at = part.findIndex((text) => text.startsWith(`${name}\n`));
  expect(at).toBeGreaterThanOrEqual(0);
  const next = part.findIndex(
    (text, index) => index > at && commands.some((other) => text.startsWith(`${other.name}\n`)),
  );
  const said = part.slice(at, next === -1 ? undefined : next).join('');
  for (const argument of args) expect(said).toContain(argument.name.toUpperCase());
  for (const { name: flag, helpGroup = '' } of flags)
    if (!['OUTPUT', 'PLATFORM', 'COMMON'].includes(helpGroup)) expect(said).toMatch(new RegExp(`-\\]?${flag}[=\`]`));
  for (const route of requests) expect(said).toContain(`\`${route}\``);
});

describe.each(files)('%s', (file) => {
  it('links to what is there', () => {
    const anchors = (page: string) =>
      [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-'));
    for (const [, to = ''] of pageOf(file).matchAll(/\]\(([^)]+)\)/g)) {
      const [path = '', anchor] = to.split('#');
      const target = readFileSync(normalize(join(folder, path || file)), 'utf8');
      if (anchor !== undefined) expect(anchors(target), to).toContain(anchor);
    }
  });

  it('has nothing left that a value was to stand for', () => {
    expect(pageOf(file)).not.toMatch(/undefined|\[object|<%/);
  });
});

describe('man/forgectl.1', () => {
  const manual = readFileSync(join(root, 'man/forgectl.1'), 'utf8');

  it('has the sections of a manual, and every command', () => {
    expect([...manual.matchAll(/^\.SH (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      'NAME',
      'SYNOPSIS',
      'DESCRIPTION',
      'COMMANDS',
      'OPTIONS',
      'OUTPUT',
      'ENVIRONMENT',
      'EXIT STATUS',
    ]);
    const lines = manual.replaceAll('\\-', '-').split('\n');
    for (const { name } of commands)
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^\\\\fB${name}( |\\\\fR)`)));
  });

  it.runIf(spawnSync('groff', ['--version']).status === 0)('is what groff takes without a word', () => {
    const { stderr, stdout } = spawnSync('groff', ['-man', '-Kutf8', '-Tutf8', '-ww', 'man/forgectl.1'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toContain('administer a self-managed source-code hosting platform');
  });
});
