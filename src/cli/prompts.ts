/**
 * Questions to the person at the terminal. They stand on stderr, because stdout is for the result. Whether anyone may be
 * asked is for the command to know (`mayAsk`); inquirer is loaded when somebody is.
 */
import type { createPromptModule } from 'inquirer';
import { safeText } from '../output/safe-text.ts';
import { InterruptedError } from './errors.ts';
import type { Runtime } from './runtime.ts';

/** The part of a run's surroundings that a question needs. */
export type Asking = Pick<Runtime, 'stdin' | 'terminal'>;

type Prompt = ReturnType<typeof createPromptModule>;

/** Asks for a secret, which is shown as asterisks. Throws InterruptedError when the person ends the question instead. */
export function promptSecret(message: string, asking: Asking): Promise<string> {
  return ask(asking, async (prompt) => {
    const question = {
      type: 'password',
      name: 'answer',
      message: safeText(message),
      mask: '*',
      toggleMask: false,
    } as const;
    return (await prompt([question])).answer;
  });
}

/** Asks for a line of text. Throws InterruptedError as `promptSecret` does. */
export function promptText(message: string, asking: Asking): Promise<string> {
  return ask(
    asking,
    async (prompt) => (await prompt([{ type: 'input', name: 'answer', message: safeText(message) }])).answer,
  );
}

/** Asks for a yes or a no; Enter alone means no. Throws InterruptedError as `promptSecret` does. */
export function confirm(message: string, asking: Asking): Promise<boolean> {
  return ask(asking, async (prompt) => {
    return (await prompt([{ type: 'confirm', name: 'answer', message: safeText(message), default: false }])).answer;
  });
}

/**
 * Has the person type a name, to confirm what cannot be undone; true when it is the expected one. Names are compared as
 * the platform does, without regard to case. Throws InterruptedError as `promptSecret` does.
 */
export async function typeName(message: string, expected: string, asking: Asking): Promise<boolean> {
  const typed = await promptText(message, asking);
  return typed.trim().toLowerCase() === expected.toLowerCase();
}

async function ask<T>({ stdin, terminal }: Asking, question: (prompt: Prompt) => Promise<T>): Promise<T> {
  const { createPromptModule } = await import('inquirer');
  const ended = new AbortController();
  const end = () => ended.abort();
  // Ctrl-D closes the line reader, and inquirer would wait on for an answer. Closing pauses the input.
  stdin.once('pause', end);
  try {
    return await question(createPromptModule({ input: stdin, output: terminal.stderr, signal: ended.signal }));
  } catch (error) {
    if (error instanceof Error && endings.has(error.name)) throw new InterruptedError();
    throw error;
  } finally {
    stdin.off('pause', end);
  }
}

/** How inquirer tells that a question was ended without an answer: Ctrl-C, Ctrl-D. */
const endings = new Set(['ExitPromptError', 'AbortPromptError']);
