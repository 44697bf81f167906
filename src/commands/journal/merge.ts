import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { filesArg } from '../../cli/input/args.ts';
import type { JournalLine } from '../../fleet/journal/lines.ts';
import { mergeJournals } from '../../fleet/journal/merge.ts';

export default class JournalMerge extends ForgectlCommand<JournalLine[]> {
  static override summary = 'Merge the journals of all shards of a run';
  static override description =
    `Prints one journal of the whole run, from which it can be resumed without shards. A missing shard, a shard given
twice and journals of different runs are errors. To resume from the merged journal, create a file that only you can read
(umask 077). Sends no requests and needs no login.`;
  static override examples = examples({
    'Merge the journals of a CI matrix': '(umask 077; forgectl journal merge shard-*.ndjson > run.ndjson)',
    'Print the targets that failed in any shard': `forgectl journal merge shard-*.ndjson --jq '.[] | select(.outcome == "failed") | .target'`,
  });
  static override args = { file: filesArg('Journals of all shards') };

  protected override readonly documentFormat = 'ndjson';

  async run() {
    const { args } = await this.parse(JournalMerge);
    return [...mergeJournals(args.file)];
  }
}
