import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { kinds } from '../../fleet/policy/kinds/index.ts';
import type { PlannedKind } from '../../fleet/policy/kinds/names.ts';
import type { EffectRow } from '../../fleet/policy/live/effects.ts';
import type { Column } from '../../output/table/columns.ts';

interface FieldEffect {
  kind: PlannedKind;
  /** The path of the field in plans; `[]` is any element of a list. */
  field: string;
  /** What tightens or loosens protection, such as `true loosens`; or all values, such as `read < none`, the strictest last. */
  direction: string;
  /** The sentence of the platform’s documentation about the field. */
  source: string;
}

const inOrder = (rows: readonly EffectRow[]) => rows.toSorted((a, b) => (a.field < b.field ? -1 : 1));

export default class PolicyEffects extends ForgectlCommand<FieldEffect[]> {
  static override summary = 'List the fields that tighten or loosen protection';
  static override description =
    `Lists the fields whose changes tighten or loosen protection, each with the sentence of the platform’s documentation about it.
“true loosens”, “larger loosens” and “added loosens” say what loosens, and the reverse tightens; so does “more loosens” of the
elements of a list, and “read < none” lists values, the strictest last; with “changed loosens”, any other value loosens. [] is any element of a list. The effect of other fields is unknown: they change after everything that
tightens. Sends no requests and needs no login.`;
  static override examples = examples({
    'List all fields': 'forgectl policy effects',
    'List the rules of rulesets': `forgectl policy effects --jq '.[] | select(.field | startswith("rules")) | .field'`,
  });

  protected override readonly recordsName = 'effects';
  protected override readonly idField = 'field';
  protected override readonly columns: readonly Column<FieldEffect>[] = [
    { header: 'Kind', get: 'kind', as: 'text', priority: 1 },
    { header: 'Field', get: 'field', as: 'name', priority: 1 },
    { header: 'Direction', get: 'direction', as: 'message', priority: 1 },
    { header: 'Source', get: 'source', as: 'message', priority: 3 },
  ];

  async run() {
    await this.parse(PolicyEffects);
    return kinds.flatMap(({ name, effects }) => inOrder(effects).map((row) => ({ kind: name, ...row })));
  }
}
