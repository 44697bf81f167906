/** Saved plans that cannot be used. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onSandbox } from './support.ts';

const header = '{"plan":2,"platform":"x","identity":null,"organizations":[],"policy_digest":"","digest":""}';

it.each<[what: string, text: string, stderr: string]>([
  [
    'of a newer version',
    '{"plan":4,"platform":"x"}\n{"action":"merge"}\n{"summary":{}}\n',
    'is a plan of version 4; this version of forgectl reads versions 2 and 3. Nothing was sent.\nSave a new one with: forgectl policy plan --out FILE',
  ],
  [
    'of an older version',
    '{"plan":1,"platform":"x"}\n{"summary":{}}\n',
    'is a plan of version 1; this version of forgectl reads versions 2 and 3. Nothing was sent.\nSave a new one with: forgectl policy plan --out FILE',
  ],
  [
    'of a version that is text',
    '{"plan":"2"}\n{"summary":{}}\n',
    'is a plan of version "2"; this version of forgectl reads versions 2 and 3. Nothing was sent.\nSave a new one with: forgectl policy plan --out FILE',
  ],
  ['without a header', '{"action":"create"}\n{"summary":{}}\n', 'is not a plan: line 1 is no header.'],
  ['with a line that is cut off', `${header}\n{"summary":`, 'is truncated or damaged at line 2. Nothing was sent.'],
  [
    'with an action that this version does not know',
    `${header}\n{"action":"merge","kind":"ruleset","target":"acme","name":"x","source":"p:1","changes":[]}\n{"summary":{}}\n`,
    'is truncated or damaged at line 2. Nothing was sent.',
  ],
  ['without a trailer', `${header}\n{"later":true}\n`, 'is truncated or damaged at line 2. Nothing was sent.'],
])('a plan %s is rejected', async (_what, text, stderr) => {
  const { forgectl, write, folder } = await onSandbox();
  write('plan.ndjson', text);
  expect(await forgectl('policy apply FOLDER/plan.ndjson --yes')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `forgectl: ${join(folder, 'plan.ndjson')} ${stderr}\n`,
  });
});
