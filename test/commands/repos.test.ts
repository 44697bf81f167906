import { describe, expect, it } from 'vitest';
import { classicToken, scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const site = {
  id: 1,
  name: 'site',
  full_name: 'acme/site',
  private: false,
  visibility: 'public',
  archived: false,
  pushed_at: '2026-02-26T12:00:00Z',
  description: 'The \u001b[31mred\u001b[0m site',
};

const bodyOf = (request: { body: string } | undefined) => JSON.parse(request?.body ?? '');

describe('repos list', () => {
  it('sends every filter', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/repos': { body: [] } });
    const words = ['repos', 'list', 'acme', '--type', 'forks', '--sort', 'full_name', '--direction', 'desc'];
    await run([...words, '--limit', '5'], { env: platform.env });
    expect(platform.requests[0]?.url).toBe(
      '/api/v3/orgs/acme/repos?type=forks&sort=full_name&direction=desc&per_page=5',
    );
  });

  it('shows what an admin needs, and no text from the server that moves the cursor', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/repos': { body: [site] } });
    const { stdout } = await run(['repos', 'list', 'acme'], { env: platform.env, tty: true, columns: 120 });
    expect(stdout.split('\n')[0]).toMatch(/^NAME +VISIBILITY +ARCHIVED +PUSHED +ID +DESCRIPTION/);
    expect(stdout).toMatch(/acme\/site +public +no +3 days ago +1 /);
    expect(stdout).not.toContain('\u001b');
  });

  it('requests the pages after the first concurrently, and prints them in order', async () => {
    const link = (page: number) => `<PLATFORM/orgs/acme/repos?per_page=100&page=${page}>`;
    const platform = await scriptedPlatform({
      'GET /orgs/acme/repos': ({ url, headers }) => {
        const page = Number(/[?&]page=(\d+)/.exec(url)?.[1] ?? 1);
        const base = `http://${headers.host}/api/v3`;
        const rels = page < 3 ? `${link(page + 1)}; rel="next", ${link(3)}; rel="last"` : `${link(1)}; rel="first"`;
        return { body: [{ full_name: `acme/${page}` }], headers: { link: rels.replaceAll('PLATFORM', base) } };
      },
    });
    const { stdout } = await run(['repos', 'list', 'acme', '--all', '-o', 'ndjson'], { env: platform.env });
    expect(stdout).toBe('{"full_name":"acme/1"}\n{"full_name":"acme/2"}\n{"full_name":"acme/3"}\n');
    expect(platform.requests.map(({ url }) => url).sort()).toEqual([
      '/api/v3/orgs/acme/repos?per_page=100',
      '/api/v3/orgs/acme/repos?per_page=100&page=2',
      '/api/v3/orgs/acme/repos?per_page=100&page=3',
    ]);
  });

  it('shows one page with --page', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/repos': { body: [site] } });
    await run(['repos', 'list', 'acme', '--page', '4', '--per-page', '10'], { env: platform.env });
    expect(platform.requests.map(({ url }) => url)).toEqual(['/api/v3/orgs/acme/repos?per_page=10&page=4']);
  });

  describe('with filters that the platform does not support', () => {
    const all = [
      { ...site, topics: ['web', 'public-site'], language: 'TypeScript' },
      { ...site, full_name: 'acme/old', archived: true, language: 'Go', pushed_at: '2024-01-01T00:00:00Z' },
      { ...site, full_name: 'acme/inner', visibility: 'internal', private: true, topics: ['web'], language: 'go' },
      {
        full_name: 'acme/bare',
        archived: false,
        visibility: 'private',
        private: true,
        pushed_at: null,
        language: null,
      },
      { full_name: 'acme/unknown' },
      { full_name: 'acme/odd', archived: 'true', topics: 'web', language: ['go'], pushed_at: 7 },
    ];
    const listed = async (line: string, options = {}) => {
      const platform = await scriptedPlatform({ 'GET /orgs/acme/repos': { body: all } });
      const ended = await run(['repos', 'list', 'acme', ...line.split(' ')], { env: platform.env, ...options });
      return { ...ended, urls: platform.requests.map(({ url }) => url) };
    };

    it.each([
      ['--archived', 'acme/old'],
      ['--no-archived', 'acme/site acme/inner acme/bare'],
      ['--visibility internal', 'acme/inner'],
      ['--topic WEB', 'acme/site acme/inner'],
      ['--language go', 'acme/old acme/inner'],
      ['--pushed-before 365d', 'acme/old'],
      ['--pushed-before 2d', 'acme/site acme/old acme/inner'],
      ['--pushed-before 4d --language typescript', ''],
      ['--no-archived --language go', 'acme/inner'],
      ['--language go --where .archived', 'acme/old'],
    ])('%s selects “%s” locally', async (line, names) => {
      const { stdout, code, urls } = await listed(`${line} --quiet`);
      expect(stdout.trim().split('\n').join(' ')).toBe(names);
      expect({ code, urls }).toEqual({ code: 0, urls: ['/api/v3/orgs/acme/repos?per_page=100'] });
    });

    it('sends the visibility if the platform filters by it, except with --type', async () => {
      const { stdout, urls } = await listed('--visibility private --quiet');
      expect({ stdout, urls }).toEqual({
        stdout: 'acme/bare\n',
        urls: ['/api/v3/orgs/acme/repos?type=private&per_page=100'],
      });
      expect((await listed('--visibility private --type forks')).urls).toEqual([
        '/api/v3/orgs/acme/repos?type=forks&per_page=100',
      ]);
    });

    it('counts those that match towards --limit, in every format', async () => {
      const { stdout, stderr } = await listed('--topic web --limit 1 -o json --jq .[].full_name');
      expect({ stdout, stderr }).toEqual({
        stdout: 'acme/site\n',
        stderr: '1 of the first 2 repositories match; --all searches the rest.\n',
      });
      expect((await listed('--archived -o json --fields full_name')).stdout).toBe(
        '[\n  {\n    "full_name": "acme/old"\n  }\n]\n',
      );
      const table = await listed('--archived', { tty: true, columns: 120 });
      expect(table.stdout).toMatch(/^NAME +VISIBILITY +ARCHIVED[^\n]+\nacme\/old +public +yes +[^\n]+\n$/);
    });

    it('lists every invalid filter, and sends nothing', async () => {
      const { stderr, code, urls } = await listed('--visibility secret --pushed-before soon --topic=');
      expect(stderr).toContain('--visibility must be one of public, private, internal');
      expect(stderr).toContain('--pushed-before must be a duration such as');
      expect(stderr).toContain('--topic is empty');
      expect({ code, urls }).toEqual({ code: 2, urls: [] });
    });

    it('explains in its help which ones it applies itself', async () => {
      const { stdout } = await run(['repos', 'list', '--help'], { columns: 200 });
      const words = stdout.replace(/\s+/g, ' ');
      expect(words).toContain('Only archived repositories, or only those that are not (filtered locally)');
      expect(words).toContain('Only repositories with this topic (filtered locally)');
      expect(words).toContain('Only repositories with this main language, such as Go (filtered locally)');
      expect(words).toContain('longer ago than this, such as 365d (filtered locally)');
      expect(words).toContain('Only repositories with this visibility (internal is filtered locally)');
    });
  });

  it('does not request internal repositories with an installation token, which the platform does not support', async () => {
    const platform = await scriptedPlatform({});
    const token = ['ghs', 'z'.repeat(36)].join('_');
    const { stderr, code } = await run(['repos', 'list', 'acme', '--type', 'internal'], {
      env: { ...platform.env, FORGECTL_TOKEN: token },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('installation tokens');
    expect(platform.requests).toEqual([]);
  });

  it('masks the clone token by default', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/repos': { body: [{ full_name: 'acme/site', temp_clone_token: 'CLONE-SECRET' }] },
    });
    for (const format of ['json', 'ndjson', 'yaml', 'csv', 'tsv', 'table']) {
      const words = ['repos', 'list', 'acme', '-o', format, '--fields', 'full_name,temp_clone_token'];
      expect((await run(words, { env: platform.env })).stdout).not.toContain('CLONE-SECRET');
      expect((await run([...words, '--show-secrets'], { env: platform.env })).stdout).toContain('CLONE-SECRET');
    }
  });
});

