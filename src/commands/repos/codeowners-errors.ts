import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import type { Column } from '../../output/table/columns.ts';
import { listCodeownersErrors } from '../../platform/endpoints/repos.ts';
import type { CodeownersError } from '../../platform/records.ts';

export default class ReposCodeownersErrors extends ForgectlCommand<CodeownersError[]> {
  static override summary = 'List the errors in a repository’s CODEOWNERS file';
  static override description =
    'Lists invalid lines with their location and a suggested fix. The list is empty without errors.';
  static override examples = examples({
    'Check the default branch': 'forgectl repos codeowners-errors acme/site',
    'Check another branch': 'forgectl repos codeowners-errors acme/site --ref develop',
  });
  static override requests = [listCodeownersErrors.route];
  static override args = { repo: repoArg() };
  static override flags = queryFlags(listCodeownersErrors.query);

  protected override readonly columns: readonly Column<CodeownersError>[] = [
    { header: 'Path', get: 'path', as: 'name', priority: 1 },
    { header: 'Line', get: 'line', priority: 1 },
    { header: 'Column', get: 'column', priority: 3 },
    { header: 'Kind', get: 'kind', priority: 1 },
    { header: 'Source', get: 'source', as: 'text' },
    { header: 'Suggestion', get: 'suggestion', as: 'text', priority: 3 },
  ];
  protected override readonly recordsName = 'errors';

  async run() {
    const { args, flags } = await this.collect(ReposCodeownersErrors);
    const input = await this.inputFor(listCodeownersErrors, flags);
    return this.call(listCodeownersErrors, { path: { ...this.valid(args).repo }, ...input });
  }
}
