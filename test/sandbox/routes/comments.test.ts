import { expect, test } from 'vitest';
import { commits, sandboxForTests } from '../support.ts';

const sandbox = sandboxForTests();
const { ask } = sandbox;

const [sha, other] = commits;
const create = (body: object, commit: string = sha, as = 'classic') =>
  ask(`POST /repos/acme/site/commits/${commit}/comments`, { as, body });
const accept = (format: string) => ({ headers: { accept: `application/vnd.github-commitcomment.${format}+json` } });

test('comments of a repository are sorted by ascending ID', async () => {
  const { status, body } = await ask('GET /repos/acme/site/comments', { as: null });
  expect(status).toBe(200);
  const ids = body.map(({ id }: { id: number }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(7);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  expect((await ask('GET /repos/acme/site/comments?per_page=2&page=2')).body).toEqual([body[2], body[3]]);
});

test('a comment has every field, and raw text by default', async () => {
  const { status, body } = await create({ body: 'Hello', path: 'src/index.ts', position: 4, line: 9 });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    html_url: expect.stringMatching(new RegExp(`/acme/site/commit/${sha}#commitcomment-${body.id}$`)),
    url: `${sandbox.baseUrl}/repos/acme/site/comments/${body.id}`,
    body: 'Hello',
    path: 'src/index.ts',
    position: 4,
    line: 9,
    commit_id: sha,
    user: { login: 'admin' },
    created_at: '2026-11-20T12:30:00Z',
    updated_at: '2026-11-20T12:30:00Z',
    author_association: 'MEMBER',
  });
  expect(body).not.toHaveProperty('body_text');
  expect((await ask(`GET /repos/acme/site/comments/${body.id}`)).body).toEqual(body);
});

test('the media type chooses raw, text, html or all three', async () => {
  const { body: created } = await create({ body: 'Use **bold** & `code`' });
  const bodies = async (format: string) => {
    const { body } = await ask(`GET /repos/acme/site/comments/${created.id}`, accept(format));
    return { body: body.body, body_text: body.body_text, body_html: body.body_html };
  };
  const raw = 'Use **bold** & `code`';
  const text = 'Use bold & code';
  const html = '<p>Use <strong>bold</strong> &amp; <code>code</code></p>';
  expect(await bodies('raw')).toEqual({ body: raw, body_text: undefined, body_html: undefined });
  expect(await bodies('text')).toEqual({ body: undefined, body_text: text, body_html: undefined });
  expect(await bodies('html')).toEqual({ body: undefined, body_text: undefined, body_html: html });
  expect(await bodies('full')).toEqual({ body: raw, body_text: text, body_html: html });
});

test('lists and updates support the media types, too', async () => {
  const [first] = (await ask('GET /repos/acme/site/comments', accept('html'))).body;
  expect(first).toHaveProperty('body_html');
  expect(first).not.toHaveProperty('body');
  const { headers } = accept('full');
  const updated = await ask(`PATCH /repos/acme/site/comments/${first.id}`, { body: { body: '*new*' }, headers });
  expect(updated.body).toMatchObject({ body: '*new*', body_text: 'new', body_html: '<p><em>new</em></p>' });
  expect(updated.headers.get('x-github-media-type')).toBe('github.v3; param=full; format=json');
});

test('HTML and dangerous links in a comment are escaped', async () => {
  const { body } = await create({
    body: '<script>alert(1)</script>\n\n[go](javascript:alert(1)) [ok](https://ok.example)',
  });
  const { body_html } = (await ask(`GET /repos/acme/site/comments/${body.id}`, accept('html'))).body;
  expect(body_html).not.toContain('<script>');
  expect(body_html).not.toContain('javascript:');
  expect(body_html).toContain('<a href="https://ok.example">ok</a>');
});

