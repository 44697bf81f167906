/** Prompts as lines of plain text for screen readers: nothing is redrawn, and choices are numbered. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { InterruptedError } from '../../errors.ts';
import type { Check, Choice, Prompts, PromptTerminal } from './prompt-types.ts';

/** Prompts for a terminal that is read line by line. */
export function plainPrompts(asking: PromptTerminal): Prompts {
  return {
    text: (message, check, current) =>
      askUntilValid(asking, message, (answer) => validated(answer, check), { current }),
    secret: (message, check) => askUntilValid(asking, message, (answer) => validated(answer, check), { echo: hidden }),
    choice: (message, choices, current) => {
      tell(asking, [message, ...numbered(choices)]);
      const place = current === undefined ? 0 : choices.findIndex(({ value }) => value === current) + 1;
      const question = `Type a number from 1 to ${choices.length}${place > 0 ? `, Enter for ${place}` : ''}:`;
      return askUntilValid(asking, question, (answer) => {
        const choice = pick(choices, answer.trim() === '' ? String(place) : answer);
        return choice ? choice.value : new InvalidAnswer('That number is not in the list.');
      });
    },
    several: (message, choices, current) => {
      tell(asking, [message, ...numbered(choices)]);
      const places = current?.map((value) => choices.findIndex((choice) => choice.value === value) + 1).join(',');
      const shortcuts = places === undefined ? '' : `, Enter for ${places}, 0 for none`;
      const question = `Type numbers from 1 to ${choices.length}, separated by commas${shortcuts}:`;
      return askUntilValid(asking, question, (answer) => {
        if (current && answer.trim() === '') return [...current];
        if (current && answer.trim() === '0') return [];
        const picked = answer.split(',').map((number) => pick(choices, number));
        const known = picked.filter((choice) => choice !== undefined);
        if (known.length < picked.length) return new InvalidAnswer('Some of those numbers are not in the list.');
        return [...new Set(known)].map(({ value }) => value);
      });
    },
    confirm: (message, current) =>
      askUntilValid(asking, `${message} Type y or n${current ? ', Enter for y' : ''}:`, (answer) => {
        if (answer.trim() === '') return current;
        if (/^(n|no)$/i.test(answer.trim())) return false;
        return /^(y|yes)$/i.test(answer.trim()) || new InvalidAnswer('Type y or n.');
      }),
  };
}

const numbered = (choices: readonly Choice<unknown>[]) => choices.map(({ name }, index) => `${index + 1}. ${name}`);

const pick = <T>(choices: readonly Choice<T>[], number: string): Choice<T> | undefined =>
  /^\d+$/.test(number.trim()) ? choices[Number(number) - 1] : undefined;

/** The problem with an answer, as a message. */
class InvalidAnswer {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function validated(answer: string, check: Check): string | InvalidAnswer {
  const wrong = check(answer);
  return wrong === undefined ? answer : new InvalidAnswer(`Invalid answer: ${wrong}`);
}

interface LineOptions {
  /** The text prefilled in the line. */
  readonly current?: string;
  readonly echo?: NodeJS.WritableStream;
}

async function askUntilValid<T>(
  asking: PromptTerminal,
  question: string,
  parse: (answer: string) => T | InvalidAnswer,
  typing: LineOptions = {},
): Promise<T> {
  for (;;) {
    const parsed = parse(await line(asking, question, typing));
    if (!(parsed instanceof InvalidAnswer)) return parsed;
    tell(asking, [parsed.text]);
  }
}

const tell = ({ terminal }: PromptTerminal, lines: readonly string[]) =>
  lines.forEach((text) => void terminal.stderr.write(`${text}\n`));

/** Discards the echo of a secret. */
const hidden: NodeJS.WritableStream = new Writable({ write: (_chunk, _encoding, done) => done() });

/** Reads one line from the keyboard. Ctrl-C and Ctrl-D end it, and leave the cursor on an empty line. */
function line(
  { stdin, terminal }: PromptTerminal,
  question: string,
  { current = '', echo = terminal.stderr }: LineOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = createInterface({ input: stdin, output: echo, terminal: true, historySize: 0 });
    let answer: string | undefined;
    reader.once('close', () => {
      if (answer === undefined || echo === hidden) terminal.stderr.write('\n');
      if (answer === undefined) reject(new InterruptedError());
      else resolve(answer);
    });
    reader.once('SIGINT', () => reader.close());
    if (echo === hidden) terminal.stderr.write(`${question} `);
    reader.question(`${question} `, (typed) => {
      answer = typed;
      reader.close();
    });
    if (current !== '') reader.write(current);
  });
}
