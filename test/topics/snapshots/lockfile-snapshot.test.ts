/** The size of a snapshot, with limits that small files reach. */
import { expect, it, onTestFinished } from 'vitest';
import { parsed } from '../../../src/topics/snapshots/lockfile-files.ts';
import { SnapshotSize } from '../../../src/topics/snapshots/lockfile-snapshot.ts';

const purl = 'pkg:npm/a@1.0.0';
const manifest = { packages: new Map([['a', { purl, dependencies: [purl, purl] }]]) };

it.each([
  ['packages', { packages: 2 }],
  ['dependencies', { dependencies: 5 }],
])('a snapshot has a limited number of %s, of all files together', (_, limits) => {
  const size = new SnapshotSize(limits);
  expect([size.with(manifest), size.with(manifest)]).toEqual([manifest, manifest]);
  expect(() => size.with(manifest)).toThrow(
    'The files list more than 2,000,000 packages, or 20,000,000 dependencies of packages.',
  );
});

it('Ctrl-C ends the process while a lockfile is parsed', async () => {
  const listener = () => {};
  process.on('SIGINT', listener);
  onTestFinished(() => void process.off('SIGINT', listener));
  const counted = () => process.listeners('SIGINT').includes(listener);
  expect(await parsed('yarn.lock', counted)).toBe(false);
  expect(counted()).toBe(true);
});
