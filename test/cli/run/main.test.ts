import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';

describe('an unknown command', () => {
  it('is a usage error with a suggestion', async () => {
    const { stderr, stdout, code } = await run(['orgs', 'lst']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('Unknown command “orgs lst”');
    expect(stderr).toContain('forgectl orgs list');
  });

  it('is one JSON line with --json', async () => {
    const { stderr, code } = await run(['orgs', 'lst', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage' } });
  });

  it('a flag of some commands before the command is reported with the correct order', async () => {
    const { stderr, code } = await run(['--debug', '--all', 'orgs', 'list']);
    expect(code).toBe(2);
    expect(stderr).toContain('Put flags after the command:\n  forgectl orgs list --debug --all');
  });

  it.each([
    [['orgs', 'get'], 'ORG'],
    [['orgs', 'get', 'a', 'b'], '“b”'],
    [['repos', 'list', 'acme', '--limt', '3'], 'Did you mean --limit'],
    [['orgs', 'get', 'acme', '--output'], '--output expects a value'],
    [['orgs', 'get', 'acme', '-o', 'xml'], '--output must be one of table, tsv, csv, json, ndjson, yaml'],
    [['orgs', 'get', 'acme', '--timeout', 'soon'], '--timeout must be a duration'],
    [['orgs', 'get', 'acme', '--timeout', '0s'], '--timeout must be longer than 0s'],
    [['orgs', 'list', '--per-page', '101'], '--per-page must be a whole number from 1 to 100'],
    [['orgs', 'get', 'acme', '--json', '-o', 'yaml'], '--json'],
    [['orgs', 'get', 'acme', '-o', 'yaml', '--jq', '.'], '--jq'],
    [['orgs', 'get', 'acme', '--jq', '.['], 'jq'],
    [['orgs', 'get', 'acme', '--fields', 'a..b'], '--fields'],
  ])('%j is rejected with exit code 2 and one sentence', async (words, said) => {
    const { stderr, stdout, code } = await run(words, { env: { FORGECTL_BASE_URL: 'http://127.0.0.1:9' } });
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(said);
    expect(stderr).not.toMatch(/ at .*:\d+:\d+/);
  });

  it.each(['xml', 'yaml', 'table'])('--json with -o %s is rejected, with the error in JSON', async (format) => {
    const { stderr, code } = await run(['orgs', 'get', 'acme', '--json', '-o', format]);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'validation' } });
  });
});

describe('errors with --jq', () => {
  const lines = [
    ['orgs', 'get', 'gone', '--jq', '.login'],
    ['orgs', 'get', 'gone', '-q', '.login', '--limt'],
    ['orgs', 'get', '-q.login'],
    ['orgs', 'lst', '--jq=.login'],
  ];
  const platform = () => scriptedPlatform({ 'GET /orgs/gone': { status: 404, body: { message: 'Not Found' } } });

  it.each(lines)('are sentences at a terminal: %s %s %s %s %s', async (...words) => {
    const { env } = await platform();
    const { stderr, code } = await run(words, { env, tty: true });
    expect({ code, stderr }).toEqual({ code: expect.any(Number), stderr: expect.stringMatching(/^forgectl: /) });
    expect(code).not.toBe(0);
    expect(JSON.parse((await run([...words, '--json'], { env, tty: true })).stderr)).toHaveProperty('error.code');
  });

  it.each(lines)('are JSON elsewhere: %s %s %s %s %s', async (...words) => {
    const { env } = await platform();
    expect(JSON.parse((await run(words, { env })).stderr)).toHaveProperty('error.code');
  });
});

describe('a boolean flag', () => {
  it('accepts true and false', async () => {
    const platform = await scriptedPlatform({ 'PATCH /orgs/acme': { body: {} } });
    const words = ['orgs', 'update', 'acme', '--members-can-create-pages=false', '--web-commit-signoff-required=true'];
    expect((await run(words, { env: platform.env })).code).toBe(0);
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      members_can_create_pages: false,
      web_commit_signoff_required: true,
    });
  });

  it('is reported if it has any other value', async () => {
    const { stderr, code } = await run(['repos', 'create', 'acme/x', '--private=yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('--private takes no value');
  });
});

describe('a word that looks like a flag', () => {
  const comment = ['comments', 'create', 'acme/site', 'ce58745'];

  it.each([
    [['--body', '-h'], '-h'],
    [['--body', '--help'], '--help'],
    [['--body', '--yes=maybe'], '--yes=maybe'],
    [['--body', '--yes=true'], '--yes=true'],
    [['--body=-h'], '-h'],
  ])('is text if it is the value of a flag: %j', async (words, body) => {
    const platform = await scriptedPlatform(() => ({ status: 201, body: { id: 7 } }));
    expect(await run([...comment, ...words], { env: platform.env })).toMatchObject({ code: 0 });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({ body });
  });

  it.each([
    ['-o', 'json', '-h'],
    ['--body', 'x', '--help'],
    ['--yes', '-h'],
  ])('shows help otherwise: %s %s %s', async (...words) => {
    expect((await run([...comment, ...words])).stdout).toContain('forgectl comments create REPO SHA');
  });
});

