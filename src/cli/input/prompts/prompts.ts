/**
 * Prompts on stderr, because stdout is for the result. The command decides whether prompts are allowed (`canPrompt`); the
 * code that draws them is loaded for the first one.
 */
import { masked } from '../../../client/redact.ts';
import { safeText } from '../../../output/safe-text.ts';
import { wrapped } from '../../word-wrap.ts';
import { BadValue } from '../values.ts';
import { countPrompt } from './count.ts';
import type { Check, Choice, Prompts, PromptTerminal } from './prompt-types.ts';

/** Prompts are not written as messages, which mask secrets themselves. */
const shownText = (text: string): string => safeText(masked(text));

const anything: Check = () => undefined;

/** Returns a check that converts the answer with a function that throws BadValue. */
export const checkWith =
  (convert: (text: string) => unknown): Check =>
  (answer) => {
    try {
      convert(answer);
      return undefined;
    } catch (error) {
      if (error instanceof BadValue) return error.message;
      throw error;
    }
  };

/**
 * Prompts for a line of text, prefilled with the current value unless it cannot be shown whole on one line. Throws
 * InterruptedError if the prompt is ended, as all of these do.
 */
export async function promptText(
  message: string,
  asking: PromptTerminal,
  check = anything,
  current = '',
): Promise<string> {
  const isWhole = shownText(current) === current;
  return (await promptsOn(asking)).text(fitted(message, asking), safely(check, asking), isWhole ? current : '');
}

/** Prompts for a secret, echoed as asterisks. */
export async function promptSecret(message: string, asking: PromptTerminal, check = anything): Promise<string> {
  return (await promptsOn(asking)).secret(fitted(message, asking), safely(check, asking));
}

/** Prompts for one of several choices; Enter alone selects the current one. */
export async function promptChoice<T>(
  message: string,
  choices: readonly Choice<T>[],
  asking: PromptTerminal,
  current?: T,
): Promise<T> {
  return (await promptsOn(asking)).choice(fitted(message, asking), choices.map(safeChoice), current);
}

/** Prompts for one or more of several choices; for any number of them if some are `current`, which Enter alone selects. */
export async function promptSeveral<T>(
  message: string,
  choices: readonly Choice<T>[],
  asking: PromptTerminal,
  current?: readonly T[],
): Promise<T[]> {
  return (await promptsOn(asking)).several(fitted(message, asking), choices.map(safeChoice), current);
}

/** Prompts for yes or no; Enter means no, unless yes is the current answer. */
export async function confirm(message: string, asking: PromptTerminal, current = false): Promise<boolean> {
  return (await promptsOn(asking)).confirm(fitted(message, asking), current);
}

/**
 * Prompts for a name to confirm a deletion; true if it is an expected one. Names are compared case-insensitively, as
 * the platform does. An empty answer never matches.
 */
export async function confirmByTypingName(
  message: string,
  expected: readonly string[],
  asking: PromptTerminal,
): Promise<boolean> {
  const typed = (await promptText(message, asking)).trim().toLowerCase();
  return typed !== '' && expected.some((name) => name.toLowerCase() === typed);
}

const safeChoice = <T>({ name, short = name, value }: Choice<T>): Choice<T> => ({
  name: shownText(name),
  short: shownText(short),
  value,
});

const safely =
  (check: Check, asking: PromptTerminal): Check =>
  (answer) => {
    const wrong = check(answer);
    return wrong === undefined ? undefined : fitted(wrong, asking);
  };

/** Columns that inquirer adds to a line at most: `? ` before it, ` (y/N) ` after it. */
const added = 9;

/** Wraps a message at words, because inquirer would break it inside a word. */
const fitted = (message: string, { terminal }: PromptTerminal): string =>
  wrapped(shownText(message), terminal.stderrColumns - added).join('\n');

async function promptsOn(asking: PromptTerminal): Promise<Prompts> {
  countPrompt(asking.stdin);
  if (asking.terminal.plain) return (await import('./plain-prompts.ts')).plainPrompts(asking);
  return (await import('./drawn-prompts.ts')).drawnPrompts(asking);
}
