/** Asks a person for the fields that a body lacks. It is loaded when somebody is asked. */
import { isDeepStrictEqual } from 'node:util';
import type * as v from 'valibot';
import type { Endpoint } from '../../../platform/endpoint.ts';
import type { Given, Problem } from '../../../platform/validate.ts';
import { UsageError } from '../../errors.ts';
import { type FieldShape, fieldShape } from '../field-shape.ts';
import { flagName } from '../fields.ts';
import { type BodyOptions, type GivenBody, requestBody } from '../request-body.ts';
import { typedField } from '../typed-fields.ts';
import { flagWords } from './command-line.ts';
import type { Answer } from './field-question.ts';
import type { Asking, Check } from './prompt-types.ts';
import { confirm, promptChoice, promptSeveral, promptText } from './prompts.ts';

/** A field of a body that a flag gives. */
interface FlagField {
  /** Its path in the body, as problems have it; of a member of a field with the field's name before it. */
  readonly path: string;
  readonly flag: string;
  readonly schema: v.GenericSchema;
  readonly shape: FieldShape;
}

/** What a body is made of, and with which flags. */
interface Making {
  readonly endpoint: Endpoint;
  readonly options: BodyOptions;
  /** The flags of the command, by name. */
  readonly flags: object;
}

/** A body that is not complete yet. */
export interface Incomplete extends Making {
  readonly given: GivenBody;
}

/** A body with answers in it, and the words that would have given them. */
interface Answered {
  readonly given: GivenBody;
  readonly words: readonly string[];
}

/**
 * Asks for one field that a body lacks, or where nothing is wrong with it for what is to be changed. Undefined where no
 * answer mends what is wrong. Questions start from the values of `current`, the record to be changed; an answer that equals
 * its value is left out. Throws UsageError where all of them do.
 */
export async function askForFields(
  incomplete: Incomplete,
  problems: readonly Problem[],
  asking: Asking,
  current?: object,
): Promise<Answered | undefined> {
  const { endpoint, options } = incomplete;
  const fields = askableFields(incomplete);
  const next = nextField(fields, problems);
  if (problems.length && !next) return undefined;
  const questions = (await options.prompts?.questions()) ?? {};
  let { given } = incomplete;
  const words: string[] = [];
  for (const field of next ? [next] : await askWhatToChange(fields, asking)) {
    given = { ...given, asked: [...(given.asked ?? []), field.path] };
    const before = given;
    const check = (typed: Answer) => {
      const body = requestBody(endpoint, withAnswer(before, field, typed), options);
      return body.problems.find((problem) => isAbout(problem, field))?.message;
    };
    const question = questions[field.path];
    const value = valueAt(current, field.path);
    const answer = question
      ? await question({
          body: requestBody(endpoint, given, options).values,
          check,
          asking,
        })
      : await askField(field, check, asking, answerFor(value, field.shape));
    if (answer === undefined || isDeepStrictEqual(answerValue(field, answer), value)) continue;
    given = withAnswer(given, field, answer);
    words.push(...flagWords(field.flag, answer));
  }
  if (current && words.length === 0)
    throw new UsageError('No changes: every answer equals the current value. Nothing was sent.');
  return { given, words };
}

/** The flags for the fields that a body lacks, in the order of its declaration. */
export function lackingFlags(making: Making, problems: readonly Problem[]): string[] {
  const lacking = askableFields(making).filter((field) => problems.some((problem) => isLacking(field, problem)));
  return lacking.map(({ flag }) => flag);
}

/** Whether a problem is that a field is missing, or the whole that it is a part of. */
const isLacking = ({ path }: FlagField, { code, field }: Problem): boolean =>
  code === 'missing_field' && (path === field || path.startsWith(`${field}.`));

/** Whether a problem is one of a field, or of something in it. */
const isAbout = ({ field }: Problem, { path }: FlagField): boolean =>
  field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);

const valueAt = (record: object | undefined, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Given | null | undefined)?.[name], record);

/** Returns the value that an answer gives the field. */
const answerValue = ({ path, schema }: FlagField, answer: Answer): unknown =>
  typedField(path, schema, answer).values[path];

/** Returns what would be typed for the flag to give this value; undefined where there is none. */
function answerFor(value: unknown, { kind }: FieldShape): Answer | undefined {
  if (value === undefined || value === null) return undefined;
  if (kind === 'boolean') return value === true;
  const isList = kind === 'strings' || kind === 'integers';
  if (isList && Array.isArray(value) && !value.some((element) => String(element).includes(','))) return value.join(',');
  return isList || kind === 'json' ? JSON.stringify(value) : String(value);
}

/** The same body with what would have been typed for the flag of a field. */
function withAnswer(given: GivenBody, { path, schema }: FlagField, typed: Answer): GivenBody {
  const [field = '', member] = path.split('.');
  const answer = typedField(member ?? field, schema, typed);
  const problems = [...given.problems, ...answer.problems.map((problem) => ({ ...problem, field: path }))];
  if (member === undefined) return { ...given, problems, values: { ...given.values, ...answer.values } };
  return { ...given, problems, parts: { ...given.parts, [field]: { ...given.parts[field], ...answer.values } } };
}

/** The fields of a body that flags of the command give, members of fields in place of those. */
function askableFields({ endpoint, options: { parts = {}, made = [] }, flags }: Making): FlagField[] {
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
    })
    .filter(({ flag }) => Object.hasOwn(flags, flag));
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

/** The question that a field’s declaration gives, with its flag. */
function messageFor({ flag, shape: { description, limits, kind } }: FlagField): string {
  const form = [limits, forms[kind] ?? ''].filter(Boolean).join(', ');
  return `${description}${form ? ` (${form})` : ''} (--${flag}):`;
}

/**
 * Asks for a field, with the kind of question that fits it, and starts from the current answer. Gives what would have been
 * typed for its flag.
 */
async function askField(
  field: FlagField,
  check: (typed: Answer) => string | undefined,
  asking: Asking,
  current: Answer | undefined,
): Promise<Answer> {
  const { kind, words } = field.shape;
  const message = messageFor(field);
  if (kind === 'boolean')
    return insist(() => confirm(message.replace(/:$/, '?'), asking, current === true), check, asking);
  const text = typeof current === 'string' ? current : undefined;
  const choices = words.map((word) => ({ name: word, value: word }));
  if (kind === 'word') return insist(() => promptChoice(message, choices, asking, text), check, asking);
  const isList = kind === 'strings' || kind === 'integers';
  // An empty list on a command line would be a flag without a value.
  const typed = (answer: string) => (isList && answer.trim() === '' ? '[]' : answer);
  // What has a text may lose it.
  const mayBeEmpty = isList || (kind === 'string' && text !== undefined);
  const checkText: Check = (answer) =>
    answer.trim() === '' && !mayBeEmpty ? 'must not be empty' : check(typed(answer));
  return typed(await promptText(message, asking, checkText, text));
}

const forms: Partial<Record<FieldShape['kind'], string>> = {
  strings: 'comma-separated, Enter for none',
  integers: 'comma-separated, Enter for none',
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
    terminal.stderr.write(`Invalid answer: ${wrong}\n`);
  }
}

/** Has the person choose what to change, of the fields that a command can. */
function askWhatToChange(fields: readonly FlagField[], asking: Asking): Promise<FlagField[]> {
  const choices = fields
    .filter(({ shape }) => !shape.notes.closingDown)
    .map((field) => ({ name: `${field.flag}: ${field.shape.description}`, short: field.flag, value: field }));
  return promptSeveral('Fields to change:', choices, asking);
}
