/**
 * Shows how the start-up time of a command is distributed over files: `node bench/profile.ts [WORD...]` (default: `orgs
 * get ORG --json`). The profiler adds about a fifth, so only the shares are exact.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from './measures/programs.ts';
import { bin, startPlatform } from './platform.ts';
import { run, spreadOf } from './program.ts';

interface Frame {
  readonly functionName: string;
  readonly url: string;
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] }[];
  /** Ids of the sampled nodes, and the microseconds before each sample. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const runs = 11;
const words = process.argv.length > 2 ? process.argv.slice(2) : ['orgs', 'get', 'p1-l0', '--json'];
const folder = mkdtempSync(join(tmpdir(), 'forgectl-profile-'));
const platform = await startPlatform(folder);
try {
  profile();
  const profiles = Array.from({ length: runs }, profile);
  const owners = new Set(profiles.flatMap((shares) => [...shares.keys()]));
  const medians = [...owners].map((owner): [string, number] => [
    owner,
    spreadOf(profiles.map((shares) => shares.get(owner) ?? 0)).median,
  ]);
  for (const [owner, ms] of medians.sort(([, a], [, b]) => b - a))
    if (ms >= 0.5) process.stdout.write(`${ms.toFixed(1).padStart(7)} ms  ${owner}\n`);
} finally {
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Milliseconds per owner in one run. The options of all runs are the same, as compiled code is cached for one set of them. */
function profile(): Map<string, number> {
  const directory = join(folder, 'profile');
  rmSync(directory, { recursive: true, force: true });
  const args = ['--cpu-prof', '--cpu-prof-interval=100', `--cpu-prof-dir=${directory}`, bin, ...words];
  run(process.execPath, args, environmentOf(folder, platform));
  const { nodes, samples, timeDeltas } = JSON.parse(
    readFileSync(join(directory, readdirSync(directory)[0] ?? ''), 'utf8'),
  ) as Profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const callers = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child): [number, number] => [child, id])),
  );
  const shares = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const owner = ownerOf(id, frames, callers);
    shares.set(owner, (shares.get(owner) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
  }
  return shares;
}

/**
 * Returns the innermost file on the stack: Node's work for a file, such as requiring another, counts as that file's.
 */
function ownerOf(id: number, frames: ReadonlyMap<number, Frame>, callers: ReadonlyMap<number, number>): string {
  let internal = '';
  for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) {
    const { functionName = '', url = '' } = frames.get(at) ?? {};
    const [, file] = /\/((?:bin|dist|node_modules)\/(?!.*node_modules\/).+)$/.exec(url) ?? [];
    if (file) return file;
    if (/^\((?:garbage collector|idle|program)\)$/.test(functionName)) return functionName;
    if (internal === '' && url.startsWith('node:')) internal = internalOwner(url);
  }
  return internal || 'Node';
}

function internalOwner(url: string): string {
  return url.startsWith('node:internal/modules') ? 'Node: resolving, reading and compiling ES modules' : 'Node';
}
