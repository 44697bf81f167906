import { expect, it } from 'vitest';
import { run } from '../support/run.ts';

const platform = `${process.platform}-${process.arch}`;
const { node } = process.versions;

it('prints the versions for bug reports', async () => {
  const record = { version: '0.1.0', node, platform };
  expect(JSON.parse((await run(['version', '--json'])).stdout)).toEqual(record);
  expect((await run(['version'])).stdout).toBe(`version\t0.1.0\nnode\t${node}\nplatform\t${platform}\n`);
  expect((await run(['version', '-o', 'table'])).stdout).toBe(
    `Version   0.1.0\nNode      ${node}\nPlatform  ${platform}\n`,
  );
});

it('prints with --verbose the build, and each license of the code that forgectl contains', async () => {
  const { stdout } = await run(['version', '--verbose', '--json']);
  const record = JSON.parse(stdout);
  expect(record).toMatchObject({
    build: expect.stringMatching(/^[0-9a-f]{16}$/),
    distribution: 'package',
    license: 'MIT',
    components: expect.arrayContaining([
      { name: 'undici', version: expect.stringMatching(/^\d/), license: 'MIT' },
      { name: 'musl', version: null, license: 'MIT' },
      { name: 'jq', version: expect.stringMatching(/^\d/), license: 'MIT' },
    ]),
  });
  const lines = record.components.map((each: object) => JSON.stringify(each));
  expect(lines).toHaveLength(new Set(lines).size);
  expect((await run(['version', '--verbose'])).stdout).toContain('license\tMIT\ncontains\t');
  expect(await run(['version', '--verbos'])).toMatchObject({ stdout: '', code: 2 });
});
