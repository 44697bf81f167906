import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { FindingsError } from '../../cli/errors.ts';
import { optionalRepoArg, type RepoName, targetName } from '../../cli/input/args.ts';
import { fileOrStdin, stdinSwitch } from '../../cli/input/file-flags.ts';
import { textFlag, valueFlag } from '../../cli/input/flags.ts';
import { readSource } from '../../cli/input/sources.ts';
import { wholeNumber } from '../../cli/input/values.ts';
import { gitEnv } from '../../cli/program-env.ts';
import type { PushVerdict } from '../../foresight/evaluate.ts';
import { shortOf } from '../../foresight/facts.ts';
import { isFolder } from '../../git/byte-path.ts';
import { PushingRepository } from '../../git/pushed.ts';
import { counted } from '../../output/amounts.ts';
import { invalid, missing } from '../../platform/validate.ts';
import {
  type JudgeFlags,
  type Judges,
  offlineJudges,
  platformJudges,
  readProposed,
  simulationReads,
} from '../../topics/rulesets/judged.ts';
import {
  factsOf,
  type Pushing,
  type RefFlags,
  type RefUpdate,
  updateOfFlags,
  updatesOfHook,
} from '../../topics/rulesets/pushed-refs.ts';
import {
  refusalsIn,
  rowsOfPush,
  type SimulatedPush,
  type SimulatedRow,
  simulatedPush,
  simulationColumns,
  unknownsIn,
} from '../../topics/rulesets/simulation.ts';
import { fromGit } from '../../topics/snapshots/from-git.ts';

/** Flags that the lines of a hook take the place of. */
const notInHook = ['ref', 'to', 'from', 'delete', 'merge'] as const;

/** Flags about the new commit of a ref. */
const notInDeletion = ['to', 'merge'] as const;

/** Flags about rulesets and people of the platform. */
const notOffline = ['as', 'without'] as const;

interface SimulateFlags extends JudgeFlags {
  readonly dir?: string | undefined;
  readonly merge: boolean;
  readonly offline: boolean;
  readonly 'pre-push': boolean;
  readonly ruleset?: readonly string[] | undefined;
}

export default class RulesetsSimulate extends ForgectlCommand<SimulatedPush | SimulatedPush[]> {
  static override summary = 'Predict whether rulesets refuse a push';
  static override description =
    `Judges a push from a checkout or a bare clone by the rulesets of the platform, with --ruleset also by proposed ones, before it is
made. What cannot be known is unknown, never allowed, and stderr says which fact is missing. Without REPO, uses the git
remote that is on the platform. A predicted refusal ends with exit code 13, with --strict also an unknown rule.`;
  static override examples = examples({
    'Check a push of HEAD to main': 'forgectl rulesets simulate acme/site --ref main',
    'Check a new tag with a proposed ruleset, without requests':
      'forgectl rulesets simulate --offline --ruleset ruleset.yaml --ref refs/tags/v2.0',
  });
  static override requests = simulationReads;
  static override args = { repo: optionalRepoArg('Repository (OWNER/NAME; default: that of a git remote)') };
  static override flags = {
    ref: textFlag('--ref', {
      helpValue: 'REF',
      description: 'Branch, tag or whole ref to push to (default: the current branch)',
    }),
    to: textFlag('--to', { helpValue: 'REV', description: 'Commit to push (default: HEAD)' }),
    from: textFlag('--from', {
      helpValue: 'REV',
      description: 'Commit that the ref has now, none for a new ref (default: the remote-tracking ref)',
    }),
    delete: Flags.boolean({ description: 'Delete the ref' }),
    merge: Flags.boolean({ description: 'Merge a pull request instead of pushing' }),
    'pre-push': {
      ...Flags.boolean({ description: 'Read the lines of a pre-push hook from standard input' }),
      ...stdinSwitch,
    },
    dir: textFlag('--dir', {
      helpValue: 'FOLDER',
      description: 'Checkout or bare clone (default: the current folder)',
    }),
    ruleset: Flags.string({
      ...fileOrStdin,
      multiple: true,
      multipleNonGreedy: true,
      description: 'Proposed ruleset to add as if active; one with the ID of a live ruleset replaces it (repeatable)',
    }),
    without: valueFlag('--without', wholeNumber(1), { helpValue: 'ID', description: 'Ruleset to ignore' }),
    as: textFlag('--as', { helpValue: 'LOGIN', description: 'Another person who pushes' }),
    offline: Flags.boolean({ description: 'Send no requests, and use only the files of --ruleset' }),
    'default-branch': textFlag('--default-branch', {
      helpValue: 'NAME',
      description: 'Default branch (default: that of the platform; with --offline that of the remote)',
    }),
    all: Flags.boolean({ description: 'Show allowed rules in tables, too' }),
    strict: Flags.boolean({ description: 'Treat unknown rules as refusals' }),
  };

