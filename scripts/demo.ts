/** The demo: starts the embedded platform and administers it with the real command line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/run.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'forgectl-demo-'));
const { FORGECTL_TOKEN: _token, FORGECTL_BASE_URL: _url, FORGECTL_PROFILE: _profile, ...outside } = process.env;
const env = {
  ...outside,
  FORGECTL_CONFIG_DIR: home,
  FORGECTL_CACHE_DIR: join(home, 'cache'),
  XDG_STATE_HOME: join(home, 'state'),
  COLUMNS: '100',
};

interface Step {
  /** Heading of the step. */
  readonly about: string;
  readonly words: readonly string[];
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The command to show, if different from its words. */
  readonly shown?: string;
  readonly exit?: number;
  /** Maximum number of output lines to show. */
  readonly lines?: number;
}

class DemoFailed extends Error {}

const sandbox = spawn(process.execPath, [bin, 'sandbox', 'serve', '--orgs', '3', '--repos', '250', '--json'], {
  env,
  stdio: ['ignore', 'pipe', 'pipe'],
});
const sandboxLog: string[] = [];
createInterface(sandbox.stderr).on('line', (line) => sandboxLog.push(line));

// Ends all child processes, however the demo ends.
let running: ChildProcess | undefined;
process.on('exit', () => {
  running?.kill('SIGKILL');
  // Killed immediately: it may write to its cache until it exits.
  sandbox.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});
process.once('SIGINT', () => process.exit(130));
process.stdout.on('error', () => process.exit(0));

try {
  const [line] = (await once(createInterface(sandbox.stdout), 'line')) as [string];
  await demonstrate(JSON.parse(line));
} catch (error) {
  if (!(error instanceof DemoFailed)) throw error;
  process.stderr.write(`Demo failed: ${error.message}\n`);
  process.exitCode = 1;
}
sandbox.kill('SIGTERM');
await once(sandbox, 'exit');

async function demonstrate(platform: { base_url: string; tokens: Record<string, string> }): Promise<void> {
  const { base_url, tokens } = platform;
  await step({
    about: 'Log in to the embedded platform. The token is read from standard input, never from a flag.',
    words: [
      'auth',
      'login',
      '--base-url',
      base_url,
      '--with-token',
      '--insecure-storage',
      '--jq',
      '"\\(.login) at \\(.base_url)"',
    ],
    stdin: tokens.classic,
  });
  await step({ about: 'Print tables in pipes, too.', words: ['config', 'set', 'output', 'table'], lines: 0 });
  await step({ about: 'List the organizations.', words: ['orgs', 'list'] });
  await step({
    about: 'Fetch 250 repositories, 50 per page, and count them with jq.',
    words: ['repos', 'list', 'acme', '--all', '--per-page', '50', '--jq', 'length'],
  });
  await step({
    about: 'Change an organization’s default permission.',
    words: [
      ...'orgs update acme --default-repository-permission none --fields login,default_repository_permission'.split(
        ' ',
      ),
    ],
  });
  await createRegistry();
  await step({
    about: 'Protect the default branch with a ruleset …',
    words: [
      ...'rulesets create acme/site --name protect-main --enforcement active'.split(' '),
      ...['--conditions', '{"ref_name":{"include":["~DEFAULT_BRANCH"],"exclude":[]}}'],
      ...['--rules', '[{"type":"deletion"},{"type":"required_signatures"}]'],
    ],
    lines: 4,
  });
  await step({
    about: '… and list the rules that now apply to the branch.',
    words: ['rulesets', 'check', 'acme/site', 'main'],
  });
  await step({
    about: 'Use a token that lacks a scope: the error names the scope. Exit code 5.',
    words: ['registries', 'list', 'acme'],
    env: { FORGECTL_BASE_URL: base_url, FORGECTL_TOKEN: tokens.oauth ?? '' },
    shown: 'FORGECTL_TOKEN=… forgectl registries list acme',
    exit: 5,
  });
  await applyPolicy();
}

async function applyPolicy(): Promise<void> {
  await step({ about: 'Export the organization as policy files …', words: ['policy', 'export', 'acme'] });
  const [wanted, edited] = ['web_commit_signoff_required: false', 'web_commit_signoff_required: true'];
  say(`\n# … edit one …\n$ sed -i 's/${wanted}/${edited}/' policy/acme/settings.yaml`);
  const file = join(home, 'policy/acme/settings.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(wanted, edited));
  await step({ about: '… preview the difference …', words: ['policy', 'plan'] });
  await step({ about: '… and apply it.', words: ['policy', 'apply', '--yes'] });
}

/** The command line seals the secret and the platform opens it, logging only its length and hash. */
async function createRegistry(): Promise<void> {
  const secret = randomBytes(24).toString('base64url');
  const command =
    'registries create acme --registry-type npm_registry --url https://npm.example.com --visibility all --secret-stdin';
  await step({
    about: 'Create a private registry. Its secret is sealed locally; only the platform can open it.',
    words: [...command.split(' '), '--fields', 'name,registry_type,visibility'],
    stdin: secret,
    shown: `printf %s "$SECRET" | forgectl ${command} --fields name,registry_type,visibility`,
  });
  const opened = sandboxLog.find((entry) => entry.startsWith('sandbox: opened the sealed secret'));
  const hash = createHash('sha256').update(secret).digest('hex').slice(0, 12);
  if (!opened?.includes(hash)) throw new DemoFailed('the platform did not open the sealed secret');
  say(`  Platform log: ${opened.replace('sandbox: ', '')} (matches the secret that was sealed).`);
}

async function step({ about, words, stdin, shown, exit = 0, lines = 12, ...rest }: Step): Promise<void> {
  say(`\n# ${about}`);
  say(`$ ${shown ?? ['forgectl', ...words.map(quoted)].join(' ')}`);
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: home,
    env: { ...env, ...rest.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running = child;
  const answer: string[] = [];
  createInterface(child.stdout).on('line', (line) => answer.push(line));
  createInterface(child.stderr).on('line', (line) => answer.push(line));
  child.stdin.end(stdin ?? '');
  const [code] = (await once(child, 'close')) as [number];
  for (const line of answer.slice(0, lines)) say(`  ${line}`);
  if (lines > 0 && answer.length > lines) say(`  … ${answer.length - lines} more lines`);
  if (code !== exit) throw new DemoFailed(`${words.join(' ')} exited with ${code} instead of ${exit}`);
}

function quoted(word: string): string {
  return /^[\w./:=,@-]+$/.test(word) ? word : `'${word}'`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
