/** Every example of the help, as a real shell reads it, by the built program and the embedded platform. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, type ExpectStatic, expect, it, onTestFinished, type TestContext, vi } from 'vitest';
import type { main } from '../../src/cli/run/main.ts';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import type { Operations } from '../../src/platform/resource.ts';
import * as allResources from '../../src/platform/resources/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.ts';
import { allowedFile, writeAllowed, writeExtension } from '../support/extensions.ts';
import { writeJournals } from '../support/journals.ts';
import { writeProfiles } from '../support/profiles.ts';
import { instantClock, type RunResult, run, temporaryDirectory } from '../support/run.ts';
import { writeAudits } from '../support/saved-audits.ts';
import { writePlan } from '../support/saved-plan.ts';
import { commands, type DeclaredCommand, type Example, root } from './commands.ts';
import { routeMatcher } from './routes.ts';

vi.setConfig({ maxConcurrency: 4 });

/** The platform of the examples that name one is the reader's own; here it is the sandbox. */
const readersPlatform = 'https://ghe.example.com';

/** Examples that end otherwise than with 0 where nobody sits at a terminal. */
const exitCodes: Readonly<Record<string, number>> = {
  'forgectl auth login --base-url https://ghe.example.com': 2,
  'forgectl auth login --base-url https://ghe.example.com --from-gh': 2,
  // The person is a member of some organizations only.
  'forgectl each orgs --yes --expect 1..9 -- members remove {} paperfox': 9,
  'forgectl policy review plan.ndjson --out reviewed.ndjson': 2,
  'forgectl policy review undo.ndjson --out undo-some.ndjson': 2,
};

/** They run until they are interrupted; the port that one of them names may be taken. */
const isServer = (line: string) => line.startsWith('forgectl sandbox serve');

const examples = commands.flatMap((command) =>
  command.examples.map((example) => ({ command, line: (example as Example).command })),
);

const declaredRoutes: readonly string[] = allEndpoints.map(({ route }) => route);
const routeOf = routeMatcher(declaredRoutes);

/** Those that a shell does more with than splitting them into words. */
const needsShell = (line: string) =>
  !line.startsWith('forgectl ') || /[|&;<>()$`*?~[#]/.test(line.replaceAll(/'[^']*'|"[^"$`]*"/g, ''));

const alone = examples.filter(({ line }) => !isServer(line) && !needsShell(line));
const wordsOfAlone = splitByShell(alone.map(({ line }) => line));
const program = (createRequire(import.meta.url)(join(root, 'dist/cli/run/main.js')) as { main: typeof main }).main;

describe('an example of the help', () => {
  it.each(alone.map((example, index) => ({ ...example, words: wordsOfAlone[index] ?? [] })))(
    '$line',
    async ({ command, line, words }) => {
      const clock = instantClock();
      const { sandbox, folder, env } = await surroundings(command, onTestFinished, clock.now);
      const { origin } = new URL(sandbox.baseUrl);
      const before = process.cwd();
      onTestFinished(() => process.chdir(before));
      process.chdir(folder);
      const ours = words.map((word) => word.replaceAll(readersPlatform, origin));
      expectSuccess(expect, line, sandbox, await run(['--debug', ...ours], { env, clock, program, now: new Date() }));
    },
  );
});

describe.concurrent('an example of the help that needs a shell', () => {
  it.for(examples.filter(({ line }) => !isServer(line) && needsShell(line)))(
    '$line',
    async ({ command, line }, { expect, onTestFinished }) => {
      const { sandbox, folder, env } = await surroundings(command, onTestFinished);
      const { origin } = new URL(sandbox.baseUrl);
      const ended = await shell(line.replaceAll(readersPlatform, origin), folder, env).ended;
      expectSuccess(expect, line, sandbox, ended);
    },
  );

  it.for(examples.filter(({ line }) => isServer(line)))(
    '$line',
    async ({ command, line }, { expect, onTestFinished }) => {
      const { folder, env } = await surroundings(command, onTestFinished);
      const server = shell(`exec ${line.replace(/--port \d+/, '--port 0')}`, folder, env);
      await server.printed;
      server.interrupt();
      expect(await server.ended).toMatchObject({ code: 130, stdout: expect.stringContaining('http://127.0.0.1:') });
    },
  );
});

