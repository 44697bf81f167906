import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';

/** Lists of repositories in pages; page 4 and those after it fail where `breaks`. */
const repositories = (breaks = false) =>
  scriptedPlatform({
    'GET /orgs/acme/repos': ({ url, headers }) => {
      const query = new URL(url, 'http://platform').searchParams;
      const page = Number(query.get('page') ?? 1);
      const perPage = Number(query.get('per_page') ?? 30);
      if (breaks && page > 3) return { status: 500, body: { message: 'Server Error' } };
      const base = `http://${headers.host}/api/v3/orgs/acme/repos?per_page=${perPage}&page=`;
      const body = Array.from({ length: perPage }, (_, index) => ({
        full_name: `acme/r${(page - 1) * perPage + index}`,
      }));
      return { body, headers: { link: `<${base}${page + 1}>; rel="next", <${base}9>; rel="last"` } };
    },
    'GET /orgs/acme/private-registries': { body: { total_count: 3907, configurations: [{ name: 'NPM_SECRET' }] } },
  });

describe('the footer of a list', () => {
  it('has the approximate total from the number of pages', async () => {
    const { stderr } = await run(['repos', 'list', 'acme', '-o', 'tsv'], { env: (await repositories()).env });
    expect(stderr).toBe('Showing 30 of more than 240 repositories; --all shows the rest.\n');
  });

  it('has the range of a page', async () => {
    const words = ['repos', 'list', 'acme', '--page', '2', '--per-page', '10', '-o', 'tsv'];
    const { stderr } = await run(words, { env: (await repositories()).env });
    expect(stderr).toBe('Showing 11 to 20 of more than 80 repositories; --page 3 shows the next.\n');
  });

  it.each<[records: number, shown: string]>([
    [4, 'Showing 31 to 34 of more than 240 repositories; --page 3 shows the next.\n'],
    [0, ''],
  ])('gives positions within the list for one page of %i records', async (records, shown) => {
    const body = Array.from({ length: records }, (_, index) => ({ id: index, full_name: `acme/r${index}` }));
    const platform = await scriptedPlatform({
      'GET /orgs/acme/repos': ({ headers }) => ({
        body,
        headers: {
          link: ['next', 'last']
            .map(
              (rel) => `<http://${headers.host}/api/v3/orgs/acme/repos?page=${rel === 'next' ? 3 : 9}>; rel="${rel}"`,
            )
            .join(', '),
        },
      }),
    });
    const { stderr, stdout, code } = await run(['repos', 'list', 'acme', '--page', '2', '--quiet'], platform);
    expect({ code, lines: stdout.split('\n').length - 1 }).toEqual({ code: 0, lines: records });
    expect(platform.requests.map(({ url }) => url)).toEqual(['/api/v3/orgs/acme/repos?page=2']);
    expect(stderr).toBe(shown);
  });

  it('has the exact total if pages have one record each', async () => {
    const { stderr } = await run(['repos', 'list', 'acme', '-L', '1', '-o', 'tsv'], {
      env: (await repositories()).env,
    });
    expect(stderr).toBe('Showing 1 of 9 repositories; --all shows the rest.\n');
  });

  it('has the exact total if the platform reports it', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/private-registries': ({ headers }) => ({
        body: { total_count: 3907, configurations: [{ name: 'NPM' }, { name: 'MAVEN' }] },
        headers: { link: `<http://${headers.host}/api/v3/orgs/acme/private-registries?page=2>; rel="next"` },
      }),
    });
    const { stderr } = await run(['registries', 'list', 'acme', '-L', '1', '--json'], { env: platform.env });
    expect(stderr).toBe('Showing 1 of 3,907 registries; --all shows the rest.\n');
  });

  it('reports the page that failed; the table shows earlier records', async () => {
    const words = ['repos', 'list', 'acme', '--all', '--per-page', '10', '-o', 'table', '--max-wait', '0'];
    const { stdout, stderr, code } = await run(words, { env: (await repositories(true)).env });
    expect(code).toBe(8);
    expect(stdout.split('\n')).toHaveLength(32);
    expect(stderr.split('\n')[0]).toBe(
      'The list is incomplete: it ends after 30 repositories because page 4 could not be fetched.',
    );
    expect(stderr.split('\n')[1]).toContain('500');
  });

  it('puts the error on the last line in JSON, and leaves the document open', async () => {
    const words = ['repos', 'list', 'acme', '--all', '--per-page', '10', '--json', '--max-wait', '0'];
    const { stdout, stderr } = await run(words, { env: (await repositories(true)).env });
    expect(() => JSON.parse(stdout)).toThrow();
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ error: { status: 500 } });
  });
});

