import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const bodyOf = (request: { body: string } | undefined) => JSON.parse(request?.body ?? '');

/** As many names of repositories, `r1` first. */
const names = (count: number) => Array.from({ length: count }, (_, index) => `r${index + 1}`);

const definitions = [
  { property_name: 'tier', value_type: 'single_select', required: true, allowed_values: ['gold', 'bronze'] },
  { property_name: 'region', value_type: 'multi_select', allowed_values: ['eu', 'us'] },
  { property_name: 'zone', value_type: 'multi_select', allowed_values: ['a'] },
  { property_name: 'team', value_type: 'string', allowed_values: null },
  { property_name: 'note', value_type: 'string', allowed_values: null },
];

/** A platform without the repositories whose names start with “gone”. `writes` are the bodies that it received. */
async function settable(...answers: readonly ScriptedAnswer[]) {
  const left = [...answers];
  const platform = await scriptedPlatform((request) => {
    if (request.method === 'PATCH') return left.shift() ?? { status: 204 };
    if (request.url === '/api/v3/orgs/acme/properties/schema') return { body: definitions };
    const name = request.url.split('/').at(-1) ?? '';
    return name.startsWith('gone') ? { status: 404, body: { message: 'Not Found' } } : { body: { name } };
  });
  const writes = () => platform.requests.filter(({ method }) => method === 'PATCH').map(bodyOf);
  return { ...platform, writes };
}

describe('properties list', () => {
  it('shows type, default and values', async () => {
    const tier = { property_name: 'tier', value_type: 'single_select', required: true, default_value: 'bronze' };
    const platform = await scriptedPlatform({
      'GET /orgs/acme/properties/schema': { body: [{ ...tier, allowed_values: ['gold', 'bronze'] }] },
    });
    const { stdout } = await run(['properties', 'list', 'acme'], { env: platform.env });
    expect(stdout).toMatch(/^tier\tsingle_select\ttrue\tbronze\t/);
  });
});

describe('properties values', () => {
  it('sends the query, and shows properties with a value', async () => {
    const properties = [
      { property_name: 'tier', value: 'gold' },
      { property_name: 'region', value: ['eu', 'us'] },
      { property_name: 'team', value: null },
    ];
    const site = { repository_id: 1, repository_name: 'site', repository_full_name: 'acme/site', properties };
    const platform = await scriptedPlatform({ 'GET /orgs/acme/properties/values': { body: [site] } });
    const words = ['properties', 'values', 'acme', '--repository-query', 'props.tier:gold'];
    const { stdout } = await run(words, { env: platform.env });
    expect(platform.requests[0]?.url).toBe('/api/v3/orgs/acme/properties/values?repository_query=props.tier%3Agold');
    expect(stdout).toBe('acme/site\ttier=gold region=eu,us\n');
  });
});

