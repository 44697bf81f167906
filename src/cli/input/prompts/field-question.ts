/** Questions that a command has for fields whose declaration says too little about the possible answers. */
import type { Given } from '../../../platform/validate.ts';
import type { Asking, Check } from './prompt-types.ts';

/** What a question of a field’s own is asked with. */
export interface Asked {
  /** The body so far. */
  readonly body: Given;
  readonly check: Check;
  readonly asking: Asking;
}

/** Asks for one field. Gives what would be typed for its flag; undefined to leave out what is not required. */
export type FieldQuestion = (asked: Asked) => Promise<Answer | undefined>;

export type Answer = string | boolean;
