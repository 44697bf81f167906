/** Plans as rows, with equal changes of several targets in one. */

import { type FieldChange, withoutLabels } from '../../../fleet/diff.ts';
import { asks } from '../../../fleet/policy/applying/guards.ts';
import { isCreation, kindNamed } from '../../../fleet/policy/kinds/lookup.ts';
import type { PlannedKind } from '../../../fleet/policy/kinds/names.ts';
import { isStep, type PlannedChange } from '../../../fleet/policy/live/change.ts';
import { effectOf } from '../../../fleet/policy/live/effects.ts';
import type { PolicyPlan } from '../../../fleet/policy/planning/plan.ts';
import { secretText } from '../../../fleet/policy/wanted/secret-sources.ts';
import { isObject, ownMember } from '../../../json/exact-json.ts';
import { formatCount } from '../../../output/amounts.ts';
import type { Column } from '../../../output/table/columns.ts';
import { fieldLines, leastText } from './fields.ts';
import { grouped, signs } from './view.ts';

/** A row of a plan: one change, or the same change of several targets. */
export interface PlanRow {
  readonly sign: '+' | '~' | '-' | '?' | '=';
  readonly kind: string;
  readonly name: string;
  /** The target, or the number of targets. */
  readonly target: string;
  readonly effect: string;
  readonly detail: string;
}

export const planColumns: readonly Column<PlanRow>[] = [
  { header: '', get: 'sign', as: 'state', priority: 1 },
  { header: 'Kind', get: 'kind', as: 'text', priority: 1 },
  { header: 'Name', get: 'name', as: 'message', priority: 1 },
  { header: 'Target', get: 'target', as: 'text', priority: 1 },
  { header: 'Effect', get: ({ effect }) => effect || undefined, as: 'state', priority: 1, optional: true },
  { header: 'Changes', get: 'detail', as: 'message', priority: 1 },
];

/** Changes within one object that a row shows, unless it shows all. */
const mostDetails = 8;

/** In characters: values of changes. */
const longestValue = 80;

interface RowOptions {
  /** A row for each target. */
  readonly expand?: boolean;
  /** Undeclared objects are deleted. */
  readonly prunes?: boolean;
  /** Rows show all fields, even of objects to create, because there is no policy that shows them. */
  readonly inFull?: boolean;
  /** Rows also show values in full. */
  readonly isWhole?: boolean;
}

/** Returns the rows of a plan. */
export function planRows(
  { changes }: Pick<PolicyPlan, 'changes'>,
  { expand = false, ...options }: RowOptions,
): readonly PlanRow[] {
  if (expand) return changes.map((change) => ({ ...rowOf(change, options), target: change.target }));
  // Rows omit fields and cut values: changes that differ in these have rows of their own, with all that they change.
  const groups = grouped(changes, (change) => ({ row: rowOf(change, options), fields: fieldLines(change) }));
  const alike = Map.groupBy(groups, ({ view: { row }, changes: [first] }) =>
    JSON.stringify([row, first?.target.split('/', 1)]),
  );
  const ambiguous = new Set([...alike.values()].filter(({ length }) => length > 1).flat());
  return groups.map((group) => {
    const { view, changes: its } = group;
    const [first, ...others] = its as [PlannedChange, ...PlannedChange[]];
    const row = ambiguous.has(group) ? rowOf(first, { ...options, isWhole: true }) : view.row;
    const { target } = first;
    return { ...row, target: others.length === 0 ? target : `${formatCount(its.length)} of ${target.split('/')[0]}` };
  });
}

function rowOf(change: PlannedChange, options: RowOptions): Omit<PlanRow, 'target'> {
  const { action, kind, name, effect } = change;
  const effects = isStep(change) ? [...(effect ? [effect] : []), ...(asks(change) ? ['asks'] : [])] : [];
  return { sign: signs[action], kind, name, effect: effects.join(', '), detail: detailOf(change, options) };
}

function detailOf(change: PlannedChange, { prunes = false, isWhole = false, inFull = isWhole }: RowOptions): string {
  const { action, kind, changes, effect, reason, undeclared, writeOnly, secret } = change;
  if (reason !== undefined) return action === 'unreadable' ? reason : `${action}: ${reason}`;
  const undeclaredText = (how: string) => `not declared; ${prunes ? `will be ${how}` : `${how} only with --prune`}`;
  const least = leastText(change);
  if (action === 'delete') return [undeclared && undeclaredText('deleted'), least].filter(Boolean).join('; ');
  if (action === 'unset') return undeclared ? undeclaredText('reset') : 'reset to the inherited setting';
  const source = secret && secretText(secret);
  const fields = changes.map(({ path }) => (path === 'secret' ? (source ?? path) : path));
  if (action === 'unverified') return `${fields.join(', ')} cannot be verified`;
  if (action === 'resend') return `${fields.join(' and ')} sent again`;
  // The policy shows the fields of an object; which access it gives, and what a new repository is, differ by target.
  if (action === 'create' && !inFull && effect !== 'loosens' && !isCreation(change)) return source ?? '';
  const shown = changes
    .slice(0, inFull ? undefined : mostDetails)
    .map(
      (each) => (each.path === 'secret' && source) || `${fieldText(each, isWhole)}${elementText(kind, each, isWhole)}`,
    );
  const more = changes.length - shown.length;
  const { selected_repository_ids: ids } = writeOnly ?? {};
  const selection = Array.isArray(ids) ? [`repositories: ${formatCount(ids.length)} selected`] : [];
  return [...shown, ...selection, ...(more > 0 ? [`${more} more`] : []), ...(least === undefined ? [] : [least])].join(
    '; ',
  );
}

/** `enforcement: "active" → "disabled"`; for elements of lists `rules: - deletion`. */
function fieldText({ path, from, to }: FieldChange, isWhole: boolean): string {
  const shown = (text: string) => (isWhole ? text : shortened(text));
  const valueText = (value: unknown) => shown(JSON.stringify(value) ?? '');
  const [, list, label] = /^(.*)\[([^[\]]*)\]$/s.exec(path) ?? [];
  if (list !== undefined && (from === undefined || to === undefined))
    return `${list}: ${from === undefined ? '+' : '-'} ${shown(label ?? '')}`;
  if (from === undefined) return `${path}: ${valueText(to)}`;
  return to === undefined ? `${path}: removed` : `${path}: ${valueText(from)} → ${valueText(to)}`;
}

/** Returns the fields of a new element that loosens, beyond those that identify it; empty for anything else. */
function elementText(kind: PlannedKind, change: FieldChange, isWhole: boolean): string {
  const { path, from, to } = change;
  const { bodyComparison, effects } = kindNamed(kind);
  // By itself: as part of an activation, nothing loosens.
  if (from !== undefined || !isObject(to) || effectOf({ effects }, change) !== 'loosens') return '';
  const known = ownMember<readonly string[]>(bodyComparison.identity ?? {}, withoutLabels(path)) ?? Object.keys(to);
  const others = Object.entries(to).filter(([name]) => !known.includes(name));
  const text = others.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ');
  return text === '' ? '' : ` (${isWhole ? text : shortened(text)})`;
}

const shortened = (text: string): string =>
  text.length <= longestValue ? text : `${text.slice(0, longestValue).toWellFormed()}…`;
