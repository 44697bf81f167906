/** Every command as oclif.manifest.json has it: what the laws hold of. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

interface DeclaredArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly multiple?: boolean;
}

export interface DeclaredFlag {
  readonly name: string;
  readonly type: 'boolean' | 'option';
  readonly description?: string;
  readonly char?: string;
  readonly helpValue?: string;
  readonly helpGroup?: string;
  readonly options?: readonly string[];
  readonly allowNo?: boolean;
  readonly hidden?: boolean;
}

export interface Example {
  readonly description: string;
  readonly command: string;
}

interface Manifest {
  readonly commands: Readonly<
    Record<
      string,
      {
        readonly summary?: string;
        readonly description?: string;
        readonly examples?: readonly (Example | string)[];
        readonly args: Readonly<Record<string, DeclaredArgument>>;
        readonly flags: Readonly<Record<string, DeclaredFlag>>;
        readonly requests?: readonly string[];
        readonly relativePath: readonly string[];
      }
    >
  >;
}

const manifest = JSON.parse(readFileSync(`${root}/oclif.manifest.json`, 'utf8')) as Manifest;

export const commands = Object.entries(manifest.commands)
  .map(([id, { summary = '', description = '', examples = [], args, flags, requests = [], relativePath }]) => ({
    /** As it is typed: `orgs security enable`. */
    name: id.replaceAll(':', ' '),
    /** Below src/commands, without the ending. */
    file: relativePath.slice(2).join('/').replace(/\.js$/, ''),
    summary,
    description,
    examples,
    args: Object.values(args),
    flags: Object.values(flags),
    requests,
  }))
  .sort((one, other) => (one.name < other.name ? -1 : 1));

export type DeclaredCommand = (typeof commands)[number];

export const hasFlag = ({ flags }: DeclaredCommand, name: string): boolean => flags.some((flag) => flag.name === name);

/** The methods of the requests that a command may send. */
export const methodsOf = ({ requests }: DeclaredCommand): readonly string[] =>
  requests.map((route) => route.split(' ', 1)[0] ?? '');

/** Policies decide which of their requests these send. */
export const isDecidedByPolicies = (name: string): boolean => /^policy (?:apply|export|plan)$/.test(name);

/** All that talk to the platform; `api` asks what it is told to ask. */
export const askingCommands = commands.filter(
  ({ name, requests }) => (requests.length > 0 && !isDecidedByPolicies(name)) || name === 'api',
);

/** Creating a token to log in with changes nothing. */
export const changesSomething = (command: DeclaredCommand): boolean =>
  !command.name.startsWith('auth ') && methodsOf(command).some((method) => method !== 'GET');
