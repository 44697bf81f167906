/** Checks docs/policy.md: its first policy, and its workflow, whose steps run against the sandbox. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.ts';
import { root } from '../contracts/commands.ts';
import { forgectlOnPath } from '../support/forgectl-on-path.ts';
import { workflowProblems } from '../support/published-schemas.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const page = readFileSync(join(root, 'docs/policy.md'), 'utf8');
const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);
const [example = ''] = blocks;
const workflowText = blocks.find((text) => text.startsWith('name: policy\n')) ?? '';

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly name?: string; readonly run?: string }[] }>
  >;
}
const scriptsOf = (job: string) =>
  (parse(workflowText) as Workflow).jobs[job]?.steps.flatMap(({ name, run }) => (name && run ? [run] : [])) ?? [];

let platform: Sandbox;
let folder: string;
let env: Record<string, string | undefined>;

beforeEach(async () => {
  platform = await startSandbox();
  folder = await temporaryDirectory();
  env = {
    PATH: await forgectlOnPath(folder),
    HOME: folder,
    CI: 'true',
    PULL_REQUEST: 'https://ghe.example.com/acme/policy/pull/1',
    FORGECTL_BASE_URL: platform.baseUrl,
    FORGECTL_TOKEN: platform.tokens.classic,
  };
  // Stands in for gh, and prints the comment.
  writeFileSync(join(folder, 'bin/gh'), '#!/bin/sh\necho "$@"; cat plan.md\n');
  chmodSync(join(folder, 'bin/gh'), 0o755);
  mkdirSync(join(folder, 'policy'));
  writeFileSync(
    join(folder, 'policy/acme.yaml'),
    'organizations: [acme]\nsettings:\n  web_commit_signoff_required: true\n',
  );
  return () => platform.close();
});

/** Runs the named steps of a job like a runner, up to the first that fails. */
async function runJob(job: string): Promise<{ code: number; stdout: string }> {
  const child = spawn('bash', ['-e', '-c', scriptsOf(job).join('\n')], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout };
}

it('begins with a valid policy', async () => {
  expect(await run(['policy', 'validate', '-'], { stdin: example })).toMatchObject({
    code: 0,
    stderr: 'No errors in 1 file.\n',
  });
});

it('has valid policies with pieces, new repositories and overrides', async () => {
  const pieces = blocks.filter((text) => /^define:/m.test(text) || /\buse: /.test(text));
  const entries = blocks.filter((text) => text.startsWith('repositories:'));
  const files = [...pieces, ...entries.map((text) => `organizations: [acme]\n${text}`)].map((text, at) => {
    writeFileSync(join(folder, `${at}.yaml`), text);
    return join(folder, `${at}.yaml`);
  });
  expect(files.length).toBeGreaterThan(3);
  expect(await run(['policy', 'validate', ...files])).toMatchObject({
    code: 0,
    stderr: `No errors in ${files.length} files.\n`,
  });
});

it('has a workflow that is valid by the schema of GitHub Actions', async () => {
  expect(await workflowProblems(workflowText)).toEqual([]);
});

it('comments with the plan, reports drift, applies the policy, and reports none', async () => {
  const { code, stdout } = await runJob('plan');
  expect(code).toBe(0);
  expect(stdout).toContain(
    'pr comment https://ghe.example.com/acme/policy/pull/1 --body-file plan.md --edit-last --create-if-none\n',
  );
  expect(stdout).toContain('~ settings · acme (tightens)\n    web_commit_signoff_required: false → true (tightens)\n');
  expect((await runJob('drift')).code).toBe(11);
  expect((await runJob('apply')).code).toBe(0);
  expect(readFileSync(join(folder, 'apply.ndjson'), 'utf8')).toContain('"acme"');
  expect((await runJob('drift')).code).toBe(0);
});
