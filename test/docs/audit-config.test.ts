/** Checks docs/audit-config.md: its configuration, its commands, and its workflow. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { root } from '../contracts/commands.ts';
import { forgectlOnPath } from '../support/forgectl-on-path.ts';
import { sarifProblems, workflowProblems } from '../support/published-schemas.ts';
import { run, temporaryDirectory } from '../support/run.ts';
import { TypedBlocks } from '../support/typed-blocks.ts';

const page = readFileSync(join(root, 'docs/audit-config.md'), 'utf8');
const typed = new TypedBlocks('audit-config.md');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);
const [config = '', workflow = ''] = blocks('yaml');

it('has a configuration that audits accept, and that its schema describes', async () => {
  const schema = JSON.parse(readFileSync(join(root, 'schemas/audit-config.json'), 'utf8')) as object;
  expect(new Ajv2020().validate(schema, parse(config))).toBe(true);
  const sandbox = await startSandbox({ orgs: 1, repos: 1 });
  onTestFinished(() => sandbox.close());
  const env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic };
  const words = ['audit', 'acme', '--no-repositories', '--config', '-', '--jq', '.summary.not_checked.disabled'];
  const { code, stdout } = await run(words, { env, stdin: config });
  expect({ code, disabled: JSON.parse(stdout) }).toEqual({
    code: 0,
    disabled: ['team-creation', 'web-commit-signoff'],
  });
  expect((await run(['policy', 'validate', '-'], { stdin: config })).stdout).toContain(
    'is the configuration of “forgectl audit”, not a policy',
  );
});

it('has commands and a workflow that audit, convert and compare', async () => {
  expect(await workflowProblems(workflow)).toEqual([]);
  const { jobs } = parse(workflow) as { jobs: { audit: { steps: { name?: string; run?: string }[] } } };
  const steps = jobs.audit.steps.filter(({ name = '' }) => ['Audit', 'Convert', 'Compare'].includes(name));
  const folder = await temporaryDirectory();
  const sandbox = await startSandbox({ orgs: 1, repos: 2 });
  onTestFinished(() => sandbox.close());
  const script = [...blocks('bash').map((block) => typed.ran(block)), ...steps.map((step) => `${step.run}\n`)];
  writeFileSync(join(folder, 'all.sh'), script.join(''));
  const child = spawn('bash', ['-e', 'all.sh'], {
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
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'audit.md'), 'utf8')).toContain('### Audit of acme');
  expect(sarifProblems(JSON.parse(readFileSync(join(folder, 'audit.sarif'), 'utf8')))).toEqual([]);
  expect(typed.left).toEqual([]);
});
