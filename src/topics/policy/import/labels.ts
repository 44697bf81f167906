/** Labels of other tools. */
import type { Placed } from '../../../fleet/policy/wanted/placed.ts';
import type { Lose } from './source.ts';

/**
 * Returns a color as six hexadecimal digits, which YAML may have read as a number; reports anything else. Three digits stand
 * for six, as in CSS.
 */
export function labelColor(part: Placed, lose: Lose): Placed | undefined {
  const color = part.written ?? part.value;
  const [, digits] = (typeof color === 'string' && /^#?([\da-f]{6}|[\da-f]{3})$/i.exec(color)) || [];
  if (digits !== undefined) return { ...part, value: digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&') };
  lose(part, 'must be six hexadecimal digits, in quotes');
  return undefined;
}
