/** Runs every recipe of docs/recipes.md in its own shell and directory against the sandbox. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { root } from '../contracts/commands.ts';
import { temporaryDirectory } from '../support/run.ts';
import { TypedBlocks } from '../support/typed-blocks.ts';

const page = readFileSync(join(root, 'docs/recipes.md'), 'utf8');
const typed = new TypedBlocks('recipes.md');
const recipes = [...page.matchAll(/^### (.+)\n[\s\S]*?^```bash\n([\s\S]*?)^```$/gm)].map(
  ([, title = '', script = '']) => ({
    title,
    script,
  }),
);

interface Outcome {
  readonly stdout: string | RegExp;
  readonly code?: number;
  /** A command that runs before the recipe. */
  readonly before?: string;
  /** A command that shows the effect, and its output. */
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
  'Gold repositories as CSV': {
    stdout: 'repository,team\nacme/finance-service,platform\nacme/delivery-docs,web\nacme/console-sdk,data\n',
  },
  'Repositories without an admin team': {
    stdout:
      'acme/checkout-proxy\nacme/console-sdk\nacme/dashboard-tests\nacme/finance-service\nacme/fleet-api\nacme/forecast-web\nacme/identity-client\n',
  },
  'Changes of the last day by actor': {
    before:
      'forgectl repos archive acme/site --yes --quiet; forgectl repos create acme/new --visibility private --quiet',
    stdout: 'actor,changes,actions\nadmin,2,repo.archived repo.create\n',
  },
  'Number of repositories per language': {
    stdout: 'C#\t2\nPython\t2\nRuby\t2\nTypeScript\t2\nGo\t1\nJava\t1\nKotlin\t1\nnone\t1\n',
  },
  'One setting in all organizations': { stdout: 'acme\tread\ttrue\nglobex\tread\tfalse\ninitech\tread\ttrue\n' },
  'Process a long list record by record': {
    stdout:
      'acme/identity-client is large: 89871 KB\nacme/directory-config is large: 53521 KB\nacme/site is large: 82795 KB\n313045 KB in total\n',
  },
  'Archive forks without a push for a year': {
    stdout: 'acme/delivery-docs\n',
    after: ["forgectl repos list acme --all --where '.archived and .fork' --quiet", 'acme/delivery-docs\n'],
  },
  'Repositories without a ruleset of their own': {
    stdout:
      'acme/checkout-proxy\nacme/console-sdk\nacme/courier-agent\nacme/dashboard-tests\nacme/delivery-docs\nacme/directory-config\nacme/events-importer\nacme/finance-service\nacme/fleet-api\nacme/forecast-web\nacme/identity-client\n',
  },
  'Branches that anyone can delete': { stdout: 'acme/site release/2.0\nglobex/site release/2.0\n' },
  'The same ruleset in every repository of an organization': {
    before: 'forgectl rulesets create acme/fleet-api --name "Guard the default branch" --enforcement disabled --quiet',
    stdout: /^(?:\d+\n){10}$/,
    after: [
      "for repo in acme/site acme/fleet-api; do forgectl rulesets list $repo --no-includes-parents --all --where '.name == \"Guard the default branch\"' --jq '.[].enforcement'; done",
      'active\ndisabled\n',
    ],
  },
  'People whom a ruleset would stop': { stdout: /^(?:[a-z]+\n)+$/ },
  'Activate a ruleset only if it refuses nothing': {
    stdout: 'paperfox\n',
    after: ['forgectl rulesets get acme/site 21000011 --jq .enforcement', 'evaluate\n'],
  },
  'Copy a ruleset to another repository': {
    stdout: /^\d+\n$/,
    after: ["forgectl rulesets list acme/fleet-api --no-includes-parents --jq '.[].name'", 'Release branches\n'],
  },
  'Enforce a pre-receive hook in every repository': {
    stdout: 'Require signed commits: enabled\n'.repeat(11),
  },
  'Approve all requests of one user': {
    stdout: 'acme/fleet-api 1 approved\nacme/checkout-proxy 1 approved\n',
    after: ['forgectl dismissals get acme/fleet-api 1 --jq .status', 'approved\n'],
  },
  'Deny a request with a message from a file': {
    stdout: /^\d+\n$/,
    after: ['forgectl bypass get acme/site 1 --jq .status', 'denied\n'],
  },
  'Raise all budgets by ten percent': {
    stdout: '1540\n3740\n4840\n330\n5170\n2200\n1210\n1540\n5170\n2530\n5170\n330\n330\n3850\n',
  },
  'Check the token before the work starts': { stdout: 'The token can run all commands.\n' },
  'Rotate the secret of a private registry': { stdout: 'PYTHON_INDEX_SECRET\n' },
  'Submit a dependency snapshot': { stdout: /^(?:SUCCESS|ACCEPTED)\n$/ },
  'Export a repository and download the archive': { stdout: /^exported\nacme-site\.tar\.gz\n[1-9]\d*\n$/ },
  'Preview a change': {
    stdout: 'PATCH {"default_repository_permission":"none","members_can_create_repositories":false}\nacme\n',
    after: ['forgectl orgs get acme --jq .default_repository_permission', 'none\n'],
  },
  'Act on the exit code': { stdout: 'acme/handbook\n' },
  'Wait longer for a rate limit': { stdout: 'slept 600\nacme/site\n' },
  'Read an error as JSON': { stdout: 'The organization does not exist.\n' },
  'Continue after a failure': { stdout: 'acme/nothing failed\n', code: 9 },
  'All pages of any list': { stdout: /^(?:[\w-]+\n)+\d+\nid,app_slug\n(?:\d+,[\w-]+\n)+acme\n$/ },
  'Nested fields': {
    stdout: [
      '{"name":"engine","is_template":true,"topics":["go","api"]}\n',
      '{"security_and_analysis":{"secret_scanning":{"status":"enabled"}}}\n',
      '{"topics":["go","api"],"name":"engine"}\n',
    ].join(''),
  },
};

it('has an expected outcome for every recipe of the page', () => {
  expect(recipes.map(({ title }) => title)).toEqual(Object.keys(outcomes));
});

it.each(recipes)(
  '$title',
  async ({ title, script }) => {
    const { stdout, code = 0, before, after } = outcomes[title] ?? { stdout: '' };
    const bash = await shell(title === 'Wait longer for a rate limit');
    if (before) expect(await bash(before)).toMatchObject({ code: 0 });
    const done = await bash(script);
    expect(done).toMatchObject({ code, stdout: matching(stdout) });
    if (after) expect(await bash(after[0])).toMatchObject({ code: 0, stdout: matching(after[1]) });
  },
  120_000,
);

it('runs every block of the page', () => expect(typed.left).toEqual([]));

const matching = (text: string | RegExp) => (typeof text === 'string' ? text : expect.stringMatching(text));

/** Returns a shell in an empty directory, with forgectl and its own sandbox; with a quota of one request if limited. */
async function shell(isLimited: boolean) {
  const folder = await temporaryDirectory();
  const work = join(folder, 'work');
  const slept = join(folder, 'slept');
  // The clock is ten times as fast, and jumps past the reset of the quota after a sleep, so that tests do not wait.
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
  return (script: string) => run(typed.ran(script), work, env);
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