describe('both forms of a flag', () => {
  it.each([
    ['--web-commit-signoff-required', '--no-web-commit-signoff-required'],
    ['--no-web-commit-signoff-required', '--web-commit-signoff-required'],
    ['--web-commit-signoff-required', '--web-commit-signoff-required=false'],
  ])('cannot be used together: %s %s', async (...words) => {
    const { stderr, code } = await run(['orgs', 'update', 'acme', ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      '--web-commit-signoff-required and --no-web-commit-signoff-required cannot be used together. Nothing was sent.',
    );
  });
});

describe('a result that cannot be shown', () => {
  it('reports that the change was made, exit code 1', async () => {
    const platform = await scriptedPlatform({ 'PATCH /orgs/acme': { body: { login: 'acme' } } });
    const { stderr, code } = await run(['orgs', 'update', 'acme', '--blog', 'x', '--jq', '.login.name'], {
      env: platform.env,
    });
    expect(code).toBe(1);
    expect(stderr).toContain('The change was made');
    expect(platform.requests).toHaveLength(1);
  });
});

describe('a dry run', () => {
  it('shows the request in HTTP format, its body as JSON', async () => {
    const { stdout } = await run(['rulesets', 'update', 'acme', '7', '--bypass-actors', '[]', '--dry-run'], {
      env: { FORGECTL_BASE_URL: 'http://127.0.0.1:9/api/v3' },
      tty: true,
    });
    expect(stdout).toMatch(/^PUT http:\/\/127\.0\.0\.1:9\/api\/v3\/orgs\/acme\/rulesets\/7\n/);
    expect(stdout).toContain('{\n  "bypass_actors": []\n}\n');
  });
});

describe('help', () => {
  it('without words lists topics and commands, exit code 0', async () => {
    const { stdout, code } = await run([]);
    expect(code).toBe(0);
    for (const topic of ['orgs', 'repos', 'registries', 'auth', 'sandbox']) expect(stdout).toContain(`\n  ${topic} `);
  });

  it.each([[['repos', 'list', '--help']], [['repos', 'list', '-h']], [['help', 'repos', 'list']]])(
    '%j shows flags with words, defaults and required access',
    async (words) => {
      const { stdout, code } = await run(words);
      expect(code).toBe(0);
      expect(stdout).toContain('forgectl repos list ORG [FLAGS]');
      expect(stdout).toContain('--sort=created|updated|pushed|full_name');
      expect(stdout).toMatch(/default:\s+created/);
      expect(stdout).toContain('ACCESS');
      expect(stdout).toContain('GET /orgs/{org}/repos');
      expect(stdout).toContain('metadata (read)');
    },
  );

  it('a topic alone shows its commands', async () => {
    const { stdout, code } = await run(['registries']);
    expect(code).toBe(0);
    expect(stdout).toContain('registries seal');
  });

  it('for an unknown command is a usage error', async () => {
    expect((await run(['help', 'nothing'])).code).toBe(2);
  });
});

describe('flags before the command', () => {
  it.each([
    ['--json --fields login orgs get acme', '{\n  "login": "acme"\n}\n'],
    ['-o csv --fields=login,id orgs get acme', 'login,id\nacme,7\n'],
    ['-ojson -q .login --debug=true --no-cache orgs get acme', 'acme\n'],
    ['--quiet orgs:get acme', 'acme\n'],
    ['--jq .id api GET /orgs/acme', '7\n'],
    ['--fields id --timeout 5s orgs get -- acme', '7\n'],
  ])('are accepted: %s', async (line, stdout) => {
    const { env } = await scriptedPlatform({ 'GET /orgs/acme': { body: { login: 'acme', id: 7 } } });
    expect(await run(line.split(' '), { env })).toMatchObject({ code: 0, stdout });
  });

  it('are reported with the command’s own errors', async () => {
    const { stderr, code } = await run(['--output', 'xml', 'orgs', 'get']);
    expect(code).toBe(2);
    expect(stderr).toContain('--output must be one of table, tsv, csv, json, ndjson, yaml');
  });

  it.each(['--profile x orgs --help', '--profile x orgs', '--profile x help orgs'])(
    'do not affect help: %s',
    async (line) => {
      const { stdout, code } = await run(line.split(' '));
      expect(code).toBe(0);
      expect(stdout).toContain('forgectl orgs list');
    },
  );

  it('do not affect unknown commands', async () => {
    expect((await run(['--profile', 'x', 'orgs', 'lst'])).stderr).toContain('Unknown command “orgs lst”');
  });
});
