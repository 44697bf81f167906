/** What creating a ruleset and changing one share. */
import type { Ruleset } from '../../platform/records.ts';
import { bodyOfRuleset } from '../../platform/ruleset.ts';
import { type Given, missing } from '../../platform/validate.ts';
import { ForgectlCommand } from '../command.ts';
import type { BodyPrompts } from '../request-body.ts';
import { rulesetColumns } from './ruleset-columns.ts';

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

export abstract class RulesetChangeCommand extends ForgectlCommand<Ruleset> {
  protected override readonly columns = rulesetColumns;

  /** `--input` takes what `rulesets get` printed: what only the platform sets is left out. */
  protected readonly fromInput = (ruleset: Given): Given => {
    const { body, readOnly } = bodyOfRuleset(ruleset);
    if (readOnly.length)
      this.notice(`Left out of what --input holds, because only the platform sets them: ${readOnly.join(', ')}.`);
    return body;
  };
}
