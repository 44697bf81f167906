/**
 * Smoke test of the installed program. When run directly, packs the package, installs the tarball in an empty folder,
 * and tests it; scripts/package.ts and scripts/release.ts use it to test executables.
 */
import assert from 'node:assert/strict';
import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Arguments, expected standard output, and standard input. */
type Line = readonly [words: string, expected: RegExp, input?: string];

/** Commands that need no platform. */
const offline: readonly Line[] = [
  ['--version', /^forgectl\/\d+\.\d+\.\d+ \S+ node-v\d+\.\d+\.\d+\n$/],
  ['version --json', /"version": "\d/],
  ['version --verbose --json', /"build": "[\da-f]{16}"[\s\S]*"name": "undici"/],
  ['--help', /rulesets/],
  ['repos --help', /repos list/],
  ['orgs get --help', /EXAMPLES/],
  ['autocomplete bash', /complete /],
  ['permissions explain orgs:get', /^GET \/orgs\/\{org\}/],
  ['rulesets schema', /"\$schema"/],
  ['orgs list --fields help', /^login\tstring$/m],
  ['rulesets lint - --json', /^\[\]\n$/, '{"name":"a","target":"branch","enforcement":"active","rules":[]}'],
];

/** Commands that cover everything loaded late: tables, YAML, jq, sealed boxes, settings, cached responses. */
const online: readonly Line[] = [
  ['orgs list --json', /"login": "acme"/],
  ['orgs list -o table', /^LOGIN/],
  ['orgs get acme -o table', /Acme/],
  ['orgs get acme -o yaml', /^login: acme$/m],
  ['repos list acme --all --jq length', /^12\n$/],
  ['orgs update acme --location 京都 --fields location', /^京都\n$/],
  [
    'registries create acme --registry-type npm_registry --url https://npm.example.com --visibility all --secret-stdin --fields registry_type',
    /^npm_registry\n$/,
    'a secret',
  ],
  ['rulesets create acme/site --input - --fields name', /^a\n$/, 'name: a\nenforcement: active\n'],
  ['auth status --fields source', /^environment\n$/],
];

/** Commands that need a profile; base URL and token are removed from the environment. */
const loggedIn: readonly Line[] = [
  ['config set output yaml', /./],
  ['config get output', /^yaml\n$/],
  ['auth status --fields source -o json', /"source": "file"/],
];

/**
 * Tests a program, which may have arguments of its own. Throws if a command fails.
 *
 * @param shell whether the program can start /bin/sh, and with it an extension
 */
export async function smoke(
  [program = '', ...own]: readonly string[],
  { shell = true }: { readonly shell?: boolean } = {},
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'forgectl-smoke-'));
  const env = { PATH: process.env.PATH, HOME: home };
  const run = (words: readonly string[], input: string, more: NodeJS.ProcessEnv = {}) =>
    spawnSync(program, [...own, ...words], { encoding: 'utf8', input, env: { ...env, ...more } });
  const check = (lines: readonly Line[], more?: NodeJS.ProcessEnv) => {
    for (const [words, expected, input = ''] of lines) {
      const { status, stdout, stderr } = run(words.split(' '), input, more);
      assert.equal(status, 0, `${words} exited with ${status}: ${stderr}`);
      assert.match(stdout, expected, words);
    }
  };
  try {
    check(offline);
    if (shell) checkExtension(home, run);
    assert.equal(run(['orgs', 'get'], '').status, 2);
    await withPlatform([program, ...own], env, (account) => {
      check(online, account);
      const { FORGECTL_BASE_URL: baseUrl, FORGECTL_TOKEN: token } = account;
      check([
        [`auth login --base-url ${baseUrl} --with-token --insecure-storage --fields login`, /./, token],
        ...loggedIn,
      ]);
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Runs an extension once it is allowed, and none in place of a topic. */
function checkExtension(
  home: string,
  run: (words: readonly string[], input: string, more?: NodeJS.ProcessEnv) => SpawnSyncReturns<string>,
): void {
  for (const name of ['smoke', 'orgs']) {
    const file = join(home, `forgectl-${name}`);
    writeFileSync(file, '#!/bin/sh\necho "$@"\nexit 7\n');
    chmodSync(file, 0o755);
  }
  const more = { PATH: `${home}:${process.env.PATH}` };
  assert.equal(run(['smoke'], '', more).status, 2);
  const { status, stdout } = run(['--yes-extension', 'smoke', '--help'], '', more);
  assert.deepEqual({ status, stdout }, { status: 7, stdout: '--help\n' });
  assert.equal(run(['--yes-extension', 'orgs', '--help'], '', more).status, 2);
}

/** Runs `use` with a sandbox of a program. */
async function withPlatform(
  [program = '', ...words]: readonly string[],
  env: NodeJS.ProcessEnv,
  use: (account: { FORGECTL_BASE_URL: string; FORGECTL_TOKEN: string }) => void,
): Promise<void> {
  const platform = spawn(program, [...words, 'sandbox', 'serve', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [line] = (await once(createInterface(platform.stdout), 'line')) as [string];
    const { base_url, token } = JSON.parse(line) as { base_url: string; token: string };
    use({ FORGECTL_BASE_URL: base_url, FORGECTL_TOKEN: token });
  } finally {
    platform.kill('SIGTERM');
    await once(platform, 'exit');
  }
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'forgectl-install-'));
  try {
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const packed = execFileSync('npm', pack, { encoding: 'utf8' }).trim();
    const install = ['install', '--silent', '--no-save', '--ignore-scripts', '--prefix', folder, join(folder, packed)];
    execFileSync('npm', install, { stdio: ['ignore', 'inherit', 'inherit'] });
    execFileSync('publint', [join(folder, packed), '--strict'], { stdio: 'inherit' });
    // The library is an ES module only; supported versions of Node can also load it with require.
    execFileSync('attw', [join(folder, packed), '--profile', 'esm-only', '--quiet'], { stdio: 'inherit' });
    await smoke([join(folder, 'node_modules', '.bin', 'forgectl')]);
    process.stdout.write('The installed package works.\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
