import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/cli/errors.ts';
import { formats } from '../../../../src/topics/policy/import/formats/index.ts';
import { importPolicies } from '../../../../src/topics/policy/import/import.ts';
import type { Format } from '../../../../src/topics/policy/import/model.ts';
import { chance } from '../../../support/chance.ts';
import { changed } from './changes.ts';
import { fixtures, unaccounted } from './law.ts';

const fuzz = { seed: Number(process.env.FUZZ_SEED ?? 20_261_123), runs: Number(process.env.FUZZ_RUNS ?? 4) };

describe.each(fixtures)('$format', (fixture) => {
  const { format: name, sources, organization } = fixture;

  it('has every value in the policy or among the losses', async () => {
    expect(await unaccounted(fixture)).toEqual([]);
  });

  it('becomes the same files again', () => {
    const format = formats.find((each) => each.name === name) as Format;
    const context = { organization, repository: undefined };
    const [first, second] = [1, 2].map(() => JSON.stringify(importPolicies(format, sources, context)));
    expect(second).toBe(first);
  });

  it('has them whatever is changed in a source', async () => {
    for (let run = 0; run < fuzz.runs; run++) {
      const random = chance(fuzz.seed + run);
      const at = Math.floor(random() * sources.length);
      const { kind, path, text } = changed(sources[at]?.text ?? '', random);
      const all = sources.map((source, index) => (index === at ? { ...source, text } : source));
      const found = await unaccounted({ ...fixture, sources: all }).catch((error: unknown) => {
        // A source that cannot be read is refused as a whole.
        if (!(error instanceof UsageError)) throw error;
        return error.message
          .split('\n')
          .slice(1)
          .filter((line) => !/^\S+:\d+:\d+: \S/.test(line));
      });
      expect(found, `run ${run}: ${path.join('.')} ${kind}`).toEqual([]);
    }
  });
});
