/** The questions of a ruleset that is created by prompts. */

import type { BodyPrompts } from '../cli/input/request-body.ts';
import { missing } from '../platform/validate.ts';

/** What a ruleset that is created by prompts must have to do anything. */
export const rulesetPrompts = (ofOrganization: boolean): BodyPrompts => ({
  lacks: ({ target, conditions, rules }) => [
    // Rulesets for pushes apply to all of a repository.
    ...(conditions === undefined && (ofOrganization || target !== 'push') ? [missing('conditions')] : []),
    // The rules of rulesets for repositories are none that this version knows.
    ...(rules === undefined && target !== 'repository' ? [missing('rules')] : []),
  ],
  questions: async () => (await import('./ruleset-questions.ts')).rulesetQuestions(ofOrganization),
});
