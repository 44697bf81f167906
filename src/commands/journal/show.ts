import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { fileArg } from '../../cli/input/args.ts';
import type { RunHeader } from '../../fleet/journal/lines.ts';
import { requireJournal } from '../../fleet/journal/read.ts';
import type { JournalCounts } from '../../fleet/journal/state.ts';
import type { Column } from '../../output/table/columns.ts';

interface ShownJournal extends RunHeader, JournalCounts {}

export default class JournalShow extends ForgectlCommand<ShownJournal> {
  static override summary = 'Show the progress of a run';
  static override description =
    `Counts the targets of a journal: done, failed, unknown (a write that got no response and may have happened) and
open (not started or not finished). Works while the run is in progress. Sends no requests and needs no login.`;
  static override examples = examples({
    'Show the progress of a run': 'forgectl journal show run.ndjson',
    'Print the targets that failed, for a script': 'forgectl journal show run.ndjson --jq .failed',
  });
  static override args = { file: fileArg('Journal file') };

  protected override readonly columns: readonly Column<ShownJournal>[] = [
    { header: 'Command', get: ({ kept_by, command }) => kept_by ?? command?.join(' ') },
    { header: 'Platform', get: 'platform' },
    { header: 'Shard', get: 'shard' },
    { header: 'Done', get: 'done' },
    { header: 'Failed', get: 'failed' },
    { header: 'Unknown', get: 'unknown' },
    { header: 'Open', get: 'open' },
  ];

  async run() {
    const { args } = await this.parse(JournalShow);
    const state = requireJournal(args.file);
    const { journal: _version, ...header } = state.header;
    return { ...header, ...state.counts() };
  }
}
