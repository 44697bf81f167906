/**
 * Colours that carry a meaning. The word is always there too. They are the four of the basic eight that can be read on
 * light and on dark backgrounds: no yellow, no white, nothing dimmed.
 */
import { styleText } from 'node:util';

type Tone = 'good' | 'bad' | 'pending' | 'off';

const colors = { good: 'green', bad: 'red', pending: 'magenta', off: 'cyan' } as const;

const words: Readonly<Record<Tone, readonly string[]>> = {
  good: ['active', 'approved', 'enabled', 'exported', 'pass', 'public', 'success', 'accepted', 'in_sync', 'verified'],
  bad: ['denied', 'rejected', 'failed', 'fail', 'error', 'invalid', 'not_in_sync', 'offline', 'suspended'],
  pending: ['open', 'pending', 'exporting', 'evaluate', 'testing', 'bypass', 'internal', 'expired', 'yes'],
  off: ['disabled', 'private', 'selected', 'archived', 'completed', 'cancelled', 'closed', 'inactive'],
};

const toneOf = new Map(
  Object.entries(words).flatMap(([tone, list]) => list.map((word) => [word, tone as Tone] as const)),
);

const paint = (format: Parameters<typeof styleText>[0], text: string) =>
  styleText(format, text, { validateStream: false });

export const bold = (text: string): string => paint('bold', text);

/** The word of a state in its colour; one that has no known meaning as it is. */
export function colored(word: string): string {
  const tone = toneOf.get(word.toLowerCase());
  return tone ? paint(colors[tone], word) : word;
}

/** What a limit thinks of how much of it is used up. `part` is 1 where all of it is. */
export function coloredByUse(text: string, part: number): string {
  return paint(colors[part >= 1 ? 'bad' : part >= 0.8 ? 'pending' : 'good'], text);
}