describe('a field missing from every record', () => {
  const asked = async (fields: string, ...more: string[]) => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/repos': {
        body: [
          { full_name: 'acme/site', owner: { login: 'acme' }, license: null, topics: [] },
          { full_name: 'acme/api', owner: { login: 'acme' }, license: null, topics: [], archived: true },
        ],
      },
    });
    return run(['repos', 'list', 'acme', '--fields', fields, ...more], { env: platform.env });
  };

  it.each(['tsv', 'csv', 'yaml', 'table'])(
    'is rejected in %s, with the nearest name, if the schema lacks it too',
    async (format) => {
      expect(await asked('full_name,Full_Name,owner.logn,homepag,zzz', '-o', format)).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'forgectl: Unknown fields in --fields: Full_Name (did you mean full_name?), owner.logn (did you mean owner.login?), homepag (did you mean homepage?), zzz.\nSee --fields help for all fields.\n',
      });
    },
  );

  it('is an error in JSON with JSON output if the schema lacks it too', async () => {
    const { code, stdout, stderr } = await asked('nmae', '--json');
    expect({ code, stdout, ...JSON.parse(stderr) }).toEqual({
      code: 2,
      stdout: '',
      error: {
        code: 'usage',
        message: 'Unknown field in --fields: nmae (did you mean name?).',
        advice: 'See --fields help for all fields.',
      },
    });
  });

  it('is reported if the schema has it', async () => {
    expect(await asked('full_name,homepage')).toEqual({
      code: 0,
      stdout: 'acme/site\t\nacme/api\t\n',
      stderr: 'No record here has a field homepage.\n',
    });
  });

  it('from a newer platform is printed if any record has it, however late', async () => {
    const record = (id: number) => (id === 1050 ? { id, newer: 'x' } : { id });
    const page = (number: number, size: number) =>
      Array.from({ length: size }, (_, at) => record((number - 1) * 100 + at + 1));
    const pages = async (last: number) => {
      const platform = await scriptedPlatform({
        'GET /orgs/acme/repos': ({ url, headers }) => {
          const number = Number(/[?&]page=(\d+)/.exec(url)?.[1] ?? 1);
          const next = `<http://${headers.host}/api/v3/orgs/acme/repos?per_page=100&page=${number + 1}>; rel="next"`;
          return { body: page(number, 100), headers: number < last ? { link: next } : ({} as Record<string, string>) };
        },
      });
      return run(['repos', 'list', 'acme', '--all', '--fields', 'newer', '-o', 'ndjson'], { env: platform.env });
    };
    expect(await pages(11)).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^(\{\}\n){1049}\{"newer":"x"\}\n(\{\}\n){50}$/),
      stderr: '',
    });
    expect(await pages(10)).toMatchObject({ code: 2, stdout: '' });
  });

  it('is not an error without fields: an empty list, a map', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/forks': { body: [] },
      'GET /repos/acme/site/languages': { body: { TypeScript: 1 } },
    });
    const { env } = platform;
    expect(await run(['forks', 'list', 'acme/site', '--fields', 'nmae'], { env })).toMatchObject({ code: 0 });
    expect(await run(['repos', 'languages', 'acme/site', '--fields', 'Go'], { env })).toMatchObject({
      code: 0,
      stdout: '\n',
    });
  });

  it('after a change reports that the change was made', async () => {
    const platform = await scriptedPlatform({ 'PATCH /orgs/acme': { body: { login: 'acme' } } });
    const words = ['orgs', 'update', 'acme', '--blog', 'x', '--fields', 'lgoin'];
    const { code, stderr } = await run(words, { env: platform.env });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'The change was made, but the result cannot be shown: Unknown field in --fields: lgoin (did you mean login?).',
    );
  });

  it('may be missing in some records, or below null or empty fields', async () => {
    expect((await asked('archived,license.name,topics.name')).stderr).toBe('');
  });

  it('is also reported for one record', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme': { body: { login: 'acme' } } });
    const { stderr, stdout } = await run(['orgs', 'get', 'acme', '--fields', 'LOGIN'], { env: platform.env });
    expect({ stdout, stderr }).toEqual({
      stdout: '',
      stderr: 'forgectl: Unknown field in --fields: LOGIN (did you mean login?).\nSee --fields help for all fields.\n',
    });
  });
});