describe('repos create', () => {
  it('sends POST /orgs/{org}/repos with every given field', async () => {
    const platform = await scriptedPlatform({ 'POST /orgs/acme/repos': { status: 201, body: site } });
    const words = `repos create acme/site --description D --homepage https://a.example --private --visibility internal
      --no-has-issues --has-projects --no-has-wiki --has-downloads --is-template --team-id 7 --auto-init
      --gitignore-template Node --license-template mit --no-allow-squash-merge --allow-merge-commit --allow-rebase-merge
      --allow-auto-merge --delete-branch-on-merge --use-squash-pr-title-as-default --squash-merge-commit-title PR_TITLE
      --squash-merge-commit-message BLANK --merge-commit-title MERGE_MESSAGE --merge-commit-message PR_BODY
      --custom-properties {"tier":"gold"}`.split(/\s+/);
    const { code } = await run(words, { env: platform.env });
    expect(code).toBe(0);
    expect(bodyOf(platform.requests[0])).toEqual({
      name: 'site',
      description: 'D',
      homepage: 'https://a.example',
      private: true,
      visibility: 'internal',
      has_issues: false,
      has_projects: true,
      has_wiki: false,
      has_downloads: true,
      is_template: true,
      team_id: 7,
      auto_init: true,
      gitignore_template: 'Node',
      license_template: 'mit',
      allow_squash_merge: false,
      allow_merge_commit: true,
      allow_rebase_merge: true,
      allow_auto_merge: true,
      delete_branch_on_merge: true,
      use_squash_pr_title_as_default: true,
      squash_merge_commit_title: 'PR_TITLE',
      squash_merge_commit_message: 'BLANK',
      merge_commit_title: 'MERGE_MESSAGE',
      merge_commit_message: 'PR_BODY',
      custom_properties: { tier: 'gold' },
    });
  });

  it('requires the titles of squash and merge commits with their messages', async () => {
    const platform = await scriptedPlatform({});
    const words = ['repos', 'create', 'acme/site', '--private', '--squash-merge-commit-message', 'BLANK'];
    const { stderr, code } = await run([...words, '--merge-commit-message', 'BLANK'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('squash_merge_commit_title is required');
    expect(stderr).toContain(' merge_commit_title is required');
    expect(platform.requests).toEqual([]);
  });

  it('reports invalid arguments and invalid fields in one message', async () => {
    const { stderr, code } = await run(['repos', 'create', 'acme', '--team-id', 'ten', '--visibility', 'secret'], {
      env: { FORGECTL_BASE_URL: 'http://127.0.0.1:9/api/v3' },
    });
    expect(code).toBe(2);
    for (const name of ['REPO', '--team-id', '--visibility']) expect(stderr).toContain(name);
  });

  it('drops a trailing .git', async () => {
    const platform = await scriptedPlatform({ 'POST /orgs/acme/repos': { status: 201, body: site } });
    await run(['repos', 'create', 'acme/site.git', '--private'], { env: platform.env });
    expect(bodyOf(platform.requests[0])).toEqual({ name: 'site', private: true });
  });

  it('requires a visibility in a script, as the platform’s default is public', async () => {
    const platform = await scriptedPlatform({ 'POST /orgs/acme/repos': { status: 201, body: site } });
    const { env } = platform;
    expect(await run(['repos', 'create', 'acme/site'], { env })).toEqual({
      stdout: '',
      stderr: [
        'forgectl: visibility is required, because the platform defaults to public. Nothing was sent.',
        'Usage: forgectl repos create REPO --visibility=public|private|internal [FLAGS]',
        '',
      ].join('\n'),
      code: 2,
    });
    expect(platform.requests).toEqual([]);
    for (const choice of [['--visibility', 'public'], ['--private'], ['--no-private']])
      expect((await run(['repos', 'create', 'acme/site', ...choice], { env })).code).toBe(0);
    const whole = ['repos', 'create', 'acme/site', '--input', '-'];
    expect(await run(whole, { env, stdin: '{"private":true}' })).toMatchObject({ stderr: '', code: 0 });
  });

  it('sends --input without a visibility unchanged, and reports the platform’s default', async () => {
    const platform = await scriptedPlatform({ 'POST /orgs/acme/repos': { status: 201, body: site } });
    const { stderr, code } = await run(['repos', 'create', 'acme/site', '--input', '-'], {
      env: platform.env,
      stdin: '{"has_wiki":false}',
    });
    expect(code).toBe(0);
    expect(bodyOf(platform.requests[0])).toEqual({ name: 'site', has_wiki: false });
    expect(stderr).toBe('No visibility given: the platform creates a public repository by default.\n');
  });

  it('prompts for the visibility at a terminal', async () => {
    const platform = await scriptedPlatform({ 'POST /orgs/acme/repos': { status: 201, body: site } });
    const { stderr } = await run(['repos', 'create', 'acme/site', '--plain'], {
      env: platform.env,
      person: [['1. public\n2. private\n3. internal\n', '2\r']],
    });
    expect(bodyOf(platform.requests[0])).toEqual({ name: 'site', visibility: 'private' });
    expect(stderr).toContain('\n  forgectl repos create acme/site --plain --visibility private\n');
  });

  it('explains why has_projects and delete_branch_on_merge may be rejected', async () => {
    const platform = await scriptedPlatform({
      'POST /orgs/acme/repos': { status: 422, body: { message: 'Validation Failed' } },
    });
    const { stderr, code } = await run(
      ['repos', 'create', 'acme/x', '--private', '--has-projects', '--delete-branch-on-merge'],
      {
        env: platform.env,
      },
    );
    expect(code).toBe(6);
    expect(stderr).toContain('organization may disable repository projects');
    expect(stderr).toContain('Only organization owners');
  });

  it('reports a lost response as an unknown outcome, exit code 8, and does not repeat the write', async () => {
    const platform = await scriptedPlatform({ 'POST /orgs/acme/repos': { status: 201, body: '{"id": 1, "na' } });
    const { stderr, code } = await run(['repos', 'create', 'acme/x', '--private'], { env: platform.env });
    expect(code).toBe(8);
    expect(stderr).toContain('forgectl repos get acme/x');
    expect(platform.requests).toHaveLength(1);
  });
});

describe('reading a repository', () => {
  it('get, languages and security-fixes print the record', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { body: site },
      'GET /repos/acme/site/languages': { body: { TypeScript: 100, Shell: 5 } },
      'GET /repos/acme/site/automated-security-fixes': { body: { enabled: true, paused: false } },
    });
    const read = async (verb: string) =>
      JSON.parse((await run(['repos', verb, 'acme/site', '--json'], { env: platform.env })).stdout);
    expect(await read('get')).toEqual(site);
    expect(await read('languages')).toEqual({ TypeScript: 100, Shell: 5 });
    expect(await read('security-fixes')).toEqual({ enabled: true, paused: false });
  });

  it('shows the details of a repository, and a notice about -o json', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': {
        body: {
          ...site,
          node_id: 'R_1',
          forks_url: 'https://ghe.example.com/api/v3/repos/acme/site/forks',
          html_url: 'https://ghe.example.com/acme/site',
          description: 'The site',
          size: 15175,
          default_branch: 'main',
          has_issues: true,
          has_wiki: false,
          allow_squash_merge: true,
          allow_rebase_merge: false,
          permissions: { admin: false, push: true, pull: true },
          license: null,
          ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`part${index}_url`, 'https://a.example'])),
          security_and_analysis: { secret_scanning: { status: 'enabled' } },
        },
      },
    });
    const words = ['repos', 'get', 'acme/site'];
    const { stdout, stderr } = await run(words, { env: platform.env, tty: true });
    expect(stdout).toBe(
      [
        'Repository',
        '  Name              acme/site',
        '  ID                1',
        '  Description       The site',
        '  URL               https://ghe.example.com/acme/site',
        '',
        'Access',
        '  Visibility        public',
        '  Archived          no',
        '  Your permissions  push, pull',
        '',
        'Content',
        '  Default branch    main',
        '  Size              14.8 MB',
        '  Pushed            3 days ago',
        '',
        'Settings',
        '  Features          issues',
        '  Merge methods     squash',
        '',
        'Security',
        '  Secret scanning   enabled',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('Use -o json to see every field.\n');
    const narrow = await run(words, { env: platform.env, tty: true, columns: 40 });
    for (const line of narrow.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
    expect((await run([...words, '--fields', 'node_id'], { env: platform.env, tty: true })).stdout).toBe(
      'node_id  R_1\n',
    );
  });

  it('does not print a visibility that the platform does not return', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/repos': { body: [{ full_name: 'acme/a' }, { full_name: 'acme/b', private: true }] },
    });
    const { stdout } = await run(['repos', 'list', 'acme', '-o', 'tsv'], { env: platform.env });
    expect(stdout.split('\n').map((line) => line.split('\t')[1])).toEqual(['', 'private', undefined]);
  });

  it('languages are rows of name and bytes in a pipe, with shares and bars on a terminal', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/languages': { body: { TypeScript: 100, Shell: 5 } },
    });
    const words = ['repos', 'languages', 'acme/site'];
    expect((await run(words, { env: platform.env })).stdout).toBe('TypeScript\t100\nShell\t5\n');
    expect((await run(words, { env: platform.env, tty: true })).stdout).toBe(
      'LANGUAGE     SIZE  SHARE\nTypeScript  100 B  95.2%  ████████████\nShell         5 B   4.8%  ▋\n',
    );
  });

  it('security-fixes explains that 404 may mean not enabled', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['repos', 'security-fixes', 'acme/site'], { env: platform.env });
    expect(code).toBe(3);
    expect(stderr).toContain('not enabled');
  });

  it('activity sends every filter and shows records in both shapes', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/activity': {
        body: [
          {
            id: 1,
            before: 'a'.repeat(40),
            after: 'b'.repeat(40),
            ref: 'refs/heads/main',
            pushed_at: '2026-02-28T12:00:00Z',
            push_type: 'push',
            pusher: { login: 'octo' },
          },
          {
            id: 2,
            before: 'b'.repeat(40),
            after: 'c'.repeat(40),
            ref: 'refs/heads/main',
            timestamp: '2026-02-28T12:00:00Z',
            activity_type: 'force_push',
            actor: { login: 'hex' },
          },
        ],
      },
    });
    const words = `repos activity acme/site --activity-type push --ref refs/heads/main --actor octo --time-period week
      --direction asc --before c1 --after c2`.split(/\s+/);
    const { stdout } = await run(words, { env: platform.env });
    expect(platform.requests[0]?.url).toBe(
      '/api/v3/repos/acme/site/activity?activity_type=push&ref=refs%2Fheads%2Fmain&actor=octo&time_period=week&direction=asc&before=c1&after=c2',
    );
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(rows.map((row) => [row[1], row[2]])).toEqual([
      ['push', 'octo'],
      ['force_push', 'hex'],
    ]);
  });

  it('contributors of an empty repository are an empty list', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/contributors': { status: 204 } });
    const { stdout, code } = await run(['repos', 'contributors', 'acme/site', '--json'], { env: platform.env });
    expect(stdout).toBe('[]\n');
    expect(code).toBe(0);
  });

  it('contributors --anon sends anon=1 and shows those without an account', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/contributors': {
        body: [{ type: 'Anonymous', name: 'Ann', email: 'ann@example.com', contributions: 3 }],
      },
    });
    const { stdout } = await run(['repos', 'contributors', 'acme/site', '--anon'], { env: platform.env });
    expect(platform.requests[0]?.url).toBe('/api/v3/repos/acme/site/contributors?anon=1');
    expect(stdout).toBe('Ann\t3\tAnonymous\n');
  });

  it('codeowners-errors prints the list inside its envelope', async () => {
    const error = {
      line: 3,
      column: 1,
      kind: 'Unknown owner',
      source: '* @nobody',
      suggestion: null,
      message: 'M',
      path: 'CODEOWNERS',
    };
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/codeowners/errors': { body: { errors: [error] } },
    });
    const words = ['repos', 'codeowners-errors', 'acme/site', '--ref', 'next'];
    expect(JSON.parse((await run([...words, '--json'], { env: platform.env })).stdout)).toEqual([error]);
    expect((await run(words, { env: platform.env })).stdout).toBe('CODEOWNERS\t3\t1\tUnknown owner\t* @nobody\t\n');
    expect(platform.requests[0]?.url).toBe('/api/v3/repos/acme/site/codeowners/errors?ref=next');
  });

  it('replicas lists the state of each', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/replicas/caches': {
        body: [{ host: 'cache-1', location: 'eu', git: { sync_status: 'in_sync', last_sync: '2026-02-28T12:00:00Z' } }],
      },
    });
    const { stdout } = await run(['repos', 'replicas', 'acme/site'], { env: platform.env });
    expect(stdout).toBe('cache-1\teu\tin_sync\t2026-02-28T12:00:00Z\n');
  });
});

