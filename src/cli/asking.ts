/**
 * Asks a person for what a command line lacks: arguments, flags and fields, each checked as if it had been typed there.
 * It is loaded when somebody is asked.
 */
import type * as v from 'valibot';
import type { Endpoint } from '../platform/endpoint.ts';
import type { Problem } from '../platform/validate.ts';
import { type FieldShape, fieldShape, flagName, typedField } from './fields.ts';
import { type Asking, type Check, confirm, promptChoice, promptSeveral, promptText } from './prompts.ts';
import { type BodyOptions, type GivenBody, requestBody } from './request-body.ts';

/** The words that would have made the questions unnecessary. */
export interface AskedWords {
  readonly args: string[];
  readonly flags: string[];
  /** True where the person has confirmed what the command does. */
  confirmed?: boolean;
}

/** An argument or a flag with a value, as oclif knows it. */
export interface Askable {
  readonly description?: string | undefined;
  readonly options?: readonly string[] | undefined;
  /** True where it takes several words. */
  readonly multiple?: boolean | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: oclif's own parsers, whose context is the command
  readonly parse: (text: string, context: any, declared: any) => Promise<unknown>;
}

/** Asks for an argument or a flag by its description; `label` is its name on the command line. Gives the text. */
export async function askValue(
  declared: Askable,
  label: string,
  asking: Asking,
  options = declared.options,
): Promise<string> {
  // The words that it takes stand behind a colon in the description, and are about to be shown.
  const description = options ? declared.description?.split(': ', 1)[0] : declared.description;
  const message = `${description}${declared.multiple ? ', with spaces between them' : ''} (${label}):`;
  if (options?.length) return promptChoice(message, options.map(asChoice), asking);
  return promptText(message, asking, (text) => {
    if (text.trim() === '') return 'must not be empty';
    return wordsIn(declared, text)
      .map((word) => parserProblem(declared, word))
      .find((problem) => problem !== undefined);
  });
}

/** The words of an answer: several where the argument takes several. */
export const wordsIn = ({ multiple }: Askable, text: string): string[] =>
  multiple ? text.trim().split(/\s+/) : [text];

const asChoice = (word: string) => ({ name: word, value: word });

/** What an argument's or a flag's parser says of a text: it says so before it first waits. */
function parserProblem(declared: Askable, text: string): string | undefined {
  const problems: Problem[] = [];
  void declared.parse(text, { problems }, declared);
  return problems[0]?.message;
}

/** Has the person choose one of several flags, and asks for its value. */
export async function askOneOf<N extends string>(
  names: readonly N[],
  flags: Readonly<Record<string, Askable>>,
  asking: Asking,
): Promise<{ readonly name: N; readonly text: string }> {
  const choices = names.map((value) => ({ name: `--${value}: ${flags[value]?.description}`, value }));
  const [only] = names;
  const name = only !== undefined && names.length === 1 ? only : await promptChoice('Which one?', choices, asking);
  return { name, text: await askValue(flags[name] as Askable, `--${name}`, asking) };
}

/** A field of a body that a flag gives. */
interface FlagField {
  /** Its path in the body, as problems have it; of a member of a field with the field's name before it. */
  readonly path: string;
  readonly flag: string;
  readonly schema: v.GenericSchema;
  readonly shape: FieldShape;
}

/** A body that is not complete yet, and what it is made of. */
interface Incomplete {
  readonly endpoint: Endpoint;
  readonly given: GivenBody;
  readonly options: BodyOptions;
  /** Whether the command has a flag of this name. */
  readonly hasFlag: (flag: string) => boolean;
}

/** A body with answers in it, and the words that would have given them. */
interface Answered {
  readonly given: GivenBody;
  readonly words: readonly string[];
}

/**
 * Asks for one field that a body lacks, or where nothing is wrong with it for what is to be changed. Undefined where no
 * answer mends what is wrong.
 */
export async function askForFields(
  incomplete: Incomplete,
  problems: readonly Problem[],
  asking: Asking,
): Promise<Answered | undefined> {
  const { endpoint, options, hasFlag } = incomplete;
  const fields = askableFields(endpoint, options).filter(({ flag }) => hasFlag(flag));
  const next = nextField(fields, problems);
  if (problems.length && !next) return undefined;
  let { given } = incomplete;
  const words: string[] = [];
  for (const field of next ? [next] : await askWhatToChange(fields, asking)) {
    const check = (typed: string | boolean) => {
      const body = requestBody(endpoint, withAnswer(given, field, typed), options);
      return body.problems.find((problem) => isAbout(problem, field))?.message;
    };
    const answer = await askField(field, check, asking);
    given = withAnswer(given, field, answer);
    words.push(...flagWords(field.flag, answer));
  }
  return { given, words };
}

/** The flags for the fields that a body lacks, in the order of its declaration. */
export function lackingFlags(
  { endpoint, options, hasFlag }: Omit<Incomplete, 'given'>,
  problems: readonly Problem[],
): string[] {
  const fields = askableFields(endpoint, options).filter(({ flag }) => hasFlag(flag));
  return fields.filter((field) => problems.some((problem) => isLacking(field, problem))).map(({ flag }) => flag);
}

