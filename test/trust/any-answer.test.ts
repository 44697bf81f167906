/** Whatever a server answers, with whatever headers: one clear end, no secret, nothing for the terminal, no write twice. */
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { classicToken } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';
import { startServer } from '../support/server.ts';

const names = `retry-after x-ratelimit-remaining x-ratelimit-reset x-ratelimit-limit date link location content-encoding
  content-type etag x-github-sso x-accepted-github-permissions x-accepted-oauth-scopes x-oauth-scopes x-github-request-id
  deprecation sunset content-range last-modified github-authentication-token-expiration x-github-enterprise-version`.split(
  /\s+/,
);

/** Each fits one header and is a surprise in the others. */
const values = [
  '',
  '\x80\xff',
  '-1',
  '0',
  '60',
  '1e99',
  '99999999999999999999',
  '8640000000000',
  'Infinity',
  '@99999999999999',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  '<http://[>; rel=next',
  '</api/v3/x?page=2>; rel="next"',
  '<https://evil.example/>; rel="next", </x?page=9>; rel="last"',
  'http://[',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '//evil.example/x',
  'http://user:pw@127.0.0.1:1/',
  '/api/v3/orgs/acme',
  '?',
  'gzip',
  'br',
  'deflate',
  'gzip, gzip',
  'bytes 5-3/1',
  'bytes */0',
  'a=read; b',
  'required; url=javascript:x',
  'application/json',
  'text/html',
  'application/json; charset=utf-16',
  '"x"',
  'constructor, __proto__, toString',
];

const bodies = [
  '',
  '{}',
  '[]',
  '[{}]',
  '[null]',
  '"x"',
  '{"message":"x","errors":[null,{"field":7},"a"]}',
  '{"message":7,"errors":{}}',
  '{"state":"exported"}',
  '{"total_count":"x","repositories":[{"id":1}]}',
  '{"key":"AAAA","key_id":7}',
  '{"has_next_page":true,"budgets":[]}',
];

const statuses = [
  200, 200, 200, 201, 202, 204, 206, 299, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 409, 410,
];
const moreStatuses = [416, 418, 422, 429, 451, 500, 502, 503, 504, 599, 600, 999];

const lines = [
  'orgs get acme',
  'orgs get acme -o yaml --debug',
  'orgs list',
  'orgs update acme --name x',
  'repos list acme --all -o ndjson',
  'api GET /x --paginate',
  'api GET /x --include',
  'api HEAD /x',
  'api DELETE /x --yes',
  'auth status',
  'auth check',
  'auth login --with-token --insecure-storage',
  'budgets list acme --all',
  'registries seal acme --secret-stdin',
  'migrations download 7 --force --file FOLDER/f',
  'migrations wait 7 --wait-timeout 5s',
  'rulesets check acme/site main',
  'snapshots submit acme/site --input -',
  'forks create acme/site --wait --wait-timeout 3s',
  'installations list',
];

/** Nothing else is ever sent a second time. */
const mayBeSentAgain = [301, 302, 307, 308, 403, 429];

it('ends in a result or one clear line', async () => {
  let answer: { status: number; headers: Record<string, string>; body: string };
  let writes = 0;
  const server = await startServer((response, { method }) => {
    if (method !== 'GET' && method !== 'HEAD') writes++;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const folder = await temporaryDirectory();
  const env = { FORGECTL_BASE_URL: `${server.origin}/api/v3`, FORGECTL_TOKEN: classicToken };
  const headers = fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...values), { maxKeys: 5 });
  const body = fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.constantFrom(...bodies));
  const status = fc.constantFrom(...statuses, ...moreStatuses);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...lines),
      fc.record({ status, headers, body }),
      fc.boolean(),
      async (line, each, tty) => {
        answer = each;
        writes = 0;
        const words = line.replace('FOLDER', folder).split(' ');
        const options = { env, tty, stdin: 'a-token-01234567890' };
        const { stdout, stderr, code } = await run([...words, '--max-wait', '3s', '--timeout', '3s'], options);
        const shown = stdout + stderr;
        expect(code).not.toBe(1);
        expect(stderr).not.toMatch(/inside forgectl|\n\s+at .+:\d+/);
        expect(shown).not.toContain(classicToken);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
        if (tty) expect(shown).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202e]/);
        expect(readdirSync(folder).filter((name) => !/^f(\.part(\.etag)?)?$/.test(name))).toEqual([]);
        if (!mayBeSentAgain.includes(each.status)) expect(writes).toBeLessThan(2);
      },
    ),
    { numRuns: 600 },
  );
});
