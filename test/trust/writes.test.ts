/** A write happens at most once; where its answer is lost, the run says so, says how to look, and ends with 8. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changesSomething, commands, isDecidedByPolicies } from '../contracts/commands.ts';
import { invocationsOf, invoke, reads, succeed } from '../contracts/invocations.ts';
import { pathOf, scriptedPlatform } from '../support/platform.ts';
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

describe.each<Loss>(['reset', '502'])('a write whose response is lost (%s)', (loss) => {
  it.each(changing)('$line', async (invocation) => {
    const { writes, env } = await losing(loss);
    const { code, stderr } = await invoke(invocation, env, ['--yes', '--json']);
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
    expect(writes()).toHaveLength(1);
    expect(code).toBe(8);
    expect(error.message).toMatch(/is unknown|may or may not/);
    // A token that nobody received expires by itself.
    const isToken = invocation.line.startsWith('installations token');
    expect(error.advice).toMatch(
      isToken ? /^Run the command again: a token/ : /Check the result before you retry: .*forgectl /,
    );
  });
});

/**
 * A platform where acme/site is now globex/site, with the ID 5, and acme is now globex, also with the ID 5. It redirects
 * all requests from the old names, or only writes, as after a rename while the command runs. Of other writes, it says that
 * they belong elsewhere.
 */
async function renaming(redirected: 'all requests' | 'writes') {
  const names: readonly (readonly [old: RegExp, now: string])[] = [
    [/^\/repos\/acme\/site(?=\/|$)/, '/repositories/5'],
    [/^\/(?:orgs|organizations)\/acme(?=\/|$)/, '/organizations/5'],
  ];
  const platform = await scriptedPlatform((request) => {
    const path = pathOf(request);
    const isRead = request.method === 'GET';
    if (path === '/repositories/5') return { body: { id: 5, full_name: 'globex/site' } };
    if (path === '/organizations/5') return { body: { id: 5, login: 'globex' } };
    const [old, now] = names.find(([name]) => name.test(path)) ?? [];
    if (old && now && (redirected === 'all requests' || !isRead))
      return { status: isRead ? 301 : 307, headers: { location: `/api/v3${path.replace(old, now)}` } };
    if (!isRead) return { status: 307, headers: { location: `/api/v3/elsewhere${path}` } };
    const name = path
      .replace('/repositories/5', '/repos/acme/site')
      .replace('/organizations/5', path.includes('/settings/') ? '/organizations/acme' : '/orgs/acme');
    return succeed({ ...request, url: `/api/v3${name}${request.url.replace(/^[^?]*/, '')}` });
  });
  const writes = () => platform.requests.filter(({ method }) => method !== 'GET').map(pathOf);
  return { writes, env: platform.env };
}

describe.each(['all requests', 'writes'] as const)('a write to a former name, which redirects %s', (redirected) => {
  it.each(changing)('$line changes nothing else', async (invocation) => {
    const { writes, env } = await renaming(redirected);
    const { code, stdout, stderr } = await invoke(invocation, env, ['--yes']);
    expect(writes().filter((path) => /^\/(?:repositories|organizations\/5|elsewhere)/.test(path))).toEqual([]);
    expect(stdout).toBe('');
    // What names a user, an enterprise, an app, or an object by its ID.
    if (stderr.includes('elsewhere')) {
      expect(stderr).toMatch(/was redirected to \/elsewhere\/\S+, which may be something else\. Nothing was changed\./);
      expect(code).toBe(8);
    } else {
      expect(stderr).toMatch(/acme(\/site)? is now (?:globex\1?|organization 5)\. Nothing was changed there\./);
      expect(code).toBe(12);
    }
  });
});

