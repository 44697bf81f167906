/** Plans as rows, with equal changes of several targets in one. */

import type { FieldChange } from '../../../fleet/diff.ts';
import { asks } from '../../../fleet/policy/applying/guards.ts';
import { isCreation } from '../../../fleet/policy/kinds/lookup.ts';
import { isStep, type PlannedChange } from '../../../fleet/policy/live/change.ts';
import type { PolicyPlan } from '../../../fleet/policy/planning/plan.ts';
import { secretText } from '../../../fleet/policy/wanted/secret-sources.ts';
import { formatCount } from '../../../output/amounts.ts';
import type { Column } from '../../../output/table/columns.ts';
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
}

/** Returns the rows of a plan. */
export function planRows(
  { changes }: Pick<PolicyPlan, 'changes'>,
  { expand = false, ...options }: RowOptions,
): readonly PlanRow[] {
  if (expand) return changes.map((change) => ({ ...rowOf(change, options), target: change.target }));
  return grouped(changes, (change) => rowOf(change, options)).map(({ view: row, changes: its }) => {
    const [{ target = '' } = {}, ...others] = its;
    return { ...row, target: others.length === 0 ? target : `${formatCount(its.length)} of ${target.split('/')[0]}` };
  });
}

function rowOf(change: PlannedChange, options: RowOptions): Omit<PlanRow, 'target'> {
  const { action, kind, name, effect } = change;
  const effects = isStep(change) ? [...(effect ? [effect] : []), ...(asks(change) ? ['asks'] : [])] : [];
  return { sign: signs[action], kind, name, effect: effects.join(', '), detail: detailOf(change, options) };
}

function detailOf(change: PlannedChange, { prunes = false, inFull = false }: RowOptions): string {
  const { action, changes, reason, undeclared, writeOnly, secret } = change;
  if (reason !== undefined) return action === 'unreadable' ? reason : `${action}: ${reason}`;
  const undeclaredText = (how: string) => `not declared; ${prunes ? `will be ${how}` : `${how} only with --prune`}`;
  if (action === 'delete') return undeclared ? undeclaredText('deleted') : '';
  if (action === 'unset') return undeclared ? undeclaredText('reset') : 'reset to the inherited setting';
  const source = secret && secretText(secret);
  const fields = changes.map(({ path }) => (path === 'secret' ? (source ?? path) : path));
  if (action === 'unverified') return `${fields.join(', ')} cannot be verified`;
  if (action === 'resend') return `${fields.join(' and ')} sent again`;
  // Objects of one name are the same everywhere; new repositories differ.
  if (action === 'create' && !inFull && !isCreation(change)) return source ?? '';
  const shown = changes
    .slice(0, inFull ? undefined : mostDetails)
    .map((each) => (each.path === 'secret' && source) || fieldText(each));
  const more = changes.length - shown.length;
  const { selected_repository_ids: ids } = writeOnly ?? {};
  const selection = Array.isArray(ids) ? [`repositories: ${formatCount(ids.length)} selected`] : [];
  return [...shown, ...selection, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

/** `enforcement: "active" → "disabled"`; for elements of lists `rules: - deletion`. */
function fieldText({ path, from, to }: FieldChange): string {
  const [, list, label] = /^(.*)\[([^[\]]*)\]$/s.exec(path) ?? [];
  if (list !== undefined && (from === undefined || to === undefined))
    return `${list}: ${from === undefined ? '+' : '-'} ${shortened(label ?? '')}`;
  if (from === undefined) return `${path}: ${valueText(to)}`;
  return to === undefined ? `${path}: removed` : `${path}: ${valueText(from)} → ${valueText(to)}`;
}

const valueText = (value: unknown): string => shortened(JSON.stringify(value) ?? '');

const shortened = (text: string): string =>
  text.length <= longestValue ? text : `${text.slice(0, longestValue).toWellFormed()}…`;
