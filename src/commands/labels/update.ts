import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { nameArg, repoArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { getLabel, updateLabel } from '../../platform/endpoints/labels.ts';
import type { Label } from '../../platform/records.ts';
import { labels } from '../../platform/resources/labels.ts';
import { labelColumns } from '../../topics/label-columns.ts';

export default class LabelsUpdate extends ForgectlCommand<Label> {
  static override summary = 'Update or rename a label';
  static override description =
    'Changes the name, color or description of a label. Issues and pull requests keep a label that is renamed.';
  static override examples = examples({
    'Rename a label': 'forgectl labels update acme/site bug --new-name defect',
    'Remove the description': 'forgectl labels update acme/site bug --description ""',
  });
  static override requests = [updateLabel.route];
  static override args = { repo: repoArg(), name: nameArg('NAME', 'Label name') };
  static override flags = { ...fieldFlags(updateLabel.body.entries), ...inputFlags, ...writeFlags };

  protected override readonly columns = labelColumns;
  protected override readonly idField = 'name';

  async run() {
    const { args, flags } = await this.collect(LabelsUpdate);
    const path = () => {
      const { repo, name } = this.valid(args);
      return { ...repo, name };
    };
    const { body } = await this.inputFor(updateLabel, flags, {
      resource: labels,
      changes: true,
      current: () => this.call(getLabel, { path: path() }),
    });
    const { owner, repo } = path();
    const verifyCommand = `forgectl labels list ${owner}/${repo} --all`;
    return this.write(updateLabel, { path: path(), body }, { verifyCommand });
  }
}