/** Whether a problem is that a field is missing, or the whole that it is a part of. */
const isLacking = ({ path }: FlagField, { code, field }: Problem): boolean =>
  code === 'missing_field' && (path === field || path.startsWith(`${field}.`));

/** Whether a problem is one of a field, or of something in it. */
const isAbout = ({ field }: Problem, { path }: FlagField): boolean =>
  field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);

/** The same body with what would have been typed for the flag of a field. */
function withAnswer(given: GivenBody, { path, schema }: FlagField, typed: string | boolean): GivenBody {
  const [field = '', member] = path.split('.');
  const answer = typedField(member ?? field, schema, typed);
  const problems = [...given.problems, ...answer.problems.map((problem) => ({ ...problem, field: path }))];
  if (member === undefined) return { ...given, problems, values: { ...given.values, ...answer.values } };
  return { ...given, problems, parts: { ...given.parts, [field]: { ...given.parts[field], ...answer.values } } };
}

/** The fields of an endpoint's body that a person can be asked for, members of fields in place of those. */
function askableFields(endpoint: Endpoint, { parts = {}, made = [] }: BodyOptions): FlagField[] {
  const fieldOf = (path: string, name: string, schema: v.GenericSchema): FlagField => ({
    path,
    flag: flagName(name),
    schema,
    shape: fieldShape(schema),
  });
  return Object.entries(endpoint.body?.entries ?? {})
    .filter(([name]) => !made.includes(name))
    .flatMap(([name, schema]) => {
      const members = Object.entries(parts[name] ?? {});
      if (members.length === 0) return [fieldOf(name, name, schema as v.GenericSchema)];
      return members.map(([member, each]) => fieldOf(`${name}.${member}`, member, each as v.GenericSchema));
    });
}

/**
 * The field to ask for next, if asking can mend all that is wrong: those that are always required go first, because
 * what else is required follows from them.
 */
function nextField(fields: readonly FlagField[], problems: readonly Problem[]): FlagField | undefined {
  const found = problems.map((problem) => fields.filter((field) => isLacking(field, problem)));
  if (found.some((each) => each.length === 0)) return undefined;
  const all = new Set(found.flat());
  return fields.find((field) => all.has(field) && field.shape.required) ?? fields.find((field) => all.has(field));
}

/** Asks for a field, with the kind of question that fits it. Gives what would have been typed for its flag. */
async function askField(
  { flag, shape }: FlagField,
  check: (typed: string | boolean) => string | undefined,
  asking: Asking,
): Promise<string | boolean> {
  const { kind, description, limits, words } = shape;
  const form = [limits, forms[kind] ?? ''].filter(Boolean).join(', ');
  const message = `${description}${form ? ` (${form})` : ''} (--${flag}):`;
  if (kind === 'boolean') return insist(() => confirm(message.replace(/:$/, '?'), asking), check, asking);
  if (kind === 'word') return insist(() => promptChoice(message, words.map(asChoice), asking), check, asking);
  const isList = kind === 'strings' || kind === 'integers';
  // An empty list on a command line would be a flag without a value.
  const typed = (text: string) => (isList && text.trim() === '' ? '[]' : text);
  const checkText: Check = (text) => (text.trim() === '' && !isList ? 'must not be empty' : check(typed(text)));
  return typed(await promptText(message, asking, checkText));
}

const forms: Partial<Record<FieldShape['kind'], string>> = {
  strings: 'commas between them',
  integers: 'commas between them',
  json: 'JSON, or @FILE',
};

/** Asks again for what cannot be checked while it is answered. */
async function insist<T extends string | boolean>(
  question: () => Promise<T>,
  check: (typed: T) => string | undefined,
  { terminal }: Asking,
): Promise<T> {
  for (;;) {
    const answer = await question();
    const wrong = check(answer);
    if (wrong === undefined) return answer;
    terminal.stderr.write(`That does not fit: ${wrong}\n`);
  }
}

/** Has the person choose what to change, of the fields that a command can. */
function askWhatToChange(fields: readonly FlagField[], asking: Asking): Promise<FlagField[]> {
  const choices = fields
    .filter(({ shape }) => !shape.notes.closingDown)
    .map((field) => ({ name: `${field.flag}: ${field.shape.description}`, value: field }));
  return promptSeveral('What is to change?', choices, asking);
}

/** A flag as it is typed. */
export function flagWords(flag: string, typed: string | boolean): string[] {
  if (typeof typed === 'boolean') return [typed ? `--${flag}` : `--no-${flag}`];
  return typed.startsWith('-') ? [`--${flag}=${typed}`] : [`--${flag}`, typed];
}

/** The command line that would have asked nothing, for a shell. `given` are the words that there were. */
export function wholeCommandLine(command: readonly string[], given: readonly string[], asked: AskedWords): string {
  const { args } = asked;
  const flags = asked.confirmed ? [...asked.flags, '--yes'] : asked.flags;
  const ended = given.includes('--');
  // What begins with a hyphen, and what follows --, would be taken for something else in any other place.
  if (ended || args.some((arg) => arg.startsWith('-')))
    return shellLine([...command, ...flags, ...given, ...(ended || args.length === 0 ? [] : ['--']), ...args]);
  return shellLine([...command, ...given, ...args, ...flags]);
}

/** Words for a POSIX shell. */
export const shellLine = (words: readonly string[]): string => words.map(quoted).join(' ');

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