describe('properties set', () => {
  it('sends text, lists and null unchanged, and each repository once', async () => {
    const platform = await settable();
    const values = ['tier=gold', 'region=eu', 'region=us', 'zone:=["a"]', 'team=', 'note=a=b'];
    const words = ['properties', 'set', 'acme', ...values, '--repos', 'site,acme/docs,Site'];
    const { stdout, code } = await run(words, { env: platform.env });
    expect(code).toBe(0);
    expect(platform.writes()[0]).toEqual({
      repository_names: ['site', 'docs'],
      properties: [
        { property_name: 'tier', value: 'gold' },
        { property_name: 'region', value: ['eu', 'us'] },
        { property_name: 'zone', value: ['a'] },
        { property_name: 'team', value: null },
        { property_name: 'note', value: 'a=b' },
      ],
    });
    expect(stdout).toBe('acme/site\t1\tupdated\nacme/docs\t1\tupdated\n');
  });

  it('reads repositories from a file, and sends 30 per request', async () => {
    const platform = await settable();
    const file = join(await temporaryDirectory(), 'repositories.txt');
    await writeFile(file, `# gold\n\n${names(65).join('\n')}\n`);
    await run(['properties', 'set', 'acme', 'tier=gold', '--from', file], { env: platform.env });
    expect(platform.writes().map(({ repository_names }) => repository_names.length)).toEqual([30, 30, 5]);
  });

  it('continues after a rejected batch, and exits with code 9', async () => {
    const platform = await settable({ status: 204 }, { status: 422, body: { message: 'Validation Failed' } });
    const words = ['properties', 'set', 'acme', 'tier=gold', '--from', '-'];
    const { stdout, stderr, code } = await run(words, { env: platform.env, stdin: names(65).join('\n') });
    expect(code).toBe(9);
    expect(platform.writes()).toHaveLength(3);
    expect(stdout.match(/\t2\tfailed\n/g)).toHaveLength(30);
    expect(stdout.match(/\tupdated\n/g)).toHaveLength(35);
    expect(stderr).toContain('30 of 65 repositories could not be updated.');
  });

  it('compares names without case and values with their definitions, and sends nothing if one is refused', async () => {
    const platform = await settable();
    const set = (...words: readonly string[]) =>
      run(['properties', 'set', 'acme', ...words, '--repos', 'site'], { env: platform.env });
    const { stderr, code } = await set('teir=gold', 'Tier=silver', 'region=eu', 'region=mars');
    expect({ stderr, code, writes: platform.writes() }).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        'teir is not a custom property of acme (did you mean tier?); Tier must be one of gold, bronze; region must be one of eu, us. Nothing was sent.',
      ),
      writes: [],
    });
    expect(await set('TIER=', 'Region=eu')).toMatchObject({ code: 0 });
    expect(platform.writes()[0].properties).toEqual([
      { property_name: 'tier', value: null },
      { property_name: 'region', value: ['eu'] },
    ]);
  });

  it('updates the others if a repository of a batch does not exist', async () => {
    const platform = await settable({ status: 422, body: { message: 'Validation Failed' } });
    const words = ['properties', 'set', 'acme', 'tier=gold', '--repos', 'site,gone,docs'];
    const { stdout, stderr, code } = await run(words, { env: platform.env });
    expect(stdout).toBe('acme/site\t1\tupdated\nacme/gone\t1\tfailed\nacme/docs\t1\tupdated\n');
    expect(stderr).toContain('Not found: acme/gone.');
    expect(code).toBe(9);
    expect(platform.writes().map(({ repository_names }) => repository_names)).toEqual([
      ['site', 'gone', 'docs'],
      ['site', 'docs'],
    ]);
  });

  it('reports the refusal of a single batch, with advice', async () => {
    const platform = await settable({ status: 422, body: { message: 'Validation Failed' } });
    const words = ['properties', 'set', 'acme', 'tier=gold', '--repos', 'site'];
    const { stdout, stderr, code } = await run(words, { env: platform.env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 6 });
    expect(stderr).toContain('forgectl properties list ORG');
  });

  it.each([
    ['without repositories', ['tier=gold'], '--repos or --from is required'],
    ['without a value', ['tier', '--repos', 'site'], 'must have the form NAME=VALUE'],
    ['with a repository of another owner', ['tier=gold', '--repos', 'globex/site'], 'is not a repository of acme'],
    ['with invalid JSON', ['tier:=[gold', '--repos', 'site'], 'must have JSON after :='],
    ['that sets and unsets a property', ['tier=gold', 'tier=', '--repos', 'site'], 'is given more than once'],
  ])('rejects a command line %s before any request', async (_, words, problem) => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['properties', 'set', 'acme', ...words], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
    expect(platform.requests).toEqual([]);
  });

  it('names the missing arguments', async () => {
    const { stderr, code } = await run(['properties', 'set']);
    expect(code).toBe(2);
    expect(stderr).toContain('ORG is required');
    expect(stderr).toContain('PROPERTIES is required');
  });

  it('prints a request for each batch with --dry-run', async () => {
    const platform = await settable();
    const words = ['properties', 'set', 'acme', 'tier=gold', '--from', '-', '--dry-run', '--json'];
    const { stdout } = await run(words, { env: platform.env, stdin: names(31).join('\n') });
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect(platform.writes()).toEqual([]);
  });
});
