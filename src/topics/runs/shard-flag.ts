/** The flags for one of several parts of a run. */
import { valueFlag } from '../../cli/input/flags.ts';
import { BadValue, wholeNumber } from '../../cli/input/values.ts';
import { mostShards, parseShard, type Shard } from '../../fleet/shard.ts';
import { invalid, type Problem } from '../../platform/validate.ts';

const readShard = (text: string): Shard => {
  const shard = parseShard(text);
  if (!shard) throw new BadValue('must have the form I/N, from 1/N to N/N');
  return shard;
};

/** Reads a number. Returns what is wrong with another value, so that `settleShard` reports it alone. */
const numberFrom =
  (least: number, most: number) =>
  (text: string): number | BadValue => {
    try {
      return wholeNumber(least, most)(text);
    } catch (error) {
      if (error instanceof BadValue) return error;
      throw error;
    }
  };

/** Returns the flags; `description` is that of --shard. */
export const shardFlags = (description: string) => ({
  shard: valueFlag('--shard', readShard, { helpValue: 'I/N', description }),
  'shard-index': valueFlag('--shard-index', numberFrom(0, mostShards - 1), {
    helpValue: 'I',
    description: 'With --shards, the same, but I counts from 0, as the index of a Kubernetes Job',
  }),
  shards: valueFlag('--shards', numberFrom(1, mostShards), {
    helpValue: 'N',
    description: 'Number of parts, for --shard-index',
  }),
});

/** The names of these flags. */
export const shardFlagNames = ['shard', 'shard-index', 'shards'] as const;

interface ShardFlags {
  shard?: Shard | undefined;
  readonly 'shard-index'?: number | BadValue | undefined;
  readonly shards?: number | BadValue | undefined;
}

/** Sets `shard` to what --shard-index and --shards select. Returns the problems of these flags. */
export function settleShard(flags: ShardFlags): Problem[] {
  const { shard, 'shard-index': index, shards: count } = flags;
  if (index === undefined && count === undefined) return [];
  if (index instanceof BadValue || count instanceof BadValue)
    return Object.entries({ '--shard-index': index, '--shards': count }).flatMap(([flag, value]) =>
      value instanceof BadValue ? [invalid(flag, value.message)] : [],
    );
  if (index === undefined) return [invalid('--shards', 'requires --shard-index')];
  if (count === undefined) return [invalid('--shard-index', 'requires --shards')];
  const isSame = shard?.index === index + 1 && shard.count === count;
  if (shard && !isSame) return [invalid('--shard', 'cannot be used with --shard-index and --shards')];
  if (index >= count)
    return [invalid('--shard-index', `must be less than --shards ${count}, because it counts from 0`)];
  flags.shard = { index: index + 1, count };
  return [];
}
