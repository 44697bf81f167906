import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { branchArg, repoArg } from '../../cli/input/args.ts';
import { asRuleset, type ProtectionAsRuleset } from '../../foresight/classic-protection.ts';
import type { Column } from '../../output/table/columns.ts';
import { getBranchProtection } from '../../platform/endpoints/branches.ts';
import type { BranchProtection } from '../../platform/records.ts';
import { protectionColumns, translationColumns } from '../../topics/repos/protection-columns.ts';

export default class ReposProtection extends ForgectlCommand<BranchProtection | ProtectionAsRuleset> {
  static override summary = 'Show the classic protection of a branch';
  static override description =
    `Shows the classic protection of a branch; rulesets, which apply beside it, are listed by “rulesets check”. With
--as-ruleset, shows the equivalent ruleset, and with reasons what a ruleset cannot express: who may push, who may bypass
one rule alone, and most exceptions for administrators. The ruleset is never weaker than the protection. Exit code 3 for a
branch without classic protection.`;
  static override examples = examples({
    'Show the protection of a branch': 'forgectl repos protection acme/site develop',
    'Show the equivalent ruleset': 'forgectl repos protection acme/site develop --as-ruleset',
    'Save the ruleset for rulesets create':
      'forgectl repos protection acme/site develop --as-ruleset --jq .ruleset > ruleset.json',
  });
  static override requests = [getBranchProtection.route];
  static override args = { repo: repoArg(), branch: branchArg('Branch name') };
  static override flags = {
    'as-ruleset': Flags.boolean({ description: 'Show the equivalent ruleset, and what it cannot express' }),
  };

  // biome-ignore lint/suspicious/noExplicitAny: those of the ruleset with --as-ruleset
  protected override columns: readonly Column<any>[] = protectionColumns;

  async run() {
    const { args, flags } = await this.parse(ReposProtection);
    const { repo, branch } = args;
    const protection = await this.call(getBranchProtection, { path: { ...repo, branch } });
    if (!flags['as-ruleset']) return protection;
    this.columns = translationColumns;
    // In the list of losses, values no longer have the names that secrets are masked by.
    const masked = (await this.output.valueOf(protection)) as typeof protection;
    const translation = asRuleset(branch, { ...masked });
    const { length } = translation.losses;
    if (length > 0)
      this.closing.push(`The ruleset does not say ${length} ${length === 1 ? 'part' : 'parts'} of the protection.`);
    return translation;
  }
}
