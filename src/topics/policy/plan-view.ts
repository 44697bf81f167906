/** Renders plans as rows, with equal changes of several targets in one, and as Markdown. */

import type { FieldChange } from '../../fleet/diff.ts';
import { asks } from '../../fleet/policy/applying/guards.ts';
import { type Action, isRefused, isStep, type PlannedChange, shownValue } from '../../fleet/policy/live/change.ts';
import type { RequestCounts } from '../../fleet/policy/live/requests.ts';
import type { PolicyPlan } from '../../fleet/policy/planning/plan.ts';
import { secretText } from '../../fleet/policy/wanted/secret-sources.ts';
import { isObject } from '../../json/exact-json.ts';
import { counted, formatCount, timeText } from '../../output/amounts.ts';
import { safeText } from '../../output/safe-text.ts';
import type { Column } from '../../output/table/columns.ts';

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
  /** Rows show all fields, also of objects to create: no policy shows them. */
  readonly inFull?: boolean;
}

/** Returns the rows of a plan. */
export function planRows(
  { changes }: Pick<PolicyPlan, 'changes'>,
  { expand = false, ...options }: RowOptions,
): readonly PlanRow[] {
  if (expand) return changes.map((change) => ({ ...rowOf(change, options), target: change.target }));
  const groups = new Map<string, { readonly row: Omit<PlanRow, 'target'>; readonly targets: string[] }>();
  for (const change of changes) {
    const row = rowOf(change, options);
    const [owner = '', repo] = change.target.split('/');
    const key = JSON.stringify([owner.toLowerCase(), repo !== undefined, row]);
    const group = groups.get(key) ?? { row, targets: [] };
    group.targets.push(change.target);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ row, targets }) => {
    const [first = '', ...others] = targets;
    return { ...row, target: others.length === 0 ? first : `${formatCount(targets.length)} of ${first.split('/')[0]}` };
  });
}

const signs: Readonly<Record<PlannedChange['action'], PlanRow['sign']>> = {
  create: '+',
  update: '~',
  delete: '-',
  unset: '-',
  unverified: '=',
  resend: '~',
  unreadable: '?',
  unresolved: '?',
  ambiguous: '?',
};

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
  if (action === 'create' && !inFull) return source ?? '';
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

const valueText = (value: unknown): string =>
  isObject(value) || Array.isArray(value) ? shortened(JSON.stringify(value)) : shortened(shownValue(value));

const shortened = (text: string): string =>
  text.length <= longestValue ? text : `${text.slice(0, longestValue).toWellFormed()}…`;

/**
 * Returns the counts of a plan: a line for each organization whose repositories are selected, and one for its changes, as
 * `apply` makes them.
 */
export function planCounts(
  { changes, selections, requests, estimated_seconds: seconds = 0 }: Omit<PolicyPlan, 'summary'>,
  prunes = false,
): string {
  const selected = selections.map(({ organization, selected: some, of, archived }) => {
    const skipped = archived ? `, ${formatCount(archived)} archived skipped` : '';
    return `${organization}: ${formatCount(some)} of ${formatCount(of)} repositories selected${skipped}.`;
  });
  const time = seconds < 60 ? '' : `; about ${timeText(seconds)} at the platform’s limits`;
  return [...selected, `${changeCounts(changes, prunes)}${time}. ${requestsText(requests)}.`].join('\n');
}

/** Returns “12 changes (11 to create, 1 to update), 3 undeclared (deleted or reset only with --prune), 2 not planned”. */
export function changeCounts(changes: readonly PlannedChange[], prunes = false): string {
  const undeclared = prunes ? 0 : changes.filter((change) => change.undeclared).length;
  const count = (...those: Action[]) => changes.filter(({ action }) => those.includes(action)).length;
  const made: readonly (readonly [number, string])[] = [
    [count('create'), 'create'],
    [count('update'), 'update'],
    [count('delete', 'unset') - undeclared, 'delete or reset'],
    [count('resend'), 'send again'],
  ];
  const total = made.reduce((sum, [number]) => sum + number, 0);
  const parts = made.flatMap(([number, verb]) => (number ? `${formatCount(number)} to ${verb}` : []));
  const refused = changes.filter(isRefused).length;
  return [
    total === 0 ? 'No changes' : `${counted(total, 'change')} (${parts.join(', ')})`,
    ...(undeclared ? [`${formatCount(undeclared)} undeclared (deleted or reset only with --prune)`] : []),
    ...(refused ? [`${formatCount(refused)} not planned`] : []),
  ].join(', ');
}

/** Returns “3,725 requests, 3,700 unchanged”. */
export const requestsText = ({ sent, not_modified: notModified }: RequestCounts): string =>
  `${counted(sent, 'request')}${notModified ? `, ${formatCount(notModified)} unchanged` : ''}`;

/** In characters: comments of pull requests have at most 65,536. */
const longestMarkdown = 60_000;

/** Returns a plan as the comment of a pull request. What does not fit is counted. */
export function planMarkdown(plan: PolicyPlan, expand: boolean): string {
  const rows = planRows(plan, { expand });
  const selections = plan.selections.map((its) => ({ ...its, organization: markdownCell(its.organization) }));
  const counts = planCounts({ ...plan, selections });
  const head = `### Policy plan for ${plan.organizations.map(markdownCell).join(', ')}\n\n${counts}\n`;
  if (rows.length === 0) return head;
  const lines = [head, '| | Kind | Name | Target | Effect | Changes |', '|---|---|---|---|---|---|'];
  let length = lines.join('\n').length;
  for (const [at, { sign, kind, name, target, effect, detail }] of rows.entries()) {
    const line = `| \`${sign}\` | ${[kind, name, target, effect, detail].map(markdownCell).join(' | ')} |`;
    length += line.length + 1;
    if (length > longestMarkdown - 100) {
      lines.push('', `${counted(rows.length - at, 'more row')} not shown.`);
      break;
    }
    lines.push(line);
  }
  return lines.join('\n');
}

/** Characters that mean nothing to Markdown, as long as they form none of the words below. */
const plainText = /^(?:[\p{L}\p{M}\p{N} .,;:()/+"“”’→…-]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}]))*$/u;

/** Words that become links or emoji: URLs, `GH-7`, commits, `:tada:`. */
const linkedWord = /www\.|:\/\/|GH-\d|[0-9a-f]{7}|:[\w+-]+:/i;

/**
 * Returns text for a cell. Names and values come from the platform: they must not end the cell, mention people, or be
 * links, HTML or emphasized. Escapes do not help against mentions, which the platform looks for in rendered text; in
 * code it interprets nothing.
 */
function markdownCell(text: string): string {
  const line = safeText(text.replaceAll(/\s+/g, ' ').trim());
  return plainText.test(line) && !linkedWord.test(line) ? line : markdownCode(line);
}

/** Returns a code span of one line for a cell, where only `\|` is no end of it, unless a backslash precedes. */
function markdownCode(line: string): string {
  const content = line.replaceAll(/\\(?=\\*\|)/g, '\\u005c').replaceAll('|', '\\|');
  const longest = Math.max(0, ...Array.from(content.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = content.startsWith('`') || content.endsWith('`') ? ' ' : '';
  return `${fence}${space}${content}${space}${fence}`;
}
