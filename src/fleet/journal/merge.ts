/** Merges the journals of all shards of a run into one. */
import { isDeepStrictEqual } from 'node:util';
import { JournalError } from '../errors.ts';
import { inShard, parseShard, type Shard, shardText } from '../shard.ts';
import type { EntryLine, JournalHeader, JournalLine } from './lines.ts';
import { requireJournal } from './read.ts';
import type { JournalState } from './state.ts';

interface ShardJournal {
  readonly path: string;
  readonly shard: Shard;
  readonly state: JournalState;
  readonly entries: readonly EntryLine[];
}

/**
 * Returns the lines of one journal merged from those of all shards. Throws JournalError for a missing or duplicate
 * shard, a target in the wrong shard, and journals of different runs.
 */
export function mergeJournals(paths: readonly string[]): readonly JournalLine[] {
  const journals = paths.map(readShard);
  const [first, ...others] = journals;
  if (!first) throw new JournalError('No journals to merge.');
  for (const other of others) requireSameRun(first, other);
  requireAllShards(journals);
  const { shard: _shard, ...common } = first.state.header;
  const readsStdin = journals.some(({ state }) => state.header.stdin);
  const header: JournalHeader = { ...common, ...(readsStdin && { stdin: true }) };
  const targets = journals.flatMap(({ state }) => state.listed);
  return [header, { targets }, ...journals.flatMap(({ entries }) => entries)];
}

function readShard(path: string): ShardJournal {
  const entries: EntryLine[] = [];
  const state = requireJournal(path, (line) => 'target' in line && entries.push(line));
  const shard = parseShard(state.header.shard ?? '');
  if (!shard) throw new JournalError(`${path} is not the journal of a shard.`);
  const stray = [...state.targets, ...state.listed.map(({ name }) => name)].find((target) => !inShard(target, shard));
  if (stray !== undefined) throw new JournalError(`${path} has ${stray}, which is not in shard ${shardText(shard)}.`);
  return { path, shard, state, entries };
}

function requireSameRun(first: ShardJournal, other: ShardJournal): void {
  // The targets of only some shards may read standard input.
  const runOf = ({ state, shard }: ShardJournal) => ({ ...state.header, shard: shard.count, stdin: true });
  if (!isDeepStrictEqual(runOf(first), runOf(other)))
    throw new JournalError(`${other.path} and ${first.path} are journals of different runs.`);
}

function requireAllShards(journals: readonly ShardJournal[]): void {
  const count = journals[0]?.shard.count ?? 0;
  for (let index = 1; index <= count; index++) {
    const [only, second] = journals.filter(({ shard }) => shard.index === index);
    if (!only) throw new JournalError(`Shard ${index}/${count} is missing.`);
    if (second) throw new JournalError(`${only.path} and ${second.path} are both shard ${index}/${count}.`);
  }
}
