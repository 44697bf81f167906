import { ForgectlCommand } from '../../cli/command/command.ts';
import { fileArg } from '../../cli/input/args.ts';
import { requireJournal } from '../../fleet/journal/read.ts';
import type { JournalCounts } from '../../fleet/journal/state.ts';
import type { Column } from '../../output/table/columns.ts';

interface ShownJournal extends JournalCounts {
  readonly platform: string;
  /** The words of the command line that began the run, without its command, its journal and its shard. */
  readonly line?: readonly string[];
  /** The command that keeps the journal, unless that is each or policy apply. */
  readonly kept_by?: 'properties set';
  /** The words of the command that runs on each target, with secrets masked. */
  readonly command?: readonly string[];
  /** What is masked in the command: it must be given again. */
  readonly masked?: readonly string[];
  /** True if the command reads standard input, which must be given again. */
  readonly stdin?: true;
  /** Digest of the plan that is applied. */
  readonly plan?: string;
  /** Digest of the policy that the plan is made from. */
  readonly policy_digest?: string;
  /** The shard of the targets that the run covers, as I/N. Absent for all targets. */
  readonly shard?: string;
}

export default class JournalShow extends ForgectlCommand<ShownJournal> {
  static override summary = 'Show the progress of a run';
  static override description =
    `Counts the targets of a journal: done, failed, unknown (a write without a response, of which nobody knows whether it happened) and
open (not begun, or not finished). Works while the run is under way. Nothing is sent, and no login is needed.`;
  static override examples = [
    { description: 'Progress of a run', command: '<%= config.bin %> journal show run.ndjson' },
    {
      description: 'Targets that failed, for a script',
      command: '<%= config.bin %> journal show run.ndjson --jq .failed',
    },
  ];
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
