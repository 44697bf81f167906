import { expect, it } from 'vitest';
import { collecting } from '../../../src/cli/input/args.ts';
import { plainName } from '../../../src/cli/input/values.ts';
import type { Problem } from '../../../src/platform/validate.ts';

it('an invalid argument is recorded, and returns nothing that the compiler accepts as a value', async () => {
  const problems: Problem[] = [];
  const org = await collecting('ORG', plainName)('a/b', { problems });
  // @ts-expect-error: a path takes only what could be read
  const path: { org: string } = { org };
  expect(path).toEqual({ org: null });
  expect(problems).toEqual([{ field: 'ORG', message: 'must be a single name, without a slash', code: 'invalid' }]);
});
