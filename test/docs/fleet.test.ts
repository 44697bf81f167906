/** Runs the scripts of docs/fleet.md against the sandbox: those of shards once for each, side by side. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { root } from '../contracts/commands.ts';
import { forgectlOnPath } from '../support/forgectl-on-path.ts';
import { jobProblems, workflowProblems } from '../support/published-schemas.ts';
import { temporaryDirectory } from '../support/run.ts';
import { TypedBlocks } from '../support/typed-blocks.ts';

const page = readFileSync(join(root, 'docs/fleet.md'), 'utf8');
const typed = new TypedBlocks('fleet.md');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);
const [readScript = '', selectScript = '', repeatScript = '', changeScript = '', resumeScript = '', jobScript = ''] =
  blocks('bash');
const [workflowText = '', jobText = ''] = blocks('yaml');

interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
        readonly steps: readonly { readonly name?: string; readonly run?: string }[];
      }
    >
  >;
}

interface Job {
  readonly spec: {
    readonly completions: number;
    readonly completionMode: string;
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly args: readonly string[];
          readonly env: readonly { readonly name: string; readonly value?: string }[];
        }[];
      };
    };
  };
}

/** Returns a shell in an empty directory, with forgectl and a sandbox of its own. */
async function shell() {
  const folder = await temporaryDirectory();
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  const env = {
    PATH: await forgectlOnPath(folder),
    HOME: folder,
    FORGECTL_BASE_URL: sandbox.baseUrl,
    FORGECTL_TOKEN: sandbox.tokens.classic,
  };
  const bash = (script: string, more: Readonly<Record<string, string>> = {}) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', typed.ran(script)], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });
  };
  return { bash, folder, token: env.FORGECTL_TOKEN };
}

it('reads every repository', async () => {
  const { bash } = await shell();
  expect(await bash(`${readScript}wc -l < rulesets.ndjson`)).toMatchObject({ code: 0, stdout: '11\n' });
}, 120_000);

it('reads the repositories that --where selects in a file', async () => {
  const { bash } = await shell();
  expect(await bash(`${selectScript}wc -l < activity.ndjson`)).toMatchObject({ code: 0, stdout: '1\n' });
}, 120_000);

it('repeats a command on the targets of results that failed', async () => {
  const { bash } = await shell();
  const results = `printf '%s\\n' '{"target":"acme/api","status":"ok"}' '{"target":"acme/site","status":"failed"}'`;
  expect(await bash(`${results} > activity.ndjson\n${repeatScript}`)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^acme\/site\tok\t.*\n$/),
  });
}, 120_000);

it('previews a change and makes it', async () => {
  const { bash } = await shell();
  const { code, stdout } = await bash(`${changeScript}wc -l < requests.txt`);
  expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: '11' });
}, 120_000);

it('continues from a journal', async () => {
  const { bash } = await shell();
  const again = 'forgectl each --resume run.ndjson > again.txt; cut -f 2 again.txt | sort -u';
  expect(await bash(`${resumeScript}${again}`)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/11 done, 0 failed\nskipped\n$/),
  });
}, 120_000);

it('runs the jobs of the CI matrix', async () => {
  const { bash } = await shell();
  const { jobs } = parse(workflowText) as Workflow;
  const scriptOf = (job: string) => jobs[job]?.steps.flatMap(({ run = [] }) => run).join('\n') ?? '';
  expect(await bash(scriptOf('list'))).toMatchObject({ code: 0 });
  const shards = jobs.change?.strategy?.matrix.shard ?? [];
  expect(shards).toEqual([1, 2, 3, 4]);
  const ended = await Promise.all(shards.map((shard) => bash(scriptOf('change'), { SHARD: String(shard) })));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(await bash(scriptOf('report'))).toMatchObject({ code: 0, stdout: '11 done, 0 failed, 0 unknown, 0 open\n' });
}, 120_000);

it('runs the pods of the Indexed Job', async () => {
  const { bash, folder, token } = await shell();
  const { spec } = parse(jobText) as Job;
  expect(spec).toMatchObject({ completions: 4, completionMode: 'Indexed' });
  const [container] = spec.template.spec.containers;
  for (const name of ['targets', 'journals', 'tokens']) mkdirSync(join(folder, name));
  for (const index of [0, 1, 2, 3]) writeFileSync(join(folder, `tokens/token-${index}`), `${token}\n`);
  expect(await bash(`kubectl() { echo "$@"; }\n${jobScript}mv targets.txt targets`)).toMatchObject({
    code: 0,
    stdout:
      'create configmap targets --from-file=targets.txt\ncreate secret generic forgectl --from-file=tokens\napply -f job.yaml\n',
  });
  const file = container?.env.find(({ name }) => name === 'FORGECTL_TOKEN_FILE')?.value ?? '';
  const pods = [0, 1, 2, 3].map((index) => {
    const inFolder = (word: string) => word.replace(/(?<=^|=)(?=\/)/, folder).replaceAll('$(INDEX)', String(index));
    const words = (container?.args ?? []).map((word) => `'${inFolder(word)}'`);
    return bash(`forgectl ${words.join(' ')}`, { FORGECTL_TOKEN: '', FORGECTL_TOKEN_FILE: inFolder(file) });
  });
  expect((await Promise.all(pods)).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const merged = await bash(
    'umask 077; forgectl journal merge journals/*.ndjson > run; forgectl journal show run --jq .done',
  );
  expect(merged).toMatchObject({ code: 0, stdout: '11\n' });
}, 120_000);

it('has a workflow that is valid by the schema of GitHub Actions', async () => {
  expect(await workflowProblems(workflowText)).toEqual([]);
  expect(await workflowProblems(workflowText.replace('needs: list', 'neds: list'))).toEqual([
    "workflow (Line: 15, Col: 5): Unexpected value 'neds'",
  ]);
});

it('has a manifest that is valid by the schema of Kubernetes', () => {
  expect(jobProblems(parse(jobText) as Job)).toEqual([]);
  const broken = jobText.replace('Indexed', 'Index').replace('- name: forgectl', '- nam: forgectl');
  expect(jobProblems(parse(broken) as Job)).toEqual([
    '/spec/completionMode enum {"allowedValues":["Indexed","NonIndexed"]}',
    '/spec/template/spec/containers/0 required {"missingProperty":"name"}',
    '/spec/template/spec/containers/0/nam is unknown',
  ]);
});

it('runs every block of the page', () => expect(typed.left).toEqual([]));
