/** What creating a ruleset and changing one share. */
import type { Ruleset } from '../../platform/records.ts';
import { bodyOfRuleset } from '../../platform/ruleset.ts';
import type { Given } from '../../platform/validate.ts';
import { ForgectlCommand } from '../command.ts';
import { rulesetColumns } from './ruleset-columns.ts';

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
