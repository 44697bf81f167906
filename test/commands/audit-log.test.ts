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

  it('reads the log of an enterprise', async () => {
    const platform = await scriptedPlatform({ 'GET /enterprises/e/audit-log': { body: [] } });
    expect((await run(['audit-log', 'list', '--enterprise', 'e'], { env: platform.env })).code).toBe(0);
    expect(platform.requests[0]?.url).toBe('/api/v3/enterprises/e/audit-log');
  });

  it.each([
    ['neither organization nor enterprise', [], 'or --enterprise is required'],
    ['both', ['acme', '--enterprise', 'e'], 'do not go together'],
    ['--interval alone', ['acme', '--interval', '5s'], 'goes only with --follow'],
    ['--follow in another order', ['acme', '--follow', '--order', 'asc'], 'does not go with --follow'],
    ['--follow as JSON', ['acme', '--follow', '--json'], 'needs -o tsv, csv or ndjson'],
  ])('rejects %s before any request', async (_, words, problem) => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['audit-log', 'list', ...words], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
    expect(platform.requests).toEqual([]);
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

  it('leaves out with --follow what is older than the first events, but not what the log received late', async () => {
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
