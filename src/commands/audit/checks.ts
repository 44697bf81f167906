import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { checks } from '../../foresight/audit/checks/index.ts';
import type { Column } from '../../output/table/columns.ts';
import { type CheckDescription, describeCheck } from '../../topics/audit/description.ts';

export default class AuditChecks extends ForgectlCommand<CheckDescription[]> {
  static override summary = 'List the checks of audits';
  static override description =
    `Lists all checks, with the requests and permissions that each needs, and the IDs of checks of other tools that judge the
same. Sends no requests and needs no login.`;
  static override examples = examples({
    'List the checks': 'forgectl audit checks',
    'Print the IDs of the most severe ones': `forgectl audit checks --jq '.[] | select(.severity == "high") | .id'`,
  });

  protected override readonly idField = 'id';
  protected override readonly recordsName = 'checks';
  protected override readonly columns: readonly Column<CheckDescription>[] = [
    { header: 'ID', get: 'id', as: 'name', priority: 1 },
    { header: 'Severity', get: 'severity', as: 'state', priority: 1 },
    { header: 'Scope', get: 'scope', priority: 2 },
    { header: 'Title', get: 'title', as: 'text', priority: 1 },
    { header: 'Requests', get: 'requests', as: 'count', priority: 3 },
    { header: 'Deep', get: 'deep', priority: 3 },
    { header: 'Permission', get: 'permission', as: 'text', priority: 3 },
  ];

  async run() {
    await this.parse(AuditChecks);
    return checks.map(describeCheck);
  }
}
