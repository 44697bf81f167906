import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands, root } from '../contracts/commands.ts';

const folder = join(root, 'docs/reference');
const files = readdirSync(folder);
const pageOf = (file: string) => readFileSync(join(folder, file), 'utf8');

it.each(commands)('documents $name with its arguments, flags and requests', ({ name, args, flags, requests }) => {
  const page = pageOf(`${name.split(' ')[0]}.md`);
  const part = page.split(/^#+ /m).slice(1);
  const at = part.findIndex((text) => text.startsWith(`${name}\n`));
  expect(at).toBeGreaterThanOrEqual(0);
  const next = part.findIndex(
    (text, index) => index > at && commands.some((other) => text.startsWith(`${other.name}\n`)),
  );
  const said = part.slice(at, next === -1 ? undefined : next).join('');
  for (const argument of args) expect(said).toContain(argument.name.toUpperCase());
  for (const { name: flag, helpGroup = '', hidden } of flags)
    if (!hidden && !['OUTPUT', 'PLATFORM', 'COMMON'].includes(helpGroup))
      expect(said).toMatch(new RegExp(`-\\]?${flag}[=\`]`));
  for (const route of requests) expect(said).toContain(`\`${route}\``);
});

describe.each(files)('%s', (file) => {
  it('links to existing pages and headings', () => {
    const anchors = (page: string) =>
      [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-'));
    for (const [, to = ''] of pageOf(file).matchAll(/\]\(([^)]+)\)/g)) {
      const [path = '', anchor] = to.split('#');
      const target = readFileSync(normalize(join(folder, path || file)), 'utf8');
      if (anchor !== undefined) expect(anchors(target), to).toContain(anchor);
    }
  });

  it('has no unresolved placeholders', () => {
    expect(pageOf(file)).not.toMatch(/undefined|\[object|<%/);
  });
});

describe('man/forgectl.1', () => {
  const manual = readFileSync(join(root, 'man/forgectl.1'), 'utf8');

  it('has the sections of a man page, and every command', () => {
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

  const lines = manual.trimEnd().split('\n');
  const isRequest = (line: string) => /^[.']/.test(line);

  it('uses man macros and roff requests correctly', () => {
    const forms = [
      /^\.\\" [^\\]+$/,
      /^\.TH FORGECTL 1 "" "forgectl \d+\.\d+\.\d+" "User Commands"$/,
      /^\.S[HS] \w[\w ]*$/,
      /^\.(PP|TP|nf|fi|in|in \+4)$/,
      /^\.[BI] \w[\w ]*$/,
    ];
    expect(lines.filter((line) => isRequest(line) && !forms.some((form) => form.test(line)))).toEqual([]);
    expect(lines.findIndex((line) => line.startsWith('.TH'))).toBe(1);
  });

  it('has text in each paragraph, and a bold term with text in each item', () => {
    for (const [index, line] of lines.entries()) {
      const [first = '.', second = '.', third = '.'] = lines.slice(index + 1);
      if (line === '.PP') expect(isRequest(first) && first !== '.in +4', `below line ${index + 1}`).toBe(false);
      if (line === '.TP') expect(first, `below line ${index + 1}`).toMatch(/^\\fB.+\\fR$/);
      if (line === '.TP') expect(isRequest(second), `below line ${index + 1}`).toBe(false);
      if (line === '.TP') expect(isRequest(third) || third === '.', `below line ${index + 1}`).toBe(true);
    }
  });

  it('indents examples, and returns to filled text after each', () => {
    const layout = lines.filter((line) => /^\.(nf|fi|in)\b/.test(line)).join(' ');
    expect(layout).toMatch(/^(\.in \+4 \.nf \.fi \.in ?)+$/);
  });

  it('escapes only hyphens, backslashes, fonts and leading full stops', () => {
    const texts = lines.filter((line) => !line.startsWith('.'));
    const bare = texts.map((line) => line.replace(/^\\&(?=[.'])/, '').replaceAll(/\\(?:-|e|fB|fI|fR)/g, ''));
    expect(bare.filter((line) => /[\\\p{Cc}-]/u.test(line))).toEqual([]);
    const fonts = texts.map((line) => line.match(/\\f./g)?.join('') ?? '');
    expect(fonts.filter((used) => !/^(?:\\f[BI]\\fR)*$/.test(used))).toEqual([]);
  });
});
