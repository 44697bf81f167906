/** Plans as reports in HTML: what needs attention first, and each change with its fields. */
import { isRefused, isStep } from '../../../fleet/policy/live/change.ts';
import type { Effect } from '../../../fleet/policy/live/effects.ts';
import type { SavedPlan } from '../../../fleet/policy/planning/plan-file.ts';
import { formatCount } from '../../../output/amounts.ts';
import type { ChangeLine, ChangeSection, ReportChange } from '../../../output/report/changes.ts';
import type { Tone } from '../../../output/report/page-data.ts';
import type { Plot } from '../../../output/report/plots.ts';
import type { Report } from '../../../output/report/report.ts';
import { digestStart } from './counts.ts';
import type { ViewLine } from './fields.ts';
import { type ChangeGroup, changeGroups } from './view.ts';

interface ReportFacts {
  readonly kind: string;
  /** The lines below the plan. */
  readonly totals: readonly string[];
}

/** Returns the report of a plan. */
export function planReport(plan: SavedPlan, { kind, totals }: ReportFacts): Report {
  const { organizations, platform, identity, digest, changes } = plan;
  const groups = changeGroups(changes, { expand: true });
  return {
    kind,
    title: organizations.join(', '),
    facts: [
      ['Platform', platform],
      ...(identity === null ? [] : [['Planned by', identity] as const]),
      ['Digest', digestStart(digest)],
    ],
    numbers: numbersOf(plan),
    notes: totals.flatMap((text) => text.split('\n')),
    plots: plotsOf(plan),
    changes: sectionsOf(groups),
  };
}

type Changes = Pick<SavedPlan, 'changes'>;

function numbersOf({ changes }: Changes): Report['numbers'] {
  const made = changes.filter((change) => isStep(change) && !change.undeclared);
  const count = (is: (change: SavedPlan['changes'][number]) => boolean) => made.filter(is).length;
  return [
    { label: 'Loosen protection', value: count(({ effect }) => effect === 'loosens'), tone: 'bad' },
    {
      label: 'Delete or reset',
      value: count(({ action }) => action === 'delete' || action === 'unset'),
      tone: 'bad',
    },
    { label: 'Cannot be planned', value: changes.filter(isRefused).length, tone: 'warn' },
    { label: 'Create', value: count(({ action }) => action === 'create') },
    { label: 'Update', value: count(({ action }) => action === 'update' || action === 'resend') },
    { label: 'Tighten protection', value: count(({ effect }) => effect === 'tightens') },
  ];
}

/** Plots of fewer changes say no more than the changes. */
const leastPlotted = 10;

/** Bars of a plot. */
const mostBars = 12;

function plotsOf({ changes }: Changes): readonly Plot[] {
  const steps = changes.filter((change) => isStep(change) && !change.undeclared);
  if (steps.length < leastPlotted) return [];
  return [
    barsOf('Changes by kind', 'Kind', steps, ({ kind }) => kind),
    barsOf('Changes by target', 'Target', steps, ({ target }) => target),
  ];
}

const effects: readonly (readonly [Effect, string, Tone])[] = [
  ['loosens', 'loosen protection', 'bad'],
  ['tightens', 'tighten protection', 'info'],
  ['neutral', 'other', 'calm'],
];

function barsOf(
  title: string,
  header: string,
  steps: SavedPlan['changes'],
  nameOf: (change: SavedPlan['changes'][number]) => string,
): Plot {
  const byName = [...Map.groupBy(steps, nameOf)].sort(([, a], [, b]) => b.length - a.length);
  const shown = byName.slice(0, mostBars);
  const more = byName.length - shown.length;
  return {
    title,
    kind: 'bars',
    header,
    names: shown.map(([name]) => name),
    series: effects.map(([effect, name, tone]) => ({
      name,
      tone,
      values: shown.map(([, all]) => all.filter((change) => (change.effect ?? 'neutral') === effect).length),
    })),
    note: more > 0 ? `${formatCount(more)} more with fewer.` : undefined,
  };
}

function sectionsOf(groups: readonly ChangeGroup[]): readonly ChangeSection[] {
  const refused = (group: ChangeGroup) => group.changes.some(isRefused);
  const undeclared = (group: ChangeGroup) => group.changes.some((change) => change.undeclared);
  const attention = (group: ChangeGroup) => !undeclared(group) && (group.isRemoval || group.effect === 'loosens');
  const section = (title: string, tone: Tone, is: (group: ChangeGroup) => boolean, lead?: string): ChangeSection => ({
    ...{ title, tone, changes: groups.filter(is).map(changeOf) },
    ...(lead !== undefined && { lead }),
  });
  return [
    section('Loosens protection, deletes or resets', 'bad', (group) => !refused(group) && attention(group)),
    section('Cannot be planned', 'warn', refused),
    section('Other changes', 'calm', (group) => !refused(group) && !attention(group) && !undeclared(group)),
    section(
      'Not declared',
      'calm',
      (group) => !refused(group) && undeclared(group),
      'Deleted or reset only with --prune.',
    ),
  ];
}

function changeOf({ changes, lines, effect, isRemoval }: ChangeGroup): ReportChange {
  const [heading, ...rest] = lines;
  const targets = changes.length > 1 ? changes.map(({ target }) => target.slice(target.indexOf('/') + 1)) : [];
  // The names are the first line of several targets.
  const fields = targets.length > 0 ? rest.slice(1) : rest;
  const marks: (readonly [string, Tone])[] = [
    ...(effect === 'loosens' ? [['loosens protection', 'bad'] as const] : []),
    ...(effect === 'tightens' ? [['tightens protection', 'info'] as const] : []),
    ...(isRemoval ? [[changes[0]?.action === 'unset' ? 'resets' : 'deletes', 'bad'] as const] : []),
    ...(heading?.asks ? [['asks for confirmation', 'calm'] as const] : []),
  ];
  return { sign: heading?.sign ?? '', title: heading?.text ?? '', marks, targets, lines: fields.map(lineOf) };
}

const lineOf = ({ depth, sign, text, effect }: ViewLine): ChangeLine => ({
  depth,
  sign,
  text,
  ...(effect && effect !== 'neutral' && { mark: effect }),
  tone: effect === 'loosens' ? 'bad' : sign === '+' ? 'added' : sign === '-' ? 'removed' : 'plain',
});
