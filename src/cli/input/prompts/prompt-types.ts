/** Types shared by the prompts and their implementations. */
import type { Runtime } from '../../runtime.ts';

/** The part of the runtime that a prompt needs. */
export type PromptTerminal = Pick<Runtime, 'stdin' | 'terminal'>;

/** Returns the problem with an answer, worded to follow the name of the field; undefined if it is valid. */
export type Check = (answer: string) => string | undefined;

export interface Choice<T> {
  readonly name: string;
  /** A shorter name, shown after the choice. */
  readonly short?: string;
  readonly value: T;
}

/**
 * The kinds of prompts. Invalid answers are prompted for again. `current` is the answer for Enter. All reject with
 * InterruptedError.
 */
export interface Prompts {
  readonly text: (message: string, check: Check, current: string) => Promise<string>;
  readonly secret: (message: string, check: Check) => Promise<string>;
  readonly choice: <T>(message: string, choices: readonly Choice<T>[], current: T | undefined) => Promise<T>;
  /** At least one, unless there are `current` ones. */
  readonly several: <T>(message: string, choices: readonly Choice<T>[], current?: readonly T[]) => Promise<T[]>;
  readonly confirm: (message: string, current: boolean) => Promise<boolean>;
}
