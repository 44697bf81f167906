/** forgectl each --resume: the object of a write on the embedded platform shows whether the write happened. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/serve.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

const site = 'acme/site';
const rules = '[{"type":"non_fast_forward"},{"type":"deletion"}]';
const conditions = '{"ref_name":{"include":["~DEFAULT_BRANCH"],"exclude":[]}}';
const guard = ['--name', 'Guard', '--enforcement', 'active', '--rules', rules, '--conditions', conditions];
const budget = 'fe0c2a3e-7cfb-4759-85b7-d3b724c17e5a';
const maven = 'MAVEN_REPOSITORY_SECRET';

interface Write {
  readonly target: string;
  readonly command: readonly string[];
  /** The command line that makes the write possible. */
  readonly first?: readonly string[];
  /** What a later run finds if the write did not happen. */
  readonly undone: 'absent' | 'before';
}

const writes: Readonly<Record<string, Write>> = {
  'a new ruleset': { target: site, command: ['rulesets', 'create', '{}', ...guard], undone: 'absent' },
  'a new ruleset of an organization': {
    target: 'acme',
    command: [
      ...['rulesets', 'create', '{}', '--name', 'Guard', '--enforcement', 'active', '--rules', rules, '--conditions'],
      '{"ref_name":{"include":["~ALL"],"exclude":[]},"repository_name":{"include":["~ALL"],"exclude":[]}}',
    ],
    undone: 'absent',
  },
  'a changed ruleset': {
    target: site,
    command: ['rulesets', 'update', '{}', '21000010', '--enforcement', 'disabled', '--rules', rules],
    undone: 'before',
  },
  'a deleted ruleset': { target: site, command: ['rulesets', 'delete', '{}', '21000010'], undone: 'before' },
  'a new repository': {
    target: 'acme',
    command: ['repos', 'create', '{}/new', '--visibility', 'private', '--description', 'new'],
    undone: 'absent',
  },
  'a changed repository': {
    target: site,
    command: ['repos', 'update', '{}', '--description', '', '--no-has-wiki', '--delete-branch-on-merge'],
    undone: 'before',
  },
  'an archived repository': { target: site, command: ['repos', 'archive', '{}'], undone: 'before' },
  'a deleted repository': { target: site, command: ['repos', 'delete', '{}'], undone: 'before' },
  topics: { target: site, command: ['repos', 'topics', '{}', '--set', 'web,api'], undone: 'before' },
  'a changed organization': {
    target: 'acme',
    command: ['orgs', 'update', '{}', '--description', 'new', '--no-members-can-create-pages'],
    undone: 'before',
  },
  'a hook': { target: site, command: ['hooks', 'set', '{}', '4', '--enforcement', 'enabled'], undone: 'before' },
  'a reset hook': {
    target: site,
    first: ['hooks', 'set', site, '4', '--enforcement', 'enabled'],
    command: ['hooks', 'unset', '{}', '4'],
    undone: 'before',
  },
  'a changed registry': {
    target: 'acme',
    command: ['registries', 'update', '{}', maven, '--url', 'https://maven.example.com'],
    undone: 'before',
  },
  'a deleted registry': { target: 'acme', command: ['registries', 'delete', '{}', maven], undone: 'before' },
  'a new budget': {
    target: 'acme',
    command: [
      ...['budgets', 'create', '{}', '--budget-scope', 'organization', '--budget-amount', '7'],
      ...['--budget-type', 'ProductPricing', '--budget-product-sku', 'actions', '--prevent-further-usage'],
      ...['--budget-entity-name', 'acme', '--no-will-alert', '--alert-recipients', '[]'],
    ],
    undone: 'absent',
  },
  'a changed budget': {
    target: 'acme',
    command: ['budgets', 'update', '{}', 'fe0c2a3e', '--budget-amount', '7', '--prevent-further-usage'],
    undone: 'before',
  },
  'a deleted budget': { target: 'acme', command: ['budgets', 'delete', '{}', budget], undone: 'before' },
  'a changed comment': {
    target: site,
    command: ['comments', 'update', '{}', '10000101', '--body', 'new'],
    undone: 'before',
  },
  'a deleted comment': { target: site, command: ['comments', 'delete', '{}', '10000101'], undone: 'before' },
  'a raw request': { target: site, command: ['api', 'PATCH', '/repos/{}', '-f', 'description=new'], undone: 'before' },
};

async function sandboxFor({ first }: Write): Promise<Sandbox> {
  const sandbox = await startSandbox({ orgs: 1, repos: 2 });
  onTestFinished(() => sandbox.close());
  if (first) expect(await run(first, { env: envOf(sandbox) })).toMatchObject({ code: 0 });
  return sandbox;
}

const envOf = ({ baseUrl, tokens }: Sandbox) => ({ FORGECTL_BASE_URL: baseUrl, FORGECTL_TOKEN: tokens.classic });

/** Runs a command line through each, and returns the status of its target. */
async function each(sandbox: Sandbox, { target, command }: Write, flags: readonly string[]) {
  const words = ['each', '--from', '-', ...flags, '--yes', '--expect', '1', '-o', 'ndjson', '--', ...command];
  const { stdout, stderr } = await run(words, { env: envOf(sandbox), stdin: target });
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as { readonly status: string; readonly error?: unknown };
}

const findings = (journal: string) =>
  [...readFileSync(journal, 'utf8').matchAll(/"found":"(\w+)"/g)].map(([, found]) => found);

/** Removes all lines after that of the write, and dates that line back. */
function cut(journal: string, platform: string): void {
  const [header = '', targets = '', ...lines] = readFileSync(journal, 'utf8').split('\n');
  const sending = lines.filter((line) => line.includes('"sending":'));
  expect(sending).toHaveLength(1);
  const text = [JSON.stringify({ ...JSON.parse(header), platform }), targets, ...sending, ''].join('\n');
  writeFileSync(journal, text.replaceAll(/"at":"[^"]+"/g, '"at":"2026-03-01T12:00:00.000Z"'));
}

describe.each(Object.entries(writes))('%s', (_what, write) => {
  it('is found, and is not written again', async () => {
    const journal = join(await temporaryDirectory(), 'run.ndjson');
    const sandbox = await sandboxFor(write);
    expect(await each(sandbox, write, ['--journal', journal])).toMatchObject({ status: 'ok' });
    cut(journal, sandbox.baseUrl);
    expect(await each(sandbox, write, ['--resume', journal])).toEqual({ target: write.target, status: 'ok', exit: 0 });
    expect(findings(journal)).toEqual(['wanted']);
  });

  it('that did not happen is written', async () => {
    const journal = join(await temporaryDirectory(), 'run.ndjson');
    await each(await sandboxFor(write), write, ['--journal', journal]);
    const another = await sandboxFor(write);
    cut(journal, another.baseUrl);
    expect(await each(another, write, ['--resume', journal])).toMatchObject({ status: 'ok', exit: 0 });
    expect(findings(journal)).toEqual([write.undone]);
  });
});
