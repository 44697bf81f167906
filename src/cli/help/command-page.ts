/** The contents of a command's help and reference, read from oclif's list. */
import type { Command } from '@oclif/core/command';
import type { Route } from '../../platform/endpoint.ts';
import { argumentLabel, typedName, usageOf } from '../input/usage.ts';

interface ShownFlag {
  /** As typed, with its short form first: `-L, --limit=NUMBER`. */
  readonly label: string;
  /** Its long form: `--limit`. */
  readonly name: string;
  readonly description: string;
}

export interface FlagGroup {
  readonly heading: string;
  readonly flags: readonly ShownFlag[];
}

export interface CommandPage {
  /** With spaces, as people type it. */
  readonly name: string;
  readonly summary: string;
  /** Paragraphs. */
  readonly description: readonly string[];
  /** The usage line: `forgectl repos list ORG [FLAGS]`. */
  readonly usage: string;
  /** Command lines by what they achieve. */
  readonly examples: Readonly<Record<string, string>>;
  readonly arguments: readonly { readonly label: string; readonly description: string }[];
  /** Its own flags, most important first. */
  readonly groups: readonly FlagGroup[];
  /** The flags of every command. */
  readonly common: readonly FlagGroup[];
  readonly requests: readonly Route[];
}

/** Groups of flags: their names in declarations and their headings in help, most important first. */
const ownGroups = [
  { name: 'REQUIRED', heading: 'REQUIRED FLAGS', inBody: true },
  { name: undefined, heading: 'FLAGS', inBody: false },
  { name: 'BODY', heading: 'BODY FIELDS', inBody: true },
  { name: 'LIST', heading: 'LIST FLAGS', inBody: false },
  { name: 'REQUEST', heading: 'REQUEST FLAGS', inBody: false },
] as const;

const commonGroups = [
  { name: 'OUTPUT', heading: 'OUTPUT' },
  { name: 'PLATFORM', heading: 'PLATFORM' },
  { name: 'COMMON', heading: 'RUN' },
] as const;

/** oclif does not list it: every run checks for it first. */
const helpFlag = { name: 'help', char: 'h', type: 'boolean', allowNo: false, description: 'Show help' } as const;

type Example = Exclude<Command.Example, string>;

export type ListedCommand = Command.Cached & { readonly requests?: readonly Route[] };

/** Returns the page of a command, from oclif's list. */
export function commandPage(command: ListedCommand): CommandPage {
  const { id, summary = '', description = '', args, examples = [], requests = [], usage } = command;
  const name = typedName(id);
  const flags = Object.values(command.flags).filter(({ hidden }) => !hidden);
  return {
    name,
    summary,
    description: description.split(/\n{2,}/).filter(Boolean),
    usage: usage ? `forgectl ${usage}` : usageOf(id, args),
    examples: Object.fromEntries((examples as readonly Example[]).map((each) => [each.description, each.command])),
    arguments: Object.entries(args).map(([key, arg]) => ({
      label: argumentLabel(key, arg),
      description: arg.description ?? '',
    })),
    groups: ownFlags(flags),
    common: commonFlags(flags),
    requests,
  };
}

/**
 * Returns the command's own flag groups; headings mention `--input` if the command has that flag. Commands that send no
 * requests have no group for them.
 */
function ownFlags(flags: readonly Command.Flag.Cached[]): FlagGroup[] {
  const takesInput = flags.some(({ name }) => name === 'input');
  const sends = flags.some(({ name }) => name === 'dry-run');
  const groupOf = ({ helpGroup }: Command.Flag.Cached) => (helpGroup === 'REQUEST' && !sends ? undefined : helpGroup);
  return ownGroups
    .map(({ name, heading, inBody }) => ({
      heading: inBody && takesInput ? `${heading} (or in --input)` : heading,
      flags: shownFlags(flags.filter((flag) => groupOf(flag) === name)),
    }))
    .filter(({ flags: some }) => some.length > 0);
}

function commonFlags(flags: readonly Command.Flag.Cached[]): FlagGroup[] {
  return commonGroups.map(({ name, heading }) => ({
    heading,
    flags: shownFlags([
      ...flags.filter(({ helpGroup }) => helpGroup === name),
      ...(name === 'COMMON' ? [helpFlag] : []),
    ]),
  }));
}

/** Returns flags in the order of their declaration; long names are aligned if any flag has a short one. */
function shownFlags(flags: readonly Command.Flag.Cached[]): ShownFlag[] {
  const gap = flags.some(({ char }) => char) ? '    ' : '';
  return flags.map((flag) => {
    const { char, name, description = '' } = flag;
    const long = flag.type === 'boolean' && flag.allowNo ? `--[no-]${name}` : `--${name}`;
    const short = char ? `-${char}, ` : gap;
    const value = flag.type === 'option' ? `=${flag.helpValue ?? 'VALUE'}` : '';
    return { label: short + long + value, name: `--${name}`, description };
  });
}
