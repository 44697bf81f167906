/** Runs the commands of README.md against the sandbox, in a terminal of 80 columns. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.ts';
import { root } from '../contracts/commands.ts';
import { forgectlOnPath } from '../support/forgectl-on-path.ts';
import { run, temporaryDirectory } from '../support/run.ts';

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
const withOutput = shown.filter(({ line, output }) => line.startsWith('forgectl ') && output !== '');
const isAnswered = ({ output }: { readonly output: string }) => output.startsWith('✔');

const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain).slice(1);

const [, tour = ''] = /^## A tour\n([\s\S]*?)^## /m.exec(page) ?? [];

const [, quickStart = ''] = /^## Quick start\n([\s\S]*?)^## /m.exec(page) ?? [];

/** Returns the blocks of a section that show commands without output, as scripts. */
const scripts = (section: string) =>
  [...section.matchAll(/^```console\n((?:\$ (?:.*\\\n)*.*\n)+)^```$/gm)].map(([, block = '']) =>
    block.replace(/^\$ /gm, ''),
  );

const [policy = ''] = scripts(quickStart);

/** The commands of the tour without output, in blocks and in the text, as one script. */
const typed = [...scripts(tour), ...[...tour.matchAll(/`(forgectl [^`]+)`/g)].map(([, line]) => `${line}\n`)].join('');

let sandbox: Sandbox;

const [, shownPolicy = ''] = /^\$ cat acme\.yaml\n([\s\S]*?)^\$/m.exec(page) ?? [];

/** Returns what remains on a terminal after lines of progress were erased. */
const withoutProgress = (shown: string) => stripVTControlCharacters(shown.replaceAll(/[^\n]*\r/g, ''));

beforeEach(async () => {
  sandbox = await startSandbox();
  return () => sandbox.close();
});

const settings = () => ({
  tty: true,
  columns: 80,
  now: new Date('2026-11-21T12:00:00Z'),
});

it('shows the output of several commands', () => expect(withOutput.length).toBeGreaterThan(6));

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
  it.each(withOutput.filter((entry) => !isAnswered(entry)))('$line', async ({ line, output }) => {
    const env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic };
    process.chdir(await temporaryDirectory());
    await writeFile('acme.yaml', shownPolicy);
    let shown = '';
    const onOutput = (text: string) => {
      shown += text;
    };
    await run(wordsOf(line.replaceAll('\\\n', '')), { ...settings(), env, onOutput });
    expect(withoutProgress(shown).trimEnd()).toBe(output);
  });

  it.each(withOutput.filter(isAnswered))('the result of $line and its prompts', async ({ line, output }) => {
    const env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic };
    const person = [
      ['Alert number (ALERT):', '5\r'],
      ['Reason for the dismissal (--dismissed-reason):', '\x1b[B\r'],
    ] as const;
    const { stdout, stderr } = await run(wordsOf(line), { ...settings(), env, person });
    const [said = '', ...after] = output.split('\n').filter((text) => !text.startsWith('✔'));
    expect(stdout).toBe(`${said}\n`);
    expect(stderr).toContain(`${after.join('\n')}\n`);
  });
});

/** Runs a script in an empty directory with the sandbox; fails if it fails. */
async function runScript(script: string): Promise<void> {
  const folder = await temporaryDirectory();
  const env = {
    PATH: await forgectlOnPath(folder),
    HOME: folder,
    FORGECTL_BASE_URL: sandbox.baseUrl,
    FORGECTL_TOKEN: sandbox.tokens.classic,
  };
  const bash = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  bash.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(bash, 'close');
  expect({ code, stderr }).toMatchObject({ code: 0 });
}

it('shows commands without output that work one after the other', async () => {
  expect(typed.match(/\bforgectl /g)?.length).toBeGreaterThan(4);
  await runScript(typed);
});

it('shows an exported policy that changes a setting after an edit', async () => {
  const before = '[ "$(forgectl orgs get acme -q .web_commit_signoff_required)" = false ]';
  expect(policy.match(/\bforgectl policy (?:export|plan|apply)\b/g)?.length).toBe(3);
  await runScript(`${before}\n${policy}${before.replace('false', 'true')}`);
});
