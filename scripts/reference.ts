/**
 * Generates docs/reference/ (an index, and a page for each topic, top-level command and guide) and man/forgectl.1 from
 * help, and the tables of checks in docs/audit.md. With --check, only checks that they are up to date.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accessTo } from '../src/cli/help/access.ts';
import { type CommandPage, commandPage } from '../src/cli/help/command-page.ts';
import type { Guide } from '../src/cli/help/guides.ts';
import type { Item } from '../src/cli/help/layout.ts';
import { commandsBelow, firstPageGroups, outlineOf } from '../src/cli/help/outline.ts';
import { fullConfig } from '../src/cli/lookup/config.ts';
import { endpointsByRoute } from '../src/platform/endpoints/index.ts';
import { withChecks } from './audit-checks.ts';
import { manPage } from './man-page.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const folder = join('docs', 'reference');
const checksPage = join('docs', 'audit.md');

const config = await fullConfig();
const outline = outlineOf(config);
const { commands, topics, guides } = outline;
const groups = firstPageGroups(topics, commands);

/** Escapes text for Markdown. */
const text = (words: string) => words.replace(/[\\`*_{}[\]<>|#]/g, '\\$&');

const code = (words: string) => `\`${words}\``;

/** A bar ends a table cell, even in code. */
const codeCell = (words: string) => code(words.replaceAll('|', '\\|'));

const block = (lines: readonly string[]) => ['```sh', ...lines, '```'].join('\n');

const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const paragraph = (words: string) => text(words.replace(/\s+/g, ' '));

const markdown = (...parts: readonly string[]) => `${parts.filter(Boolean).join('\n\n')}\n`;

const examplesOf = (examples: CommandPage['examples']) =>
  Object.entries(examples).flatMap(([description, command]) => [`${text(description)}:`, block([command])]);

const anchor = (name: string) => name.replaceAll(' ', '-');

/** Returns the section of one command. */
function commandPart(page: CommandPage, level: '#' | '##'): string[] {
  const { name, summary, description, usage, examples, groups: flags, requests } = page;
  const schema = `schemas/${anchor(name)}.json`;
  const heading = (words: string) => `${level}# ${words}`;
  return [
    `${level} ${name}`,
    `${text(summary)}.`,
    block([usage]),
    ...description.map(paragraph),
    heading('Examples'),
    ...examplesOf(examples),
    ...(page.arguments.length
      ? [
          heading('Arguments'),
          table(
            ['Argument', 'Description'],
            page.arguments.map(({ label, description: meaning }) => [codeCell(label), text(meaning)]),
          ),
        ]
      : []),
    ...flags.flatMap(({ heading: title, flags: some }) => [
      heading(title.charAt(0) + title.slice(1).toLowerCase()),
      table(
        ['Flag', 'Description'],
        some.map(({ label, description: meaning }) => [codeCell(label.trim()), text(meaning)]),
      ),
    ]),
    ...(requests.length ? [heading('Requests and access'), requestTable(requests)] : []),
    existsSync(schema) ? `JSON output: [${schema}](../../${schema}).` : '',
  ];
}

const requestTable = (requests: CommandPage['requests']) =>
  table(
    ['Request', 'Description', 'Access'],
    requests.flatMap((route) => {
      const endpoint = endpointsByRoute.get(route);
      if (!endpoint) return [];
      const access = accessTo(endpoint).map(({ label, text: needs }) => `${label}: ${text(needs)}`);
      return [[codeCell(route), text(endpoint.summary), access.join('<br>')]];
    }),
  );

const everyCommand =
  'See also: [common flags](flags.md), [environment variables](environment.md), [output formats](formatting.md), [exit codes](exit-codes.md).';

function topicPage(name: string, about: string): string {
  const own = commands.filter(({ id }) => id === name).map(commandPage);
  const pages = [...own, ...commandsBelow(name, commands).map(commandPage)];
  return markdown(
    `# forgectl ${name}`,
    `${text(about)}.`,
    table(
      ['Command', 'Description'],
      pages.map((page) => [`[${page.name}](#${anchor(page.name)})`, text(page.summary)]),
    ),
    everyCommand,
    ...pages.flatMap((page) => commandPart(page, '##')),
  );
}

const guidePage = ({ summary, parts }: Guide): string =>
  markdown(
    `# ${text(summary)}`,
    ...parts.flatMap(({ heading, texts = [], items = {}, examples = {} }) => [
      `## ${heading.charAt(0) + heading.slice(1).toLowerCase()}`,
      ...texts.map(paragraph),
      Object.keys(items).length
        ? table(
            ['', ''],
            Object.entries(items).map(([label, meaning]) => [codeCell(label.trim()), text(meaning)]),
          )
        : '',
      ...examplesOf(examples),
    ]),
  );

const index = (): string =>
  markdown(
    '# Reference',
    'All commands of forgectl. `npm run build` generates these pages from `--help`.',
    ...groups.flatMap(({ heading, items }) => [
      `## ${heading.charAt(0) + heading.slice(1).toLowerCase()}`,
      table(['', '', 'Commands'], items.map(indexRow)),
    ]),
    '## For all commands',
    table(
      ['', ''],
      guides.map(({ name, summary }) => [`[${name}](${name}.md)`, text(summary)]),
    ),
    '## Notation',
    'Words in capitals are placeholders: `ORG` is a login, `REPO` is `OWNER/NAME`, `TARGET` is either. `[WORD]` is optional, `WORD…` can be repeated. A flag with `=` takes a value: `--limit=3` and `--limit 3` are the same. `a|b` lists the allowed values, `JSON|@FILE` takes JSON or the name of a file that contains it, `TEXT,…` takes a comma-separated list or repeated flags, and `--[no-]wiki` turns a setting on or off.',
  );

function indexRow({ label, text: about }: Item): string[] {
  const below = commandsBelow(label, commands).map(commandPage);
  const links = below.map(({ name }) => `[${name.slice(label.length + 1)}](${label}.md#${anchor(name)})`);
  return [`[${label}](${label}.md)`, text(about), links.join(', ')];
}

/** Returns all pages by path. */
function pages(): Map<string, string> {
  const isTopic = (id: string) => topics.some(({ name }) => name === id);
  const single = commands.filter(({ id }) => !id.includes(':') && !isTopic(id)).map(commandPage);
  const reference = [
    ['README', index()] as const,
    ...topics
      .filter(({ name }) => !name.includes(' '))
      .map(({ name, description }) => [name, topicPage(name, description)] as const),
    ...single.map((page) => [page.name, markdown(...commandPart(page, '#'), everyCommand)] as const),
    ...guides.map((guide) => [guide.name, guidePage(guide)] as const),
  ];
  return new Map([
    ...reference.map(([name, page]) => [join(folder, `${name}.md`), page] as const),
    [join('man', 'forgectl.1'), manPage(outline, config.version)],
    [checksPage, withChecks(readFileSync(checksPage, 'utf8'))],
  ]);
}

const current = pages();
const kept = existsSync(folder) ? readdirSync(folder).map((file) => join(folder, file)) : [];
const stale = kept.filter((file) => !current.has(file));
const changed = [...current].filter(([file, page]) => !existsSync(file) || readFileSync(file, 'utf8') !== page);
if (process.argv.includes('--check')) {
  if (stale.length + changed.length > 0) {
    process.stderr.write('docs/reference, docs/audit.md or man is out of date: run npm run build and commit them.\n');
    process.exitCode = 1;
  }
} else {
  for (const file of stale) rmSync(file);
  for (const [file, page] of changed) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, page);
  }
}
