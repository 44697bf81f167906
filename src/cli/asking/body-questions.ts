/** Asks a person for the fields that a body lacks. It is loaded when somebody is asked. */
import type * as v from 'valibot';
import type { Endpoint } from '../../platform/endpoint.ts';
import type { Problem } from '../../platform/validate.ts';
import { type FieldShape, fieldShape } from '../field-shape.ts';
import { flagName } from '../fields.ts';
import { type BodyOptions, type GivenBody, requestBody } from '../request-body.ts';
import { typedField } from '../typed-fields.ts';
import { flagWords } from './command-line.ts';
import { type Asking, type Check, confirm, promptChoice, promptSeveral, promptText } from './prompts.ts';

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
 * answer mends what is wrong.
 */
export async function askForFields(
  incomplete: Incomplete,
  problems: readonly Problem[],
  asking: Asking,
): Promise<Answered | undefined> {
  const { endpoint, options } = incomplete;
  const fields = askableFields(incomplete);
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

/** The same body with what would have been typed for the flag of a field. */
function withAnswer(given: GivenBody, { path, schema }: FlagField, typed: string | boolean): GivenBody {
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
  const choices = words.map((word) => ({ name: word, value: word }));
  if (kind === 'word') return insist(() => promptChoice(message, choices, asking), check, asking);
  const isList = kind === 'strings' || kind === 'integers';
  // An empty list on a command line would be a flag without a value.
  const typed = (text: string) => (isList && text.trim() === '' ? '[]' : text);
  const checkText: Check = (text) => (text.trim() === '' && !isList ? 'must not be empty' : check(typed(text)));
  return typed(await promptText(message, asking, checkText));
}

const forms: Partial<Record<FieldShape['kind'], string>> = {
  strings: 'commas between them, Enter for none',
  integers: 'commas between them, Enter for none',
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
    .map((field) => ({ name: `${field.flag}: ${field.shape.description}`, short: field.flag, value: field }));
  return promptSeveral('What is to change?', choices, asking);
}
