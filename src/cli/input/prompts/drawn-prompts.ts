/** Prompts drawn by inquirer: choices with arrow keys, and editable answers. */
import { styleText } from 'node:util';
import { createPromptModule } from 'inquirer';
import { cut, widthOf } from '../../../output/table/width.ts';
import { InterruptedError } from '../../errors.ts';
import type { Check, Choice, Prompts, PromptTerminal } from './prompt-types.ts';

type Prompt = ReturnType<typeof createPromptModule>;

/** Longer lists scroll and show their length, because nothing else indicates that more choices follow. */
const pageSize = 12;

function listing(length: number) {
  const keysHelpTip = (keys: readonly (readonly [key: string, action: string])[]) =>
    [...keys.map(([key, action]) => `${styleText('bold', key)} ${styleText('dim', action)}`), `${length} choices`].join(
      styleText('dim', ' • '),
    );
  return { pageSize, loop: false, ...(length > pageSize ? { theme: { style: { keysHelpTip } } } : {}) };
}

/** Prompts for a terminal that can be drawn on. */
export function drawnPrompts(asking: PromptTerminal): Prompts {
  return {
    text: (message, check, current) =>
      ask(asking, async (prompt) => {
        const validate = (answer: string) => check(answer) ?? true;
        const shown = { transformer: colouring(check), default: current, prefill: 'editable' } as const;
        return (await prompt([{ type: 'input', name: 'answer', message, validate, ...shown }])).answer;
      }),
    secret: (message, check) =>
      ask(asking, async (prompt) => {
        const validate = (answer: string) => check(answer) ?? true;
        const looks = { mask: '*', toggleMask: false } as const;
        return (await prompt([{ type: 'password', name: 'answer', message, validate, ...looks }])).answer;
      }),
    choice: (message, choices, current) =>
      ask(asking, async (prompt) => {
        const looks = { choices: await inOneLine(choices, asking), ...listing(choices.length) } as const;
        const place = choices.findIndex(({ value }) => value === current);
        const start = current === undefined || place < 0 ? {} : { default: place };
        const { answer } = await prompt([{ type: 'select', name: 'answer', message, ...looks, ...start }]);
        return chosen(choices, answer);
      }),
    several: (message, choices, current) =>
      ask(asking, async (prompt) => {
        const lines = await inOneLine(choices, asking);
        const { theme, ...list } = listing(choices.length);
        const renderSelectedChoices = await answerIn(message, choices, asking);
        const looks = {
          choices: lines.map((line) => ({ ...line, checked: current?.includes(chosen(choices, line.value)) ?? false })),
          ...list,
          theme: { style: { ...theme?.style, renderSelectedChoices } },
          required: current === undefined,
        } as const;
        const { answer } = await prompt([{ type: 'checkbox', name: 'answer', message, ...looks }]);
        return (answer as number[]).map((index) => chosen(choices, index));
      }),
    confirm: (message, current) =>
      ask(
        asking,
        async (prompt) => (await prompt([{ type: 'confirm', name: 'answer', message, default: current }])).answer,
      ),
  };
}

/** The maximum width that inquirer puts before a choice: an arrow, a box and spaces. */
const marks = 4;

/**
 * Choices of one line each: inquirer would break longer ones inside a word. It returns the positions of choices,
 * because it does not accept undefined values.
 */
async function inOneLine(choices: readonly Choice<unknown>[], { terminal }: PromptTerminal) {
  const columns = terminal.stderrColumns - marks;
  const width = await widthOf(choices.map(({ name }) => name));
  const fitted = (text: string) => (width(text) > columns ? cut(text, columns, width)[0] : text);
  const alike = Map.groupBy(choices, ({ name }) => fitted(name));
  return choices.map(({ name, short = name }, value) => {
    const others = alike.get(fitted(name)) ?? [];
    const same = sameBeginning(others.map((other) => other.name));
    // Choices that look the same once they are cut show where they differ.
    const text = same < name.length ? cut(name, Math.floor(columns / 2), width)[0] + name.slice(same) : name;
    return { name: fitted(text), short, value };
  });
}

/** Returns the length of what several texts begin with; that of the text if there is one, or if they are equal. */
function sameBeginning([first = '', ...others]: readonly string[]): number {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return length;
}

/** Returns a function that shows selected choices after the message: their number, if their names do not fit. */
async function answerIn(message: string, choices: readonly Choice<unknown>[], { terminal }: PromptTerminal) {
  const width = await widthOf([message, ...choices.map(({ name, short = name }) => short)]);
  return (selected: readonly { readonly short: string }[]): string => {
    const text = selected.map(({ short }) => short).join(', ');
    const fits = marks + width(message) + width(text) <= terminal.stderrColumns;
    return fits ? text : `${selected.length} of ${choices.length}`;
  };
}

const chosen = <T>(choices: readonly { readonly value: T }[], index: number): T =>
  (choices[index] as { readonly value: T }).value;

/** Shows invalid answers in red while they are typed. Files are read only once their name is complete. */
const colouring =
  (check: Check) =>
  (answer: string, { isFinal }: { readonly isFinal?: boolean }): string => {
    if (isFinal) return styleText('cyan', answer);
    return answer === '' || answer.startsWith('@') || check(answer) === undefined ? answer : styleText('red', answer);
  };

async function ask<T>({ stdin, terminal }: PromptTerminal, question: (prompt: Prompt) => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const end = () => ended.abort();
  // Ctrl-D closes the line reader, but inquirer would keep waiting. Closing pauses the input.
  stdin.once('pause', end);
  // Lists hide the cursor, and show it again only on normal completion.
  const showCursor = () => terminal.stderr.write('\x1b[?25h');
  process.once('exit', showCursor);
  try {
    return await question(createPromptModule({ input: stdin, output: terminal.stderr, signal: ended.signal }));
  } catch (error) {
    if (error instanceof Error && endings.has(error.name)) throw new InterruptedError();
    throw error;
  } finally {
    stdin.off('pause', end);
    process.off('exit', showCursor);
  }
}

/** The errors of inquirer for a prompt ended without an answer: Ctrl-C, Ctrl-D. */
const endings = new Set(['ExitPromptError', 'AbortPromptError']);