/** The words of each line after the program's name, as a shell hands them over. */
function splitByShell(lines: readonly string[]): readonly (readonly string[])[] {
  const script = ['forgectl() { printf "%s\\0" "$@"; printf "\\n\\0"; }', ...lines].join('\n');
  const shown = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  return shown
    .split('\n\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

/** Without --yes, it reads what it would replace. */
const asksBeforeReplacing = 'properties define';

/** `each` reads the object of a write first, for its journal. */
const readsBeforeWrites = Object.values(allResources)
  .flatMap(({ owners }) => Object.values<Operations>(owners))
  .flatMap(({ get }) => (get ? [get.route] : []));

/** The example did what its command is declared to do, and said nothing that a reader would wonder about. */
function expectSuccess(
  expect: ExpectStatic,
  line: string,
  { baseUrl }: Sandbox,
  { code, stdout, stderr }: Omit<RunResult, 'code'> & { readonly code: number | null },
): void {
  expect({ line, code, stdout, stderr: withoutDebugLines(stderr) }).toMatchObject({ code: exitCodes[line] ?? 0 });
  // With records as they should be, a column without a value is a mistake in the column.
  expect(stderr).not.toContain('is empty for a record');
  const asked = requestsIn(stderr, baseUrl);
  const ran = commandsIn(line);
  const declared = ran.some(({ name }) => /^api$/.test(name))
    ? declaredRoutes
    : ran.flatMap(({ name, requests }) =>
        ['each', asksBeforeReplacing].includes(name) ? [...requests, ...readsBeforeWrites] : requests,
      );
  expect(asked.filter((route) => !declared.includes(route))).toEqual([]);
  const isOffline = / --(dry-run|offline) /.test(`${line} `) || /^forgectl snapshots diff \S+\.json /.test(line);
  if (declared.length > 0 && code === 0 && !isOffline) expect(asked).not.toEqual([]);
}

/** What a build depends on, as a detector tells it. */
const snapshot = JSON.stringify({
  version: 0,
  job: { id: '7', correlator: 'build' },
  sha: 'ce587453ced02b1526dfb4cb910479d431683101',
  ref: 'refs/heads/main',
  detector: { name: 'my-detector', version: '1.0.0', url: 'https://detector.example.com' },
  scanned: '2026-03-10T12:00:00Z',
  manifests: {
    'package-lock.json': {
      name: 'package-lock.json',
      resolved: { lodash: { package_url: 'pkg:npm/lodash@4.17.21' } },
    },
  },
});

/** Policies by file: each organization is declared once in a folder. */
const policies = [
  ['policy/acme.yaml', 'acme'],
  ['base.yaml', 'globex'],
  ['acme.yaml', 'acme'],
] as const;

const policyOf = (organization: string) => `organizations: [${organization}]
settings: { default_repository_permission: read }
repositories: [{ select: { names: [site], visibility: [public, internal, private] }, settings: { delete_branch_on_merge: true } }]
`;

const checkout = temporaryDirectory().then((folder) => {
  writeLockfiles(folder);
  return folder;
});

/** A platform and a folder of its own for one example, with what a person has who is logged in. */
async function surroundings(
  { requests }: DeclaredCommand,
  onTestFinished: TestContext['onTestFinished'],
  elapsed = () => 0,
) {
  const start = Date.now();
  const sandbox = await startSandbox({ clock: () => new Date(start + elapsed()) });
  onTestFinished(() => sandbox.close());
  const folder = await temporaryDirectory();
  const endpoints = allEndpoints.filter(({ route }) => requests.includes(route));
  const onlyForApps = endpoints.length > 0 && endpoints.every(({ tokens }) => tokens && !tokens.includes('classic'));
  logIn(join(folder, 'settings'), sandbox, onlyForApps ? 'installation' : 'classic');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin/forgectl'),
    `#!/bin/sh\nexec '${process.execPath}' '${root}bin/run.js' --debug "$@"\n`,
  );
  chmodSync(join(folder, 'bin/forgectl'), 0o755);
  cpSync(await checkout, join(folder, 'work'), { recursive: true });
  writeFileSync(join(folder, 'work/token.txt'), `${sandbox.tokens.classic}\n`);
  writeFileSync(join(folder, 'work/snapshot.json'), snapshot);
  writeFileSync(join(folder, 'work/org.yaml'), 'admins: [riverotter]\n');
  writeFileSync(join(folder, 'work/acme.yml'), 'members: { admin: [riverotter] }\n');
  writeFileSync(join(folder, 'work/aliases.yaml'), 'mine: orgs list --all\n');
  writeFileSync(join(folder, 'work/stale.txt'), 'acme/site\nacme/fleet-api\n');
  writeFileSync(join(folder, 'work/last.json'), snapshot);
  writeExtension(join(folder, 'bin'), 'report');
  writeAllowed(join(folder, 'settings'), { report: allowedFile('/usr/bin/forgectl-report') });
  writeJournals(join(folder, 'work'));
  writeAudits(join(folder, 'work'));
  writePlan(join(folder, 'work'));
  mkdirSync(join(folder, 'work/policy'));
  for (const [file, organization] of policies) writeFileSync(join(folder, 'work', file), policyOf(organization));
  writeFileSync(join(folder, 'bin/my-detector'), `#!/bin/sh\ncat <<'END'\n${snapshot}\nEND\n`);
  chmodSync(join(folder, 'bin/my-detector'), 0o755);
  const isForApp = endpoints.length > 0 && endpoints.every(({ asApp }) => asApp);
  if (isForApp || requests.includes('GET /app')) writeFileSync(join(folder, 'work/app.pem'), sandbox.app.privateKey());
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    FORGECTL_CONFIG_DIR: join(folder, 'settings'),
    NPM_TOKEN: 'a registry secret',
    INDEX_TOKEN: 'another registry secret',
    GITHUB_SHA: 'ce587453ced02b1526dfb4cb910479d431683101',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_RUN_ID: '7',
    GITHUB_WORKFLOW: 'build',
    GITHUB_JOB: 'test',
    ...(isForApp && {
      FORGECTL_BASE_URL: sandbox.baseUrl,
      FORGECTL_APP_ID: '41',
      FORGECTL_APP_PRIVATE_KEY_FILE: join(folder, 'work/app.pem'),
    }),
  };
  return { sandbox, folder: join(folder, 'work'), env };
}

