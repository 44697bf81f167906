/** The flag for one of several parts of a run. */
import { valueFlag } from '../../cli/input/flags.ts';
import { BadValue } from '../../cli/input/values.ts';
import { parseShard, type Shard } from '../../fleet/shard.ts';

const readShard = (text: string): Shard => {
  const shard = parseShard(text);
  if (!shard) throw new BadValue('must have the form I/N, from 1/N to N/N');
  return shard;
};

export const shardFlag = (description: string) => valueFlag('--shard', readShard, { helpValue: 'I/N', description });
