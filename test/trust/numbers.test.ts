/** Whole numbers come through as they are written, whatever their size, in both directions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const answered =
  '{"id":12345678901234567890,"name":"large","parts":[9007199254740993,1],"owner":{"id":-9007199254740993}}';

describe('a number from the platform', () => {
  it.each<[flags: string, shown: string]>([
    ['-o ndjson', `${answered}\n`],
    [
      '-o json --fields id,owner.id',
      '{\n  "id": 12345678901234567890,\n  "owner": {\n    "id": -9007199254740993\n  }\n}\n',
    ],
    ['-o tsv --fields id,parts,owner.id', '12345678901234567890\t9007199254740993,1\t-9007199254740993\n'],
    ['-o csv --fields id,owner', 'id,owner\n12345678901234567890,"{""id"":-9007199254740993}"\n'],
    ['-o table --fields id,parts', 'id     12345678901234567890\nparts  9007199254740993, 1\n'],
    ['-o table --fields name,owner', 'name   large\nowner\n  id  -9007199254740993\n'],
    [
      '-o yaml',
      'id: 12345678901234567890\nname: large\nparts:\n  - 9007199254740993\n  - 1\nowner:\n  id: -9007199254740993\n',
    ],
    ['--jq .id', '12345678901234567890\n'],
  ])('is shown in full with %s', async (flags, shown) => {
    const platform = await scriptedPlatform({ 'GET /things/7': { body: answered } });
    const { stdout, stderr } = await run(['api', 'GET', '/things/7', ...flags.split(' ')], { env: platform.env });
    expect({ stdout, stderr }).toEqual({ stdout: shown, stderr: '' });
  });

  it.each<[flags: string, shown: string]>([
    ['-o ndjson', '{"id":9007199254740993}\n{"id":7}\n'],
    ['--all -o ndjson', '{"id":9007199254740993}\n{"id":7}\n'],
    ['--all -o json', '[\n  {\n    "id": 9007199254740993\n  },\n  {\n    "id": 7\n  }\n]\n'],
    ['--all --jq .[].id', '9007199254740993\n7\n'],
    ['--quiet', '9007199254740993\n7\n'],
  ])('is shown in full in a list with %s', async (flags, shown) => {
    const body = '[{"id":9007199254740993},{"id":7}]';
    const { env } = await scriptedPlatform({ 'GET /repos/acme/site/comments': { body } });
    const { stdout } = await run(['comments', 'list', 'acme/site', ...flags.split(' ')], { env });
    expect(stdout).toBe(shown);
  });

  it('is exact in a cached response', async () => {
    const { env } = await scriptedPlatform(({ headers }) =>
      headers['if-none-match'] ? { status: 304 } : { headers: { etag: '"1"' }, body: answered },
    );
    const configDir = await temporaryDirectory();
    const show = () => run(['api', 'GET', '/things/7', '-o', 'ndjson'], { env, configDir });
    expect([(await show()).stdout, (await show()).stdout]).toEqual([`${answered}\n`, `${answered}\n`]);
  });
});

describe('a number in a request', () => {
  const sent = async (words: readonly string[], stdin = '') => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const { stderr, code } = await run(words, { env: platform.env, stdin });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return platform.requests.at(-1)?.body;
  };

  it('is sent as written in --input, in JSON and in YAML', async () => {
    const words = ['api', 'POST', '/things', '--input', '-'];
    expect(await sent(words, '{"id":12345678901234567890}')).toBe('{"id":12345678901234567890}');
    expect(await sent(words, 'id: 12345678901234567890\nsize: 7\n')).toBe('{"id":12345678901234567890,"size":7}');
    const folder = await temporaryDirectory();
    writeFileSync(join(folder, 'body.json'), '{"event_type":"deploy","client_payload":{"run":9007199254740993}}');
    expect(await sent(['repos', 'dispatch', 'acme/site', 'deploy', '--input', join(folder, 'body.json')])).toBe(
      '{"event_type":"deploy","client_payload":{"run":9007199254740993}}',
    );
  });

  it('is sent as written in a flag', async () => {
    expect(await sent(['api', 'POST', '/things', '-F', 'id=12345678901234567890'])).toBe('{"id":12345678901234567890}');
    expect(
      await sent(['repos', 'dispatch', 'acme/site', 'deploy', '--client-payload', '{"run":9007199254740993}']),
    ).toBe('{"event_type":"deploy","client_payload":{"run":9007199254740993}}');
  });

  it('is exact in a dry run', async () => {
    const words = ['repos', 'dispatch', 'acme/site', 'deploy', '--client-payload', '{"run":9007199254740993}'];
    const platform = await scriptedPlatform({});
    const { stdout } = await run([...words, '--dry-run', '--jq', '.body'], { env: platform.env });
    expect(stdout).toBe('{"event_type":"deploy","client_payload":{"run":9007199254740993}}\n');
  });

  it('is rejected in place of an object', async () => {
    const platform = await scriptedPlatform({});
    const words = ['repos', 'dispatch', 'acme/site', 'deploy', '--client-payload', '9007199254740993'];
    expect((await run(words, { env: platform.env })).stderr).toBe(
      'forgectl: --client-payload must be an object. Nothing was sent.\n',
    );
    const body = ['repos', 'dispatch', 'acme/site', 'deploy', '--input', '-'];
    expect((await run(body, { env: platform.env, stdin: '9007199254740993' })).stderr).toBe(
      'forgectl: Standard input must contain one object, not a number.\n',
    );
  });

  it.each<[words: string[], said: string]>([
    [['orgs', 'list', '--since', '9007199254740993'], '--since is larger than 9007199254740991'],
    [['orgs', 'list', '--since=-1'], '--since must be at least 0'],
    [['orgs', 'list', '--limit', '9007199254740993'], '--limit is larger than 9007199254740991'],
    [['comments', 'get', 'acme/site', '9007199254740993'], 'ID is larger than 9007199254740991'],
    [['hooks', 'get', 'acme', '12345678901234567890'], 'ID is larger than 9007199254740991'],
    [
      ['comments', 'create', 'acme/site', 'abc', '--body', 'x', '--line', '9007199254740993'],
      '--line is larger than 9007199254740991',
    ],
    [
      ['comments', 'create', 'acme/site', 'abc', '--body', 'x', '--line=-9007199254740993'],
      '--line is less than -9007199254740991',
    ],
  ])('is rejected if it could only be sent as a different number: %j', async (words, said) => {
    const platform = await scriptedPlatform({});
    const { code, stderr } = await run(words, { env: platform.env, stdin: '9007199254740993' });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `forgectl: ${said}. Nothing was sent.\n` });
    expect(platform.requests).toEqual([]);
  });

  it('is rejected with a correct message in --input if the field takes integers that JavaScript can represent', async () => {
    const platform = await scriptedPlatform({});
    const words = ['comments', 'create', 'acme/site', 'abc', '--input', '-'];
    const { stderr } = await run(words, { env: platform.env, stdin: '{"body":"x","line":9007199254740993}' });
    expect(stderr).toBe('forgectl: line is larger than 9007199254740991. Nothing was sent.\n');
  });
});