/** A checkout with lockfiles, and an SBOM. */
function writeLockfiles(folder: string): void {
  const lock = JSON.stringify({
    packages: { '': { dependencies: { ms: '2' } }, 'node_modules/ms': { version: '2.1.3' } },
  });
  mkdirSync(join(folder, 'web'));
  mkdirSync(join(folder, 'api'));
  writeFileSync(join(folder, 'package-lock.json'), lock);
  writeFileSync(join(folder, 'web/package-lock.json'), lock);
  writeFileSync(join(folder, 'api/Cargo.lock'), 'version = 4\n\n[[package]]\nname = "app"\nversion = "0.1.0"\n');
  writeFileSync(join(folder, 'bom.json'), '{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": []}');
  execFileSync('git', ['init', '--quiet', '--template='], { cwd: folder });
  execFileSync('git', ['add', 'package-lock.json', 'web', 'api'], { cwd: folder });
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example'];
  execFileSync('git', [...author, 'commit', '--quiet', '--message', 'Add lockfiles'], { cwd: folder });
  writeFileSync(
    join(folder, 'ruleset.yaml'),
    'id: 10001010\nname: guard\nenforcement: active\nconditions: { ref_name: { include: [~ALL] } }\nrules: []\n',
  );
}

function logIn(directory: string, { baseUrl, tokens }: Sandbox, kind: 'classic' | 'installation'): void {
  const { origin } = new URL(baseUrl);
  const profile = { 'base-url': baseUrl, token: { storage: 'file', origin, login: 'admin', kind } };
  const credential = { origin, token: tokens[kind] };
  writeProfiles(directory, {
    active: 'default',
    profiles: { default: profile, staging: profile },
    aliases: { 'all-orgs': 'orgs list --all' },
    tokens: { default: credential, staging: credential },
  });
}

function shell(line: string, cwd: string, env: Readonly<Record<string, string>>) {
  const child = spawn('sh', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 50_000 });
  let stdout = '';
  let stderr = '';
  const printed = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      resolve();
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { printed, ended, interrupt: () => child.kill('SIGINT') };
}

/** What was asked of the platform, as declared routes where there is one. */
function requestsIn(stderr: string, baseUrl: string): readonly string[] {
  return [...stderr.matchAll(/^\[\d+\] > ([A-Z]+) (\S+)$/gm)].flatMap(([, method = '', url = '']) => {
    if (!url.startsWith(baseUrl)) return [];
    const path = url.slice(baseUrl.length).split('?', 1)[0] ?? '';
    return routeOf(method, path) ?? `${method} ${path}`;
  });
}

const withoutDebugLines = (stderr: string) => stderr.replace(/^\[\d+\] [<>].*\n/gm, '');

/** The commands that a line runs. */
const commandsIn = (line: string): readonly DeclaredCommand[] =>
  commands
    .filter(({ name }) => new RegExp(`(?:forgectl|forgectl each .* --) ${name}(?![\\w-])`).test(line))
    // A command may have others below it.
    .filter(({ name }, _, all) => !all.some((other) => other.name.startsWith(`${name} `)));
