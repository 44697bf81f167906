/** Labels of other tools. */
import type { Placed } from '../../../fleet/policy/wanted/placed.ts';

/**
 * Returns a color as six hexadecimal digits, which YAML may have read as a number; undefined for anything else. Three digits
 * stand for six, as in CSS.
 */
export function labelColor({ value, written }: Placed): string | undefined {
  const color = written ?? value;
  const [, digits] = (typeof color === 'string' && /^#?([\da-f]{6}|[\da-f]{3})$/i.exec(color)) || [];
  if (digits === undefined) return undefined;
  return digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&');
}
