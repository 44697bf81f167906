import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand, type Planned } from '../../cli/command/command.ts';
import { RefusedResultError } from '../../cli/errors.ts';
import { type RepoName, repoArg } from '../../cli/input/args.ts';
import { fieldFlags, flagName } from '../../cli/input/fields.ts';
import { fileOnly, fileOrStdin } from '../../cli/input/file-flags.ts';
import { inputFlags, textFlag, writeFlags } from '../../cli/input/flags.ts';
import { largestSnapshot } from '../../cli/input/sources.ts';
import { PlannedRequest } from '../../client/request.ts';
import { asText } from '../../json/exact-json.ts';
import { counted } from '../../output/amounts.ts';
import type { Column } from '../../output/table/columns.ts';
import type { InputOf } from '../../platform/endpoint.ts';
import { submitSnapshot } from '../../platform/endpoints/snapshots.ts';
import type { SnapshotResult } from '../../platform/records.ts';
import { type Given, invalid } from '../../platform/validate.ts';
import { countMissingPackages, readDocument } from '../../topics/snapshots/comparison.ts';
import { limitNotices, snapshotSize } from '../../topics/snapshots/limits.ts';
import {
  createSnapshot,
  fileFlags,
  jobFlags,
  type SnapshotFlags,
  splitByManifest,
} from '../../topics/snapshots/lockfile-snapshot.ts';

/** Results that mean success. The platform may return 201 with INVALID. */
const accepted = ['SUCCESS', 'ACCEPTED'];

type Body = InputOf<typeof submitSnapshot>['body'];

interface FileFlags extends SnapshotFlags {
  readonly from?: readonly string[] | undefined;
  readonly split?: boolean | undefined;
  readonly previous?: string | undefined;
  readonly metadata?: unknown;
  readonly 'allow-unknown'?: boolean | undefined;
}

/** Flags of a finished snapshot, which do not apply to one made from files. */
const ofFinished = ['input', 'version', 'job', 'detector', 'manifests', 'scanned'] as const;

/** Flags of a snapshot made from files. */
const ofFiles = ['as', 'split', 'strict', ...Object.keys(jobFlags)];

export default class SnapshotsSubmit extends ForgectlCommand<SnapshotResult | SnapshotResult[]> {
  static override summary = 'Submit a dependency snapshot of a repository';
  static override description =
    `Validates a dependency snapshot and submits it. Only the latest submission per correlator and detector counts. If the
platform receives a snapshot but rejects its content, the command fails with exit code 6 and the platform’s reason.

With --from or --sbom, creates the snapshot from lockfiles and SBOMs, as snapshots create does.`;
  static override examples = examples({
    'Submit a file': 'forgectl snapshots submit acme/site --input snapshot.json',
    'Submit the packages of a lockfile in CI': 'forgectl snapshots submit acme/site --from package-lock.json',
    'Submit the packages of all lockfiles in a checkout in CI': 'forgectl snapshots submit acme/site --from .',
    'Submit the output of a detector for another branch':
      'my-detector | forgectl snapshots submit acme/site --input - --ref refs/heads/develop',
  });
  static override requests = [submitSnapshot.route];
  static override args = { repo: repoArg() };
  static override flags = {
    ...fieldFlags(submitSnapshot.body.entries),
    ...inputFlags,
    input: {
      ...inputFlags.input,
      description: 'Snapshot file in JSON or YAML, or - for standard input; flags override its fields',
    },
    from: Flags.string({
      ...fileOnly,
      multiple: true,
      multipleNonGreedy: true,
      description: 'Lockfile to create the snapshot from, or folder for all that git tracks below it (repeatable)',
    }),
    ...fileFlags,
    ...jobFlags,
    split: Flags.boolean({
      description: 'With --from or --sbom, submit a snapshot for each manifest, with its name after the correlator',
    }),
    previous: textFlag('--previous', {
      ...fileOrStdin,
      description: 'Last snapshot of the job, or an SBOM; warns if more than a fifth of its packages are missing',
    }),
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
    if (flags.from !== undefined || flags.sbom !== undefined) {
      for (const name of ofFinished)
        if (flags[name] !== undefined)
          this.problems.push(invalid(`--${name}`, 'cannot be used with --from and --sbom'));
      const [sha, ref] = [flags.sha, flags.ref].map((text) => text?.toString());
      return this.#submitFiles(this.valid(args).repo, { ...flags, sha, ref });
    }
    const words: Readonly<Record<string, unknown>> = flags;
    for (const name of ofFiles)
      if (words[name] !== undefined) this.problems.push(invalid(`--${name}`, 'requires --from or --sbom'));
    const given = ['input', ...Object.keys(submitSnapshot.body.entries)].some((name) => words[flagName(name)]);
    // No prompts: snapshots are not typed by hand.
    const input = given || !this.input.canPrompt() ? {} : await this.input.oneOfFlags(['input'], flags);
    const { body } = await this.inputFor(submitSnapshot, { ...flags, ...input }, { largestInput: largestSnapshot });
    const { repo } = this.valid(args);
    await this.#warnOfVanished(flags, body);
    this.#tellLimits([body]);
    return this.#submit(repo, body);
  }

