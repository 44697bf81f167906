import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { branchArg, repoArg } from '../../cli/input/args.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listBranchRules } from '../../platform/endpoints/rulesets.ts';
import type { AppliedRule } from '../../platform/records.ts';

export default class RulesetsCheck extends ForgectlCommand<Listing<AppliedRule>> {
  static override summary = 'List the active rules for a branch';
  static override description =
    `Lists every active rule for a branch name with its ruleset from the repository, the organization or the enterprise.
The branch need not exist. Rulesets with enforcement disabled or evaluate are not included.`;
  static override examples = examples({
    'List the rules for main': 'forgectl rulesets check acme/site main',
    'Print whether a branch requires signed commits': `forgectl rulesets check acme/site release/2.0 --all --jq 'any(.[]; .type == "required_signatures")'`,
  });
  static override requests = [listBranchRules.route];
  static override args = { repo: repoArg(), branch: branchArg() };
  static override flags = listFlags('.type == "deletion"');

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
