/** Runs the commands of README.md against the sandbox, in a terminal of 80 columns. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.ts';
import { root } from '../contracts/commands.ts';
import { forgectlOnPath } from '../support/forgectl-on-path.ts';
import { run } from '../support/run.ts';

const page = readFileSync(join(root, 'README.md'), 'utf8');

/** Each command line with the output below it. */
const shown = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((entry) => {
      const [, line = '', output = ''] = /^((?:.*\\\n)*.*)\n?([\s\S]*)$/.exec(entry.trimEnd()) ?? [];
      return { line, output };
    }),
);
const isAnswered = ({ output }: { readonly output: string }) => output.startsWith('✔');

/** Command lines that install forgectl, start the sandbox, show a file, or log in to a platform of the reader's own. */
const notRun = [
  'cat acme.yaml',
  'npm ci',
  'npm pack',
  'npm install --global ./forgectl-*.tgz',
  'forgectl sandbox serve > sandbox.env &',
  'until [ -s sandbox.env ]; do sleep 0.1; done; . ./sandbox.env',
  'forgectl auth login --base-url https://ghe.example.com',
];
const typed = shown.filter(({ line }) => !notRun.includes(line));

const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain).slice(1);

const [, tour = ''] = /^## A tour\n([\s\S]*?)^## /m.exec(page) ?? [];

const [, quickStart = ''] = /^## Quick start\n([\s\S]*?)^## /m.exec(page) ?? [];

/** The commands in the text of the tour. */
const inText = [...tour.matchAll(/`(forgectl [^`]+)`/g)].map(([, line = '']) => line);

let sandbox: Sandbox;
let folder: string;
let env: Readonly<Record<string, string>>;

const [, shownPolicy = ''] = /^\$ cat acme\.yaml\n([\s\S]*?)^\$/m.exec(page) ?? [];

/** Returns what remains on a terminal after lines of progress were erased. */
const withoutProgress = (shown: string) => stripVTControlCharacters(shown.replaceAll(/[^\n]*\r/g, ''));

// One reader types all lines, in their order.
beforeAll(async () => {
  sandbox = await startSandbox();
  folder = mkdtempSync(join(tmpdir(), 'forgectl-readme-'));
  writeFileSync(join(folder, 'acme.yaml'), shownPolicy);
  env = {
    PATH: await forgectlOnPath(folder),
    HOME: folder,
    FORGECTL_BASE_URL: sandbox.baseUrl,
    FORGECTL_TOKEN: sandbox.tokens.classic,
  };
  const before = process.cwd();
  process.chdir(folder);
  return async () => {
    process.chdir(before);
    await sandbox.close();
    rmSync(folder, { recursive: true });
  };
});

const settings = () => ({
  tty: true,
  columns: 80,
  now: new Date('2026-11-21T12:00:00Z'),
});

it('shows several commands, with output and without', () => {
  expect(shown.map(({ line }) => line)).toEqual(expect.arrayContaining(notRun));
  expect(typed.filter(({ output }) => output !== '').length).toBeGreaterThan(6);
  expect(typed.filter(({ output }) => output === '').length).toBeGreaterThan(4);
});

it('runs the demo and the tests with scripts that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const lines = /^```sh\n([\s\S]*?)^```$/m.exec(quickStart)?.[1]?.trimEnd().split('\n');
  expect(lines).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test']));
});

it('is short: less than 180 lines, with a tour of at most 60 lines and 80 columns', () => {
  expect(page.split('\n').length).toBeLessThan(180);
  const lines = `## A tour\n${tour}`.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(60);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

describe('shows', () => {
  it.each(typed)('$line', async ({ line, output }) => {
    if (output === '') return runScript(line);
    const words = wordsOf(line.replaceAll('\\\n', ''));
    if (isAnswered({ output })) return expectAnswered(words, output);
    let shown = '';
    const onOutput = (text: string) => {
      shown += text;
    };
    await run(words, { ...settings(), env: login(), onOutput });
    expect(withoutProgress(shown).trimEnd()).toBe(output);
  });

  it.each(inText)('%s in the text', runScript);
});

const login = () => ({ FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic });

async function expectAnswered(words: string[], output: string): Promise<void> {
  const person = [
    ['Alert number (ALERT):', '5\r'],
    ['Reason for the dismissal (--dismissed-reason):', '\x1b[B\r'],
  ] as const;
  const { stdout, stderr } = await run(words, { ...settings(), env: login(), person });
  const [said = '', ...after] = output.split('\n').filter((text) => !text.startsWith('✔'));
  expect(stdout).toBe(`${said}\n`);
  expect(stderr).toContain(`${after.join('\n')}\n`);
}

/** Runs a script where the reader is; fails if it fails. */
async function runScript(script: string): Promise<void> {
  const bash = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    ...{ cwd: folder, env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr, [code]] = await Promise.all([text(bash.stderr), once(bash, 'close')]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
}

it('shows an exported policy that changes a setting after an edit', async () => {
  const [, name = ''] = /^\$ sed .*?(\w+)\\\): true\/\\1: false\//m.exec(quickStart) ?? [];
  expect(name).not.toBe('');
  await runScript(`[ "$(forgectl orgs get acme -q .members_${name})" = false ]`);
});
