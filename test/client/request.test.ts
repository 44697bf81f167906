import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { UnsafeRequestError } from '../../src/client/errors.ts';
import type { Platform } from '../../src/client/platform.ts';
import { buildRequest } from '../../src/client/request.ts';
import { type AnyInput, endpoint, list, nothing, record } from '../../src/platform/endpoint.ts';
import { getOrganization, setSecurityFeature, updateOrganization } from '../../src/platform/endpoints/orgs.ts';
import { boolean, strings } from '../../src/platform/schema.ts';

const platform: Platform = {
  baseUrl: 'https://ghe.example.com/api/v3',
  apiVersion: '2022-11-28',
  vendor: 'github',
  alertsSegment: 'dependabot',
  userAgent: 'forgectl/0.1.0',
};

const rulesOfBranch = endpoint({
  route: 'GET /repos/{owner}/{repo}/rules/branches/{branch}',
  summary: 'List rules',
  query: { includes_parents: boolean('Parents'), exclude: strings('Attributes to leave out') },
  paging: 'page',
  status: 200,
  answer: list<{ type: string }>(),
});

const listDismissals = endpoint({
  route: 'GET /orgs/{org}/dismissal-requests/<alerts>',
  summary: 'List dismissal requests',
  status: 200,
  answer: list<{ id: number }>(),
});

const getComment = endpoint({
  route: 'GET /repos/{owner}/{repo}/comments/{comment_id}',
  summary: 'Show a comment',
  path: { comment_id: v.number() },
  mediaTypes: {
    raw: 'application/vnd.<vendor>-commitcomment.raw+json',
    html: 'application/vnd.<vendor>-commitcomment.html+json',
  },
  status: 200,
  answer: record<{ id: number }>(),
});

const deleteThing = endpoint({ route: 'DELETE /orgs/{org}/things', summary: 'Delete', status: 204, answer: nothing() });

test('a read carries media type, API version and user agent, and no token', () => {
  expect(buildRequest(platform, getOrganization, { path: { org: 'acme' } })).toEqual({
    method: 'GET',
    url: 'https://ghe.example.com/api/v3/orgs/acme',
    headers: {
      accept: 'application/vnd.github+json',
      'X-github-Api-Version': '2022-11-28',
      'user-agent': 'forgectl/0.1.0',
    },
  });
});

test('a body is sent as given, as JSON, with its content type', () => {
  expect(
    buildRequest(platform, updateOrganization, {
      path: { org: 'acme' },
      body: { description: 'Tools “and” toys', has_organization_projects: false, name: undefined },
    }),
  ).toEqual({
    method: 'PATCH',
    url: 'https://ghe.example.com/api/v3/orgs/acme',
    headers: {
      accept: 'application/vnd.github+json',
      'X-github-Api-Version': '2022-11-28',
      'user-agent': 'forgectl/0.1.0',
      'content-type': 'application/json',
    },
    body: '{"description":"Tools “and” toys","has_organization_projects":false}',
  });
});

test('an empty body is sent as an empty object', () => {
  const request = buildRequest(platform, setSecurityFeature, {
    path: { org: 'acme', security_product: 'secret_scanning', enablement: 'enable_all' },
    body: {},
  });
  expect(request.url).toBe('https://ghe.example.com/api/v3/orgs/acme/secret_scanning/enable_all');
  expect(request.body).toBe('{}');
});

test('an endpoint without a body receives none, and no content type', () => {
  const input: { path: { org: string } } & AnyInput = { path: { org: 'acme' }, body: { name: 'x' } };
  const request = buildRequest(platform, deleteThing, input);
  expect(request).not.toHaveProperty('body');
  expect(request.headers).not.toHaveProperty('content-type');
});

test('the vendor of the profile is used in header names and media types', () => {
  const { headers } = buildRequest(
    { ...platform, vendor: 'forge' },
    getComment,
    { path: { owner: 'acme', repo: 'site', comment_id: 7 } },
    { format: 'html' },
  );
  expect(headers).toEqual({
    accept: 'application/vnd.forge-commitcomment.html+json',
    'X-forge-Api-Version': '2022-11-28',
    'user-agent': 'forgectl/0.1.0',
  });
});

test('the path contains the profile’s alerts segment', () => {
  const input = { path: { org: 'acme' } };
  expect(buildRequest(platform, listDismissals, input).url).toBe(
    'https://ghe.example.com/api/v3/orgs/acme/dismissal-requests/dependabot',
  );
  expect(buildRequest({ ...platform, alertsSegment: 'depalerts' }, listDismissals, input).url).toBe(
    'https://ghe.example.com/api/v3/orgs/acme/dismissal-requests/depalerts',
  );
});

test('a path parameter is one segment, whatever its value', () => {
  const urlFor = (branch: string) =>
    buildRequest(platform, rulesOfBranch, { path: { owner: 'acme', repo: 'site', branch } }).url;
  expect(urlFor('release/1.2')).toBe('https://ghe.example.com/api/v3/repos/acme/site/rules/branches/release%2F1.2');
  expect(urlFor('a b?c#d%e&f')).toBe(
    'https://ghe.example.com/api/v3/repos/acme/site/rules/branches/a%20b%3Fc%23d%25e%26f',
  );
  expect(urlFor('größe')).toBe('https://ghe.example.com/api/v3/repos/acme/site/rules/branches/gr%C3%B6%C3%9Fe');
  expect(urlFor('{owner}<alerts>')).toBe(
    'https://ghe.example.com/api/v3/repos/acme/site/rules/branches/%7Bowner%7D%3Calerts%3E',
  );
  expect(urlFor('../..')).toBe('https://ghe.example.com/api/v3/repos/acme/site/rules/branches/..%2F..');
});

describe('a path parameter that would leave its segment is rejected before any request', () => {
  test.each([
    ['', 'is empty'],
    ['.', 'is “.”'],
    ['..', 'is “..”'],
    ['a\0b', 'contains control characters'],
    ['a\r\nb', 'contains control characters'],
    ['a\u0085b', 'contains control characters'],
    ['a\ud800', 'is not valid Unicode'],
  ])('%j %s', (org, reason) => {
    expect(() => buildRequest(platform, getOrganization, { path: { org } })).toThrow(
      new UnsafeRequestError(
        { method: 'GET', path: '/orgs/{org}' },
        `Nothing was sent: org ${reason}, but GET /orgs/{org} requires a name or number.`,
      ),
    );
  });
});

test('the query contains booleans as words, lists as repeated name[], page and page size', () => {
  const { url } = buildRequest(
    platform,
    rulesOfBranch,
    {
      path: { owner: 'acme', repo: 'site', branch: 'main' },
      query: { includes_parents: false, exclude: ['repositories', 'a&b'] },
    },
    { perPage: 100, page: 3 },
  );
  expect(url).toBe(
    'https://ghe.example.com/api/v3/repos/acme/site/rules/branches/main?includes_parents=false&exclude%5B%5D=repositories&exclude%5B%5D=a%26b&per_page=100&page=3',
  );
});

test('a query parameter that was not given is not sent', () => {
  const { url } = buildRequest(platform, rulesOfBranch, {
    path: { owner: 'acme', repo: 'site', branch: 'main' },
    query: { includes_parents: undefined },
  });
  expect(url).toBe('https://ghe.example.com/api/v3/repos/acme/site/rules/branches/main');
});
