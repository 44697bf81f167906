/** Runs the commands of docs/rulesets.md in a checkout, against the sandbox. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.ts';
import { forgectlOnPath } from '../support/forgectl-on-path.ts';
import { temporaryDirectory } from '../support/run.ts';
import { TypedBlocks, typedBlocks } from '../support/typed-blocks.ts';

const typed = new TypedBlocks('rulesets.md');
const blocks = typedBlocks('rulesets.md');
const tour = blocks.slice(0, 6);
const [lint = '', live = '', proposed = '', hook = ''] = blocks.slice(6);

let sandbox: Sandbox;
let folder = '';
let env: Record<string, string> = {};

async function bash(script: string) {
  const child = spawn('bash', ['-c', `exec 2>&1; ${script}`], { cwd: join(folder, 'site'), env });
  child.stdin.end();
  const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { stdout, status };
}

/** Runs the command of a block, and returns it with its output and then its messages. */
async function shown(block: string): Promise<string> {
  const [command = ''] = typed.ran(block).split('\n');
  return `${command}\n${(await bash(`${command.replace('$ ', '')} 2> ../messages; cat ../messages`)).stdout}`;
}

beforeAll(async () => {
  sandbox = await startSandbox({ orgs: 5 });
  folder = await temporaryDirectory();
  env = {
    PATH: await forgectlOnPath(folder),
    HOME: folder,
    FORGECTL_BASE_URL: sandbox.baseUrl,
    FORGECTL_TOKEN: sandbox.tokens.classic,
  };
  mkdirSync(join(folder, 'site'));
  const origin = `${new URL(sandbox.baseUrl).origin}/acme/site.git`;
  execFileSync(
    'bash',
    [
      '-ec',
      `git init -q --bare ../site.git
       git init -q -b main
       git config user.name Ada
       git config user.email ada@acme.example
       git remote add origin ${origin}
       git remote set-url --push origin ../site.git
       git commit -q --allow-empty -m One
       git update-ref refs/remotes/origin/main HEAD
       git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
       echo MZ > tool.exe
       git add tool.exe
       git commit -q -m Two`,
    ],
    { cwd: join(folder, 'site'), env },
  );
  writeFileSync(
    join(folder, 'site/ruleset.yaml'),
    'name: protect-main\nenforcement: active\nconditions:\n  ref_name:\n    include:\n      - main\n',
  );
  writeFileSync(
    join(folder, 'site/proposed.yaml'),
    `name: protect-main
enforcement: evaluate
conditions: { ref_name: { include: [~DEFAULT_BRANCH] } }
rules:
  - type: pull_request
    parameters:
      dismiss_stale_reviews_on_push: false
      require_code_owner_review: false
      require_last_push_approval: false
      required_approving_review_count: 1
      required_review_thread_resolution: false
  - { type: code_scanning, parameters: { code_scanning_tools: [] } }
`,
  );
}, 60_000);

afterAll(() => sandbox.close());

it('shows what lint and simulate print', async () => {
  expect(await shown(lint)).toBe(lint);
  expect(await shown(proposed)).toBe(proposed);
}, 60_000);

it('judges by the rulesets of the platform', async () => {
  const { status, stdout } = await bash(typed.ran(live));
  expect(stdout).toContain('refs/heads/main\tDefault branches\tpull_request\tbypassed\t');
  expect(status).toBe(0);
}, 60_000);

it('has a hook that stops a push that would be refused', async () => {
  const file = join(folder, 'site/.git/hooks/pre-push');
  writeFileSync(file, typed.ran(hook));
  chmodSync(file, 0o755);
  const refused = await bash(`FORGECTL_TOKEN=${sandbox.tokens.member} git push origin HEAD:refs/heads/feature`);
  expect(refused.stdout).toContain('The push to refs/heads/feature would be refused by 1 rule.');
  expect(refused.status).toBe(1);
  const bypassed = await bash('git push origin HEAD:refs/heads/feature');
  expect([bypassed.status, bypassed.stdout]).toEqual([0, expect.stringContaining('HEAD -> feature')]);
}, 60_000);

it('takes a ruleset from a draft to active', async () => {
  const [draft = '', first = '', bypass = '', evaluate = '', simulate = '', activate = ''] = tour.map((each) =>
    typed.ran(each),
  );
  expect(await bash(draft)).toEqual({ stdout: '', status: 0 });
  const refused = await bash(first);
  expect(refused.stdout).toMatch(/\npushes \d+: \d+ allowed, [1-9]\d* refused, 0 bypassed, 0 unknown\n/);
  expect(refused.stdout).toMatch(/\nrelease-robot\[bot] [1-9]\d*\n/);
  const bypassed = await bash(bypass);
  expect(bypassed.stdout).toContain('release-robot 52\n');
  expect(bypassed.stdout).toMatch(/\npushes \d+: \d+ allowed, \d+ refused, [1-9]\d* bypassed, 0 unknown\n/);
  const evaluated = await bash(`${evaluate}echo "$id" > ../id`);
  expect(evaluated.stdout).toContain('The platform has evaluated no push since');
  const simulated = await bash(simulate);
  expect([simulated.status, simulated.stdout]).toEqual([
    13,
    expect.stringContaining('Reviewed releases\tpull_request\twould be refused'),
  ]);
  const active = await bash(`id=$(cat ../id); ${activate}`);
  expect([active.status, active.stdout]).toEqual([0, expect.stringContaining('Reviewed releases')]);
}, 60_000);

it('runs every block of the page', () => expect(typed.left).toEqual([]));
