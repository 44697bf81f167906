/** What plans show, before it is laid out: groups of equal changes, each with a heading and its fields. */
import { asks } from '../../../fleet/policy/applying/guards.ts';
import { isStep, type PlannedChange } from '../../../fleet/policy/live/change.ts';
import type { Effect } from '../../../fleet/policy/live/effects.ts';
import { formatCount } from '../../../output/amounts.ts';
import { fieldLines, scalarText, type ViewLine } from './fields.ts';

/** The same change of one or several targets. */
export interface ChangeGroup {
  readonly effect: Effect | undefined;
  /** True if something is deleted or reset. */
  readonly isRemoval: boolean;
  /** The changes, one for each target. */
  readonly changes: readonly PlannedChange[];
  /** The heading, the names of several targets, and the fields. */
  readonly lines: readonly ViewLine[];
}

export interface ViewOptions {
  /** Lists all targets of a group. */
  readonly expand?: boolean;
  /** Undeclared objects are deleted. */
  readonly prunes?: boolean;
}

/** Stands for the target in a reason, so that those of several targets are equal. */
const targetMark = '\0';

/** Names of targets listed in a group. */
const mostNames = 5;

export const signs = {
  create: '+',
  update: '~',
  delete: '-',
  unset: '-',
  unverified: '=',
  resend: '~',
  unreadable: '?',
  unresolved: '?',
  ambiguous: '?',
} as const satisfies Record<PlannedChange['action'], string>;

/** Returns changes that look the same, with their targets: organizations, or repositories of one organization. */
export function grouped<V>(
  changes: readonly PlannedChange[],
  viewOf: (change: PlannedChange) => V,
): readonly { readonly view: V; readonly changes: readonly PlannedChange[] }[] {
  const groups = new Map<string, { readonly view: V; readonly changes: PlannedChange[] }>();
  for (const change of changes) {
    const view = viewOf(change);
    const [owner = '', repo] = change.target.split('/');
    const key = JSON.stringify([owner.toLowerCase(), repo !== undefined, view]);
    const group = groups.get(key) ?? { view, changes: [] };
    group.changes.push(change);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Returns the groups of a plan. What cannot be verified is no change; `unverifiedText` counts it. */
export function changeGroups(changes: readonly PlannedChange[], options: ViewOptions = {}): readonly ChangeGroup[] {
  const shown = changes.filter(({ action }) => action !== 'unverified');
  return grouped(shown, (change) => partsOf(change, options)).map(({ view, changes: its }) => {
    const { title, effect, isRemoval, note, fields } = view;
    const targets = its.map(({ target }) => target);
    const [first = '', ...others] = targets;
    const [owner = ''] = first.split('/');
    const place = others.length === 0 ? first : `${formatCount(targets.length)} repositories of ${owner}`;
    const changed = view.sign === '~' ? 'changed' : 'neutral';
    const tone = effect && effect !== 'neutral' && view.isMade ? effect : changed;
    const heading = { depth: 0, sign: view.sign, text: `${title} · ${place}`, effect, asks: view.asks, tone } as const;
    const named = others.length === 0 ? [] : [{ depth: 2, sign: '', text: namesText(targets, options) } as const];
    const text = note.replaceAll(targetMark, others.length === 0 ? first : 'the repository');
    const noted = note === '' ? [] : [{ depth: 2, sign: '', text } as const];
    return { effect, isRemoval, changes: its, lines: [heading, ...named, ...noted, ...fields] };
  });
}

function namesText(targets: readonly string[], { expand = false }: ViewOptions): string {
  const names = targets.map((target) => target.slice(target.indexOf('/') + 1));
  const shown = expand ? names : names.slice(0, mostNames);
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}

/** Returns the text shared by the changes of a group. */
function partsOf(change: PlannedChange, options: ViewOptions) {
  const { action, kind, name, effect } = change;
  // Undeclared objects are deleted or reset only with --prune.
  const isMade = options.prunes === true || !change.undeclared;
  const fields = fieldLines(change);
  return {
    isMade,
    sign: signs[action] as ViewLine['sign'],
    title: name === '' ? kind : `${kind} ${scalarText(name)}`,
    effect: isStep(change) ? effect : undefined,
    isRemoval: isStep(change) && (action === 'delete' || action === 'unset'),
    asks: isStep(change) && asks(change),
    note: noteOf(change, options),
    fields: isMade ? fields : fields.map((line) => ({ ...line, tone: 'neutral' as const })),
  };
}

function noteOf({ action, target, reason, undeclared }: PlannedChange, { prunes = false }: ViewOptions): string {
  const why = reason?.replaceAll(target, targetMark);
  if (why !== undefined) return action === 'unreadable' ? why : `${action}: ${why}`;
  if (!undeclared) return action === 'unset' ? 'reset to the inherited setting' : '';
  const how = action === 'unset' ? 'reset' : 'deleted';
  return `not declared; ${prunes ? `will be ${how}` : `${how} only with --prune`}`;
}
