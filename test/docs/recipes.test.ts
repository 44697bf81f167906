/** Every recipe of docs/recipes.md, as it stands there, in a shell and a folder of its own against the embedded platform. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { root } from '../contracts/commands.ts';
import { temporaryDirectory } from '../support/run.ts';

const page = readFileSync(join(root, 'docs/recipes.md'), 'utf8');
const recipes = [...page.matchAll(/^### (.+)\n[\s\S]*?^```bash\n([\s\S]*?)^```$/gm)].map(
  ([, title = '', script = '']) => ({
    title,
    script,
  }),
);

interface Outcome {
  readonly stdout: string | RegExp;
  readonly code?: number;
  /** What must have happened before. */
  readonly before?: string;
  /** What shows afterwards that it was done. */
  readonly after?: readonly [command: string, stdout: string | RegExp];
}

const outcomes: Readonly<Record<string, Outcome>> = {
  'Archived repositories as CSV': {
    stdout: '',
    after: [
      'cat archived.csv',
      '"repository","pushed","kilobytes"\n"acme/events-importer","2023-11-10T21:13:10Z",4897\n',
    ],
  },
  'All repositories as CSV, for a spreadsheet': {
    stdout: '',
    after: [
      'head -n 2 repositories.csv; wc -l < repositories.csv',
      'full_name,visibility,archived,pushed_at\nacme/identity-client,public,false,2025-09-12T23:04:12Z\n13\n',
    ],
  },
  'Public repositories pushed to in the last week': {
    before: 'forgectl repos create acme/handbook --visibility public --auto-init --quiet',
    stdout: 'acme/handbook\n',
  },
  'How many repositories in which language': {
    stdout: 'C#\t2\nPython\t2\nRuby\t2\nTypeScript\t2\nGo\t1\nJava\t1\nKotlin\t1\nnone\t1\n',
  },
  'A setting across all organizations': { stdout: 'acme\tread\ttrue\nglobex\tread\tfalse\ninitech\tread\ttrue\n' },
  'A long list, record by record': {
    stdout:
      'acme/identity-client is large: 89871 KB\nacme/directory-config is large: 53521 KB\nacme/site is large: 82795 KB\n313045 KB in all\n',
  },
  'Repositories without a ruleset of their own': {
    stdout:
      'acme/identity-client\nacme/forecast-web\nacme/fleet-api\nacme/finance-service\nacme/events-importer\nacme/directory-config\nacme/delivery-docs\nacme/dashboard-tests\nacme/courier-agent\nacme/console-sdk\nacme/checkout-proxy\n',
  },
  'Branches that anybody may delete': { stdout: 'acme/site release/2.0\nglobex/site release/2.0\n' },
  'The same ruleset in every repository of an organization': {
    before: 'forgectl rulesets create acme/site --name "Guard the default branch" --enforcement disabled --quiet',
    stdout: /^(?:\d+\n){11}$/,
    after: [
      'forgectl rulesets list acme/site --no-includes-parents --jq \'.[] | select(.name | startswith("Guard")).enforcement\'',
      'active\n',
    ],
  },
  'A ruleset from one repository to another': {
    stdout: /^\d+\n$/,
    after: ["forgectl rulesets list acme/fleet-api --no-includes-parents --jq '.[].name'", 'Release branches\n'],
  },
  'Pre-receive hooks enforced in every repository, four at a time': {
    stdout: 'Require signed commits: enabled\n'.repeat(11),
  },
  'Approve what one person asks for': {
    stdout: 'acme/fleet-api 1 approved\nacme/checkout-proxy 1 approved\n',
    after: ['forgectl dismissals get acme/fleet-api 1 --jq .status', 'approved\n'],
  },
  'Deny with a text from a file': {
    stdout: /^\d+\n$/,
    after: ['forgectl bypass get acme/site 1 --jq .status', 'denied\n'],
  },
  'Raise all budgets by ten percent': {
    stdout: '1540\n3740\n4840\n330\n5170\n2200\n1210\n1540\n5170\n2530\n5170\n330\n330\n3850\n',
  },
  'Stop early where the token may not do it': { stdout: 'The token may do it all.\n' },
  'Rotate the secret of a private registry': { stdout: 'PYTHON_INDEX_SECRET\n' },
  'Submit a dependency snapshot': { stdout: /^(?:SUCCESS|ACCEPTED)\n$/ },
  'Export a repository and fetch the archive': { stdout: /^exported\nacme-site\.tar\.gz\n[1-9]\d*\n$/ },
  'See a change first': {
    stdout: 'PATCH {"default_repository_permission":"none","members_can_create_repositories":false}\nacme\n',
    after: ['forgectl orgs get acme --jq .default_repository_permission', 'none\n'],
  },
  'Do what the exit code says': { stdout: 'acme/handbook\n' },
  'Wait for a rate limit longer than one command does': { stdout: 'slept 600\nacme/site\n' },
  'Read the error as a program does': { stdout: 'There is no such organization.\n' },
  'Go on after a failure, and tell it in the end': { stdout: 'acme/nothing failed\n', code: 1 },
  'All pages of any list': { stdout: /^(?:[\w-]+\n)+acme\n$/ },
  'A body from standard input': { stdout: '{"name":"engine","is_template":true,"topics":["main","release/*"]}\n' },
};

it('holds what each recipe of the page does', () => {
  expect(recipes.map(({ title }) => title)).toEqual(Object.keys(outcomes));
});

it.each(recipes)(
  '$title',
  async ({ title, script }) => {
    const { stdout, code = 0, before, after } = outcomes[title] ?? { stdout: '' };
    const bash = await shell(title.startsWith('Wait for a rate limit'));
    if (before) expect(await bash(before)).toMatchObject({ code: 0 });
    const done = await bash(script);
    expect(done).toMatchObject({ code, stdout: matching(stdout) });
    if (after) expect(await bash(after[0])).toMatchObject({ code: 0, stdout: matching(after[1]) });
  },
  120_000,
);

const matching = (text: string | RegExp) => (typeof text === 'string' ? text : expect.stringMatching(text));

/** A shell in an empty folder that knows forgectl and a platform of its own, with a quota of one request if need be. */
async function shell(isLimited: boolean) {
  const folder = await temporaryDirectory();
  const work = join(folder, 'work');
  const slept = join(folder, 'slept');
  // Here everything takes a tenth of its time, and a quota is full again once somebody has slept: nobody waits for it.
  const start = Date.now();
  const sandbox = await startSandbox({
    ...(isLimited ? { rateLimit: 1 } : {}),
    clock: () => new Date(start + 10 * (Date.now() - start) + (existsSync(slept) ? 2 * 3_600_000 : 0)),
  });
  onTestFinished(() => sandbox.close());
  for (const directory of ['bin', 'work']) mkdirSync(join(folder, directory));
  const command = (name: string, text: string) => {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  };
  command('forgectl', `exec '${process.execPath}' '${root}bin/run.js' "$@"`);
  if (isLimited) command('sleep', `echo "slept $1"; touch '${slept}'`);
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    FORGECTL_BASE_URL: sandbox.baseUrl,
    FORGECTL_TOKEN: sandbox.tokens.classic,
    NPM_TOKEN: 'a registry secret',
    RUN_ID: '7',
    SHA: 'ce587453ced02b1526dfb4cb910479d431683101',
  };
  if (isLimited) await fetch(`${sandbox.baseUrl}/user`, { headers: { authorization: `Bearer ${env.FORGECTL_TOKEN}` } });
  return (script: string) => run(script, work, env);
}

function run(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
