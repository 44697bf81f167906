/** The summary and the confirmation before the first write of `each`. */
import { UsageError } from '../../cli/errors.ts';
import type { CommandInput } from '../../cli/input/command-input.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { valueOfBody } from '../../client/request.ts';
import { isObject } from '../../json/exact-json.ts';
import { counted } from '../../output/amounts.ts';
import { blastText, countedFields, type SampleWrites } from './blast.ts';
import type { EachLine } from './line.ts';
import type { Target } from './targets.ts';
import type { EachWork, LineCheck } from './work.ts';

/** The largest number of targets that a command may change at a terminal without a prompt. */
const fewTargets = 10;

interface ApprovalOptions {
  readonly work: EachWork;
  readonly line: EachLine;
  readonly checked: LineCheck;
  readonly input: CommandInput;
  readonly runtime: Runtime;
  readonly baseUrl: string;
  readonly flags: {
    readonly yes: boolean;
    readonly expect?: unknown;
    readonly 'dry-run': boolean;
    readonly from?: string | undefined;
  };
  readonly notice: (text: string) => void;
}

export class Approval {
  readonly #with: ApprovalOptions;
  #sample: SampleWrites | undefined;

  /** Throws UsageError if no one can be prompted for the confirmation that the command requires. */
  constructor(options: ApprovalOptions) {
    this.#with = options;
    const { checked, input, flags } = options;
    if (checked.effect === undefined || flags['dry-run']) return;
    if (flags.yes ? flags.expect !== undefined : input.mayConfirm()) return;
    throw new UsageError(`Nothing was sent. This ${checked.effect}; confirm with --yes and --expect N..M.`);
  }

  /** Whether the change is shown in advance. */
  get #isShown(): boolean {
    const { line, flags, runtime } = this.#with;
    return line.writes && (flags['dry-run'] || runtime.terminal.stderrIsTTY);
  }

  /** Returns the fields of listed records that are shown before the writes. The first sample stands for all targets. */
  async shownFields([target]: readonly string[]): Promise<readonly string[]> {
    if (!this.#isShown || target === undefined) return [];
    const { work, baseUrl } = this.#with;
    const writes = await work.writesFor(target, { mayRead: false });
    this.#sample = writes && { target, isExample: false, writes, baseUrl };
    const bodies = writes?.map(({ request: { body } }) => (body === undefined ? undefined : valueOfBody(body)));
    return [...countedFields, ...(bodies ?? []).flatMap((body) => (isObject(body) ? Object.keys(body) : []))];
  }

  /**
   * Shows the change, and prompts for the number of targets if the run requires it. `total` also counts those
   * that an earlier run has completed.
   */
  async ask(targets: readonly Target[], total: number): Promise<void> {
    const { work, checked, input, flags } = this.#with;
    const isWrite = await this.#show(targets);
    if (flags['dry-run']) return;
    const count = counted(targets.length, 'target');
    const isMany = isWrite && targets.length > fewTargets && input.canPrompt();
    if (!flags.yes && (checked.effect !== undefined || isMany)) {
      const effect = checked.effect === undefined ? `changes ${count}` : `${checked.effect} (${count})`;
      await input.confirm(String(targets.length), effect);
      await input.noteAnswer('--expect', String(total));
    }
    if (checked.effect !== undefined) work.confirm();
  }

  /** Shows the writes. Returns whether there are any, as far as is known. */
  async #show(targets: readonly Target[]): Promise<boolean> {
    const [first] = targets;
    if (!this.#isShown || !first) return false;
    const { work, baseUrl, runtime, flags, notice } = this.#with;
    const target = first.name;
    this.#sample ??= { target, isExample: true, writes: await work.writesFor(target, { mayRead: true }), baseUrl };
    const { writes } = this.#sample;
    if (writes?.length === 0) return false;
    const source = flags.from === '-' ? 'standard input' : flags.from;
    notice(blastText(targets, { sample: this.#sample, now: runtime.terminal.now(), source }));
    return true;
  }
}
