import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { SomeFailedError } from '../../cli/errors.ts';
import { optionalFolderArg } from '../../cli/input/args.ts';
import { whereFlag } from '../../cli/input/flags.ts';
import { Listing } from '../../cli/result/listing.ts';
import { counted } from '../../output/amounts.ts';
import type { Column } from '../../output/table/columns.ts';
import { journalsDirectory } from '../../topics/runs/journal-path.ts';
import { type UnfinishedRun, unfinishedRuns } from '../../topics/runs/unfinished-runs.ts';

export default class JournalList extends ForgectlCommand<Listing<UnfinishedRun>> {
  static override summary = 'List unfinished runs';
  static override description =
    `Lists the journals of runs of each, policy apply and properties set with targets that failed, are unknown or are
open, the latest first, and the command line that continues each of them. Other files are ignored. Nothing is sent, and
no login is needed.`;
  static override examples = examples({
    'List the unfinished runs on this machine': 'forgectl journal list',
    'Print the commands that resume the runs in a directory': `forgectl journal list . --jq '.[].continue_with'`,
  });
  static override args = { dir: optionalFolderArg('Directory with journals (default: the state directory)') };
  static override flags = whereFlag('.failed > 0');

  protected override readonly columns: readonly Column<UnfinishedRun>[] = [
    { header: 'Age', get: 'updated_at', as: 'age', priority: 1 },
    { header: 'Done', get: 'done', priority: 1 },
    { header: 'Failed', get: 'failed', priority: 1 },
    { header: 'Unknown', get: 'unknown', priority: 1 },
    { header: 'Open', get: 'open', priority: 1 },
    { header: 'Command', get: ({ command }) => command.join(' '), as: 'text', priority: 1 },
    { header: 'Journal', get: 'path', as: 'name', priority: 3 },
    { header: 'Continue with', get: 'continue_with', as: 'text', priority: 3 },
  ];
  protected override readonly idField = 'path';
  protected override readonly recordsName = 'runs';
  protected override emptyText = 'No unfinished runs.';

  async run() {
    const { args } = await this.parse(JournalList);
    const directory = args.dir ?? journalsDirectory(this.runtime);
    const { runs, problems } = await unfinishedRuns(directory, { mayBeMissing: args.dir === undefined });
    for (const problem of problems) this.notice(problem);
    if (problems.length)
      this.failure = new SomeFailedError(`${counted(problems.length, 'journal')} could not be read.`);
    // Tables have no room for whole command lines.
    const lines = this.runtime.terminal.stdoutIsTTY ? runs.map(({ continue_with }) => `  ${continue_with}`) : [];
    return Listing.of([...runs], lines.length ? { note: ['Continue with:', ...lines].join('\n') } : {});
  }
}
