import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import type { Column } from '../../output/table/columns.ts';
import { getLanguages } from '../../platform/endpoints/repos.ts';

export default class ReposLanguages extends ForgectlCommand<Record<string, number>> {
  static override summary = 'Show the languages of a repository';
  static override description = 'Shows the languages detected on the default branch with their size in bytes.';
  static override examples = examples({
    'Show the size and share of each language': 'forgectl repos languages acme/site',
    'Print the main language': "forgectl repos languages acme/site --jq 'to_entries | max_by(.value) | .key'",
  });
  static override requests = [getLanguages.route];
  static override args = { repo: repoArg() };

  protected override readonly columns: readonly Column<{ language: string; bytes: number; share: number }>[] = [
    { header: 'Language', get: 'language', as: 'name', priority: 1 },
    { header: 'Size', get: 'bytes', as: 'bytes', priority: 1 },
    { header: 'Share', get: 'share', as: 'percent', priority: 1, only: 'table' },
    { header: 'Share drawn', get: 'share', as: 'bar', only: 'table' },
  ];

  protected override readonly rowsOf = (languages: Record<string, number>) => {
    const total = Object.values(languages).reduce((sum, bytes) => sum + bytes, 0);
    return Object.entries(languages).map(([language, bytes]) => ({ language, bytes, share: bytes / total }));
  };

  async run() {
    const { args } = await this.parse(ReposLanguages);
    return this.call(getLanguages, { path: { ...args.repo } });
  }
}
