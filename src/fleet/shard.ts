/** Splits a fleet across machines: each target is in exactly one shard, whatever the other targets are. */
import { createHash } from 'node:crypto';

/** The `index`-th of `count` parts, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Maximum number of parts. */
export const mostShards = 999_999;

/** Parses `I/N`. Returns undefined for anything else. */
export function parseShard(text: string): Shard | undefined {
  const [, index = 0, count = 0] = (/^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? []).map(Number);
  return index >= 1 && index <= count ? { index, count } : undefined;
}

export const shardText = ({ index, count }: Shard): string => `${index}/${count}`;

/**
 * Returns whether a target, such as acme/site, is in the shard, by the first 48 bits of the SHA-256 of its lower-case
 * name.
 */
export function inShard(target: string, { index, count }: Shard): boolean {
  const hash = createHash('sha256').update(target.toLowerCase()).digest();
  return hash.readUIntBE(0, 6) % count === index - 1;
}
