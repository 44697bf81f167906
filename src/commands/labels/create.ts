import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { invalidArgument, nameArg, repoArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { createLabel } from '../../platform/endpoints/labels.ts';
import type { Label } from '../../platform/records.ts';
import { labels } from '../../platform/resources/labels.ts';
import { labelColumns } from '../../topics/label-columns.ts';

const { name: _fromArgument, ...fields } = createLabel.body.entries;

export default class LabelsCreate extends ForgectlCommand<Label> {
  static override summary = 'Create a label in a repository';
  static override description =
    'Creates a label. Names are unique in a repository, whatever their case. Use “each repos” to create it in many repositories.';
  static override examples = examples({
    'Create a label': 'forgectl labels create acme/site security --color b60205 --description "Needs a fix now"',
    'Preview the requests for every repository of an organization':
      'forgectl each repos acme --dry-run -- labels create {} security --color b60205',
  });
  static override requests = [createLabel.route];
  static override args = { repo: repoArg(), name: nameArg('NAME', 'Label name') };
  static override flags = { ...fieldFlags(fields), ...inputFlags, ...writeFlags };

  protected override readonly columns = labelColumns;
  protected override readonly idField = 'name';

  async run() {
    const { args, flags } = await this.collect(LabelsCreate);
    const { body } = await this.inputFor(createLabel, flags, {
      resource: labels,
      body: { name: args.name ?? invalidArgument },
    });
    const { owner, repo } = this.valid(args).repo;
    const verifyCommand = `forgectl labels list ${owner}/${repo} --all`;
    return this.write(createLabel, { path: { owner, repo }, body }, { verifyCommand });
  }
}
