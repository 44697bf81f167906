/** A write happens at most once; where its answer is lost, the run says so, says how to look, and ends with 8. */
import { describe, expect, it } from 'vitest';
import { changesSomething, commands, isDecidedByPolicies } from '../contracts/commands.ts';
import { invocationsOf, invoke, reads, succeed } from '../contracts/invocations.ts';
import { scriptedPlatform } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';
import { json, startServer } from '../support/server.ts';

/** Not `policy apply`, which continues with other targets and ends with 9: its own tests lose responses. */
const changing = commands
  .filter((command) => changesSomething(command) && !isDecidedByPolicies(command.name))
  .flatMap(({ name }) => invocationsOf(name).filter((invocation) => !reads(invocation)));

type Loss = 'reset' | '502';

/** A platform that serves reads, takes writes, and loses what it answers to them. */
async function losing(loss: Loss) {
  const server = await startServer((response, request) => {
    if (request.method !== 'GET') {
      if (loss === 'reset') response.socket?.resetAndDestroy();
      else json(response, { message: 'Bad gateway' }, {}, 502);
      return;
    }
    const { status = 200, headers = {}, body } = succeed(request);
    json(response, body ?? {}, { ...headers }, status);
  });
  const writes = () => server.requests.filter(({ method }) => method !== 'GET');
  return { writes, env: { FORGECTL_BASE_URL: `${server.origin}/api/v3` } };
}

describe.each<Loss>(['reset', '502'])('a write whose answer is lost (%s)', (loss) => {
  it.each(changing)('$line', async (invocation) => {
    const { writes, env } = await losing(loss);
    const { code, stderr } = await invoke(invocation, env, ['--yes', '--json']);
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
    expect(writes()).toHaveLength(1);
    expect(code).toBe(8);
    expect(error.message).toMatch(/is unknown|may or may not/);
    expect(error.advice).toMatch(/Check the result before you retry: .*forgectl /);
  });
});

describe('a redirected write', () => {
  it.each([301, 302, 307, 308])('keeps method and body after a %i', async (status) => {
    const platform = await scriptedPlatform({
      'PATCH /orgs/acme': { status, headers: { location: '/api/v3/orgs/new' } },
      'PATCH /orgs/new': { body: { login: 'new' } },
    });
    expect(await run(['orgs', 'update', 'acme', '--name', 'New'], { env: platform.env })).toMatchObject({ code: 0 });
    expect(platform.requests.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      'PATCH /api/v3/orgs/acme {"name":"New"}',
      'PATCH /api/v3/orgs/new {"name":"New"}',
    ]);
  });

  it('is rejected after a 303, which would make it a read', async () => {
    const platform = await scriptedPlatform({
      'PATCH /orgs/acme': { status: 303, headers: { location: '/api/v3/orgs/acme' } },
      'GET /orgs/acme': { body: { login: 'acme' } },
    });
    const { code, stdout } = await run(['orgs', 'update', 'acme', '--name', 'New'], { env: platform.env });
    expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
    expect(platform.requests).toHaveLength(1);
  });
});

describe('a rate limit', () => {
  const limits: readonly (readonly [status: number, headers: Record<string, string>, message: string])[] = [
    [429, { 'retry-after': '5' }, 'Slow down'],
    [403, { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1772366405' }, 'Spent'],
    [403, { 'retry-after': '5' }, 'You have exceeded a secondary rate limit.'],
    [429, {}, 'Too many'],
  ];

  it.each(limits)('%i %j is waited out for a read and for a write', async (status, headers, message) => {
    for (const words of [
      ['orgs', 'get', 'acme'],
      ['orgs', 'update', 'acme', '--name', 'New'],
    ]) {
      const server = await startServer((response, _request, count) =>
        count === 1 ? json(response, { message }, headers, status) : json(response, { login: 'acme' }),
      );
      const result = await run([...words, '--json', '--anonymous'], { env: { FORGECTL_BASE_URL: server.origin } });
      expect(JSON.parse(result.stdout)).toEqual({ login: 'acme' });
      expect(result.stderr).toMatch(/^Rate limit reached; retrying in (5|60) s\.\n$/);
      expect(server.requests).toHaveLength(2);
    }
  });

  it.each(limits.slice(0, 3))('%i %j beyond --max-wait is exit code 7 with the time to retry at', async (...limit) => {
    const [status, headers, message] = limit;
    const server = await startServer((response) => json(response, { message }, headers, status));
    const { code, stderr } = await run(['orgs', 'get', 'acme', '--max-wait', '4s'], {
      env: { FORGECTL_BASE_URL: server.origin },
    });
    expect(code).toBe(7);
    expect(stderr).toContain('Retry in 5 seconds, at 12:00:05 UTC, or wait longer with --max-wait.');
    expect(server.requests).toHaveLength(1);
  });

  it('is reported before the wait with plain output', async () => {
    const server = await startServer((response, _request, count) =>
      count === 1 ? json(response, {}, { 'retry-after': '3' }, 429) : json(response, { login: 'acme' }),
    );
    const { stderr } = await run(['orgs', 'get', 'acme', '--no-cache', '--plain', '--anonymous'], {
      env: { FORGECTL_BASE_URL: server.origin },
      tty: true,
    });
    expect(stderr).toBe('Rate limit reached; retrying in 3 s.\n');
  });

  it('counts down on one line of a terminal, and removes it', async () => {
    const server = await startServer((response, _request, count) =>
      count === 1 ? json(response, {}, { 'retry-after': '3' }, 429) : json(response, { login: 'acme' }),
    );
    const { stderr } = await run(['orgs', 'get', 'acme', '--no-cache', '--anonymous'], {
      env: { FORGECTL_BASE_URL: server.origin },
      configDir: await temporaryDirectory(),
      tty: true,
    });
    const text = 'Rate limit reached; retrying in';
    expect(stderr).toBe(`\r${text} 3 s\r${text} 2 s\r${text} 1 s\r${' '.repeat(text.length + 4)}\r`);
  });
});
