import { repoArg } from '../../cli/args.ts';
import { ForgectlCommand } from '../../cli/command.ts';
import { getLanguages } from '../../platform/endpoints/repos.ts';

export default class ReposLanguages extends ForgectlCommand<Record<string, number>> {
  static override summary = 'Show how many bytes of each language a repository holds';
  static override description =
    'Shows the languages that the platform found in the default branch, with the bytes of each.';
  static override examples = [
    { description: 'As a sheet', command: '<%= config.bin %> repos languages acme/site' },
    {
      description: 'The main language',
      command: "<%= config.bin %> repos languages acme/site --jq 'to_entries | max_by(.value) | .key'",
    },
  ];
  static override requests = [getLanguages.route];
  static override args = { repo: repoArg() };

  async run() {
    const { args } = await this.parse(ReposLanguages);
    return this.call(getLanguages, { path: { ...args.repo } });
  }
}
