/** Saved plans that cannot be used. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onSandbox } from './support.ts';

it.each<[what: string, text: string, stderr: string]>([
  [
    'of a newer version',
    '{"plan":2,"platform":"x"}\n{"action":"merge"}\n{"summary":{}}\n',
    'is a plan of version 2, and this forgectl reads version 1. Nothing was sent.\nPlan again, or use the version of forgectl that wrote it.',
  ],
  [
    'of a version that is text',
    '{"plan":"1"}\n{"summary":{}}\n',
    'is a plan of version "1", and this forgectl reads version 1. Nothing was sent.\nPlan again, or use the version of forgectl that wrote it.',
  ],
  ['without a header', '{"action":"create"}\n{"summary":{}}\n', 'is not a plan: line 1 is no header.'],
  ['with a line that is cut off', '{"plan":1}\n{"summary":', 'is not a complete plan, line 2. Nothing was sent.'],
  [
    'with an action that this version does not know',
    '{"plan":1}\n{"action":"merge","kind":"ruleset","target":"acme","name":"x","source":"p:1","changes":[]}\n{"summary":{}}\n',
    'is not a complete plan, line 2. Nothing was sent.',
  ],
  ['without a trailer', '{"plan":1}\n{"later":true}\n', 'is not a complete plan, line 2. Nothing was sent.'],
])('a plan %s is rejected', async (_what, text, stderr) => {
  const { forgectl, write, folder } = await onSandbox();
  write('plan.ndjson', text);
  expect(await forgectl('policy apply FOLDER/plan.ndjson --yes')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `forgectl: ${join(folder, 'plan.ndjson')} ${stderr}\n`,
  });
});
