/** Checks docs/from-terraform.md: its policy, the policy keys that it names, and its import script. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { policySchema } from '../../src/fleet/policy/wanted/json-schema.ts';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { root } from '../contracts/commands.ts';
import { forgectlOnPath } from '../support/forgectl-on-path.ts';
import { run, temporaryDirectory } from '../support/run.ts';
import { TypedBlocks } from '../support/typed-blocks.ts';

const page = readFileSync(join(root, 'docs/from-terraform.md'), 'utf8');
const typed = new TypedBlocks('from-terraform.md');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

it('translates a ruleset into a valid policy without warnings', async () => {
  const [policy] = blocks('yaml');
  expect(await run(['policy', 'validate', '-'], { stdin: policy })).toMatchObject({
    code: 0,
    stderr: 'No errors in 1 file.\n',
  });
});

it('plans that ruleset in the sandbox', async () => {
  const [policy] = blocks('yaml');
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic };
  const { code, stdout } = await run(['policy', 'plan', '-', '--jq', '.summary'], { env, stdin: policy });
  expect({ code, summary: JSON.parse(stdout) }).toMatchObject({ code: 0, summary: { create: 1, unreadable: 0 } });
});

it('uses only keys that policies have', () => {
  const { else: document } = policySchema() as { else: { properties: Record<string, object> } };
  const [, mapping = ''] = /^## What maps to what\n([\s\S]*?)^These have no counterpart/m.exec(page) ?? [];
  const keys = [...mapping.matchAll(/^\| `[^|]*\| `([\w[\].]+)`/gm)].map(([, key = '']) => key);
  expect(keys.length).toBeGreaterThan(5);
  const schemaText = JSON.stringify(document.properties);
  for (const key of keys)
    for (const part of key.replaceAll('[]', '').split('.')) expect(schemaText, key).toContain(`"${part}":`);
});

it('exports files whose plan is empty', async () => {
  const folder = await temporaryDirectory();
  const sandbox = await startSandbox({ orgs: 1, repos: 4 });
  onTestFinished(() => sandbox.close());
  const bash = spawn('bash', ['-euo', 'pipefail', '-c', typed.ran(blocks('bash').join(''))], {
    cwd: folder,
    env: {
      PATH: await forgectlOnPath(folder),
      HOME: folder,
      FORGECTL_BASE_URL: sandbox.baseUrl,
      FORGECTL_TOKEN: sandbox.tokens.classic,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  bash.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(bash, 'close');
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('No changes') });
});

it('runs every block of the page', () => expect(typed.left).toEqual([]));
