/** The prompts of a running command. Loaded for the first prompt. */
import { masked } from '../../../client/redact.ts';
import { maskSecrets } from '../../../output/secrets.ts';
import { type Column, shownColumns } from '../../../output/table/columns.ts';
import { detailsOf } from '../../../output/table/details.ts';
import type { Problem } from '../../../platform/validate.ts';
import { UsageError } from '../../errors.ts';
import type { ProblemCollector } from '../args.ts';
import type { PrintedLine } from '../printed-line.ts';
import type { GivenBody } from '../request-body.ts';
import { askForFields, type Incomplete } from './body-questions.ts';
import { flagWords } from './command-line.ts';
import type { Choice, PromptTerminal } from './prompt-types.ts';
import { confirmByTypingName, promptChoice, promptText } from './prompts.ts';

/** An argument or a flag with a value, as in oclif. */
export interface Promptable {
  readonly description?: string | undefined;
  /** The prompt, if the description says more: allowed words, related flags. */
  readonly question?: string | undefined;
  readonly options?: readonly string[] | undefined;
  /** Choices instead of typing; a choice without a value prompts for typing. */
  readonly pick?: { readonly question: string; readonly choices: readonly Choice<string | undefined>[] } | undefined;
  /** True if it accepts several words. */
  readonly multiple?: boolean | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: oclif's own parsers
  readonly parse: (text: string, context: any, declared: any) => Promise<unknown>;
}

/** The declaration of a command. */
interface Declared {
  readonly args: object;
  readonly flags: object;
}

/** The record that is shown before it is deleted. */
export interface DeletionPreview {
  readonly record: object;
  // biome-ignore lint/suspicious/noExplicitAny: columns of any record; each command narrows it to its own
  readonly columns?: readonly Column<any>[];
  /** The name people use, if it differs from the command line's; both confirm. */
  readonly name?: string | undefined;
  /** The effect of the deletion, if it depends on the record. */
  readonly effect?: string | undefined;
}

/**
 * Prompts for missing input, with the checks of the command line, and records the equivalent words. All prompts reject
 * with InterruptedError if they are ended.
 */
export class Questions {
  readonly #args: Readonly<Record<string, Promptable>>;
  readonly #flags: Readonly<Record<string, Promptable>>;
  readonly #asking: PromptTerminal;
  readonly #argWords: string[] = [];
  readonly #flagWords: string[] = [];
  readonly #dropped: string[] = [];
  #current: Promise<object | undefined> | undefined;
  #confirmed = false;

  constructor({ args, flags }: Declared, asking: PromptTerminal) {
    this.#args = args as Readonly<Record<string, Promptable>>;
    this.#flags = flags as Readonly<Record<string, Promptable>>;
    this.#asking = asking;
  }

