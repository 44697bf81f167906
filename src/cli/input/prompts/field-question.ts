/** Prompts of a command for fields whose declarations do not describe the possible answers. */
import type { Given } from '../../../platform/validate.ts';
import type { Check, PromptTerminal } from './prompt-types.ts';

/** The context of a field's own prompt. */
export interface Asked {
  /** The body so far. */
  readonly body: Given;
  readonly check: Check;
  readonly asking: PromptTerminal;
}

/** Prompts for one field. Returns the value for its flag; undefined to omit an optional field. */
export type FieldQuestion = (asked: Asked) => Promise<Answer | undefined>;

export type Answer = string | boolean;
