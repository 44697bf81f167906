/** Which checks an audit runs. */
import { UsageError } from '../../cli/errors.ts';
import type { Check } from '../../foresight/audit/check.ts';
import { checks } from '../../foresight/audit/checks/index.ts';
import { isDeep } from '../../foresight/audit/evaluate.ts';
import { didYouMean } from '../../platform/suggest.ts';
import { invalid, type Problem } from '../../platform/validate.ts';
import type { NotChecked } from './report.ts';

export interface SelectionFlags {
  readonly check?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  readonly deep: boolean;
  readonly repositories: boolean;
  readonly enterprise?: string | undefined;
}

export interface CheckSelection extends Pick<NotChecked, 'deep' | 'disabled' | 'skipped'> {
  readonly selected: readonly Check[];
}

/** Returns the problems of the flags that name checks. */
export function selectionProblems({ check = [], skip = [], deep }: SelectionFlags): Problem[] {
  const ids = checks.map(({ id }) => id);
  const unknown = (flag: string, names: readonly string[]) =>
    names.filter((id) => !ids.includes(id)).map((id) => invalid(flag, `has no check “${id}”${didYouMean(id, ids)}`));
  const needsDeep = checks.filter((each) => check.includes(each.id) && isDeep(each) && !deep);
  return [
    ...unknown('--check', check),
    ...unknown('--skip', skip),
    ...needsDeep.map(({ id }) => invalid('--check', `requires --deep for ${id}`)),
  ];
}

/**
 * A check that --check names runs even if audit.yaml disables it. `organizations`: whether any is audited. Throws UsageError
 * if no check is left: “no findings” would be misleading.
 */
export function selectChecks(
  flags: SelectionFlags & { readonly organizations: boolean },
  disabled: readonly string[],
): CheckSelection {
  const { check, skip = [], deep, repositories, enterprise, organizations } = flags;
  const selection = {
    selected: [] as Check[],
    deep: [] as string[],
    disabled: [] as string[],
    skipped: [] as string[],
  };
  for (const each of checks) {
    const { id, scope } = each;
    const isOut =
      skip.includes(id) ||
      (check && !check.includes(id)) ||
      (scope === 'repository' && !repositories) ||
      (scope === 'enterprise' ? enterprise === undefined : !organizations);
    if (isOut) selection.skipped.push(id);
    else if (!check && disabled.includes(id)) selection.disabled.push(id);
    else if (isDeep(each) && !deep) selection.deep.push(id);
    else selection.selected.push(each);
  }
  if (selection.selected.length === 0)
    throw new UsageError(
      'No check is selected; nothing was sent.',
      'Change --check, --skip, --no-repositories or the disabled checks of audit.yaml; some checks need ORG or --enterprise.',
    );
  return selection;
}