  async #submitFiles(repo: RepoName, flags: FileFlags): Promise<SnapshotResult | SnapshotResult[] | Planned> {
    const snapshot = await createSnapshot({
      files: flags.from ?? [],
      flags,
      runtime: this.runtime,
      version: this.config.version,
      notice: (text) => this.notice(text),
    });
    await this.#warnOfVanished(flags, { ...snapshot });
    const { metadata, 'allow-unknown': allowUnknown } = flags;
    const parts = flags.split ? splitByManifest(snapshot) : [snapshot];
    const bodies = [];
    for (const part of parts)
      bodies.push(
        (await this.inputFor(submitSnapshot, { metadata, 'allow-unknown': allowUnknown }, { body: { ...part } })).body,
      );
    this.#tellLimits(bodies);
    const results: SnapshotResult[] = [];
    const planned: PlannedRequest[] = [];
    for (const body of bodies)
      try {
        const answer = await this.#submit(repo, body);
        if (answer instanceof PlannedRequest) planned.push(answer);
        else results.push(answer);
      } catch (error) {
        this.failAfter(results, error);
        break;
      }
    if (!flags.split) return planned[0] ?? results[0] ?? [];
    return planned.length > 0 ? planned : results;
  }

  async #submit({ owner, repo }: RepoName, body: Body): Promise<SnapshotResult | PlannedRequest> {
    const verifyCommand = `forgectl snapshots sbom ${owner}/${repo}`;
    const answer = await this.write(submitSnapshot, { path: { owner, repo }, body }, { verifyCommand });
    if (answer instanceof PlannedRequest) return answer;
    if (!accepted.includes(answer.result))
      throw new RefusedResultError(
        `The platform received the snapshot of ${owner}/${repo} but rejected it (${asText(answer.result)}): ${asText(answer.message)}`,
      );
    this.notice(`Submitted ${snapshotSize(body)} to ${owner}/${repo}.`);
    return answer;
  }

  #tellLimits(bodies: readonly Given[]): void {
    for (const text of limitNotices(bodies)) this.notice(text);
  }

  /** A detector that finds far less than before is usually broken, and closes valid alerts. */
  async #warnOfVanished({ previous, strict }: Pick<FileFlags, 'previous' | 'strict'>, snapshot: Given): Promise<void> {
    if (previous === undefined) return;
    const { all, gone } = await countMissingPackages(
      await readDocument(previous, this.runtime.stdin, '--previous'),
      { file: 'the snapshot', content: snapshot },
      strict ? undefined : (text) => this.notice(text),
    );
    if (gone * 5 > all) this.notice(`${gone} of ${counted(all, 'package')} in ${previous} are not in this snapshot.`);
  }
}
