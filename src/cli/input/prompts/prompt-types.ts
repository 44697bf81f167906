/** What questions and those who draw them share. */
import type { Runtime } from '../../runtime.ts';

/** The part of a run's surroundings that a question needs. */
export type Asking = Pick<Runtime, 'stdin' | 'terminal'>;

/** What is wrong with an answer, said so that it can follow the name of what was asked for; undefined where nothing is. */
export type Check = (answer: string) => string | undefined;

export interface Choice<T> {
  readonly name: string;
  /** What it is called once it is chosen, where that is less. */
  readonly short?: string;
  readonly value: T;
}

/**
 * The ways to ask. An answer that a check does not take is asked for again. `current` is the answer that Enter gives. All
 * reject with InterruptedError.
 */
export interface Prompts {
  readonly text: (message: string, check: Check, current: string) => Promise<string>;
  readonly secret: (message: string, check: Check) => Promise<string>;
  readonly choice: <T>(message: string, choices: readonly Choice<T>[], current: T | undefined) => Promise<T>;
  readonly several: <T>(message: string, choices: readonly Choice<T>[]) => Promise<T[]>;
  readonly confirm: (message: string, current: boolean) => Promise<boolean>;
}
