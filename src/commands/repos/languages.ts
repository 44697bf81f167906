import { ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import type { Column } from '../../output/table/columns.ts';
import { getLanguages } from '../../platform/endpoints/repos.ts';

export default class ReposLanguages extends ForgectlCommand<Record<string, number>> {
  static override summary = 'Show how many bytes of each language a repository holds';
  static override description =
    'Shows the languages that the platform found in the default branch, with the bytes of each.';
  static override examples = [
    { description: 'A row for each language', command: '<%= config.bin %> repos languages acme/site' },
    {
      description: 'The main language',
      command: "<%= config.bin %> repos languages acme/site --jq 'to_entries | max_by(.value) | .key'",
    },
  ];
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
