import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listLabels } from '../../platform/endpoints/labels.ts';
import type { Label } from '../../platform/records.ts';
import { labelColumns } from '../../topics/label-columns.ts';

export default class LabelsList extends ForgectlCommand<Listing<Label>> {
  static override summary = 'List the labels of a repository';
  static override description =
    'Lists the labels that issues and pull requests of a repository can have, with their colors.';
  static override examples = examples({
    'List all labels': 'forgectl labels list acme/site --all',
    'Print the names of labels without a description':
      "forgectl labels list acme/site --all --jq '.[] | select(.description == null) | .name'",
  });
  static override requests = [listLabels.route];
  static override args = { repo: repoArg() };
  static override flags = listFlags('.default');

  protected override readonly columns = labelColumns;
  protected override readonly recordsName = 'labels';
  protected override readonly idField = 'name';

  async run() {
    const { args, flags } = await this.parse(LabelsList);
    return this.list(listLabels, { path: { ...args.repo } }, flags);
  }
}
