/** The page that `man forgectl` shows, from what help prints. */
import { commandPage } from '../src/cli/help/command-page.ts';
import type { GuidePart } from '../src/cli/help/guides.ts';
import { commandsBelow, firstPageGroups, type Outline } from '../src/cli/help/outline.ts';

/** Text as roff has it: a hyphen that can be copied, and nothing that a line would be taken for a request for. */
const text = (words: string) =>
  words
    .replace(/\s+/g, ' ')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');

const bold = (words: string) => `\\fB${text(words)}\\fR`;

const item = (label: string, about: string) => ['.TP', bold(label.trim()), text(about)];

const paragraph = (words: string) => ['.PP', text(words)];

const example = ({ description, command }: { readonly description: string; readonly command: string }) => [
  ...paragraph(`${description}:`),
  '.PP',
  '.in +4',
  '.nf',
  text(command),
  '.fi',
  '.in',
];

const part = ({ texts = [], items = [], examples = [] }: GuidePart) => [
  ...texts.flatMap(paragraph),
  ...items.flatMap(({ label, text: about }) => item(label, about)),
  ...examples.flatMap(example),
];

/** Where a manual has what a guide tells, in its order. */
const sections: Readonly<Record<string, string>> = {
  flags: 'OPTIONS',
  formatting: 'OUTPUT',
  environment: 'ENVIRONMENT',
  'exit-codes': 'EXIT STATUS',
};

/** The page in roff. */
export function manPage({ commands, topics, guides }: Outline, version: string): string {
  const usage = (name: string) => {
    const named = commands.find(({ id }) => id === name);
    return (named ? [named] : commandsBelow(name, commands)).map(commandPage);
  };
  const lines = [
    '.\\" Written by npm run build from the commands.',
    `.TH FORGECTL 1 "" "forgectl ${version}" "User Commands"`,
    '.SH NAME',
    'forgectl \\- administer a self\\-managed source\\-code hosting platform over its REST API',
    '.SH SYNOPSIS',
    '.B forgectl',
    '.I TOPIC COMMAND',
    '[\\fIARGUMENTS\\fR] [\\fIFLAGS\\fR]',
    '.SH DESCRIPTION',
    ...paragraph(
      'Every command explains itself with --help: examples, arguments, flags, and the access that it needs. “forgectl auth login” comes first; “forgectl sandbox serve” is a platform to try all of it on.',
    ),
    '.SH COMMANDS',
    ...firstPageGroups(topics, commands).flatMap(({ heading, items }) => [
      `.SS ${heading.charAt(0)}${heading.slice(1).toLowerCase()}`,
      ...items.flatMap(({ label }) =>
        usage(label).flatMap((page) => item(page.usage.replace(/^forgectl | \[FLAGS\]$/g, ''), page.summary)),
      ),
    ]),
    ...Object.entries(sections).flatMap(([name, section]) => [
      `.SH ${section}`,
      ...(guides.find((guide) => guide.name === name)?.parts ?? []).flatMap(part),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}