describe('repos dispatch', () => {
  it('sends the event and its payload, from a flag or a file', async () => {
    const platform = await scriptedPlatform({ 'POST /repos/acme/site/dispatches': { status: 204 } });
    const words = ['repos', 'dispatch', 'acme/site', 'deploy', '--client-payload', '{"to":"staging"}'];
    expect((await run(words, { env: platform.env })).code).toBe(0);
    expect(bodyOf(platform.requests[0])).toEqual({ event_type: 'deploy', client_payload: { to: 'staging' } });
  });

  it('allows at most 100 characters of event type, 10 properties and less than 64 KB of payload', async () => {
    const platform = await scriptedPlatform({});
    const payload = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, 'x'.repeat(6000)]));
    const words = ['repos', 'dispatch', 'acme/site', 'e'.repeat(101), '--client-payload', JSON.stringify(payload)];
    const { stderr, code } = await run(words, { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('at most 100 characters');
    expect(stderr).toContain('at most 10 top-level properties');
    expect(stderr).toContain('smaller than 64 KB');
    expect(platform.requests).toEqual([]);
  });

  it('accepts the limits themselves', async () => {
    const platform = await scriptedPlatform({ 'POST /repos/acme/site/dispatches': { status: 204 } });
    // {"k0":"…","k1":1,…}: 65,535 bytes with ten properties
    const payload: Record<string, unknown> = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`k${index}`, 1]),
    );
    payload.big = '';
    payload.big = 'x'.repeat(65_535 - JSON.stringify(payload).length);
    const words = ['repos', 'dispatch', 'acme/site', 'e'.repeat(100), '--client-payload', JSON.stringify(payload)];
    expect((await run(words, { env: platform.env })).code).toBe(0);
  });
});

it('no token appears in the output of a failing command with --debug', async () => {
  const platform = await scriptedPlatform({
    'GET /repos/acme/site': { status: 403, body: { message: `token ${classicToken} is bad` } },
  });
  const { stdout, stderr } = await run(['repos', 'get', 'acme/site', '--debug'], { env: platform.env });
  expect(stderr).toContain('GET');
  expect(stdout + stderr).not.toContain(classicToken);
});
