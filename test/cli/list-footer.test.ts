import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

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

describe('below a list', () => {
  it('stands about how many there are, as the number of pages tells', async () => {
    const { stderr } = await run(['repos', 'list', 'acme', '-o', 'tsv'], { env: (await repositories()).env });
    expect(stderr).toBe('Showing 30 of about 270 repositories; --all shows the rest.\n');
  });

  it('stands which part of the list a page is', async () => {
    const words = ['repos', 'list', 'acme', '--page', '2', '--per-page', '10', '-o', 'tsv'];
    const { stderr } = await run(words, { env: (await repositories()).env });
    expect(stderr).toBe('Showing 11 to 20 of about 90 repositories; --page 3 shows the next.\n');
  });

  it('stands exactly how many there are, where each has a page of its own', async () => {
    const { stderr } = await run(['repos', 'list', 'acme', '-L', '1', '-o', 'tsv'], {
      env: (await repositories()).env,
    });
    expect(stderr).toBe('Showing 1 of 9 repositories; --all shows the rest.\n');
  });

  it('stands exactly how many there are, where the platform counts them', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/private-registries': ({ headers }) => ({
        body: { total_count: 3907, configurations: [{ name: 'NPM' }, { name: 'MAVEN' }] },
        headers: { link: `<http://${headers.host}/api/v3/orgs/acme/private-registries?page=2>; rel="next"` },
      }),
    });
    const { stderr } = await run(['registries', 'list', 'acme', '-L', '1', '--json'], { env: platform.env });
    expect(stderr).toBe('Showing 1 of 3,907 registries; --all shows the rest.\n');
  });

  it('stands where it broke off; a table shows what had come', async () => {
    const words = ['repos', 'list', 'acme', '--all', '--per-page', '10', '-o', 'table', '--max-wait', '0'];
    const { stdout, stderr, code } = await run(words, { env: (await repositories(true)).env });
    expect(code).toBe(8);
    expect(stdout.split('\n')).toHaveLength(32);
    expect(stderr.split('\n')[0]).toBe(
      'The list is incomplete: it breaks off after 30 repositories, because page 4 did not come.',
    );
    expect(stderr.split('\n')[1]).toContain('500');
  });

  it('is the error the last line in JSON, and the document stays open', async () => {
    const words = ['repos', 'list', 'acme', '--all', '--per-page', '10', '--json', '--max-wait', '0'];
    const { stdout, stderr } = await run(words, { env: (await repositories(true)).env });
    expect(() => JSON.parse(stdout)).toThrow();
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ error: { status: 500 } });
  });
});

describe('a field that no record has', () => {
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

  it.each(['tsv', 'csv', 'json', 'table'])('is told in %s, with the nearest name', async (format) => {
    expect((await asked('Full_Name,owner.logn,zzz', '-o', format)).stderr).toBe(
      [
        'No record here has a field Full_Name; did you mean full_name?',
        'No record here has a field owner.logn; did you mean owner.login?',
        'No record here has a field zzz; --fields help lists those that there may be.',
        '',
      ].join('\n'),
    );
  });

  it('is none that only some records have, nor one below what is null or empty', async () => {
    expect((await asked('archived,license.name,topics.name')).stderr).toBe('');
  });

  it('is told of one record, too', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme': { body: { login: 'acme' } } });
    const { stderr, stdout } = await run(['orgs', 'get', 'acme', '--fields', 'LOGIN'], { env: platform.env });
    expect({ stdout, stderr }).toEqual({
      stdout: '\n',
      stderr: 'The record has no field LOGIN; did you mean login?\n',
    });
  });
});
