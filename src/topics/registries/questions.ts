/** Prompts for a private registry beyond those of its declaration. Loaded only for prompts. */
import type { FieldQuestion } from '../../cli/input/prompts/field-question.ts';
import { promptText } from '../../cli/input/prompts/prompts.ts';

export const registryQuestions: Readonly<Record<string, FieldQuestion>> = {
  username: async ({ asking }) =>
    (await promptText('Username, or Enter for none (--username):', asking)).trim() || undefined,
};
