/** What README.md shows is what a terminal of 80 columns shows with the embedded platform. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
      const [line = '', ...output] = entry.trimEnd().split('\n');
      return { line, output: output.join('\n') };
    }),
);
const withOutput = shown.filter(({ line, output }) => line.startsWith('forgectl ') && output !== '');
const isAnswered = ({ output }: { readonly output: string }) => output.startsWith('✔');

const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain).slice(1);
const withoutIds = (text: string) => text.replace(/^Request id: [0-9a-f-]{36}$/m, 'Request id: …');

const [, tour = ''] = /^## A tour\n([\s\S]*?)^## /m.exec(page) ?? [];

/** What the tour has typed without showing what comes of it, in blocks and in its text, as one script. */
const typed = [
  ...[...tour.matchAll(/^```console\n((?:\$ (?:.*\\\n)*.*\n)+)^```$/gm)].map(([, block = '']) =>
    block.replace(/^\$ /gm, ''),
  ),
  ...[...tour.matchAll(/`(forgectl [^`]+)`/g)].map(([, line]) => `${line}\n`),
].join('');

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
  return () => sandbox.close();
});

const settings = () => ({
  tty: true,
  columns: 80,
  now: new Date('2026-11-21T12:00:00Z'),
});

it('shows the output of several commands', () => expect(withOutput.length).toBeGreaterThan(7));

describe('shows', () => {
  it.each(withOutput.filter((entry) => !isAnswered(entry)))('$line', async ({ line, output }) => {
    const { classic, oauth } = sandbox.tokens;
    const token = line === 'forgectl registries list acme' ? oauth : classic;
    const env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: token };
    const { stdout, stderr } = await run(wordsOf(line), { ...settings(), env });
    expect(withoutIds(stdout + stderr).trimEnd()).toBe(withoutIds(output));
  });

  it.each(withOutput.filter(isAnswered))('what follows the answers to $line', async ({ line, output }) => {
    const env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic };
    const person = [
      ['Number of the alert (ALERT):', '5\r'],
      ['Reason for the dismissal (--dismissed-reason):', '\x1b[B\r'],
    ] as const;
    const { stdout, stderr } = await run(wordsOf(line), { ...settings(), env, person });
    const [said = '', ...after] = output.split('\n').filter((text) => !text.startsWith('✔'));
    expect(stdout).toBe(`${said}\n`);
    expect(stderr).toContain(`${after.join('\n')}\n`);
  });
});

it('has nothing typed that does not work, one after the other', async () => {
  expect(typed.match(/\bforgectl /g)?.length).toBeGreaterThan(7);
  const folder = await temporaryDirectory();
  const env = {
    PATH: await forgectlOnPath(folder),
    HOME: folder,
    FORGECTL_BASE_URL: sandbox.baseUrl,
    FORGECTL_TOKEN: sandbox.tokens.classic,
  };
  const bash = spawn('bash', ['-euo', 'pipefail', '-c', typed], {
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
}, 60_000);
