/** A number in [0, 1) that depends on the seed and on the labels alone: the same question always has the same answer. */
export type Chance = (...labels: readonly (string | number)[]) => number;

export function chanceOf(seed: number): Chance {
  return (...labels) => hash(`${seed}/${labels.join('/')}`) / 2 ** 32;
}

/** FNV-1a, then the finalizer of MurmurHash3, which spreads what short texts leave in the low bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The element of a list that a chance falls on. */
export function pick<T>(list: readonly [T, ...T[]], chance: number): T {
  return list[Math.floor(chance * list.length)] ?? list[0];
}

/** The whole number from `min` to `max`, both inclusive, that a chance falls on. */
export function between(min: number, max: number, chance: number): number {
  return min + Math.floor(chance * (max - min + 1));
}
