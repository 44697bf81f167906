import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const place = { path: 'src/app.ts', position: 4, line: 14 };
const about = {
  id: 1,
  commit_id: sha,
  user: { login: 'octocat' },
  created_at: '2026-02-28T12:00:00Z',
  updated_at: '2026-02-28T12:00:00Z',
  author_association: 'COLLABORATOR',
};
const comment = { ...about, ...place, body: 'Great **stuff**\n\nReally.' };

describe('comments list', () => {
  test('requests the comments of a repository', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/comments': { body: [comment] } });
    const { stdout, code } = await run(['comments', 'list', 'acme/site'], { env: platform.env });
    expect(platform.requests.map(({ url }) => url)).toEqual(['/api/v3/repos/acme/site/comments']);
    expect(platform.requests[0]?.headers.accept).toBe('application/vnd.github+json');
    expect(stdout).toBe('1\toctocat\t6dcb09b5b5\tsrc/app.ts:14\t2026-02-28T12:00:00Z\tGreat **stuff**\n');
    expect(code).toBe(0);
  });

  test('requests the comments of one commit with --commit', async () => {
    const platform = await scriptedPlatform({ [`GET /repos/acme/site/commits/${sha}/comments`]: { body: [] } });
    const { stdout } = await run(['comments', 'list', 'acme/site', '--commit', sha, '--json'], { env: platform.env });
    expect(platform.requests.map(({ url }) => url)).toEqual([`/api/v3/repos/acme/site/commits/${sha}/comments`]);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  test('shows the first line of the available text, and the author, place and time', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/comments': {
        body: [
          { ...about, ...place, body_text: 'As text\nmore' },
          { ...about, path: 'README.md', position: 1, line: null, body_html: '<p>As HTML</p>\n<p>more</p>' },
          { ...about, path: null, position: null, line: null, user: null, body: '\u001b[2Jgone' },
        ],
      },
    });
    const { stdout } = await run(['comments', 'list', 'acme/site'], { env: platform.env, tty: true, columns: 120 });
    const [header, ...lines] = stdout.trimEnd().split('\n');
    expect(header).toMatch(/^ID +AUTHOR +COMMIT +WHERE +WHEN +COMMENT$/);
    expect(lines[0]).toMatch(/^1 +octocat +6dcb09b5b5 +src\/app\.ts:14 +1 day ago +As text$/);
    expect(lines[1]).toMatch(/README\.md +1 day ago +<p>As HTML<\/p>$/);
    expect(lines[2]).toMatch(/^1 +- +6dcb09b5b5 +- +1 day ago +\\u001b\[2Jgone$/);
  });

  test.each(['raw', 'text', 'html', 'full'])(
    'requests the media type of --format %s by the vendor’s name',
    async (format) => {
      const platform = await scriptedPlatform({ 'GET /repos/acme/site/comments': { body: [] } });
      const env = { ...platform.env, FORGECTL_VENDOR: 'acmehub' };
      await run(['comments', 'list', 'acme/site', '--format', format], { env });
      expect(platform.requests[0]?.headers.accept).toBe(`application/vnd.acmehub-commitcomment.${format}+json`);
    },
  );

  test('keeps the media type on every page', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/comments': ({ url, headers }) => {
        const next = `<http://${headers.host}/api/v3/repos/acme/site/comments?per_page=100&page=2>; rel="next"`;
        return url.includes('page=2') ? { body: [comment] } : { body: [comment], headers: { link: next } };
      },
    });
    await run(['comments', 'list', 'acme/site', '--all', '--format', 'html'], { env: platform.env });
    expect(platform.requests.map(({ headers }) => headers.accept)).toEqual([
      'application/vnd.github-commitcomment.html+json',
      'application/vnd.github-commitcomment.html+json',
    ]);
  });

  test('rejects an unknown format', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['comments', 'list', 'acme/site', '--format', 'pdf'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('--format must be one of raw, text, html, full');
    expect(platform.requests).toEqual([]);
  });
});

describe('comments get', () => {
  test('prints a comment in the requested format', async () => {
    const answer = { ...about, ...place, body_text: 'Great stuff' };
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/comments/1': { body: answer } });
    const words = ['comments', 'get', 'acme/site', '1', '--format', 'text', '--json'];
    const { stdout } = await run(words, { env: platform.env });
    expect(platform.requests[0]?.headers.accept).toBe('application/vnd.github-commitcomment.text+json');
    expect(JSON.parse(stdout)).toEqual(answer);
  });

  test('shows author, place, time and the full text on a terminal', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/comments/1': { body: comment } });
    const { stdout } = await run(['comments', 'get', 'acme/site', '1'], { env: platform.env, tty: true });
    expect(stdout).toMatch(/^Author +octocat$/m);
    expect(stdout).toMatch(/^Commit +6dcb09b5b57875f334f61aebed695e2e4193db5e$/m);
    expect(stdout).toMatch(/^Line +14$/m);
    expect(stdout).toMatch(/^Created +1 day ago$/m);
    expect(stdout).toMatch(/^Text +Great \*\*stuff\*\*\n\n +Really\.$/m);
  });

  test('ends with exit code 3 if the comment does not exist', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['comments', 'get', 'acme/site', '7'], { env: platform.env });
    expect(code).toBe(3);
    expect(stderr).toContain('GET /repos/acme/site/comments/7 returned 404 Not Found');
  });

  test('rejects an ID that is not a number', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['comments', 'get', 'acme/site', 'first'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('ID must be a whole number, at least 1');
    expect(platform.requests).toEqual([]);
  });
});

