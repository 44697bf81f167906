import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classicToken, pathOf, type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';
import { type RunOptions, run, temporaryDirectory } from '../support/run.ts';

const bodyOf = (request: { body: string } | undefined) => JSON.parse(request?.body ?? '');

/** As many names of repositories, `r1` first. */
const names = (count: number) => Array.from({ length: count }, (_, index) => `r${index + 1}`);

const definitions = [
  { property_name: 'tier', value_type: 'single_select', required: true, allowed_values: ['gold', 'bronze'] },
  { property_name: 'region', value_type: 'multi_select', allowed_values: ['eu', 'us'] },
  { property_name: 'zone', value_type: 'multi_select', allowed_values: ['a'] },
  { property_name: 'team', value_type: 'string', allowed_values: null },
  { property_name: 'note', value_type: 'string', allowed_values: null },
  { property_name: 'deploy_token', value_type: 'string', allowed_values: null },
];

interface Write {
  readonly repository_names: readonly string[];
  readonly properties: readonly { readonly property_name: string; readonly value: unknown }[];
}

/** Returns the answer to a write, if it is not made, or if its response is lost. */
type Answer = (write: Write, at: number) => ScriptedAnswer | 'lost' | 'ignored' | undefined;

interface Circumstances {
  readonly ids: Record<string, number>;
  readonly changed: readonly string[];
  readonly hidden: Set<string>;
}

/**
 * A platform with r1 to r99, site and docs; others, such as gone, do not exist. `writes` are the bodies that it received.
 * `ids` has the IDs that repositories have in place of their own, `changed` those that have other values than when they were
 * listed, and `hidden` those that are only listed.
 */
async function settable(answer: Answer = () => undefined, more: Partial<Circumstances> = {}) {
  const { ids = {}, changed = [], hidden = new Set() } = more;
  const all = [...names(99), 'site', 'docs'];
  const values = new Map<string, Write['properties']>();
  const idOf = (name: string) => ids[name] ?? all.indexOf(name) + 1;
  let count = 0;
  const platform = await scriptedPlatform((request) => {
    if (request.method === 'PATCH') {
      const write: Write = JSON.parse(request.body);
      const given = answer(write, ++count) ?? { status: 204 };
      if (given === 'lost' || (given !== 'ignored' && given.status === 204))
        for (const name of write.repository_names) values.set(name, write.properties);
      return typeof given === 'string' ? { headers: { 'content-length': '9' }, body: '{' } : given;
    }
    if (request.url === '/api/v3/orgs/acme/properties/schema') return { body: definitions };
    if (pathOf(request) === '/orgs/acme/properties/values')
      return {
        body: all.map((name) => ({
          ...{ repository_id: idOf(name), repository_name: name, repository_full_name: `acme/${name}` },
          properties: values.get(name) ?? [],
        })),
      };
    const [, name = '', isValues] = /^\/repos\/acme\/([^/]+)(\/properties\/values)?$/.exec(pathOf(request)) ?? [];
    if (!all.includes(name) || hidden.has(name)) return { status: 404, body: { message: 'Not Found' } };
    if (isValues && changed.includes(name)) return { body: [{ property_name: 'tier', value: 'bronze' }] };
    return { body: isValues ? (values.get(name) ?? []) : { id: idOf(name), name, full_name: `acme/${name}` } };
  });
  const writes = () => platform.requests.filter(({ method }) => method === 'PATCH').map(bodyOf);
  const folder = await temporaryDirectory();
  return { ...platform, writes, folder, env: { ...platform.env, XDG_STATE_HOME: folder } };
}

const refused = { status: 422, body: { message: 'Validation Failed' } };

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