  protected override readonly columns = simulationColumns;
  protected override readonly recordsName = 'rules';
  protected override emptyText = '';
  #showsAll = false;
  protected override readonly rowsOf = (pushes: SimulatedPush | SimulatedPush[]): SimulatedRow[] =>
    [pushes].flat().flatMap((push) => rowsOfPush(push, this.#showsAll));

  async run() {
    const { args, flags } = await this.collect(RulesetsSimulate);
    const isHook = flags['pre-push'];
    if (isHook) this.#rejectWith('--pre-push', notInHook, flags);
    else if (flags.delete) this.#rejectWith('--delete', notInDeletion, flags);
    if (flags.offline) {
      this.#rejectWith('--offline', notOffline, flags);
      if (!flags.ruleset?.length) this.problems.push(missing('--ruleset', 'is required with --offline'));
    }
    if (flags.dir !== undefined && !isFolder(flags.dir))
      this.problems.push(invalid('--dir', `is not a folder: ${flags.dir}`));
    const { repo } = this.valid(args);
    this.#showsAll = flags.all;
    const pushes = await fromGit(flags.dir ?? '.', this.#pushes(repo, flags));
    this.#conclude(pushes, flags.strict);
    return isHook ? pushes : (pushes[0] as SimulatedPush);
  }

  #rejectWith(flag: string, names: readonly (keyof RefFlags | keyof SimulateFlags)[], flags: RefFlags & SimulateFlags) {
    for (const name of names)
      if (flags[name] !== undefined && flags[name] !== false)
        this.problems.push(invalid(`--${name}`, `cannot be used with ${flag}`));
  }

  async #pushes(repo: RepoName | undefined, flags: RefFlags & SimulateFlags): Promise<SimulatedPush[]> {
    const { runtime, session } = this;
    const repository = await PushingRepository.at(flags.dir, gitEnv(runtime.env));
    const hook = flags['pre-push'] ? updatesOfHook(await readSource('-', runtime.stdin)) : undefined;
    const proposed = await Promise.all(
      (flags.ruleset ?? []).map((file) => readProposed(file, runtime.stdin, '--ruleset')),
    );
    const input = { repo, proposed, flags, notice: (text: string) => this.notice(text) };
    const { pushing, ...judges } = flags.offline
      ? await offlineJudges(repository, input)
      : await platformJudges(session, repository, input);
    const pushes: SimulatedPush[] = [];
    for (const update of hook ?? [await updateOfFlags(pushing, flags)])
      pushes.push(await this.#simulate(pushing, update, judges, flags));
    return pushes;
  }

  async #simulate(
    pushing: Pushing,
    given: RefUpdate,
    { repository, defaultBranch, tipOf, judge }: Judges,
    flags: RefFlags & SimulateFlags,
  ): Promise<SimulatedPush> {
    const isAssumed = flags.from === undefined && !flags['pre-push'];
    const tip = isAssumed ? await tipOf(given.ref) : undefined;
    // A branch that the clone has never fetched is not a new one.
    const update = given.from === undefined && tip !== undefined ? { ...given, from: tip } : given;
    const isBehind = tip !== undefined && update.from !== undefined && tip !== update.from;
    if (isBehind)
      this.notice(
        `${update.ref} is at ${shortOf(tip)} on the platform, and the clone has ${shortOf(update.from)}: run git fetch.`,
      );
    if (isAssumed && !flags.offline && update.from === undefined && update.ref.startsWith('refs/tags/'))
      this.notice(`${update.ref} is judged as a new tag: if the platform has it, add --from.`);
    const known = await factsOf(pushing, update, { repository: repository?.repo, isMerge: flags.merge, defaultBranch });
    // Only the platform knows whether its newer commits would be lost.
    const facts = isBehind ? { ...known, isForced: undefined } : known;
    const isPushed = (tip ?? update.from) !== update.to;
    if (!isPushed) this.notice(`${update.ref} already has this commit: nothing to push.`);
    if (isPushed && facts.commits === undefined)
      this.notice(
        `The new commits of ${update.ref} are not known: the clone is shallow, or lacks the commit of the ref.`,
      );
    const verdict: PushVerdict = isPushed ? await judge(facts) : { verdict: 'allowed', rules: [] };
    return simulatedPush(flags.offline || !repository ? undefined : targetName(repository), update, facts, verdict);
  }

  #conclude(pushes: readonly SimulatedPush[], isStrict: boolean): void {
    const refusals = refusalsIn(pushes);
    const unknowns = unknownsIn(pushes);
    for (const text of unknowns) this.closing.push(text);
    this.emptyText = unknowns.length ? '' : 'No rule refuses the push.';
    if (isStrict && unknowns.length) refusals.push(`${counted(unknowns.length, 'rule')} with an unknown verdict.`);
    if (refusals.length) this.failure = new FindingsError(refusals.join(' '));
  }
}
