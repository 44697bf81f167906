import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { plainNameArg } from '../../cli/input/args.ts';
import { checks } from '../../foresight/audit/checks/index.ts';
import type { Column } from '../../output/table/columns.ts';
import { didYouMean } from '../../platform/suggest.ts';
import { type CheckDescription, describeCheck } from '../../topics/audit/description.ts';

export default class AuditExplain extends ForgectlCommand<CheckDescription> {
  static override summary = 'Explain a check of audits';
  static override description =
    `Shows why a check matters, what it reads, the permissions that it needs, and the limits that audit.yaml can change. Sends no
requests and needs no login.`;
  static override examples = examples({
    'Explain a check': 'forgectl audit explain two-factor-required',
    'Open the documentation that it is about': `forgectl audit explain base-permission --jq '.documents[0]'`,
  });
  static override args = { id: plainNameArg('ID', 'ID of the check') };

  protected override readonly columns: readonly Column<CheckDescription>[] = [
    { header: 'ID', get: 'id', as: 'name' },
    { header: 'Title', get: 'title', as: 'message' },
    { header: 'Severity', get: 'severity', as: 'state' },
    { header: 'Description', get: 'description', as: 'message' },
    { header: 'Scope', get: 'scope' },
    { header: 'Requests', get: ({ reads }) => reads.join(', '), as: 'message' },
    { header: 'Permission', get: 'permission', as: 'message' },
    { header: 'Deep', get: 'deep' },
    {
      header: 'Limits',
      get: ({ thresholds }) =>
        thresholds.map(({ name, default: value, description }) => `${name}: ${value} (${description})`).join(', '),
      as: 'message',
    },
    { header: 'Documents', get: ({ documents }) => documents.join(' '), as: 'message' },
    { header: 'Legitify', get: ({ maps }) => maps.legitify.join(', '), as: 'message', optional: true },
    { header: 'Steampipe', get: ({ maps }) => maps.steampipe.join(', '), as: 'message', optional: true },
    { header: 'Scorecard', get: ({ maps }) => maps.scorecard.join(', '), as: 'message', optional: true },
  ];

  async run() {
    const { args } = await this.parse(AuditExplain);
    const check = checks.find(({ id }) => id === args.id);
    if (check) return describeCheck(check);
    const ids = checks.map(({ id }) => id);
    throw new UsageError(
      `No check “${args.id}”${didYouMean(args.id, ids)}.`,
      'List the checks with: forgectl audit checks',
    );
  }
}