test('the comments of one commit exclude all others', async () => {
  const { body } = await create({ body: 'Only here' }, other);
  const { body: listed } = await ask(`GET /repos/acme/site/commits/${other}/comments`);
  expect(listed.at(-1)).toEqual(body);
  expect(new Set(listed.map(({ commit_id }: { commit_id: string }) => commit_id))).toEqual(new Set([other]));
});

test('an update changes the text, a deletion removes the comment', async () => {
  const { body } = await create({ body: 'First' });
  sandbox.advance(60_000);
  const path = `/repos/acme/site/comments/${body.id}`;
  expect(await ask(`PATCH ${path}`, { body: { body: 'Second' } })).toMatchObject({
    status: 200,
    body: { body: 'Second', created_at: body.created_at, updated_at: '2026-11-20T12:31:00Z' },
  });
  expect(await ask(`DELETE ${path}`)).toMatchObject({ status: 204, body: '' });
  for (const method of ['GET', 'PATCH', 'DELETE'])
    expect((await ask(`${method} ${path}`, { body: method === 'PATCH' ? { body: 'x' } : undefined })).status).toBe(404);
});

test('a comment requires a text and a commit', async () => {
  const answer = await create({});
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toEqual([
    expect.objectContaining({ resource: 'CommitComment', field: 'body', code: 'missing_field' }),
  ]);
  expect(await create({ body: 'x' }, 'main')).toMatchObject({
    status: 422,
    body: { message: 'No commit found for SHA: main' },
  });
});

test('a commit can be given by a prefix of its ID', async () => {
  const [commit] = (await ask('GET /repos/acme/site/commits?per_page=1')).body;
  const { body } = await create({ body: 'Short' }, commit.sha.slice(0, 8));
  expect(body.commit_id).toBe(commit.sha);
});

test('a comment on an unknown commit, file or line is rejected', async () => {
  const nowhere = 'f'.repeat(40);
  expect(await create({ body: 'x' }, nowhere)).toMatchObject({
    status: 422,
    body: { message: `No commit found for SHA: ${nowhere}` },
  });
  expect((await ask(`GET /repos/acme/site/commits/${nowhere}/comments`)).status).toBe(404);
  const refused = async (place: object) => {
    const answer = await create({ body: 'x', ...place });
    expect(answer.status).toBe(422);
    return answer.body.errors.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`);
  };
  expect(await refused({ path: 'src/a.ts' })).toEqual(['path src/a.ts is not a file of the commit']);
  expect(await refused({ path: 'toString', line: 1 })).toEqual(['path toString is not a file of the commit']);
  expect(await refused({ line: 1, position: 1 })).toEqual(['path is required with line and position']);
  expect(await refused({ path: 'README.md', line: 41, position: 0 })).toEqual([
    'line must be a line of README.md, from 1 to 40',
    'position must be a line of README.md, from 1 to 40',
  ]);
  expect((await create({ body: 'x', path: 'README.md', line: 40, position: 1 })).status).toBe(201);
  expect((await create({ body: 'x', path: '.github/CODEOWNERS' })).status).toBe(201);
});

test('anonymous callers cannot write, and archived repositories accept no comments', async () => {
  expect((await ask(`POST /repos/acme/site/commits/${sha}/comments`, { as: null, body: { body: 'x' } })).status).toBe(
    401,
  );
  const { body } = await ask('GET /orgs/acme/repos?per_page=100');
  const archived = body.find((repository: { archived: boolean }) => repository.archived);
  const answer = await ask(`POST /repos/${archived.full_name}/commits/${sha}/comments`, { body: { body: 'x' } });
  expect(answer).toMatchObject({ status: 403, body: { message: 'Repository was archived so is read-only.' } });
});

test('the public platform’s shorter media types work, too', async () => {
  for (const accept of ['application/vnd.github.html+json', 'application/vnd.github.v3.html']) {
    const { body } = await ask('GET /repos/acme/site/comments?per_page=1', { headers: { accept } });
    expect(body[0]).toHaveProperty('body_html');
    expect(body[0]).not.toHaveProperty('body');
  }
});
