/** Runs all benchmarks, or the given ones. `--quick` measures fewer times. A full run writes results.md. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changeSince, lastFigures } from './last-results.ts';
import { measures } from './measures/index.ts';
import type { Measure, Row } from './measures/measure.ts';
import type { Bench } from './measures/programs.ts';
import { startPlatform } from './platform.ts';

const missed = 'missed';
const causesTitle = '## Missed goals';

const { values, positionals } = parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true });
const isNamed = (measure: Measure, name: string) => measure.name === name || measure.name.startsWith(`${name}-`);
const unknown = positionals.filter((name) => !measures.some((measure) => isNamed(measure, name)));
if (unknown.length) {
  process.stderr.write(
    `Unknown measure ${unknown.join(', ')}. Known: ${measures.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exitCode = 2;
} else {
  const isChosen = (measure: Measure) => positionals.some((name) => isNamed(measure, name));
  await main(measures.filter((measure) => positionals.length === 0 || isChosen(measure)));
}

async function main(chosen: readonly Measure[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'forgectl-bench-'));
  const platform = await startPlatform(folder);
  const peer = ghVersion();
  const circumstances = circumstancesOf(peer);
  const file = join(import.meta.dirname, 'results.md');
  const last = lastFigures(readFileSync(file, 'utf8').split(causesTitle, 1)[0] ?? '');
  try {
    const bench: Bench = { platform, folder, gh: peer !== undefined, quick: values.quick ?? false };
    const lines = chosen.map((measure) => {
      const line = tell(measure, measure.run(bench), last);
      process.stdout.write(`${line.join('   ')}\n`);
      return line;
    });
    const isMissed = (_: Measure, index: number) => lines[index]?.includes(missed) ?? false;
    const causes = chosen.filter(isMissed).map(({ title, cause = 'Unknown' }) => [title, cause]);
    for (const line of causes) process.stdout.write(`Missed: ${line.join(': ')}.\n`);
    if (bench.quick || positionals.length) return;
    writeFileSync(file, page(lines, causes, circumstances));
    process.stdout.write(`Wrote ${file}.\n`);
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the cells of a row: measure, forgectl, the other program, value, goal, whether it is met, and growth since the last run. */
function tell(
  { title, goal }: Measure,
  { ours, theirs, value, exceedsOther = false }: Row,
  last: ReadonlyMap<string, string>,
): string[] {
  const verdict = !goal || value === undefined ? '' : goal.met(value) && !exceedsOther ? 'met' : missed;
  return [
    title,
    ours,
    theirs,
    value === undefined ? '' : value.toFixed(2),
    goal?.text ?? '',
    verdict,
    changeSince(last.get(title), ours),
  ];
}

function page(
  lines: readonly (readonly string[])[],
  causes: readonly (readonly string[])[],
  circumstances: readonly string[],
): string {
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    '# Results of the last run',
    '',
    'Written by `npm run bench`; see README.md for the measures. Medians, with quartiles in brackets.',
    '',
    ...circumstances.map((circumstance) => `- ${circumstance}`),
    '',
    row(['Measure', 'forgectl', 'Against', 'Ratio', 'Goal', '', 'Since the last run']),
    row(['---', '---', '---', '---', '---', '---', '---']),
    ...lines.map(row),
    ...(causes.length ? ['', causesTitle, '', row(['Measure', 'Cause']), row(['---', '---']), ...causes.map(row)] : []),
    '',
  ].join('\n');
}

function circumstancesOf(peer: string | undefined): string[] {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  const load = loadavg()[0] ?? 0;
  return [
    new Date().toISOString().slice(0, 10),
    `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${(totalmem() / 1024 ** 3).toFixed(0)} GiB; ${type()} ${arch()}; load average at start ${load.toFixed(1)}`,
    `forgectl ${version}, Node ${process.versions.node}, ${peer ?? 'gh is not installed: apt-get install gh'}`,
  ];
}

function ghVersion(): string | undefined {
  const { status, stdout } = spawnSync('gh', ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n')[0] : undefined;
}
