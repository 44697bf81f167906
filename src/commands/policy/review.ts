import { resolve } from 'node:path';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { fileArg } from '../../cli/input/args.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { textFlag } from '../../cli/input/flags.ts';
import { isStep } from '../../fleet/policy/live/change.ts';
import { reviewedPlan } from '../../fleet/policy/planning/review.ts';
import type { Column } from '../../output/table/columns.ts';
import { missing } from '../../platform/validate.ts';
import { requirePlan } from '../../topics/policy/apply/saved-plan.ts';
import { droppedChanges, headingsOf } from '../../topics/policy/review.ts';
import { assertWritable, savePlan } from '../../topics/policy/run.ts';

interface ReviewedPlan {
  readonly file: string;
  readonly digest: string;
  /** The digest of the plan that was reviewed. */
  readonly reviewed_from: string;
  /** The number of changes in the new plan. */
  readonly kept: number;
  readonly dropped: number;
  /** How many of the dropped changes rely on another one that was dropped. */
  readonly dependent: number;
}

export default class PolicyReview extends ForgectlCommand<ReviewedPlan> {
  static override summary = 'Choose which changes of a plan to keep';
  static override description =
    `Shows the changes of a saved plan on a terminal, those that delete or loosen first, and saves a plan of those that you keep.
Equal changes of several repositories are one choice. What loosens, or may loosen, is dropped too if a creation or tightening
that is made before it was dropped. The new plan has the digest of the one that was reviewed. Sends no requests; policy apply
makes the same checks as for any saved plan.`;
  static override examples = examples({
    'Choose which changes of a plan to apply': 'forgectl policy review plan.ndjson --out reviewed.ndjson',
    'Choose which changes to undo': 'forgectl policy review undo.ndjson --out undo-some.ndjson',
  });
  static override args = { plan: fileArg('Saved plan') };
  static override flags = {
    out: textFlag('--out', { ...fileOnly, description: 'Save the smaller plan to a file, for policy apply' }),
  };

  protected override readonly columns: readonly Column<ReviewedPlan>[] = [
    { header: 'File', get: 'file', as: 'name', priority: 1 },
    { header: 'Kept', get: 'kept', as: 'count', priority: 1 },
    { header: 'Dropped', get: 'dropped', as: 'count', priority: 1 },
  ];
  protected override readonly idField = 'file';

  async run(): Promise<ReviewedPlan> {
    const { args, flags } = await this.collect(PolicyReview);
    if (flags.out === undefined) this.problems.push(missing('--out', 'is required'));
    const { plan: path = '' } = this.valid(args);
    const { out = '' } = flags;
    const plan = requirePlan(path);
    if (resolve(out) === resolve(path)) throw new UsageError('--out must not be the plan itself.');
    assertWritable(out);
    if (!this.input.canPrompt()) throw new UsageError('policy review requires a terminal, with prompts enabled.');
    const dropped = await droppedChanges(plan.changes, this.runtime);
    const { plan: reviewed, dependent } = reviewedPlan(plan, dropped);
    if (dependent.length) {
      const headings = (await headingsOf(dependent)).map((heading) => `  ${heading}`);
      this.notice(['Also dropped, because they depend on dropped changes:', ...headings].join('\n'));
    }
    savePlan(out, reviewed);
    this.notice(`Apply it with: forgectl policy apply ${out}`);
    const { digest, changes } = reviewed;
    return {
      ...{ file: out, digest, reviewed_from: plan.digest, kept: changes.filter(isStep).length },
      ...{ dropped: plan.changes.length - changes.length, dependent: dependent.length },
    };
  }
}
