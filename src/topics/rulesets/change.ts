/** Prompts for a new ruleset. */

import type { BodyPrompts } from '../../cli/input/request-body.ts';
import { missing } from '../../platform/validate.ts';

/** The values that prompts require for a new ruleset to have an effect. */
export const rulesetPrompts = (ofOrganization: boolean): BodyPrompts => ({
  lacks: ({ target, conditions, rules }) => [
    // Push rulesets apply to the whole repository.
    ...(conditions === undefined && (ofOrganization || target !== 'push') ? [missing('conditions')] : []),
    // The rule types of repository rulesets are not known to this version.
    ...(rules === undefined && target !== 'repository' ? [missing('rules')] : []),
  ],
  questions: async () => (await import('./questions.ts')).rulesetQuestions(ofOrganization),
});
