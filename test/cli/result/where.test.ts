import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { type RunOptions, run } from '../../support/run.ts';

/** Nine pages of `per_page` repositories each; every tenth is archived. */
const repositories = () =>
  scriptedPlatform({
    'GET /orgs/acme/repos': ({ url, headers }) => {
      const query = new URL(url, 'http://platform').searchParams;
      const page = Number(query.get('page') ?? 1);
      const perPage = Number(query.get('per_page') ?? 30);
      const base = `http://${headers.host}/api/v3/orgs/acme/repos?per_page=${perPage}&page=`;
      const body = Array.from({ length: perPage }, (_, index) => {
        const number = (page - 1) * perPage + index;
        return { id: number, full_name: `acme/r${number}`, archived: number % 10 === 5, size: number };
      });
      const links = page < 9 ? { link: `<${base}${page + 1}>; rel="next", <${base}9>; rel="last"` } : undefined;
      return { body, ...(links ? { headers: links } : {}) };
    },
    'GET /orgs/globex/repos': { body: [{ full_name: 'globex/a', archived: false }] },
    'GET /orgs/initech/repos': { body: [] },
    'GET /orgs/acme': { body: { login: 'acme' } },
  });

const list = async (words: readonly string[], options: RunOptions = {}) => {
  const platform = await repositories();
  const result = await run(['repos', 'list', ...words], { env: platform.env, ...options });
  return { ...result, urls: platform.requests.map(({ url }) => url) };
};

