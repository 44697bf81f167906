import { ForgectlCommand } from '../../cli/command/command.ts';
import { RefusedResultError } from '../../cli/errors.ts';
import { repoArg } from '../../cli/input/args.ts';
import { fieldFlags, flagName } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { largestSnapshot } from '../../cli/input/sources.ts';
import { PlannedRequest } from '../../client/request.ts';
import type { Column } from '../../output/table/columns.ts';
import { submitSnapshot } from '../../platform/endpoints/snapshots.ts';
import type { SnapshotResult } from '../../platform/records.ts';

/** Results of success. The platform may return 201 with INVALID. */
const accepted = ['SUCCESS', 'ACCEPTED'];

export default class SnapshotsSubmit extends ForgectlCommand<SnapshotResult> {
  static override summary = 'Submit a dependency snapshot of a repository';
  static override description =
    `Validates a dependency snapshot and submits it. Only the latest submission per correlator and detector counts. If the
platform receives a snapshot but rejects its content, the command fails with exit code 6 and the platform’s reason.`;
  static override examples = [
    {
      description: 'Submit a file',
      command: '<%= config.bin %> snapshots submit acme/site --input snapshot.json',
    },
    {
      description: 'Submit the output of a detector for another branch',
      command: 'my-detector | <%= config.bin %> snapshots submit acme/site --input - --ref refs/heads/develop',
    },
  ];
  static override requests = [submitSnapshot.route];
  static override args = { repo: repoArg() };
  static override flags = {
    ...fieldFlags(submitSnapshot.body.entries),
    ...inputFlags,
    input: {
      ...inputFlags.input,
      description: 'Snapshot file in JSON or YAML, or - for standard input; flags override its fields',
    },
    ...writeFlags,
  };

  protected override readonly columns: readonly Column<SnapshotResult>[] = [
    { header: 'ID', get: 'id' },
    { header: 'Result', get: 'result' },
    { header: 'Message', get: 'message' },
    { header: 'Created', get: 'created_at', as: 'age' },
  ];

  protected override readonly idField = 'id';

  async run() {
    const { args, flags } = await this.collect(SnapshotsSubmit);
    const words: Readonly<Record<string, unknown>> = flags;
    const given = ['input', ...Object.keys(submitSnapshot.body.entries)].some((name) => words[flagName(name)]);
    // No prompts: nobody types a snapshot.
    const input = given || !this.input.canPrompt() ? {} : await this.input.oneOfFlags(['input'], flags);
    const { body } = await this.inputFor(submitSnapshot, { ...flags, ...input }, { largestInput: largestSnapshot });
    const { owner, repo } = this.valid(args).repo;
    const verifyCommand = `forgectl api GET /repos/${owner}/${repo}/dependency-graph/sbom`;
    const answer = await this.write(submitSnapshot, { path: { owner, repo }, body }, { verifyCommand });
    if (answer instanceof PlannedRequest) return answer;
    if (!accepted.includes(answer.result))
      throw new RefusedResultError(
        `The platform took the snapshot of ${owner}/${repo} and did not accept it (${answer.result}): ${answer.message}`,
      );
    return answer;
  }
}
