import { expect, it } from 'vitest';
import { parse } from './graph.ts';

it.each([
  ['package-lock.json', '{"lockfileVersion": 4, "packages": {}}', 'not a lockfile of npm in version 1 to 3'],
  ['package-lock.json', '{"lockfileVersion": 3}', 'not a lockfile of npm: it has neither packages nor dependencies'],
  ['bun.lock', '{"lockfileVersion": 2, "packages": {}}', 'not a lockfile of bun in version 0 or 1'],
  ['deno.lock', '{"version": "2"}', 'not a Deno lockfile (supported: versions 3 to 5)'],
  ['pdm.lock', '[metadata]\nlock_version = "5.0"\n', 'not a PDM lockfile (supported: version 4)'],
  ['poetry.lock', '[metadata]\nlock-version = "3.0"\n', 'not a lockfile of Poetry in version 1 or 2'],
  ['Cargo.lock', 'version = 5\n', 'not a lockfile of Cargo in version 1 to 4'],
  ['packages.lock.json', '{"version": 3, "dependencies": {}}', 'not a lockfile of NuGet in version 1 or 2'],
])('rejects %s with the content %s', async (name, text, message) => {
  await expect(parse(name, text)).rejects.toThrow(message);
});

it('reads lockfiles without packages', async () => {
  for (const [name, text] of [
    ['package-lock.json', '{"lockfileVersion": 1}'],
    ['package-lock.json', '{"lockfileVersion": 3, "packages": {}}'],
    ['bun.lock', '{"lockfileVersion": 0, "packages": {}}'],
    ['deno.lock', '{"version": "5"}'],
    ['pdm.lock', '[metadata]\nlock_version = "4.5.0"\n'],
    ['poetry.lock', 'package = []\n[metadata]\nlock-version = "2.1"\n'],
    ['Cargo.lock', 'version = 4\n'],
    ['packages.lock.json', '{"version": 1, "dependencies": {}}'],
  ] as const)
    expect((await parse(name, text))[0]?.packages.size).toBe(0);
});
