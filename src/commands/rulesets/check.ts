import { ForgectlCommand } from '../../cli/command/command.ts';
import { branchArg, repoArg } from '../../cli/input/args.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listBranchRules } from '../../platform/endpoints/rulesets.ts';
import type { AppliedRule } from '../../platform/records.ts';

export default class RulesetsCheck extends ForgectlCommand<Listing<AppliedRule>> {
  static override summary = 'Show which rules hold for a branch';
  static override description =
    `Lists every active rule that applies to a branch of this name, with the ruleset it comes from: the repository’s, the organization’s or the
enterprise’s. The branch need not exist. Rulesets that are disabled or only evaluated do not count.`;
  static override examples = [
    { description: 'What holds for main', command: '<%= config.bin %> rulesets check acme/site main' },
    {
      description: 'Would a branch of this name need signed commits?',
      command: `<%= config.bin %> rulesets check acme/site release/2.0 --all --jq 'any(.[]; .type == "required_signatures")'`,
    },
  ];
  static override requests = [listBranchRules.route];
  static override args = { repo: repoArg(), branch: branchArg() };
  static override flags = listFlags;

  protected override readonly columns: readonly Column<AppliedRule>[] = [
    { header: 'Type', get: 'type', priority: 1 },
    { header: 'Ruleset', get: 'ruleset_id', priority: 1 },
    { header: 'Source', get: (rule) => `${rule.ruleset_source_type} ${rule.ruleset_source}`, as: 'text' },
    { header: 'Parameters', get: (rule) => inShort(rule.parameters), as: 'text', priority: 3 },
  ];
  protected override readonly recordsName = 'rules';
  protected override emptyText = '';
  protected override readonly idField = 'ruleset_id';

  async run() {
    const { args, flags } = await this.parse(RulesetsCheck);
    this.emptyText = `No active rule applies to ${args.branch}.`;
    return this.list(listBranchRules, { path: { ...args.repo, branch: args.branch } }, flags);
  }
}

/** `operator=contains negate=false allowed_merge_methods=merge,squash`; what is nested deeper stays JSON. */
const inShort = (parameters: AppliedRule['parameters']): string =>
  Object.entries(parameters ?? {})
    .map(([name, value]) => `${name}=${[value].flat().map(plain).join(',')}`)
    .join(' ');

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
