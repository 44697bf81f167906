/** The changes of a plan as choices for a reviewer: by risk, with equal changes of several targets as one. */
import type { PromptTerminal } from '../../cli/input/prompts/prompt-types.ts';
import { promptSeveral } from '../../cli/input/prompts/prompts.ts';
import { derivedOffline } from '../../fleet/policy/applying/derive.ts';
import { isStep, type PlannedChange } from '../../fleet/policy/live/change.ts';
import { maskSecrets } from '../../output/secrets.ts';
import { lineText } from './rendering/text.ts';
import { type ChangeGroup, changeGroups } from './rendering/view.ts';

/** In the order of their prompts. */
const risks = [
  ['deletes', 'Deletions and resets to keep:'],
  ['loosens', 'Changes that loosen protection to keep:'],
  ['unknown', 'Updates with an unknown effect to keep:'],
  ['other', 'Other changes to keep:'],
] as const;

function riskOf({ isRemoval, effect, changes: [first] }: ChangeGroup): (typeof risks)[number][0] {
  if (isRemoval) return 'deletes';
  if (effect === 'loosens') return 'loosens';
  return first?.action === 'update' && effect === undefined ? 'unknown' : 'other';
}

/** Prompts for the changes to keep, risk by risk. Returns those to drop. Objects that cannot be planned or verified stay. */
export async function droppedChanges(
  changes: readonly PlannedChange[],
  asking: PromptTerminal,
): Promise<ReadonlySet<PlannedChange>> {
  const derived = maskSecrets(await derivedOffline(changes));
  const saved = new Map(derived.map((change, at) => [change, changes[at] as PlannedChange]));
  const groups = Map.groupBy(changeGroups(derived.filter(isStep)), riskOf);
  const dropped = new Set<PlannedChange>();
  for (const [risk, message] of risks) {
    const all = groups.get(risk) ?? [];
    if (all.length === 0) continue;
    const choices = all.map((group) => ({ name: textOf(group), short: headingOf(group), value: group }));
    const kept = await promptSeveral(message, choices, asking, all);
    for (const group of all)
      if (!kept.includes(group)) for (const change of group.changes) dropped.add(saved.get(change) as PlannedChange);
  }
  return dropped;
}

/** Returns the headings of changes. */
export const headingsOf = async (changes: readonly PlannedChange[]): Promise<readonly string[]> =>
  changeGroups(await derivedOffline(changes)).map(headingOf);

function headingOf({ lines: [heading] }: ChangeGroup): string {
  return heading ? `${heading.sign} ${lineText(heading)}` : '';
}

function textOf(group: ChangeGroup): string {
  const [, ...fields] = group.lines;
  const texts = fields.map((line) => `${line.sign} ${lineText(line)}`.trim());
  return [headingOf(group), texts.join('; ').replaceAll(':; ', ': ')].join(': ');
}
