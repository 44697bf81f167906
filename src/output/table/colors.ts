/**
 * Colors of states, in addition to their words. Only the four basic colors that are legible on light and dark
 * backgrounds: no yellow, no white, no dimmed text. Plans have the colors that diffs have.
 */
import { styleText } from 'node:util';

type Tone = 'good' | 'bad' | 'pending' | 'off';

const colors = { good: 'green', bad: 'red', pending: 'magenta', off: 'cyan' } as const;

const words: Readonly<Record<Tone, readonly string[]>> = {
  good: ['active', 'approved', 'enabled', 'exported', 'pass', 'public', 'success', 'accepted', 'in_sync', 'verified'],
  bad: ['denied', 'rejected', 'failed', 'fail', 'error', 'invalid', 'not_in_sync', 'offline', 'suspended', 'high'],
  pending: ['open', 'pending', 'exporting', 'evaluate', 'testing', 'bypass', 'internal', 'expired', 'yes', 'medium'],
  off: ['disabled', 'private', 'selected', 'archived', 'completed', 'cancelled', 'closed', 'inactive'],
};

const toneOf = new Map(
  Object.entries(words).flatMap(([tone, list]) => list.map((word) => [word, tone as Tone] as const)),
);

const paint = (format: Parameters<typeof styleText>[0], text: string) =>
  styleText(format, text, { validateStream: false });

export const bold = (text: string): string => paint('bold', text);

/** Colors of a plan: what loosens protection, what tightens it, and what only changes. */
const planColors = { loosens: 'red', tightens: 'green', changed: 'yellow' } as const;

export const coloredChange = (text: string, effect: keyof typeof planColors): string => paint(planColors[effect], text);

/** Returns the word of a state in its color; unknown words are not colored. */
export function colored(word: string): string {
  const tone = toneOf.get(word.toLowerCase());
  return tone ? paint(colors[tone], word) : word;
}

/** Colors a text by the share of a limit that is used up; 1 is all of it. */
export function coloredByUse(text: string, part: number): string {
  return paint(colors[part >= 1 ? 'bad' : part >= 0.8 ? 'pending' : 'good'], text);
}
