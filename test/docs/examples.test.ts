/** Every command line of help and documents runs in a test; those of guides and short documents run here. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { guides } from '../../src/cli/help/guides.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/serve.ts';
import { root } from '../contracts/commands.ts';
import { forgectlOnPath } from '../support/forgectl-on-path.ts';
import { temporaryDirectory } from '../support/run.ts';
import { typedBlocks } from '../support/typed-blocks.ts';

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md'),
];
/** The pages of which this file runs every block, in order. */
const runHere = ['audit.md', 'budgets.md', 'hooks.md', 'people.md', 'troubleshooting.md'];

/** What runs every block of each page; where it is text, why nothing does. */
const ranBy: Readonly<Record<string, string>> = {
  'README.md': 'readme.test.ts',
  'audit-config.md': 'audit-config.test.ts',
  'audit.md': 'examples.test.ts',
  'budgets.md': 'examples.test.ts',
  'ci.md': 'ci.test.ts',
  'configuration.md': 'examples.test.ts',
  'extensions.md': 'extensions.test.ts',
  'fleet.md': 'fleet.test.ts',
  'from-other-tools.md': 'not run: imports the files of other tools, as commands/policy/import.test.ts does',
  'from-terraform.md': 'from-terraform.test.ts',
  'hooks.md': 'examples.test.ts',
  'people.md': 'examples.test.ts',
  'install.md': 'not run: installs and removes packages; demo.test.ts runs what a clone builds',
  'recipes.md': 'recipes.test.ts',
  'rulesets.md': 'rulesets.test.ts',
  'sandbox.md': 'sandbox.test.ts',
  'snapshots.md': 'snapshots.test.ts',
  'troubleshooting.md': 'examples.test.ts',
  'library.md':
    'not run: installs a package from a file that a release provides; its TypeScript runs in library/package.test.ts',
  'releasing.md': 'not run: installs the published package, and reads its provenance from the registry',
};

it('has a test of every block, or a reason for none, for each page with commands', () => {
  expect(pages.filter((page) => typedBlocks(page).length > 0).toSorted()).toEqual(Object.keys(ranBy).toSorted());
  for (const [page, by] of Object.entries(ranBy).filter(([, by]) => !by.startsWith('not run:'))) {
    const isHere = by === 'examples.test.ts' && [...runHere, 'configuration.md'].includes(page);
    // That of README.md counts lines.
    const counts =
      isHere ||
      page === 'README.md' ||
      readFileSync(join(root, 'test/docs', by), 'utf8').includes(`TypedBlocks('${page}')`);
    expect({ page, counts }).toEqual({ page, counts: true });
  }
});

/** Returns a shell in an empty directory, with forgectl and a sandbox of its own. */
async function shell(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  const folder = await temporaryDirectory();
  const env = { PATH: await forgectlOnPath(folder), HOME: folder };
  const login = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic };
  const bash = async (script: string, more: Readonly<Record<string, string>> = {}) => {
    const child = spawn('bash', ['-uo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code, stdout, stderr };
  };
  return { sandbox, folder, login, bash };
}

it('runs the examples of the guides, in order', async () => {
  const { login, bash } = await shell();
  const examples = guides([]).flatMap(({ parts }) => parts.flatMap(({ examples = {} }) => Object.values(examples)));
  expect(examples.length).toBeGreaterThan(4);
  for (const command of examples) {
    const { code, stdout, stderr } = await bash(command, login);
    expect({ command, code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).not.toBe('');
  }
  expect((await bash('forgectl repos get acme/new --jq .visibility', login)).stdout).toBe('private\n');
}, 60_000);

it('logs in and switches profiles as docs/configuration.md says', async () => {
  const { sandbox, folder, bash } = await shell();
  const staging = await startSandbox({});
  onTestFinished(() => staging.close());
  writeFileSync(join(folder, 'token.txt'), sandbox.tokens.classic);
  writeFileSync(join(folder, 'staging.txt'), staging.tokens.classic);
  const lines = typedBlocks('configuration.md')
    .flatMap((block) => block.split('\n'))
    .filter(Boolean)
    .map((line) => line.replace(/^\$ /, ''));
  expect(lines).toHaveLength(11);
  for (const line of lines) {
    // Without a terminal, the prompts for the token and for where to keep it are flags.
    const typed = /^forgectl auth login/.test(line)
      ? `${line} --insecure-storage${line.includes('--with-token') ? '' : ` --with-token < ${line.includes('staging') ? 'staging' : 'token'}.txt`}`
      : line;
    const script = typed
      .replace('https://ghe.example.com', new URL(sandbox.baseUrl).origin)
      .replace('https://staging.example.com', new URL(staging.baseUrl).origin);
    const { code, stderr } = await bash(script);
    expect({ line, code, stderr }).toMatchObject({ code: 0 });
  }
  expect((await bash("forgectl auth list --jq '.[] | select(.active) | .profile'")).stdout).toBe('staging\n');
}, 60_000);

it.each(runHere)(
  'runs the commands of docs/%s, in order',
  async (page) => {
    const { login, bash } = await shell();
    const blocks = typedBlocks(page);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) {
      const { code, stderr } = await bash(`set -e\n${block}`, login);
      expect({ block, code, stderr }).toMatchObject({ code: 0 });
    }
  },
  60_000,
);
