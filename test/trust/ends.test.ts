/** What the platform announces to end, or has ended, is told once, on stderr, with what to change. */
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';
import { json, startServer } from '../support/server.ts';

describe('a deprecation', () => {
  it('is reported once, even if many responses announce it', async () => {
    const server = await startServer((response, _request, count) =>
      json(response, [{ id: count }], {
        deprecation: '@1767225600',
        sunset: 'Wed, 10 Mar 2027 00:00:00 GMT',
        link: `</b?page=${count}>; rel="next", <https://docs.example.com/ends>; rel="deprecation"`,
      }),
    );
    const { stdout, stderr } = await run(['orgs', 'list', '--mine', '--limit', '3', '--fields', 'id', '--anonymous'], {
      env: { FORGECTL_BASE_URL: `${server.origin}/api/v3` },
    });
    expect(stdout).toBe('1\n2\n3\n');
    expect(stderr.split('\n')[0]).toBe(
      'GET /user/orgs has been deprecated since 2026-01-01 and will be removed on 2027-03-10. See https://docs.example.com/ends. The request used API version 2022-11-28; choose another with --api-version.',
    );
    expect(stderr.match(/has been deprecated/g)).toHaveLength(1);
  });

  it('does not appear in the data', async () => {
    const platform = await scriptedPlatform(() => ({ headers: { sunset: 'soon' }, body: { login: 'acme' } }));
    const { stdout, stderr, code } = await run(['orgs', 'get', 'acme', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toEqual({ login: 'acme' });
    expect(stderr).toContain('GET /orgs/acme is deprecated.');
    expect(code).toBe(0);
  });
});

describe('a version of the API', () => {
  it.each([
    [400, 'API version 2001-01-01 is not supported.'],
    [410, 'This API version has been retired.'],
  ])('that the platform rejects with %i is reported with advice', async (status, message) => {
    const platform = await scriptedPlatform(() => ({ status, body: { message } }));
    const { stdout, stderr, code } = await run(['orgs', 'get', 'acme', '--api-version', '2001-01-01'], {
      env: platform.env,
    });
    expect(platform.requests.map(({ headers }) => headers['x-github-api-version'])).toEqual(['2001-01-01']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 6 });
    expect(stderr).toBe(
      [
        `forgectl: GET /orgs/acme returned ${status} The platform does not support API version 2001-01-01: ${message}`,
        'Choose another with --api-version, or permanently with “forgectl config set api-version VERSION”.',
        '',
      ].join('\n'),
    );
  });

  it('is not blamed for every 410', async () => {
    const platform = await scriptedPlatform(() => ({ status: 410, body: { message: 'Issues are disabled here.' } }));
    const { stderr, code } = await run(['orgs', 'get', 'acme'], { env: platform.env });
    expect(code).toBe(6);
    expect(stderr).not.toContain('--api-version');
  });
});