describe('comments create', () => {
  const created = { status: 201, body: comment };

  test('sends text and place for the commit', async () => {
    const platform = await scriptedPlatform({ [`POST /repos/acme/site/commits/${sha}/comments`]: created });
    const words = ['comments', 'create', 'acme/site', sha, '--body', 'Great', '--path', 'src/app.ts'];
    const { stdout, code } = await run([...words, '--position', '4', '--line', '14', '--json'], { env: platform.env });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      body: 'Great',
      path: 'src/app.ts',
      position: 4,
      line: 14,
    });
    expect(JSON.parse(stdout)).toEqual(comment);
    expect(code).toBe(0);
  });

  test('reads the text from a file, exactly', async () => {
    const file = join(await temporaryDirectory(), 'text.md');
    await writeFile(file, '# Title\n\nText ✓\n');
    const platform = await scriptedPlatform({ [`POST /repos/acme/site/commits/${sha}/comments`]: created });
    await run(['comments', 'create', 'acme/site', sha, '--body-file', file], { env: platform.env });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({ body: '# Title\n\nText ✓\n' });
  });

  test('reads the text from standard input', async () => {
    const platform = await scriptedPlatform({ [`POST /repos/acme/site/commits/${sha}/comments`]: created });
    await run(['comments', 'create', 'acme/site', sha, '--body-file', '-'], { env: platform.env, stdin: 'Piped' });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({ body: 'Piped' });
  });

  test('encodes a commit given as a branch', async () => {
    const platform = await scriptedPlatform({ 'POST /repos/acme/site/commits/release%2F1.2/comments': created });
    const { code } = await run(['comments', 'create', 'acme/site', 'release/1.2', '--body', 'x'], {
      env: platform.env,
    });
    expect(code).toBe(0);
  });

  test('requires a text, and reports every invalid field', async () => {
    const platform = await scriptedPlatform({});
    const words = ['comments', 'create', 'acme/site', sha, '--position', 'four'];
    const { stderr, code } = await run(words, { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('position must be a whole number, not “four”');
    expect(stderr).toContain('body is required');
    expect(platform.requests).toEqual([]);
  });

  test.each([
    [['--body', 'x', '--body-file', 'y'], '--body-file cannot be used with --body'],
    [['--body-file', '-', '--input', '-'], '--body-file cannot read standard input: --input - already does'],
    [['--body-file', '/does/not/exist'], 'Cannot read --body-file /does/not/exist: no such file.'],
  ])('rejects %j', async (words, message) => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['comments', 'create', 'acme/site', sha, ...words], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(platform.requests).toEqual([]);
  });
});

test('comments create sends null if --input sets line to null', async () => {
  const route = `POST /repos/acme/site/commits/${sha}/comments`;
  const platform = await scriptedPlatform({ [route]: { status: 201, body: comment } });
  const stdin = '{"body":"x","line":null,"position":null}';
  const { code } = await run(['comments', 'create', 'acme/site', sha, '--input', '-'], { env: platform.env, stdin });
  expect(code).toBe(0);
  expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({ body: 'x', line: null, position: null });
});

describe('comments update', () => {
  test('sends the new text and requests the response format', async () => {
    const platform = await scriptedPlatform({ 'PATCH /repos/acme/site/comments/1': { body: comment } });
    const words = ['comments', 'update', 'acme/site', '1', '--body', 'Better', '--format', 'full'];
    const { code } = await run(words, { env: platform.env });
    expect(platform.requests[0]?.body).toBe('{"body":"Better"}');
    expect(platform.requests[0]?.headers.accept).toBe('application/vnd.github-commitcomment.full+json');
    expect(code).toBe(0);
  });

  test('requires a text', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['comments', 'update', 'acme/site', '1'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('body is required');
  });
});

describe('comments delete', () => {
  test('deletes with --yes and prints nothing in a pipe', async () => {
    const platform = await scriptedPlatform({ 'DELETE /repos/acme/site/comments/1': { status: 204 } });
    const { stdout, code } = await run(['comments', 'delete', 'acme/site', '1', '--yes'], { env: platform.env });
    expect(platform.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['DELETE', '/api/v3/repos/acme/site/comments/1', ''],
    ]);
    expect(stdout).toBe('');
    expect(code).toBe(0);
  });

  test('requires --yes when prompts are disabled', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['comments', 'delete', 'acme/site', '1'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('Nothing was sent. This deletes comment 1 of acme/site; confirm with --yes.');
    expect(platform.requests).toEqual([]);
  });
});
