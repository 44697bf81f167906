/** Prompts for the missing fields of a body. Loaded for the first prompt. */
import { isDeepStrictEqual } from 'node:util';
import type * as v from 'valibot';
import { asText } from '../../../json/exact-json.ts';
import type { Endpoint } from '../../../platform/endpoint.ts';
import type { Given, Problem } from '../../../platform/validate.ts';
import { UsageError } from '../../errors.ts';
import { type FieldShape, fieldShape } from '../field-shape.ts';
import { flagName } from '../fields.ts';
import { type BodyOptions, type GivenBody, requestBody } from '../request-body.ts';
import { typedField } from '../typed-fields.ts';
import { flagWords } from './command-line.ts';
import type { Answer } from './field-question.ts';
import type { Check, PromptTerminal } from './prompt-types.ts';
import { confirm, promptChoice, promptSeveral, promptText } from './prompts.ts';

/** A field of a body that a flag gives. */
interface FlagField {
  /** Its path in the body, as in problems; for a field of an object, prefixed with the object's name. */
  readonly path: string;
  readonly flag: string;
  readonly schema: v.GenericSchema;
  readonly shape: FieldShape;
}

/** The parts of a body, and its flags. */
interface BodyDraft {
  readonly endpoint: Endpoint;
  readonly options: BodyOptions;
  /** The flags of the command, by name. */
  readonly flags: object;
}

export interface Incomplete extends BodyDraft {
  readonly given: GivenBody;
}

/** A body with the answers, and the equivalent flags. */
interface Answered {
  readonly given: GivenBody;
  readonly words: readonly string[];
}

/**
 * Prompts for one missing field, or for the fields to change if nothing is wrong. Returns undefined if no answer fixes
 * the problems. Prompts start from the values of `current`, the record to change; unchanged answers are omitted. Throws
 * UsageError if all are unchanged.
 */
export async function askForFields(
  incomplete: Incomplete,
  problems: readonly Problem[],
  asking: PromptTerminal,
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

/** Returns the flags for the fields that a body lacks, in declaration order. */
export function lackingFlags(draft: BodyDraft, problems: readonly Problem[]): string[] {
  const lacking = askableFields(draft).filter((field) => problems.some((problem) => isLacking(field, problem)));
  return lacking.map(({ flag }) => flag);
}

/** Returns whether a problem is that a field, or the object that contains it, is missing. */
const isLacking = ({ path }: FlagField, { code, field }: Problem): boolean =>
  code === 'missing_field' && (path === field || path.startsWith(`${field}.`));

/** Returns whether a problem concerns a field or something in it. */
const isAbout = ({ field }: Problem, { path }: FlagField): boolean =>
  field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);

const valueAt = (record: object | undefined, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Given | null | undefined)?.[name], record);

const answerValue = ({ path, schema }: FlagField, answer: Answer): unknown =>
  typedField(path, schema, answer).values[path];

/** Returns the flag value for this value; undefined if there is none. */
function answerFor(value: unknown, { kind }: FieldShape): Answer | undefined {
  if (value === undefined || value === null) return undefined;
  if (kind === 'boolean') return value === true;
  const isList = kind === 'strings' || kind === 'integers';
  const texts = isList && Array.isArray(value) ? value.map(asText) : [','];
  if (!texts.some((text) => text.includes(','))) return texts.join(',');
  return isList || kind === 'json' ? JSON.stringify(value) : asText(value);
}

/** Returns a copy of the body with the value of a flag. */
function withAnswer(given: GivenBody, { path, schema }: FlagField, typed: Answer): GivenBody {
  const [field = '', member] = path.split('.');
  const answer = typedField(member ?? field, schema, typed);
  const problems = [...given.problems, ...answer.problems.map((problem) => ({ ...problem, field: path }))];
  if (member === undefined) return { ...given, problems, values: { ...given.values, ...answer.values } };
  return { ...given, problems, parts: { ...given.parts, [field]: { ...given.parts[field], ...answer.values } } };
}

/**
 * Returns the fields of a body that flags of the command set; objects whose fields have flags are replaced by those
 * fields.
 */
function askableFields({ endpoint, options: { parts = {}, made = [] }, flags }: BodyDraft): FlagField[] {
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
 * Returns the next field to prompt for, if prompts can fix all problems. Fields that are always required come first,
 * because they determine which others are.
 */
function nextField(fields: readonly FlagField[], problems: readonly Problem[]): FlagField | undefined {
  const found = problems.map((problem) => fields.filter((field) => isLacking(field, problem)));
  if (found.some((each) => each.length === 0)) return undefined;
  const all = new Set(found.flat());
  return fields.find((field) => all.has(field) && field.shape.required) ?? fields.find((field) => all.has(field));
}

/** Returns the prompt from a field’s declaration, with its flag. */
function messageFor({ flag, shape: { description, limits, kind } }: FlagField): string {
  const form = [limits, forms[kind] ?? ''].filter(Boolean).join(', ');
  return `${description}${form ? ` (${form})` : ''} (--${flag}):`;
}

/** Prompts for a field in the form of its kind, starting from the current answer. Returns the value for its flag. */
async function askField(
  field: FlagField,
  check: (typed: Answer) => string | undefined,
  asking: PromptTerminal,
  current: Answer | undefined,
): Promise<Answer> {
  const { kind, words, notes } = field.shape;
  const message = messageFor(field);
  if (kind === 'boolean')
    return insist(() => confirm(message.replace(/:$/, '?'), asking, current === true), check, asking);
  const text = typeof current === 'string' ? current : undefined;
  const choices = words.map((word) => ({ name: word, value: word }));
  if (kind === 'word')
    return insist(() => promptChoice(message, choices, asking, text ?? notes.preselected), check, asking);
  const isList = kind === 'strings' || kind === 'integers';
  // An empty list on a command line would be a flag without a value.
  const typed = (answer: string) => (isList && answer.trim() === '' ? '[]' : answer);
  // An existing text may be cleared.
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

/** Prompts again for answers that can be checked only afterwards. */
async function insist<T extends string | boolean>(
  question: () => Promise<T>,
  check: (typed: T) => string | undefined,
  { terminal }: PromptTerminal,
): Promise<T> {
  for (;;) {
    const answer = await question();
    const wrong = check(answer);
    if (wrong === undefined) return answer;
    terminal.stderr.write(`Invalid answer: ${wrong}\n`);
  }
}

/** Prompts for the fields to change, of those the command can change. */
function askWhatToChange(fields: readonly FlagField[], asking: PromptTerminal): Promise<FlagField[]> {
  const choices = fields
    .filter(({ shape }) => !shape.notes.closingDown)
    .map((field) => ({ name: `${field.flag}: ${field.shape.description}`, short: field.flag, value: field }));
  return promptSeveral('Fields to change:', choices, asking);
}
