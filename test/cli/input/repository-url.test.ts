import { describe, expect, it } from 'vitest';
import { addressOf, isOn } from '../../../src/cli/input/repository-url.ts';
import { classicToken, scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';

it.each([
  ['https://ghe.example.com/acme/site', 'ghe.example.com', 'acme/site'],
  ['https://ghe.example.com:8443/acme/site.git', 'ghe.example.com:8443', 'acme/site.git'],
  ['HTTPS://user:secret@GHE.example.com/acme/site/?tab=readme#top', 'ghe.example.com', 'acme/site'],
  ['git@ghe.example.com:acme/site.git', 'ghe.example.com', 'acme/site.git'],
  ['ssh://git@ghe.example.com:2222/acme/site.git', 'ghe.example.com', 'acme/site.git'],
  ['https://ghe.example.com/acme', 'ghe.example.com', 'acme'],
])('reads the address %s', (text, host, path) => {
  expect(addressOf(text)).toMatchObject({ host, path });
});

it.each(['acme/site', 'acme', 'acme/site:main', 'ftp://ghe.example.com/acme/site', 'https://', 'git@ghe:a:b'])(
  'rejects the address %s',
  (text) => {
    expect(addressOf(text)).toBeUndefined();
  },
);

it.each<[baseUrl: string, text: string, same: boolean]>([
  ['https://ghe.example.com/api/v3', 'https://ghe.example.com/acme/site', true],
  ['https://ghe.example.com/api/v3', 'https://ghe.example.org/acme/site', false],
  ['https://ghe.example.com/api/v3', 'https://ghe.example.com:8443/acme/site', false],
  ['https://ghe.example.com:8443/api/v3', 'git@ghe.example.com:acme/site.git', true],
  ['https://api.github.com', 'https://github.com/acme/site', true],
  ['https://api.acme.ghe.com', 'git@acme.ghe.com:acme/site.git', true],
  ['https://api.acme.ghe.com', 'https://other.ghe.com/acme/site', false],
])('the platform %s has %s: %s', (baseUrl, text, same) => {
  expect(isOn(baseUrl, addressOf(text) as NonNullable<ReturnType<typeof addressOf>>)).toBe(same);
});

describe('a repository by its address', () => {
  const site = { id: 7, name: 'site', full_name: 'acme/site' };
  const platform = () =>
    scriptedPlatform({
      'GET /repos/acme/site': { body: site },
      'GET /orgs/acme/rulesets': { body: [] },
      'GET /repos/acme/site/rulesets': { body: [] },
      'GET /orgs/acme/properties/schema': {
        body: [{ property_name: 'tier', value_type: 'single_select', allowed_values: ['gold'] }],
      },
      'PATCH /orgs/acme/properties/values': { status: 204 },
    });

  it.each([
    ['repos get WEB/acme/site', ['/api/v3/repos/acme/site']],
    ['repos get WEB/acme/site.git', ['/api/v3/repos/acme/site']],
    ['repos get git@127.0.0.1:acme/site.git', ['/api/v3/repos/acme/site']],
    ['rulesets list WEB/acme/site', ['/api/v3/repos/acme/site/rulesets']],
    ['rulesets list WEB/acme', ['/api/v3/orgs/acme/rulesets']],
    [
      'properties set acme tier=gold --repos WEB/acme/site,tools',
      ['/api/v3/orgs/acme/properties/schema', '/api/v3/orgs/acme/properties/values'],
    ],
  ])('is accepted by %s', async (line, urls) => {
    const { env, requests, baseUrl } = await platform();
    const words = line.replace('WEB', new URL(baseUrl).origin).split(' ');
    expect(await run(words, { env })).toMatchObject({ code: 0 });
    expect(requests.map(({ url }) => url)).toEqual(urls);
    if (line.startsWith('properties')) expect(requests[1]?.body).toContain('"repository_names":["site","tools"]');
  });

  it.each([
    ['repos get https://ghe.example.org/acme/site', 'REPO'],
    ['rulesets list https://ghe.example.org/acme/site', 'TARGET'],
    ['migrations start acme/tools https://ghe.example.org/acme/site', 'REPO'],
    ['properties set acme tier=gold --repos site,https://ghe.example.org/acme/tools', '--repos'],
    [
      'registries create acme --registry-type npm_registry --url https://npm.example.com --visibility selected --secret-stdin --selected-repositories https://ghe.example.org/acme/site',
      '--selected-repositories',
    ],
  ])('of another platform is rejected before any request: %s', async (line, field) => {
    const env = { FORGECTL_BASE_URL: 'https://ghe.example.com', FORGECTL_TOKEN: classicToken };
    expect(await run(line.split(' '), { env, stdin: 'secret' })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `forgectl: ${field} is on ghe.example.org, but the platform in use is ghe.example.com. Nothing was sent.\n`,
    });
  });

  it('must be a repository, not a page within it', async () => {
    const env = { FORGECTL_BASE_URL: 'https://ghe.example.com', FORGECTL_TOKEN: classicToken };
    const { code, stderr } = await run(['repos', 'get', 'https://ghe.example.com/acme/site/pulls'], { env });
    expect(code).toBe(2);
    expect(stderr).toBe('forgectl: REPO must have the form OWNER/NAME. Nothing was sent.\n');
  });
});
