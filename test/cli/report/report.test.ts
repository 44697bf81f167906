import { expect, it } from 'vitest';
import { describeFailure } from '../../../src/cli/report/report.ts';

it.each(['Maximum call stack size exceeded', 'Invalid string length'])(
  'reports an exceeded limit of V8 as too large: %s',
  (message) => {
    expect(describeFailure(new RangeError(message), {})).toMatchObject({
      exit: 2,
      code: 'too_large',
      message:
        'The data is too large or too deeply nested. Select less of it, or use another format, such as -o ndjson.',
    });
  },
);
