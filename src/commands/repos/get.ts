import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { webFlag } from '../../cli/input/flags.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';
import { repositoryDetails } from '../../topics/repos/details.ts';

export default class ReposGet extends ForgectlCommand<Repository> {
  static override summary = 'Show a repository';
  static override description =
    `Shows a repository’s settings, features and counts, and its security features if you may see them. A short-lived clone
token in the response is masked unless --show-secrets is given.`;
  static override examples = examples({
    'Show details': 'forgectl repos get acme/site',
    'Print only the ID': 'forgectl repos get acme/site --jq .id',
  });
  static override requests = [getRepository.route];
  static override args = { repo: repoArg() };
  static override flags = webFlag;

  protected override readonly details = repositoryDetails;
  protected override readonly idField = 'full_name';

  async run() {
    const { args } = await this.parse(ReposGet);
    return this.call(getRepository, { path: { ...args.repo } });
  }
}
