/** The command line that `each` runs on every target. */
import { UsageError } from '../../cli/errors.ts';
import { type KnownFlags, ownWords } from '../../cli/input/flag-words.ts';
import { commonFlags } from '../../cli/input/flags.ts';
import { maskedWords } from '../../cli/input/masked-words.ts';
import { typedName } from '../../cli/input/usage.ts';
import { findCommand, loadCommand } from '../../cli/lookup/load-command.ts';
import { readsStdin } from './words.ts';

/** Topics that do not act on targets, but on this machine or its user, and `each` itself. */
const otherTopics = ['auth', 'autocomplete', 'config', 'each', 'help', 'journal', 'policy', 'sandbox', 'version'];

/** Commands that exist to print a secret. */
const printsSecrets = ['installations:token', 'registries:seal'];

/** Flags that would run forever, open windows, or that `each` sets for all targets. */
const otherFlags = ['yes', 'dry-run', 'journal', 'resume', 'follow', 'web'];

interface LineOptions {
  /** The mark for a whole target. */
  readonly mark: string;
  readonly showSecrets: boolean;
}

export class EachLine {
  /** As typed, with the marks. */
  readonly words: readonly string[];
  /** Whether it may send a request that changes something. */
  readonly writes: boolean;
  /** Whether it takes `--dry-run`. */
  readonly plans: boolean;
  readonly #command: readonly string[];
  readonly #rest: readonly string[];
  readonly #options: LineOptions;

  private constructor(words: readonly string[], found: Found, options: LineOptions) {
    this.words = words;
    this.writes = found.writes;
    this.plans = 'dry-run' in found.flags;
    this.#command = found.id.split(':');
    this.#rest = found.rest;
    this.#options = options;
  }

  /** Reads the words after `--`. Throws UsageError for a command that cannot run on many targets. */
  static async read(words: readonly string[], options: LineOptions): Promise<EachLine> {
    if (words.length === 0)
      throw new UsageError(
        'No command given. Nothing was sent.',
        'Put it after --, such as: forgectl each repos acme -- rulesets list {}',
      );
    const found = await commandIn(words);
    refuseFlags(found);
    const line = new EachLine(words, found, options);
    if (!line.words.some((word) => line.#filled(word, 'a/b') !== word))
      throw new UsageError(
        `The command does not contain ${options.mark}. Add it where the target goes. Nothing was sent.`,
      );
    return line;
  }

  /** Throws UsageError for an organization if the command contains `{name}`. */
  refuseOrganizations(targets: readonly string[]): void {
    const organization = targets.find((target) => !target.includes('/'));
    if (organization === undefined || !this.#namesRepository) return;
    throw new UsageError(`{name} requires a repository, but ${organization} is an organization. Nothing was sent.`);
  }

  get #namesRepository(): boolean {
    return this.words.some((word) => word.includes('{name}') && !this.#filled(word, 'a/b').includes('{name}'));
  }

  /** Returns the command line for a target. Throws UsageError for a name that would be read as a flag. */
  wordsFor(target: string, flags: readonly string[] = []): readonly string[] {
    const shown = this.#options.showSecrets ? ['--show-secrets'] : [];
    const end = this.#rest.indexOf('--');
    const rest = this.#rest.map((word, at) => {
      const filled = this.#filled(word, target);
      if (filled.startsWith('-') && !word.startsWith('-') && (end === -1 || at < end))
        throw new UsageError(`${filled} would be read as a flag. Put -- before ${word}.`);
      return filled;
    });
    return [...this.#command, ...shown, ...flags, ...rest];
  }

  /** Returns whether the command reads standard input for one of the targets, as far as its arguments show. */
  readsStdin(targets: readonly string[]): boolean {
    return targets.some((target) => readsStdin(this.#rest.map((word) => this.#filled(word, target))));
  }

  /** Returns a word with its marks replaced. JSON keeps its braces. */
  #filled(word: string, target: string): string {
    const { mark } = this.#options;
    if (/^[{[]/.test(word) && ![mark, '{org}', '{name}'].some((each) => word.startsWith(each))) return word;
    const [org = '', name] = target.split('/');
    const filled = word.replaceAll(mark, target).replaceAll('{org}', org);
    return name === undefined ? filled : filled.replaceAll('{name}', name);
  }
}

interface Found {
  readonly id: string;
  readonly rest: readonly string[];
  readonly flags: KnownFlags;
  readonly writes: boolean;
}

async function commandIn(words: readonly string[]): Promise<Found> {
  const found = findCommand(words);
  const Command = found && (await loadCommand(found.id));
  if (!found || !Command) {
    const { commandsNamed } = await import('../../cli/lookup/command-words.ts');
    const end = words.findIndex((word) => word.startsWith('-') || word.includes('{'));
    await commandsNamed(words.slice(0, end === -1 ? words.length : end));
    throw new UsageError(`“${maskedWords(words).words.join(' ')}” is not a command. Nothing was sent.`);
  }
  const { id, rest } = found;
  const { requests = [] } = Command as { readonly requests?: readonly string[] };
  const flags = { ...Command.baseFlags, ...Command.flags };
  if (printsSecrets.includes(id))
    throw new UsageError(`“${typedName(id)}” prints a secret and cannot run within each. Nothing was sent.`);
  if (otherTopics.includes(id.split(':')[0] ?? '') || (requests.length === 0 && id !== 'api'))
    throw new UsageError(`“${typedName(id)}” cannot run within each. Nothing was sent.`);
  const writes = id === 'api' || requests.some((route) => !route.startsWith('GET '));
  return { id, rest, flags, writes };
}

/** Throws for flags that belong to `each` itself. */
function refuseFlags({ rest, flags }: Found): void {
  const refused = [...Object.keys(commonFlags), ...otherFlags];
  const nameOf = (word: string) =>
    word.startsWith('--')
      ? word.slice(2).split('=', 1)[0]
      : Object.keys(flags).find((name) => word.startsWith('-') && flags[name]?.char === word[1]);
  const names = ownWords(rest, flags).map(({ word }) => nameOf(word));
  const name = names.find((each) => each !== undefined && Object.hasOwn(flags, each) && refused.includes(each));
  if (name === undefined) return;
  if (name === 'follow' || name === 'web')
    throw new UsageError(`--${name} is not supported within each. Nothing was sent.`);
  throw new UsageError(`Put --${name} before --: it applies to each as a whole. Nothing was sent.`);
}
