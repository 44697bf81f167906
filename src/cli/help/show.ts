/** Prints help for `--help` and `forgectl help`: a command, a topic, all topics, or a guide. */

import { safeText } from '../../output/safe-text.ts';
import { write } from '../../output/writer.ts';
import type { Endpoint } from '../../platform/endpoint.ts';
import { maskedWords } from '../input/masked-words.ts';
import { typedName } from '../input/usage.ts';
import { fullConfig } from '../lookup/config.ts';
import type { Extension } from '../lookup/extensions.ts';
import type { Runtime } from '../runtime.ts';
import { commandLines, wrapped } from '../word-wrap.ts';
import { type CommandPage, commandPage, type ListedCommand } from './command-page.ts';
import type { Guide } from './guides.ts';
import { list, page, paragraphs, routeLines, type Section, within } from './layout.ts';
import { commandsBelow, firstPageGroups, type Outline, outlineOf, type Topic } from './outline.ts';

/** The default width, as in a pipe, and the maximum for readable lines. */
const usualWidth = 80;
const widest = 100;

/** The contents of help, and the terminal to print on. */
interface HelpContext extends Outline {
  readonly width: number;
  readonly color: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** Shows the help that a command line requests. Throws UsageError for an unknown command or topic. */
export async function showHelp(
  argv: readonly string[],
  { env, terminal }: Pick<Runtime, 'env' | 'terminal'>,
): Promise<void> {
  const { columns, color, stdout } = terminal;
  const width = Number.isFinite(columns) ? Math.min(columns, widest) : usualWidth;
  await write(stdout, await pageFor(argv, { ...outlineOf(await fullConfig()), width, color, env }));
}

async function pageFor(argv: readonly string[], book: HelpContext): Promise<string> {
  // A colon, which separates words, may be part of a secret.
  const [first = ''] = maskedWords(argv).words;
  const typed = (first.includes(':') ? first.split(':') : argv).filter((word) => word !== '--help' && word !== '-h');
  const command = longestNamed(typed, book.commands);
  if (command) return commandText(commandPage(command), commandsBelow(typedName(command.id), book.commands), book);
  const end = typed.findIndex((word) => word.startsWith('-'));
  const words = typed.slice(0, end === -1 ? typed.length : Math.max(end, 1));
  if (words.length === 0) return firstPage(book);
  const name = words.join(' ');
  const topic = book.topics.find((each) => each.name === name);
  if (topic) return topicText(topic, book);
  const guide = book.guides.find((each) => each.name === name);
  if (guide) return guideText(guide, book);
  const { flagsFirst, unknownCommand } = await import('../lookup/unknown-command.ts');
  if (typed[0]?.startsWith('-')) throw flagsFirst(typed);
  const { extensionNamed, usableExtensions } = await import('../lookup/extensions.ts');
  const extension = extensionNamed(words[0] ?? '', book.env);
  if (extension) return extensionText(extension, book);
  throw unknownCommand(words, [
    ...book.commands.map(({ id }) => typedName(id)),
    ...book.guides.map(({ name: guide }) => guide),
    ...usableExtensions(book.env).map((each) => each.name),
  ]);
}

/** Returns the command at the start of the words, whatever follows. */
function longestNamed(words: readonly string[], commands: readonly ListedCommand[]): ListedCommand | undefined {
  for (let length = words.length; length > 0; length--) {
    const id = words.slice(0, length).join(':');
    const command = commands.find((each) => each.id === id);
    if (command) return command;
  }
  return undefined;
}

async function firstPage({ commands, topics, guides: pages, width, color, env }: HelpContext): Promise<string> {
  const room = within(width);
  const { usableExtensions } = await import('../lookup/extensions.ts');
  const examples = {
    'Log in': 'forgectl auth login --base-url ghe.example.com',
    'List the repositories of an organization': 'forgectl repos list acme',
    'Preview a change': 'forgectl orgs update acme --name "Acme Inc." --dry-run',
    'Start an embedded platform to try forgectl on': 'forgectl sandbox serve',
  };
  const groups = [
    ...firstPageGroups(topics, commands),
    {
      heading: 'EXTENSIONS',
      items: usableExtensions(env).map(({ name, program }) => ({ label: name, text: safeText(program.path) })),
    },
    { heading: 'MORE HELP', items: pages.map(({ name, summary }) => ({ label: `help ${name}`, text: summary })) },
    {
      heading: 'FLAGS',
      items: [
        { label: '-h, --help', text: 'Show help for forgectl, a topic or a command' },
        { label: '-v, --version', text: 'Show the version' },
      ],
    },
  ];
  const widestLabel = Math.max(...groups.flatMap(({ items }) => items.map(({ label }) => label.length)));
  return page(
    wrapped('Administer a self-managed source-code hosting platform over its REST API.', width),
    [
      { heading: 'USAGE', lines: wrapped('forgectl TOPIC COMMAND [ARGUMENTS] [FLAGS]', room) },
      { heading: 'EXAMPLES', lines: exampleLines(Object.entries(examples), room) },
      ...groups
        .filter(({ items }) => items.length > 0)
        .map(({ heading, items }) => ({ heading, lines: list(items, room, widestLabel) })),
      {
        heading: 'LEARN MORE',
        lines: wrapped('Use “forgectl TOPIC --help” or “forgectl TOPIC COMMAND --help” for details.', room),
      },
    ],
    color,
  );
}

function extensionText({ name, program: { path, problem } }: Extension, { width, color }: HelpContext): string {
  const room = within(width);
  const state = problem === undefined ? '' : ` It cannot be run: it ${safeText(problem)}.`;
  return page(
    wrapped(`“forgectl ${name}” is an extension: ${safeText(path)}.${state}`, width),
    [
      { heading: 'USAGE', lines: wrapped(`forgectl [--profile NAME] [--yes-extension] ${name} [ARGUMENTS]`, room) },
      {
        heading: 'LEARN MORE',
        lines: wrapped(
          `“forgectl ${name} --help” asks the extension itself, “forgectl extensions list” shows its state.`,
          room,
        ),
      },
    ],
    color,
  );
}

function topicText({ name, description }: Topic, { commands, width, color }: HelpContext): string {
  const room = within(width);
  const below = commandsBelow(name, commands);
  const examples = below.flatMap((command) => Object.entries(commandPage(command).examples).slice(0, 1)).slice(0, 3);
  return page(
    wrapped(description, width),
    [
      { heading: 'USAGE', lines: wrapped(`forgectl ${name} COMMAND [ARGUMENTS] [FLAGS]`, room) },
      { heading: 'EXAMPLES', lines: exampleLines(examples, room) },
      { heading: 'COMMANDS', lines: commandItems(below, room) },
      {
        heading: 'LEARN MORE',
        lines: wrapped(
          `Use “forgectl ${name} COMMAND --help” for arguments, flags, examples and required access.`,
          room,
        ),
      },
    ],
    color,
  );
}

const commandItems = (commands: readonly ListedCommand[], room: number): string[] =>
  list(
    commands.map(({ id, summary = '' }) => ({ label: typedName(id), text: summary })),
    room,
  );

async function commandText(
  command: CommandPage,
  below: readonly ListedCommand[],
  { width, color }: HelpContext,
): Promise<string> {
  const { summary, description, usage, examples, arguments: args, groups, common, requests } = command;
  const room = within(width);
  const [opening = '', ...others] = description;
  const [first, rest] = firstSentence(opening);
  return page(
    [...wrapped(summary, width), ...(first ? ['', ...wrapped(first, width)] : [])],
    [
      { heading: 'USAGE', lines: wrapped(usage, room) },
      { heading: 'EXAMPLES', lines: exampleLines(Object.entries(examples), room) },
      { heading: 'COMMANDS', lines: commandItems(below, room) },
      {
        heading: 'ARGUMENTS',
        lines: list(
          args.map(({ label, description: text }) => ({ label, text })),
          room,
        ),
      },
      ...groups.map(({ heading, flags }) => ({
        heading,
        lines: list(
          flags.map(({ label, description: text }) => ({ label, text })),
          room,
        ),
      })),
      {
        heading: 'COMMON FLAGS (see “forgectl help flags”)',
        lines: common.flatMap(({ flags }) => wrapped(flags.map(({ name }) => name).join(', '), room)),
      },
      { heading: 'DESCRIPTION', lines: paragraphs([rest, ...others].filter(Boolean), room) },
      ...(requests.length ? [await accessSection(command, room)] : []),
    ],
    color,
  );
}

/** Splits a paragraph after its first sentence. */
function firstSentence(text: string): readonly [first: string, rest: string] {
  const [first = text] = /^.*?[.!?](?=\s+[\p{Lu}“\-–])/su.exec(text) ?? [];
  return [first, text.slice(first.length).trim()];
}

/** Commands that send more requests than this refer to `permissions explain`. */
const mostExplained = 5;

/** Endpoints take longer to load than the rest of a command's help, and a topic's help does not need them. */
async function accessSection({ name, requests }: CommandPage, room: number): Promise<Section> {
  if (requests.length > mostExplained) {
    const text = `Up to ${requests.length} kinds of requests. “forgectl permissions explain ${name}” lists them with the access that each requires.`;
    return { heading: 'ACCESS', lines: wrapped(text, room) };
  }
  const [{ endpointsByRoute }, { accessTo }] = await Promise.all([
    import('../../platform/endpoints/index.ts'),
    import('./access.ts'),
  ]);
  const endpoints = requests.flatMap((route) => endpointsByRoute.get(route) ?? []);
  return {
    heading: 'ACCESS',
    lines: endpoints.flatMap((endpoint: Endpoint) => [
      ...routeLines(endpoint.route, room),
      ...accessTo(endpoint)
        .flatMap(({ label, text }) => wrapped(`${label}: ${text}`, within(room)))
        .map((line) => `  ${line}`),
    ]),
  };
}

function guideText({ summary, parts }: Guide, { width, color }: HelpContext): string {
  const room = within(width);
  const sections = parts.map(({ heading, texts = [], items = {}, examples = {} }) => {
    const labelled = Object.entries(items).map(([label, text]) => ({ label, text }));
    const blocks = [paragraphs(texts, room), list(labelled, room), exampleLines(Object.entries(examples), room)];
    return {
      heading,
      lines: blocks.filter(({ length }) => length > 0).flatMap((lines, at) => (at ? ['', ...lines] : lines)),
    };
  });
  return page(wrapped(summary, width), sections, color);
}

/** Returns examples with their captions as comments: both lines can be copied. */
function exampleLines(examples: readonly (readonly [caption: string, line: string])[], room: number): string[] {
  return examples.flatMap(([description, command], index) => [
    ...(index ? [''] : []),
    ...wrapped(description, room - 2).map((line) => `# ${line}`),
    ...commandLines(`$ ${command}`, room),
  ]);
}