describe('properties define', () => {
  const stage = 'PUT /orgs/acme/properties/schema/stage';
  const answer = { property_name: 'stage', value_type: 'single_select', required: true, default_value: 'alpha' };
  const define = async (
    words: readonly string[],
    more: RunOptions = {},
    existing: Readonly<Record<string, ScriptedAnswer>> = {},
  ) => {
    const platform = await scriptedPlatform({ ...existing, [stage]: { body: answer } });
    const options = { env: platform.env, ...more };
    const result = await run(['properties', 'define', 'acme', 'stage', ...words], options);
    const bodies = platform.requests.filter(({ method }) => method === 'PUT').map(({ body }) => JSON.parse(body));
    return { ...result, bodies };
  };
  const select = ['--value-type', 'single_select', '--allowed-values', 'alpha,stable'];

  it('sends the definition', async () => {
    const words = [...select, '--required', '--default-value', 'alpha', '--description', 'How far'];
    expect(await define([...words, '--values-editable-by', 'org_and_repo_actors'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('stage'),
      bodies: [
        {
          value_type: 'single_select',
          allowed_values: ['alpha', 'stable'],
          required: true,
          default_value: 'alpha',
          description: 'How far',
          values_editable_by: 'org_and_repo_actors',
        },
      ],
    });
    expect((await define([...select, '--quiet'])).stdout).toBe('stage\n');
    expect(JSON.parse((await define([...select, '--json'])).stdout)).toEqual(answer);
  });

  it('sends the default of multi_select as a list', async () => {
    const words = ['--value-type', 'multi_select', '--allowed-values', 'eu,us', '--default-value', 'eu'];
    expect((await define(words)).bodies[0]).toMatchObject({ default_value: ['eu'] });
    expect((await define([...words, '--default-value', 'us'])).bodies[0]).toMatchObject({
      default_value: ['eu', 'us'],
    });
  });

  it('takes a printed definition as input', async () => {
    const printed = { ...answer, url: 'https://ghe.example.com/p', source_type: 'organization', description: null };
    const { bodies } = await define(['--input', '-'], {
      stdin: JSON.stringify({ ...printed, allowed_values: ['alpha'] }),
    });
    expect(bodies).toEqual([
      {
        value_type: 'single_select',
        required: true,
        default_value: 'alpha',
        description: null,
        allowed_values: ['alpha'],
      },
    ]);
  });

  it('replaces a definition only after it was shown and confirmed', async () => {
    const existing = { 'GET /orgs/acme/properties/schema/stage': { body: { ...answer, description: 'How far' } } };
    expect(await define(select, {}, existing)).toMatchObject({
      code: 2,
      stderr:
        'forgectl: Nothing was sent. This replaces the definition of property stage of acme; confirm with --yes.\n',
      bodies: [],
    });
    const confirmed = await define(select, { person: [['Type “stage”', 'stage\r']] }, existing);
    expect(confirmed.stderr).toContain('How far');
    expect(confirmed.bodies).toHaveLength(1);
    expect((await define([...select, '--yes'], {}, existing)).bodies).toHaveLength(1);
    const hidden = { 'GET /orgs/acme/properties/schema/stage': { status: 403, body: { message: 'Forbidden' } } };
    expect(await define(select, {}, hidden)).toMatchObject({ code: 2, bodies: [] });
  });

  it.each([
    ['--value-type single_select', 'allowed_values is required for single_select'],
    ['--value-type string --allowed-values a', '--allowed-values requires single_select or multi_select'],
    ['--value-type string --required', 'default_value is required for a required property'],
    ['--value-type true_false --default-value yes', 'default_value must be one of true, false'],
  ])('rejects %s', async (words, problem) => {
    const { code, stderr, bodies } = await define(words.split(' '));
    expect({ code, bodies }).toEqual({ code: 2, bodies: [] });
    expect(stderr).toContain(problem);
  });
});

describe('properties undefine', () => {
  it('deletes with --yes, and requires it without a terminal', async () => {
    const platform = await scriptedPlatform({ 'DELETE /orgs/acme/properties/schema/pci': { status: 204 } });
    const undefine = (...words: string[]) =>
      run(['properties', 'undefine', 'acme', 'pci', ...words], { env: platform.env });
    expect(await undefine()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('This removes property pci of acme and its values in all repositories'),
    });
    expect(await undefine('--yes')).toMatchObject({ code: 0, stdout: '' });
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE /api/v3/orgs/acme/properties/schema/pci',
    ]);
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
    const sizes = platform.writes().map(({ repository_names }) => repository_names.length);
    // Where no rate limits apply, writes are sent side by side.
    expect(sizes.toSorted((a, b) => b - a)).toEqual([30, 30, 5]);
  });

  it('sends one request for each repository of a batch that was refused, and exits with code 9', async () => {
    const platform = await settable(({ repository_names: all }) => (all.includes('r40') ? refused : undefined));
    const words = ['properties', 'set', 'acme', 'tier=gold', '--from', '-'];
    const { stdout, stderr, code } = await run(words, { env: platform.env, stdin: names(65).join('\n') });
    expect(code).toBe(9);
    expect(platform.writes()).toHaveLength(3 + 30);
    expect(stdout.match(/^.*\t2\tfailed$/gm)).toEqual(['acme/r40\t2\tfailed']);
    expect(stdout.match(/\tupdated\n/g)).toHaveLength(64);
    expect(stderr).toContain('\nforgectl: 1 of 65 targets failed.\n');
    expect(stderr).toContain('1 × 422 Validation Failed (acme/r40)');
  });

  it('fails only the repository that does not exist, before anything is sent', async () => {
    const platform = await settable();
    const words = ['properties', 'set', 'acme', 'tier=gold', '--from', '-'];
    const stdin = [...names(31), 'gone'].join('\n');
    const { stdout, stderr, code } = await run(words, { env: platform.env, stdin });
    expect({ code, failed: stdout.match(/^.*\tfailed$/gm) }).toEqual({ code: 9, failed: ['acme/gone\t2\tfailed'] });
    expect(stderr).toContain('Not found: acme/gone.\n');
    const sent = platform.writes().map(({ repository_names }) => repository_names);
    expect(sent.toSorted((a, b) => b.length - a.length)).toEqual([names(31).slice(0, 30), ['r31']]);
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
    const platform = await settable((_write, at) => (at === 1 ? refused : undefined));
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
    const platform = await settable(() => refused);
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

  it('reports lines of a file of another kind by number', async () => {
    const platform = await scriptedPlatform({});
    const words = ['properties', 'set', 'acme', 'tier=gold', '--from', '-'];
    const stdin = 'site\nmachine h password opensesame\nclient_secret=opensesame\nopensesame/x';
    const { stderr, code } = await run(words, { env: platform.env, stdin });
    expect(code).toBe(2);
    expect(stderr).toBe(
      'forgectl: Line 2 of standard input must be a single name, without spaces; Line 3 of standard input is not the name of a repository; Line 4 of standard input is not a repository of acme. Nothing was sent.\n',
    );
    expect(platform.requests).toEqual([]);
  });

  it('lists the missing arguments', async () => {
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

describe('the journal of properties set', () => {
  const begin = (platform: Awaited<ReturnType<typeof settable>>, count = 65, ...flags: string[]) =>
    run(['properties', 'set', 'acme', 'tier=gold', '--from', '-', ...flags], {
      env: platform.env,
      stdin: names(count).join('\n'),
    });
  const resume = (platform: Awaited<ReturnType<typeof settable>>, ...words: string[]) =>
    run(['properties', 'set', ...words], { env: platform.env });

  it('is kept for more than 30 repositories, in the state directory, and has a line for each before its request', async () => {
    const recorded: boolean[] = [];
    let folder = '';
    const platform = await settable(({ repository_names: all }) => {
      const [file = ''] = readdirSync(join(folder, 'forgectl/journals'));
      const journal = readFileSync(join(folder, 'forgectl/journals', file), 'utf8');
      recorded.push(...all.map((name) => journal.includes(`{"target":"acme/${name}","sending":"update properties"`)));
      return undefined;
    });
    folder = platform.folder;
    const { code, stderr } = await begin(platform);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^Journal: \S+\/forgectl\/journals\/\S+\.ndjson\n65 done\n$/);
    expect(recorded).toEqual(Array.from({ length: 65 }, () => true));
    const few = await settable();
    expect(await begin(few, 30)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(few.folder, 'forgectl/journals'))).toBe(false);
  });

  it.each([
    ['made', 'lost', 3],
    ['not made', 'ignored', 4],
  ] as const)('continues after a request without a response that was %s', async (_what, answer, writes) => {
    let isFirst = true;
    // The end of the run would see whether it was made.
    const hidden = new Set<string>();
    const platform = await settable(
      ({ repository_names: all }) => {
        if (!isFirst || !all.includes('r31')) return undefined;
        isFirst = false;
        for (const name of all) hidden.add(name);
        return answer;
      },
      { hidden },
    );
    const journal = join(platform.folder, 'run.ndjson');
    const first = await begin(platform, 65, '--journal', journal);
    expect({ code: first.code, unknown: first.stdout.match(/\t2\tunknown\n/g)?.length }).toEqual({
      code: 9,
      unknown: 30,
    });
    expect(first.stderr).toContain('The outcome of 30 of 65 targets is unknown.');
    expect(first.stderr).toContain(`Continue with:\n  forgectl properties set --resume ${journal}\n`);
    const listed = await run(['journal', 'list', platform.folder, '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      {
        ...{ command: ['properties', 'set'], done: 35, failed: 0, unknown: 30, open: 0 },
        continue_with: `forgectl properties set --resume ${journal}`,
      },
    ]);
    const dry = await resume(platform, '--resume', journal, '--dry-run', '--json');
    expect(JSON.parse(dry.stdout).map(({ body }: { body: Write }) => body.repository_names.length)).toEqual([30]);
    hidden.clear();
    const second = await resume(platform, '--resume', journal);
    expect({ code: second.code, skipped: second.stdout.match(/\tskipped\n/g)?.length }).toEqual({
      code: 0,
      skipped: 35,
    });
    expect(second.stdout.match(/\t2\tupdated\n/g)).toHaveLength(30);
    expect(platform.writes()).toHaveLength(writes);
  });

  it.each<[how: string, words: readonly string[], person?: RunOptions['person']]>([
    ['typed in answer to a prompt', ['--repos', 'site'], [['NAME= unsets a property', 'tier=gold\r']]],
    ['given after --', ['--repos', 'site', '--', 'tier=gold']],
  ])('has properties that are %s', async (_how, words, person) => {
    let isRefused = true;
    const platform = await settable(() => (isRefused ? refused : undefined));
    const journal = join(platform.folder, 'run.ndjson');
    await run(['properties', 'set', 'acme', '--journal', journal, ...words], {
      env: platform.env,
      ...(person && { person }),
    });
    expect(JSON.parse(readFileSync(journal, 'utf8').split('\n')[0] ?? '')).toMatchObject({
      line: ['acme', 'tier=gold', '--repos', 'site'],
    });
    isRefused = false;
    expect(await resume(platform, '--resume', journal)).toMatchObject({ code: 0, stdout: 'acme/site\t1\tupdated\n' });
    expect(platform.writes().at(-1)?.properties).toEqual([{ property_name: 'tier', value: 'gold' }]);
  });

  it('does not contain the token, even if a refusal repeats it', async () => {
    const platform = await settable(() => ({ status: 422, body: { message: `Invalid: ${classicToken}` } }));
    const journal = join(platform.folder, 'run.ndjson');
    await begin(platform, 2, '--journal', journal);
    const text = readFileSync(journal, 'utf8');
    expect(text).toContain('Invalid: ********');
    expect(text).not.toContain(classicToken);
  });

  it.each(['=', ':='])(
    'masks values of properties with the name of a secret, which must be given again: %s',
    async (sign) => {
      const [key, shown] = ['opensesame-77', `deploy_token${sign}********`];
      let isRefused = true;
      const platform = await settable(() => (isRefused ? refused : undefined));
      const journal = join(platform.folder, 'run.ndjson');
      const property = `deploy_token${sign}${sign === '=' ? key : `"${key}"`}`;
      const first = await resume(platform, 'acme', property, '--repos', 'site', '--journal', journal);
      const again = `properties set acme '${shown}' --resume ${journal}`;
      const advice = `${again}\nReplace ******** with the value of the field deploy_token.\n`;
      expect(first).toMatchObject({ code: 9, stderr: expect.stringContaining(advice) });
      const text = readFileSync(journal, 'utf8');
      expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
        line: ['acme', shown, '--repos', 'site'],
        masked: ['the field deploy_token'],
      });
      const listed = await run(['journal', 'list', platform.folder, '--json']);
      expect(JSON.parse(listed.stdout)).toMatchObject([{ continue_with: `forgectl ${again}` }]);
      const without = await resume(platform, '--resume', journal);
      expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining(`${again}\n`) });
      const copied = await resume(platform, 'acme', shown, '--resume', journal);
      expect(copied).toMatchObject({ code: 2, stderr: expect.stringContaining('Replace ******** with the value of') });
      const other = await resume(platform, 'globex', property, '--resume', journal);
      expect(other).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`not properties set globex '${shown}'.`),
      });
      const dry = await resume(platform, 'acme', property, '--resume', journal, '--dry-run');
      expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('"value": "********"') });
      isRefused = false;
      expect(await resume(platform, 'acme', property, '--resume', journal)).toMatchObject({ code: 0 });
      expect(platform.writes().at(-1)?.properties).toEqual([{ property_name: 'deploy_token', value: key }]);
      const printed = [first, listed, without, copied, other, dry].flatMap(({ stdout, stderr }) => [stdout, stderr]);
      expect([text, readFileSync(journal, 'utf8'), ...printed].join('')).not.toContain(key);
    },
  );

  it.each([
    `note=${classicToken}`,
    'note={"token":"opensesame-77"}',
    'note=authorization: Bearer opensesame-77',
    'note=https://h/?token=opensesame-77',
  ])('is continued by the same command line, if only a value contains a secret: %s', async (property) => {
    let isRefused = true;
    const platform = await settable(() => (isRefused ? refused : undefined));
    const journal = join(platform.folder, 'run.ndjson');
    const first = await resume(platform, 'acme', property, '--repos', 'site', '--journal', journal);
    expect(first).toMatchObject({ code: 9, stderr: expect.stringContaining('\nReplace ******** with the value of ') });
    const without = await resume(platform, '--resume', journal);
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('Specify the properties again.') });
    isRefused = false;
    expect(await resume(platform, 'acme', property, '--resume', journal)).toMatchObject({ code: 0 });
    expect(platform.writes().at(-1)?.properties).toEqual([
      { property_name: 'note', value: property.slice('note='.length) },
    ]);
    const printed = [first, without].flatMap(({ stdout, stderr }) => [stdout, stderr]);
    expect([readFileSync(journal, 'utf8'), ...printed].join('')).not.toMatch(/opensesame-77|ghp_/);
  });

  it('is not continued for a value that someone else has set since, nor for another repository of the same name', async () => {
    const ids: Record<string, number> = {};
    const hidden = new Set<string>();
    let isFirst = true;
    const platform = await settable(
      ({ repository_names: all }) => {
        if (!isFirst) return undefined;
        if (!all.includes('r1')) return refused;
        for (const name of all) hidden.add(name);
        return 'lost';
      },
      { ids, hidden },
    );
    const journal = join(platform.folder, 'run.ndjson');
    expect(await begin(platform, 31, '--journal', journal)).toMatchObject({ code: 9 });
    isFirst = false;
    hidden.clear();
    await resume(platform, 'acme', 'tier=bronze', '--repos', 'r2');
    ids.r31 = 777;
    const { stdout, stderr, code } = await resume(platform, '--resume', journal);
    expect({ code, others: stdout.match(/^.*\t(?:failed|unknown)$/gm) }).toEqual({
      code: 9,
      others: ['acme/r2\t1\tunknown', 'acme/r31\t2\tfailed'],
    });
    expect(stderr).toContain('is now a different repository: its ID is 777, not 31. Nothing was sent to it (acme/r31)');
  });

  it('is settled at the end of the run, if the repositories show whether a request without a response was made', async () => {
    const platform = await settable(({ repository_names: all }) => (all.includes('r1') ? 'lost' : undefined));
    const { stdout, code } = await begin(platform, 31);
    expect({ code, updated: stdout.match(/\tupdated\n/g)?.length, writes: platform.writes().length }).toEqual({
      code: 0,
      updated: 31,
      writes: 2,
    });
  });

  it('changes no value that has changed since it was listed', async () => {
    const platform = await settable(undefined, { changed: ['r7'] });
    const { stdout, stderr, code } = await begin(platform, 31, '--json');
    expect(code).toBe(9);
    expect(JSON.parse(stdout)[6]).toEqual({
      ...{ repository: 'acme/r7', batch: 1, result: 'failed' },
      error: {
        code: expect.any(String),
        message: 'The values of acme/r7 changed after they were listed, so nothing was sent.',
      },
    });
    expect(stderr).toContain('30 done, 1 failed');
  });

  it.each([
    [['globex', 'tier=gold'], 'properties set acme tier=gold, not properties set globex tier=gold'],
    [['acme', 'tier=bronze'], 'properties set acme tier=gold, not properties set acme tier=bronze'],
    [['--repos', 'site'], '--repos cannot be used with --resume'],
    [['--journal', 'x'], '--journal cannot be used with --resume'],
  ])('rejects %j together with --resume, and sends nothing', async (words, problem) => {
    const platform = await settable();
    const journal = join(platform.folder, 'run.ndjson');
    await begin(platform, 31, '--journal', journal);
    const before = platform.requests.length;
    const { stderr, code } = await resume(platform, ...words, '--resume', journal);
    expect({ code, sent: platform.requests.length - before }).toEqual({ code: 2, sent: 0 });
    expect(stderr).toContain(problem);
    expect(await run(['each', '--resume', journal], { env: platform.env })).toMatchObject({
      code: 2,
      stderr: `forgectl: ${journal} is the journal of a run of properties set, not of each. Nothing was sent.\n`,
    });
  });
});