describe('a redirected write', () => {
  const renamed = {
    'DELETE /repos/acme/site': { status: 307, headers: { location: '/api/v3/repositories/5' } },
    'GET /repos/acme/site': { status: 301, headers: { location: '/api/v3/repositories/5' } },
  };

  it('reports both repositories, with exit code 12', async () => {
    const platform = await scriptedPlatform({ ...renamed, 'GET /repositories/5': { body: { full_name: 'globex/x' } } });
    const { code, stderr } = await run(['repos', 'delete', 'acme/site', '--yes'], { env: platform.env });
    expect({ code, stderr }).toEqual({
      code: 12,
      stderr:
        'forgectl: acme/site is now globex/x. Nothing was changed there.\nTo change globex/x, use its current name.\n',
    });
    expect(platform.requests.map(({ method }) => method)).not.toContain('DELETE');
  });

  it.each(['archive', 'unarchive', 'delete', 'transfer'])(
    'is not even sent by repos %s, if the record has another name',
    async (verb) => {
      const platform = await scriptedPlatform({ 'GET /repos/acme/site': { body: { id: 1, full_name: 'globex/x' } } });
      const words = ['repos', verb, 'acme/site', ...(verb === 'transfer' ? ['initech'] : []), '--yes'];
      const { code, stderr } = await run(words, { env: platform.env });
      expect(code).toBe(12);
      expect(stderr).toContain('acme/site is now globex/x.');
      expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /api/v3/repos/acme/site']);
    },
  );

  it('is followed if the name is the same, ignoring case', async () => {
    const platform = await scriptedPlatform({
      'PATCH /orgs/acme': { status: 307, headers: { location: '/api/v3/organizations/5' } },
      'GET /organizations/5': { body: { login: 'Acme' } },
      'PATCH /organizations/5': { body: { login: 'Acme' } },
    });
    expect(await run(['orgs', 'update', 'acme', '--name', 'New'], { env: platform.env })).toMatchObject({ code: 0 });
    expect(platform.requests.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      'PATCH /api/v3/orgs/acme {"name":"New"}',
      'GET /api/v3/organizations/5 ',
      'PATCH /api/v3/organizations/5 {"name":"New"}',
    ]);
  });

  it('fails only its own target of each, and is not in doubt', async () => {
    const platform = await scriptedPlatform({ ...renamed, 'GET /repositories/5': { body: { full_name: 'globex/x' } } });
    const words = ['each', '--from', '-', '--yes', '--expect', '1', '-o', 'json', '--', 'repos', 'delete', '{}'];
    const { code, stdout } = await run(words, { env: platform.env, stdin: 'acme/site\n' });
    expect(code).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject([{ target: 'acme/site', status: 'failed', error: { code: 'renamed' } }]);
    expect(platform.requests.map(({ method }) => method)).not.toContain('DELETE');
  });

  it.each(['repos update {} --description Rockets', 'repos delete {}', 'api DELETE /repos/{}'])(
    'is none of each repos for an organization that was renamed, with or without a redirect: %s',
    async (line) => {
      for (const status of [301, 200]) {
        const platform = await scriptedPlatform({
          'GET /orgs/acme/repos': {
            status,
            headers: status === 301 ? { location: '/api/v3/organizations/5/repos' } : {},
            body: [{ id: 7, full_name: 'globex/site' }],
          },
          'GET /organizations/5': { body: { id: 5, login: 'globex' } },
          'GET /organizations/5/repos': { body: [{ id: 7, full_name: 'globex/site' }] },
        });
        const words = `each repos acme --yes --expect 1 -- ${line}`.split(' ');
        const { code, stdout, stderr } = await run(words, { env: platform.env });
        expect({ code, stdout }).toEqual({ code: 12, stdout: '' });
        expect(stderr).toContain('forgectl: acme is now globex. Nothing was changed there.\n');
        expect(platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
      }
    },
  );

  it('has an unknown outcome after a 303, which may refer to the result', async () => {
    const platform = await scriptedPlatform({
      'PATCH /orgs/acme': { status: 303, headers: { location: '/api/v3/orgs/acme' } },
      'GET /orgs/acme': { body: { login: 'acme' } },
    });
    const words = ['orgs', 'update', 'acme', '--name', 'New'];
    const { code, stdout, stderr } = await run(words, { env: platform.env });
    expect({ code, stdout, stderr }).toEqual({
      code: 8,
      stdout: '',
      stderr: `forgectl: The outcome of PATCH /orgs/acme is unknown: it was redirected (303) to another page.
Check the result before you retry: forgectl orgs get acme.
`,
    });
    expect(platform.requests).toHaveLength(1);
  });

  it('is unknown in the outcome and the journal of each after a 303', async () => {
    const platform = await scriptedPlatform({
      'PATCH /orgs/acme': { status: 303, headers: { location: '/api/v3/orgs/acme' } },
      'GET /orgs/acme': { body: { login: 'acme', name: 'Old' } },
    });
    const journal = join(await temporaryDirectory(), 'run.ndjson');
    const words = [
      'each',
      '--from',
      '-',
      '--journal',
      journal,
      '-o',
      'json',
      '--',
      'orgs',
      'update',
      '{}',
      '--name',
      'N',
    ];
    const { code, stdout } = await run(words, { env: platform.env, stdin: 'acme\n' });
    expect(code).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject([{ status: 'unknown', error: { code: 'outcome_unknown' } }]);
    const lines = readFileSync(journal, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter((line) => 'received' in line)).toEqual([]);
    expect(lines.at(-1)).toMatchObject({ target: 'acme', outcome: 'unknown' });
  });
});

describe('a read of a former name', () => {
  it('reports in one line what it shows', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/topics': { status: 301, headers: { location: '/api/v3/repositories/5/topics' } },
      'GET /repositories/5/topics': { body: { names: ['web'] } },
      'GET /repositories/5': { body: { full_name: 'globex/x' } },
    });
    expect(await run(['repos', 'topics', 'acme/site'], { env: platform.env })).toEqual({
      code: 0,
      stdout: 'web\n',
      stderr: 'acme/site is now globex/x.\n',
    });
  });

  it('keeps a command from writing what it has read there', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { status: 301, headers: { location: '/api/v3/repositories/5' } },
      'GET /repositories/5': { body: { id: 5, full_name: 'globex/x' } },
    });
    const words = ['orgs', 'immutable-releases', 'remove', 'acme', 'acme/site', '--yes'];
    const { code, stderr } = await run(words, { env: platform.env });
    expect(code).toBe(12);
    expect(stderr).toContain('forgectl: acme/site is now globex/x. Nothing was changed there.\n');
    expect(platform.requests.map(({ method }) => method)).not.toContain('DELETE');
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

  it.each([
    [400, { 'retry-after': '5' }],
    [401, { 'retry-after': '5' }],
    [403, {}],
    [404, { 'retry-after': '5' }],
    [409, { 'retry-after': '5' }],
    [422, { 'retry-after': '5', 'x-ratelimit-remaining': '0' }],
    [500, { 'retry-after': '5' }],
    [503, { 'retry-after': '5' }],
  ])('is not what %i %j reports, so a write is not repeated', async (status, headers) => {
    const server = await startServer((response) => json(response, { message: 'No' }, headers, status));
    const words = ['orgs', 'update', 'acme', '--name', 'New', '--anonymous'];
    await run(words, { env: { FORGECTL_BASE_URL: server.origin } });
    expect(server.requests.map(({ method }) => method)).toEqual(['PATCH']);
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
