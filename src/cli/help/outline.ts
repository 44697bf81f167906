/** The commands, topics and guides that help shows, in groups. */

import type { Config } from '@oclif/core/config';
import { typedName } from '../input/usage.ts';
import { commandPage, type ListedCommand } from './command-page.ts';
import { type Guide, guides } from './guides.ts';
import type { Item } from './layout.ts';

export interface Topic {
  /** With spaces, as people type it. */
  readonly name: string;
  readonly description: string;
  /** The heading on the first page; TOOLS by default. */
  readonly group?: string;
}

export interface Outline {
  readonly commands: readonly ListedCommand[];
  readonly topics: readonly Topic[];
  readonly guides: readonly Guide[];
}

/** Returns the contents of help, from oclif's list. */
export function outlineOf({ commands: listed, topics, pjson }: Config): Outline {
  const commands = (listed as ListedCommand[]).filter(({ hidden }) => !hidden);
  const declared = Object.keys(pjson.oclif.topics ?? {});
  return {
    commands,
    topics: (topics as readonly Topic[])
      .filter(({ name }) => declared.includes(name))
      .map((topic) => ({ ...topic, name: typedName(topic.name) })),
    guides: guides(commands[0] ? commandPage(commands[0]).common : []),
  };
}

export interface Group {
  readonly heading: string;
  readonly items: readonly Item[];
}

/** Returns topics in the groups and order of package.json, with the commands outside topics. */
export function firstPageGroups(topics: readonly Topic[], commands: readonly ListedCommand[]): Group[] {
  const top = topics.filter(({ name }) => !name.includes(' '));
  const headings = [...new Set(top.flatMap(({ group }) => group ?? []))];
  const grouped = headings.map((heading) => ({
    heading: heading.toUpperCase(),
    items: top.filter(({ group }) => group === heading).map(itemOf),
  }));
  const single = commands
    .filter(({ id }) => !id.includes(':') && !top.some(({ name }) => name === id))
    .map(({ id, summary = '' }) => ({ label: id, text: summary }));
  return [
    ...grouped,
    {
      heading: 'TOOLS',
      items: [...top.filter(({ group }) => group === undefined).map(itemOf), ...single].sort(byLabel),
    },
  ];
}

const itemOf = ({ name, description }: Topic): Item => ({ label: name, text: description });

const byLabel = (one: Item, other: Item) => (one.label < other.label ? -1 : 1);

/** The most common verbs. */
const usual = ['list', 'get', 'create', 'update', 'delete'];

/** Returns all commands below a topic: common verbs first, the rest by name. */
export function commandsBelow(topic: string, commands: readonly ListedCommand[]): ListedCommand[] {
  const rank = (verb: string) => (usual.includes(verb) ? usual.indexOf(verb) : usual.length);
  const verbOf = ({ id }: ListedCommand) => typedName(id).slice(topic.length + 1);
  return commands
    .filter(({ id }) => typedName(id).startsWith(`${topic} `))
    .sort((one, other) => rank(verbOf(one)) - rank(verbOf(other)) || (verbOf(one) < verbOf(other) ? -1 : 1));
}
