/** policy apply verifies at its end the writes whose response was lost, as --resume does. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/serve.ts';
import { run, temporaryDirectory } from '../../support/run.ts';
import { startServer } from '../../support/server.ts';

interface Loss {
  /** The write whose response is lost, once unless `isLasting`. */
  readonly of: string;
  /** Whether it takes effect nevertheless. */
  readonly isMade: boolean;
  readonly isLasting?: boolean;
}

/** Applies a policy on the embedded platform behind a proxy that closes the connection instead of the response to a write. */
async function applyWithLoss(policy: string, { of, isMade, isLasting = false }: Loss) {
  const sandbox = await startSandbox({ orgs: 1, repos: 2 });
  onTestFinished(() => sandbox.close());
  const { origin } = new URL(sandbox.baseUrl);
  const writes: string[] = [];
  let lost = 0;
  const proxy = await startServer(async (response, { method, url, headers, body }) => {
    const write = `${method} ${url.replace('/api/v3', '')}`;
    if (method !== 'GET') writes.push(write);
    const isLost = write === of && (isLasting || lost++ === 0);
    if (isLost && !isMade) return void response.destroy();
    const answer = await fetch(`${origin}${url}`, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body && { body }),
    });
    if (isLost) return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' }).end(await answer.text());
  });
  const folder = await temporaryDirectory();
  const [file, journal] = [join(folder, 'p.yaml'), join(folder, 'run.ndjson')];
  writeFileSync(file, policy);
  const env = {
    FORGECTL_BASE_URL: `${proxy.origin}/api/v3`,
    FORGECTL_TOKEN: sandbox.tokens.classic,
    XDG_STATE_HOME: folder,
  };
  const { code, stdout, stderr } = await run(['policy', 'apply', file, '--yes', '--journal', journal], { env });
  const found = [...readFileSync(journal, 'utf8').matchAll(/"found":"(\w+)"/g)].map(([, each]) => each);
  return { code, stdout, stderr, writes, found };
}

const wiki = 'organizations: [acme]\nrepositories: [{ select: { names: [site] }, settings: { has_wiki: false } }]\n';
const twoChanges = wiki.replace(
  'settings:',
  'rulesets: [{ name: A, target: branch, enforcement: active, conditions: { ref_name: { include: [~ALL], exclude: [] } }, rules: [{ type: deletion }] }], settings:',
);
const ofSite = 'PATCH /repos/acme/site';
const done = 'acme/site\tok\tupdate settings\t\n';

it('finds a change that was made, and does not make it again', async () => {
  const applied = await applyWithLoss(wiki, { of: ofSite, isMade: true });
  expect(applied).toMatchObject({ code: 0, stdout: done, writes: [ofSite], found: ['wanted'] });
  expect(applied.stderr).toContain('1 done (1 change) in 0 s.');
  expect(applied.stderr).not.toContain('Continue with');
});

it('makes a change that was not made', async () => {
  const applied = await applyWithLoss(wiki, { of: ofSite, isMade: false });
  expect(applied).toMatchObject({ code: 0, stdout: done, writes: [ofSite, ofSite], found: ['before'] });
});

it('reports all changes of the target, those before and after the lost response too', async () => {
  const create = 'POST /repos/acme/site/rulesets';
  const applied = await applyWithLoss(twoChanges, { of: create, isMade: true });
  expect(applied).toMatchObject({
    code: 0,
    stdout: 'acme/site\tok\tcreate ruleset “A”, update settings\t\n',
    writes: [create, ofSite],
    found: ['wanted'],
  });
  expect(applied.stderr).toContain('1 done (2 changes) in 0 s.');
});

it('leaves a change whose response is lost again unknown', async () => {
  const applied = await applyWithLoss(wiki, { of: ofSite, isMade: false, isLasting: true });
  expect(applied).toMatchObject({ code: 9, writes: [ofSite, ofSite], found: ['before'] });
  expect(applied.stdout).toMatch(/^acme\/site\tunknown\t/);
  expect(applied.stderr).toContain('Continue with:');
  expect(applied.stderr).toContain('forgectl: The outcome of 1 of 1 target is unknown.\n');
});

it('loosens an organization once the lost change of its repository was found', async () => {
  const loosening = wiki.replace('repositories:', 'settings: { default_repository_permission: write }\nrepositories:');
  const applied = await applyWithLoss(loosening, { of: ofSite, isMade: true });
  expect(applied).toMatchObject({ code: 0, writes: [ofSite, 'PATCH /orgs/acme'], found: ['wanted'] });
});

it('loosens no organization while the outcome of a change of its repository is unknown', async () => {
  const loosening = wiki.replace('repositories:', 'settings: { default_repository_permission: write }\nrepositories:');
  const applied = await applyWithLoss(loosening, { of: ofSite, isMade: false, isLasting: true });
  expect(applied).toMatchObject({ code: 9, writes: [ofSite, ofSite] });
});
