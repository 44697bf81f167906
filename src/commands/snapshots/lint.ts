import { filesArg } from '../../cli/input/args.ts';
import { unknownFlag } from '../../cli/input/flags.ts';
import { largestSnapshot } from '../../cli/input/sources.ts';
import { submitSnapshot } from '../../platform/endpoints/snapshots.ts';
import { checkBody, type Given } from '../../platform/validate.ts';
import { LintCommand } from '../../topics/lint.ts';

export default class SnapshotsLint extends LintCommand {
  static override summary = 'Check dependency snapshots without a platform';
  static override description =
    `Checks files, JSON or YAML, against the submission format, down to every package URL, and names everything that the platform would
refuse, with its place. Fields that this version does not know are warnings, misspelled ones errors. Errors end it with exit code 2. Nothing is
sent, and no login is needed.`;
  static override examples = [
    { description: 'A file, before it is submitted', command: '<%= config.bin %> snapshots lint snapshot.json' },
    { description: 'What a detector prints', command: 'my-detector | <%= config.bin %> snapshots lint - --json' },
  ];
  static override args = { file: filesArg('Snapshot files; - is standard input') };
  static override flags = unknownFlag;

  protected override readonly largestFile = largestSnapshot;

  async run() {
    const { args, flags } = await this.parse(SnapshotsLint);
    return this.lint(args.file, flags);
  }

  protected override check(document: Given) {
    return checkBody(submitSnapshot, document);
  }
}
