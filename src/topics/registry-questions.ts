/** What a person is asked for a private registry beyond what its declaration says. It is loaded when somebody is asked. */
import type { FieldQuestion } from '../cli/input/prompts/field-question.ts';
import { promptText } from '../cli/input/prompts/prompts.ts';

export const registryQuestions: Readonly<Record<string, FieldQuestion>> = {
  username: async ({ asking }) =>
    (await promptText('User name, Enter for none (--username):', asking)).trim() || undefined,
};
