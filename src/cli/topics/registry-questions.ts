/** What a person is asked for a private registry beyond what its declaration says. It is loaded when somebody is asked. */
import type { FieldQuestion } from '../asking/body-questions.ts';
import { promptText } from '../asking/prompts.ts';

export const registryQuestions: Readonly<Record<string, FieldQuestion>> = {
  username: async ({ asking }) =>
    (await promptText('User name, Enter for none (--username):', asking)).trim() || undefined,
};
