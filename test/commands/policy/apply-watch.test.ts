/** How fast policy apply writes, and what it reports while it runs. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { classicToken, scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';
import { json, startServer } from '../../support/server.ts';

const organizations = (count: number) => Array.from({ length: count }, (_, index) => `org-${index}`);
const policyOf = (count: number) => `organizations: [${organizations(count)}]\nsettings: { company: x }\n`;

describe('writes', () => {
  it.each<[atOnce: number, flags: readonly string[]]>([
    [4, []],
    [12, ['--concurrency', '12']],
  ])('are sent %i at a time if the platform reports no rate limits (%j)', async (atOnce, flags) => {
    const held: (() => void)[] = [];
    let most = 0;
    const companies = new Map<string, string>();
    const { origin } = await startServer((response: ServerResponse, { method, url }) => {
      const answer = () =>
        json(response, { login: url.split('/').at(-1), id: 1, company: companies.get(url) ?? 'old' });
      if (method === 'GET') return answer();
      companies.set(url, 'x');
      most = Math.max(most, held.push(answer));
      if (held.length === atOnce) for (const respond of held.splice(0)) respond();
    });
    const { code } = await run(['policy', 'apply', '-', '--yes', ...flags], {
      env: {
        FORGECTL_BASE_URL: `${origin}/api/v3`,
        FORGECTL_TOKEN: classicToken,
        XDG_STATE_HOME: await temporaryDirectory(),
      },
      stdin: policyOf(24),
    });
    expect({ code, most }).toEqual({ code: 0, most: atOnce });
  });
});

describe('the run', () => {
  /** Applies a policy to four organizations, one of which rejects the change; each request takes half a second. */
  async function watched(tty: boolean) {
    let now = 0;
    const { env } = await scriptedPlatform(({ method, url }) => {
      now += 500;
      if (method === 'PATCH' && url.endsWith('2')) return { status: 422, body: { message: 'Validation Failed' } };
      const company = method === 'PATCH' ? 'x' : 'old';
      return { body: { login: url.split('/').at(-1), id: 1, company } };
    });
    const result = await run('policy apply - --yes --concurrency 1 --no-cache'.split(' '), {
      env: { ...env, XDG_STATE_HOME: await temporaryDirectory() },
      ...{ stdin: policyOf(4), tty, clock: { now: () => now, sleep: async () => {} } },
    });
    const [, stderr = ''] = result.stderr.split(/Journal: \S+\n/);
    return { ...result, stderr };
  }

  it('prints a line for each target without a terminal, and the totals with the time', async () => {
    const { stdout, stderr, code } = await watched(false);
    expect(stderr.split('\n').slice(0, 5)).toEqual([
      '1 of 4: org-0 (after its repositories) done',
      '2 of 4: org-1 (after its repositories) done',
      '3 of 4: org-2 (after its repositories) failed: PATCH /orgs/org-2 returned 422 Validation Failed',
      '4 of 4: org-3 (after its repositories) done',
      '3 done, 1 failed (3 changes) in 6 s.',
    ]);
    expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 2))).toEqual([
      ['org-0 (after its repositories)', 'ok'],
      ['org-1 (after its repositories)', 'ok'],
      ['org-2 (after its repositories)', 'failed'],
      ['org-3 (after its repositories)', 'ok'],
      [''],
    ]);
    expect(code).toBe(9);
  });

  it('shows its progress on a terminal', async () => {
    const { stderr } = await watched(true);
    expect(
      stderr
        .split('\n', 1)[0]
        ?.split('\r')
        .map((line) => line.trimEnd())
        .filter(Boolean),
    ).toEqual([
      '0 of 4 targets',
      '1 of 4 targets, 40/min, 5 s left',
      '2 of 4 targets, 40/min, 3 s left',
      '3 of 4 targets, 40/min, 2 s left, 1 failed',
      '4 of 4 targets, 40/min, 0 s left, 1 failed',
      '3 done, 1 failed (3 changes) in 6 s.',
    ]);
  });
});
