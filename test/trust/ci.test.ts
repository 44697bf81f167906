/** In a CI job nobody sits at the terminal, and the log is read by machines too. */
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { hasPython, inTerminal, start } from '../support/process.ts';
import { temporaryDirectory } from '../support/run.ts';

const repository = {
  name: 'site',
  full_name: 'acme/site',
  visibility: 'public',
  archived: false,
  pushed_at: '2026-01-01T00:00:00Z',
  id: 1,
};

async function job() {
  const { env, requests } = await scriptedPlatform({
    'GET /orgs/acme/repos': { body: [repository] },
    'DELETE /repos/acme/site/rulesets/1': { status: 204 },
  });
  const HOME = await temporaryDirectory();
  return { env: { ...env, HOME, CI: 'true', GITHUB_ACTIONS: 'true' }, requests };
}

const list = ['repos', 'list', 'acme', '-o', 'table'];

describe.skipIf(!hasPython)('a terminal with CI set', () => {
  it('a deletion does not prompt and requires --yes', async () => {
    const { env, requests } = await job();
    const words = ['rulesets', 'delete', 'acme/site', '1'];
    const refused = await inTerminal(words, [], { env });
    expect(refused.code).toBe(2);
    expect(refused.shown).toMatch(/confirm\s+with\s+--yes\./);
    expect(requests).toEqual([]);
    expect((await inTerminal([...words, '--yes'], [], { env })).code).toBe(0);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE /api/v3/repos/acme/site/rulesets/1',
    ]);
  });

  it('a login prompts for neither platform nor token', async () => {
    const { HOME, CI } = (await job()).env;
    const bare = { HOME, CI };
    expect((await inTerminal(['auth', 'login'], [], { env: bare })).code).toBe(2);
    const withUrl = ['auth', 'login', '--base-url', 'https://ghe.example.com'];
    expect((await inTerminal(withUrl, [], { env: bare })).code).toBe(2);
  });
});

describe('in a job log', () => {
  it('output has no colors without FORCE_COLOR, and no group markers', async () => {
    const { env } = await job();
    const plain = await start(list, { env }).ended;
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout).toContain('site');
    for (const sign of ['\u001b', '::']) expect(plain.stdout).not.toContain(sign);
    const forced = await start(list, { env: { ...env, FORCE_COLOR: '1' } }).ended;
    expect(forced.stdout).toContain('\u001b[');
    const none = await start(list, { env: { ...env, FORCE_COLOR: '0' } }).ended;
    expect(none.stdout).toBe(plain.stdout);
  });
});
