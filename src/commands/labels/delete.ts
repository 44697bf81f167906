import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { nameArg, repoArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { deleteLabel, getLabel } from '../../platform/endpoints/labels.ts';
import { labelColumns } from '../../topics/label-columns.ts';

export default class LabelsDelete extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Delete a label';
  static override description =
    'Deletes a label. Issues and pull requests that have it lose it; a new label with its name does not restore that.';
  static override examples = examples({
    'Preview the request': 'forgectl labels delete acme/site wontfix --dry-run',
    'Delete without confirmation': 'forgectl labels delete acme/site "help wanted" --yes',
  });
  static override requests = [deleteLabel.route];
  static override args = { repo: repoArg(), name: nameArg('NAME', 'Label name') };
  static override flags = confirmedWriteFlags;

  async run() {
    const { args } = await this.parse(LabelsDelete);
    const { repo, name } = args;
    const target = `${repo.owner}/${repo.repo}`;
    const input = { path: { ...repo, name } };
    const preview = async () => ({ record: await this.call(getLabel, input), columns: labelColumns });
    return this.remove(deleteLabel, input, {
      name,
      effect: `deletes label ${name} of ${target}`,
      verifyCommand: `forgectl labels list ${target} --all`,
      done: `Deleted label ${name} of ${target}.`,
      preview,
    });
  }
}