  async argument<T>(name: string, arg: Promptable): Promise<T> {
    const words = wordsIn(arg, await askValue(arg, name.toUpperCase(), this.#asking));
    this.#argWords.push(...words);
    const values = await Promise.all(words.map((word) => arg.parse(word, collector(), arg)));
    return (arg.multiple ? values : values[0]) as T;
  }

  /** Prompts for an argument or for the flag that takes its place, and then for the value. */
  async argumentOrFlag<A extends string, F extends string>(name: A, flag: F): Promise<{ [N in A | F]?: string }> {
    const arg = this.#args[name] as Promptable;
    const choices = [choiceOf(name.toUpperCase(), arg, name), this.#choiceOfFlag(flag)];
    const chosen = await promptChoice<A | F>('Choose one:', choices, this.#asking);
    const value = chosen === name ? await this.argument<string>(name, arg) : await this.#valueOf(flag);
    return { [chosen]: value } as { [N in A | F]?: string };
  }

  /** Prompts for one of several flags, unless there is only one, and then for its value. */
  async oneOfFlags<N extends string>(names: readonly N[]): Promise<Partial<Record<N, string>>> {
    const choices = names.map((name) => this.#choiceOfFlag(name));
    const [only] = names;
    const name =
      only !== undefined && names.length === 1 ? only : await promptChoice('Choose one:', choices, this.#asking);
    return { [name]: await this.#valueOf(name) } as Partial<Record<N, string>>;
  }

  #choiceOfFlag<N extends string>(name: N): Choice<N> {
    return choiceOf(`--${name}`, this.#flags[name] as Promptable, name);
  }

  async #valueOf(flag: string): Promise<string> {
    const text = await askValue(this.#flags[flag] as Promptable, `--${flag}`, this.#asking);
    this.note(...flagWords(flag, text));
    return text;
  }

  /** Prompts for missing fields, as `askForFields` does. */
  async fields(incomplete: Omit<Incomplete, 'flags'>, problems: readonly Problem[]): Promise<GivenBody | undefined> {
    this.#current ??= incomplete.options.current?.();
    const current = await this.#current;
    const answered = await askForFields({ ...incomplete, flags: this.#flags }, problems, this.#asking, current);
    this.note(...(answered?.words ?? []));
    return answered?.given;
  }

  /** Prompts for the name of what is deleted. Throws UsageError if it does not match. */
  async confirm(given: string, effect: string, preview: DeletionPreview | undefined): Promise<void> {
    // The platform may return anything as the name.
    const shown: unknown = preview?.name;
    const name = typeof shown === 'string' && shown.trim() !== '' ? shown : given;
    const message = `This ${preview?.effect ?? effect}. Type “${name}” to confirm:`;
    if (!(await confirmByTypingName(message, [name, given], this.#asking)))
      throw new UsageError(`The answer does not match “${name}”. Nothing was sent.`);
    this.#confirmed = true;
  }

  /** Records flags that would have made a prompt unnecessary. */
  note(...words: readonly string[]): void {
    this.#flagWords.push(...words);
  }

  /** Records the name of a given flag that prompts by itself. */
  drop(flag: string): void {
    this.#dropped.push(flag);
  }

  /** Returns how the command line that needs no prompts differs from the given one; undefined if there were no prompts. */
  get answers(): Pick<PrintedLine, 'args' | 'flags' | 'without'> | undefined {
    if (this.#argWords.length + this.#flagWords.length === 0) return undefined;
    const flags = this.#confirmed ? [...this.#flagWords, '--yes'] : this.#flagWords;
    return { args: this.#argWords, flags, without: this.#dropped };
  }
}

/** Returns all details of a record for stderr, with secrets masked; safe for a terminal. */
export async function recordShown(
  { record, columns = [] }: DeletionPreview,
  { terminal }: PromptTerminal,
): Promise<string> {
  const { color, plain, now, stderrColumns } = terminal;
  const screen = { color, plain, now, columns: stderrColumns, links: false };
  return (await detailsOf(maskSecrets(record, masked), shownColumns(columns), screen)).trimEnd();
}

/** Prompts for an argument or a flag by its description; `label` is its name on the command line. Returns the text. */
export async function askValue(declared: Promptable, label: string, asking: PromptTerminal): Promise<string> {
  const { options, pick } = declared;
  const picked = pick && (await promptChoice(pick.question, pick.choices, asking));
  if (picked !== undefined) return picked;
  const message = `${questionOf(declared)}${declared.multiple ? ', separated by spaces' : ''} (${label}):`;
  if (options?.length)
    return promptChoice(
      message,
      options.map((word) => ({ name: word, value: word })),
      asking,
    );
  return promptText(message, asking, (text) => {
    if (text.trim() === '') return 'must not be empty';
    return wordsIn(declared, text)
      .map((word) => parserProblem(declared, word))
      .find((problem) => problem !== undefined);
  });
}

const choiceOf = <N extends string>(short: string, declared: Promptable, value: N): Choice<N> => ({
  name: `${short}: ${questionOf(declared)}`,
  short,
  value,
});

const questionOf = ({ question, description }: Promptable) => question ?? description;

/** Returns the words of an answer: several if the argument accepts several. */
const wordsIn = ({ multiple }: Promptable, text: string): string[] => (multiple ? text.trim().split(/\s+/) : [text]);

/** Returns the problem that a parser finds in a text, synchronously. */
export function parserProblem(declared: Promptable, text: string): string | undefined {
  const context = collector();
  void declared.parse(text, context, declared);
  return context.problems[0]?.message;
}

const collector = (): ProblemCollector => ({ problems: [] });