describe('--where', () => {
  it('filters all pages, and reports how many match', async () => {
    const { stdout, stderr } = await list(['acme', '--where', '.archived', '--all', '--quiet']);
    expect(stdout.split('\n').slice(0, 3)).toEqual(['acme/r5', 'acme/r15', 'acme/r25']);
    expect(stdout.split('\n')).toHaveLength(91);
    expect(stderr).toBe('90 of 900 repositories match.\n');
  });

  it.each<[format: string, stdout: string]>([
    ['tsv', 'acme/r5\t5\nacme/r15\t15\n'],
    ['csv', 'full_name,size\nacme/r5,5\nacme/r15,15\n'],
    ['ndjson', '{"full_name":"acme/r5","size":5}\n{"full_name":"acme/r15","size":15}\n'],
    ['yaml', '- full_name: acme/r5\n  size: 5\n- full_name: acme/r15\n  size: 15\n'],
  ])('applies before --fields in %s', async (format, expected) => {
    const words = ['acme', '--where', '.archived', '-L', '2', '-o', format, '--fields', 'full_name,size'];
    const { stdout, stderr } = await list(words);
    expect(stdout).toBe(expected);
    expect(stderr).toBe('2 of the first 25 repositories match; --all searches the rest.\n');
  });

  it('applies before --jq', async () => {
    const { stdout } = await list(['acme', '--all', '--where', '.archived', '--jq', 'length']);
    expect(stdout).toBe('90\n');
  });

  it('prints unchanged records as lines of JSON', async () => {
    const { stdout } = await list(['acme', '--where', '.archived', '-L', '1', '-o', 'ndjson']);
    expect(stdout).toBe('{"id":5,"full_name":"acme/r5","archived":true,"size":5}\n');
  });

  it('requests one page if enough of its records match', async () => {
    const { urls } = await list(['acme', '--where', '.archived', '--limit', '10', '--quiet']);
    expect(urls).toEqual(['/api/v3/orgs/acme/repos?per_page=100']);
  });

  it('requests more pages until enough records match, and none afterwards', async () => {
    const words = ['acme', '--where', '.archived', '-L', '3', '--per-page', '10', '--concurrency', '1', '--quiet'];
    const { stdout, urls } = await list(words);
    expect(stdout).toBe('acme/r5\nacme/r15\nacme/r25\n');
    expect(urls).toEqual([
      '/api/v3/orgs/acme/repos?per_page=10',
      '/api/v3/orgs/acme/repos?per_page=10&page=2',
      '/api/v3/orgs/acme/repos?per_page=10&page=3',
    ]);
  });

  it('searches only the page given by --page', async () => {
    const { stdout, stderr, urls } = await list([
      'acme',
      '--where',
      '.archived',
      '--page',
      '2',
      '--per-page',
      '20',
      '--quiet',
    ]);
    expect(stdout).toBe('acme/r25\nacme/r35\n');
    expect(stderr).toBe('2 of repositories 21 to 40 match; --page 3 searches the next.\n');
    expect(urls).toEqual(['/api/v3/orgs/acme/repos?per_page=20&page=2']);
  });

  it.each([
    ['globex', '0 of 1 repositories match.\n'],
    ['initech', 'Found no repositories in initech.\n'],
  ])('explains why a table of %s is empty', async (org, expected) => {
    expect(await list([org, '--where', '.archived', '-o', 'table'])).toMatchObject({ stdout: '', stderr: expected });
  });

  it('rejects an invalid expression before any request', async () => {
    const { code, stderr, urls } = await list(['acme', '--where', '.archived and', '-o', 'tsv']);
    expect({ code, urls }).toEqual({ code: 2, urls: [] });
    expect(stderr).toMatch(/^forgectl: The jq filter “\.archived and” failed: syntax error/);
  });

  it('rejects an expression that is valid only within the surrounding program', async () => {
    const { code, urls } = await list(['acme', '--where', 'true); .) | (true', '-o', 'tsv']);
    expect({ code, urls }).toEqual({ code: 2, urls: [] });
  });

  it('reports the record for which the expression fails', async () => {
    const { code, stdout, stderr } = await list(['acme', '--where', '.size > 2 and .size.kb', '-o', 'tsv']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      'The jq filter “.size > 2 and .size.kb” failed for acme/r3: Cannot index number with string ("kb")',
    );
  });

  it.each([
    ['.archivd | not', '.archivd', ' Did you mean .archived?'],
    ['.size > 2 and .owner.logn == "acme"', '.owner.logn', ' Did you mean .owner.login?'],
  ])('rejects the misspelled field in %s before any request', async (expression, field, meant) => {
    const { code, stdout, stderr, urls } = await list(['acme', '--where', expression, '-o', 'tsv']);
    expect({ code, stdout, stderr, urls }).toEqual({
      code: 2,
      stdout: '',
      stderr: `forgectl: --where uses ${field}, which is not a field of these records.${meant}\n`,
      urls: [],
    });
  });

  it('rejects a field that is unknown and in no record of the first page', async () => {
    const { code, stdout, stderr, urls } = await list(['acme', '--where', '.nonsense | not', '-o', 'tsv']);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: 'forgectl: --where uses .nonsense, which is not a field of these records.\n',
    });
    expect(urls[0]).toBe('/api/v3/orgs/acme/repos?per_page=100');
  });

  it('accepts a field that only the records have', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/repos': { body: [{ full_name: 'acme/a', newer: 1 }] } });
    const { stdout } = await run(['repos', 'list', 'acme', '--where', '.newer', '--quiet'], { env: platform.env });
    expect(stdout).toBe('acme/a\n');
  });

  const lenient = ['has("archivd") | not', '.archivd? | not', '.archivd // true', '.owner.login?'];
  it.each(lenient)('leaves %s to jq', async (expression) => {
    expect(await list(['globex', '--where', expression, '--quiet'])).toMatchObject({ code: 0 });
  });

  it('does not check the fields of api', async () => {
    const platform = await repositories();
    const words = ['api', '/orgs/globex/repos', '--paginate', '--where', '.archivd | not', '--jq', '.[].full_name'];
    expect(await run(words, { env: platform.env })).toMatchObject({ code: 0, stdout: 'globex/a\n' });
  });

  it('stops after --timeout, and exits with 2', async () => {
    const { code, stdout, stderr } = await list(['acme', '--where', 'def f: f; f', '--timeout', '1s', '-o', 'tsv']);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'forgectl: The jq filter “def f: f; f” failed: it did not end within 1 s. Simplify it, or allow more time with --timeout.\n',
    });
  });

  it('works with the pages of an undeclared request', async () => {
    const { env } = await repositories();
    const words = ['api', '/orgs/acme/repos', '--paginate', '--where', '.size == 17', '--jq', '.[].full_name'];
    expect(await run(words, { env })).toMatchObject({ stdout: 'acme/r17\n', stderr: '1 of 900 records match.\n' });
  });

  it('rejects a single record', async () => {
    const { env } = await repositories();
    const single = await run(['api', '/orgs/acme', '--paginate', '--where', '.login', '-o', 'tsv'], { env });
    expect(single).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'forgectl: --where selects records of a list, but the response is a single record.\n',
    });
    const unpaged = await run(['api', '/orgs/acme', '--where', '.login', '-o', 'tsv'], { env });
    expect(unpaged).toMatchObject({ code: 2, stderr: 'forgectl: --where requires --paginate. Nothing was sent.\n' });
  });

  it('filters lists without pages', async () => {
    const { stdout } = await run(['config', 'list', '--where', '.key == "output"', '--fields', 'key', '-o', 'csv']);
    expect(stdout).toBe('key\noutput\n');
  });

  it('does not see secrets, nor show them in errors', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/repos': { body: [{ full_name: 'acme/a', temp_clone_token: 'v1.0123456789abcdef' }] },
    });
    const where = (expression: string, ...words: string[]) =>
      run(['repos', 'list', 'acme', '--where', expression, '-o', 'ndjson', ...words], { env: platform.env });
    expect((await where('.temp_clone_token | error')).stderr).not.toContain('0123456789');
    expect((await where('.temp_clone_token == "********"')).stderr).toBe('1 of 1 repositories match.\n');
    expect((await where('.temp_clone_token | test("^v1")', '--show-secrets')).stdout).toContain('v1.0123456789abcdef');
  });
});
