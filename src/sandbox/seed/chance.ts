import { createHash } from 'node:crypto';

/** Returns a pseudo-random number in [0, 1) that depends only on the seed and the labels. */
export type Chance = (...labels: readonly (string | number)[]) => number;

export function chanceOf(seed: number): Chance {
  return (...labels) => hash(`${seed}/${labels.join('/')}`) / 2 ** 32;
}

/** FNV-1a, then the finalizer of MurmurHash3, which distributes the low bits of short texts. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Returns a pseudo-random element of a list. */
export function pick<T>(list: readonly [T, ...T[]], chance: number): T {
  return list[Math.floor(chance * list.length)] ?? list[0];
}

/** Returns a pseudo-random integer from `min` to `max`, inclusive. */
export function between(min: number, max: number, chance: number): number {
  return min + Math.floor(chance * (max - min + 1));
}

/** Returns the UUID of a text. */
export function uuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
