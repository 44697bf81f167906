import { describe, expect, it } from 'vitest';
import { type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';
import { instantClock, run } from '../support/run.ts';

const event = (number: number) => ({
  '@timestamp': Date.parse('2026-02-26T12:00:00Z') + number * 1000,
  _document_id: `e${number}`,
  action: 'repo.destroy',
  actor: 'hubot',
  org: 'acme',
  repo: `acme/r${number}`,
});

const line = (number: number) => `2026-02-26T12:00:0${number}.000Z\thubot\trepo.destroy\tacme/r${number}\tacme\n`;

describe('audit-log list', () => {
  it('sends every filter, and shows age, actor, action and target', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/audit-log': { body: [event(0)] } });
    const words = 'audit-log list acme --phrase actor:hubot --include all --order asc --after A --before B'.split(' ');
    const { stdout } = await run(words, { env: platform.env, tty: true });
    expect(platform.requests[0]?.url).toBe(
      '/api/v3/orgs/acme/audit-log?phrase=actor%3Ahubot&include=all&order=asc&after=A&before=B',
    );
    expect(stdout).toMatch(/3 days ago +hubot +repo\.destroy +acme\/r0/);
  });

  it.each([
    ['--actor hubot --action repo.destroy', 'actor:hubot action:repo.destroy'],
    ['--repo r0 --since 1w', 'repo:acme/r0 created:>=2026-02-22T12:00:00Z'],
    ['--repo globex/site --until 2026-02-01', 'repo:globex/site created:<=2026-02-01'],
    ['--since 2026-01-01 --until 2026-02-01T12:30+01:00', 'created:2026-01-01..2026-02-01T11:30:00Z'],
    ['--phrase -action:git --actor ada --since 2h', '-action:git actor:ada created:>=2026-03-01T10:00:00Z'],
  ])('sends %s as the phrase %s', async (flags, phrase) => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/audit-log': { body: [] } });
    const now = new Date('2026-03-01T12:00:00Z');
    const words = ['audit-log', 'list', 'acme', ...flags.split(' ')];
    const { stderr } = await run([...words, '--debug'], { env: platform.env, now });
    const url = new URL(platform.requests[0]?.url ?? '', 'http://x');
    expect([url.pathname, ...url.searchParams]).toEqual(['/api/v3/orgs/acme/audit-log', ['phrase', phrase]]);
    expect(stderr).toContain(`Search phrase: ${phrase}\n`);
  });

  it.each([
    ['--since 1w --until 2w', false],
    ['--since 2026-02-02 --until 2026-02-01', false],
    ['--since 2026-02-01T12:00Z --until 2026-02-01', true],
    ['--since 2w --until 1w', true],
  ])('rejects a period that ends before it begins, as %s does: %s', async (flags, isValid) => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/audit-log': { body: [] } });
    const { code, stderr } = await run(['audit-log', 'list', 'acme', ...flags.split(' ')], { env: platform.env });
    const rejected = { code: 2, stderr: 'forgectl: --until must not be before --since. Nothing was sent.\n' };
    expect({ code, stderr }).toEqual(isValid ? { code: 0, stderr: '' } : rejected);
    expect(platform.requests).toHaveLength(isValid ? 1 : 0);
  });

  it('has field names that --fields accepts in the CSV header', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/audit-log': { body: [event(0)] } });
    const words = ['audit-log', 'list', 'acme', '-o', 'csv'];
    const { stdout } = await run(words, { env: platform.env });
    const [header = ''] = stdout.split('\n');
    expect(header).toBe('when,actor,action,target,org');
    expect((await run([...words, '--fields', header], { env: platform.env })).stdout).toBe(stdout);
    expect((await run([...words, '--fields', 'target'], { env: platform.env })).stdout).toBe('target\nacme/r0\n');
  });

  it('reads the log of an enterprise', async () => {
    const platform = await scriptedPlatform({ 'GET /enterprises/e/audit-log': { body: [] } });
    expect((await run(['audit-log', 'list', '--enterprise', 'e'], { env: platform.env })).code).toBe(0);
    expect(platform.requests[0]?.url).toBe('/api/v3/enterprises/e/audit-log');
  });

  it.each([
    ['neither organization nor enterprise', [], 'or --enterprise is required'],
    ['both', ['acme', '--enterprise', 'e'], 'cannot be used together'],
    ['--interval alone', ['acme', '--interval', '5s'], '--interval requires --follow'],
    ['--follow in another order', ['acme', '--follow', '--order', 'asc'], '--order cannot be used with --follow'],
    ['--follow as JSON', ['acme', '--follow', '--json'], '--follow requires -o table, tsv, csv or ndjson'],
    ['a day that does not exist', ['acme', '--since', '2026-02-30'], '--since must be a date such as 2026-03-01'],
    [
      'a sentence as an action',
      ['acme', '--action', 'deleted a repo'],
      '--action must be an action such as repo.destroy',
    ],
    [
      'a repository without owner',
      ['--enterprise', 'e', '--repo', 'site'],
      '--repo must be OWNER/NAME with --enterprise',
    ],
  ])('rejects %s before any request', async (_, words, problem) => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['audit-log', 'list', ...words], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
    expect(platform.requests).toEqual([]);
  });

  it('prompts for an organization or an enterprise', async () => {
    const platform = await scriptedPlatform({ 'GET /enterprises/e/audit-log': { body: [] } });
    const { stderr, code } = await run(['audit-log', 'list', '--plain'], {
      env: platform.env,
      person: [
        ['1. ORG: Organization login\n2. --enterprise: Enterprise slug\n', '2\r'],
        ['Enterprise slug (--enterprise):', 'e\r'],
      ],
    });
    expect(code).toBe(0);
    expect(platform.requests[0]?.url).toBe('/api/v3/enterprises/e/audit-log');
    expect(stderr).toContain('\n  forgectl audit-log list --plain --enterprise e\n');
  });

  it('prints the latest events and then new ones with --follow, oldest first, each once', async () => {
    const answers: ScriptedAnswer[] = [
      { body: [event(2), event(1)] },
      { body: [event(2), event(1)] },
      { body: [event(4), event(3), event(2)] },
    ];
    const platform = await scriptedPlatform({
      'GET /orgs/acme/audit-log': () => answers.shift() ?? { status: 401, body: { message: 'Bad credentials' } },
    });
    const clock = instantClock();
    const { stdout, code } = await run(['audit-log', 'list', 'acme', '--follow', '--interval', '10s'], {
      env: platform.env,
      clock,
    });
    expect(stdout).toBe(line(1) + line(2) + line(3) + line(4));
    expect(code).toBe(4);
    expect(clock.now()).toBe(30_000);
  });

  it('does not count events whose time is not a date', async () => {
    const list = [{ ...event(0), '@timestamp': 1e21 }, event(1), event(2)];
    const platform = await scriptedPlatform({ 'GET /orgs/acme/audit-log': { body: list } });
    const { stderr, code } = await run(['audit-log', 'list', 'acme'], { env: platform.env, tty: true });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('keeps its table with --follow on a terminal, with one header line', async () => {
    const answers: ScriptedAnswer[] = [{ body: [event(1)] }, { body: [event(3), event(2), event(1)] }];
    const platform = await scriptedPlatform({
      'GET /orgs/acme/audit-log': () => answers.shift() ?? { status: 401, body: { message: 'Bad credentials' } },
    });
    const { stdout } = await run(['audit-log', 'list', 'acme', '--follow'], {
      env: platform.env,
      tty: true,
      clock: instantClock(),
      now: new Date('2026-03-01T12:00:00Z'),
    });
    expect(stdout.split('\n')).toEqual([
      'WHEN        ACTOR  ACTION        TARGET   ORGANIZATION',
      '2 days ago  hubot  repo.destroy  acme/r1  acme',
      '2 days ago  hubot  repo.destroy  acme/r2  acme',
      '2 days ago  hubot  repo.destroy  acme/r3  acme',
      '',
    ]);
  });

  it('omits events older than the first ones with --follow, but not late ones', async () => {
    const answers: ScriptedAnswer[] = [
      { body: [event(6), event(4), event(3)] },
      { body: [event(7), event(6), event(5), event(4), event(3), event(2), event(1)] },
    ];
    const platform = await scriptedPlatform({
      'GET /orgs/acme/audit-log': () => answers.shift() ?? { status: 401, body: { message: 'Bad credentials' } },
    });
    const { stdout } = await run(['audit-log', 'list', 'acme', '--follow', '--limit', '2'], {
      env: platform.env,
      clock: instantClock(),
    });
    expect(stdout).toBe(line(4) + line(6) + line(5) + line(7));
  });
});
