/** forgectl each: one command on many targets. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Script, scriptedPlatform } from '../support/platform.ts';
import { type RunOptions, run, temporaryDirectory } from '../support/run.ts';

const repository = (name: string, rest: object = {}) => ({
  id: name.length,
  full_name: `acme/${name}`,
  name,
  archived: false,
  ...rest,
});

const fleet: Script = {
  'GET /orgs/acme/repos': { body: [repository('site'), repository('api'), repository('old', { archived: true })] },
  'GET /repos/acme/site': { body: repository('site') },
  'GET /repos/acme/api': { body: repository('api') },
  'PATCH /repos/acme/site': { body: repository('site', { description: 'x' }) },
  'PATCH /repos/acme/api': { body: repository('api', { description: 'x' }) },
  'PATCH /repos/acme/old': { status: 403, body: { message: 'Repository was archived so is read-only.' } },
};

/** Runs a command line with a state directory of its own. */
async function each(line: string | readonly string[], script: Script = fleet, options: RunOptions = {}) {
  const platform = await scriptedPlatform(script);
  const state = await temporaryDirectory();
  const words = typeof line === 'string' ? line.split(' ') : line;
  const env = { ...platform.env, XDG_STATE_HOME: state, ...options.env };
  const ended = await run(['each', ...words], { ...options, env });
  const asked = platform.requests.map(({ method, url }) => `${method} ${url.replace('/api/v3', '')}`);
  const journals = join(state, 'forgectl/journals');
  const journal = existsSync(journals)
    ? readdirSync(journals).map((name) => readFileSync(join(journals, name), 'utf8'))
    : [];
  return { ...ended, asked, requests: platform.requests, journal };
}

const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('forgectl each', () => {
  it('runs the command on every repository of an organization, and prints each result', async () => {
    const { stdout, stderr, code } = await each('repos acme -o ndjson --concurrency 1 -- repos get {}', {
      ...fleet,
      'GET /repos/acme/old': { status: 404, body: { message: 'Not Found' } },
    });
    expect(lines(stdout)).toEqual([
      { target: 'acme/site', status: 'ok', exit: 0, result: repository('site') },
      { target: 'acme/api', status: 'ok', exit: 0, result: repository('api') },
      {
        target: 'acme/old',
        status: 'failed',
        exit: 3,
        error: expect.objectContaining({ code: 'not_found', status: 404 }),
      },
    ]);
    expect({ stderr, code }).toEqual({
      stderr: [
        '2 done, 1 failed',
        '1 × 404 Not Found (acme/old)',
        '{"error":{"code":"some_failed","message":"1 of 3 targets failed."}}',
        '',
      ].join('\n'),
      code: 9,
    });
  });

  it('shows results and errors in a table only if there are any', async () => {
    const table = async (target: string, command: string) =>
      (await each(`--from - -- ${command}`, fleet, { tty: true, stdin: target })).stdout;
    expect(await table('acme/site', 'repos get {}')).toBe('TARGET     STATUS\nacme/site  ok\n');
    expect(await table('acme/old', 'repos get {}')).toBe(
      'TARGET    STATUS  ERROR\nacme/old  failed  GET /repos/acme/old returned 404 Not Found\n',
    );
  });

  it('reports once that lists are longer than their results', async () => {
    const listOn = (command: string) =>
      each(`--from - --concurrency 1 -- ${command}`, () => ({ body: [{ id: 1 }, { id: 2 }] }), {
        stdin: 'acme/site\nacme/api',
      });
    const cut = await listOn('rulesets list {} --limit 1');
    expect(cut.stdout).toBe('acme/site\tok\t1 item\t\nacme/api\tok\t1 item\t\n');
    expect(cut.stderr).toBe(
      'Some lists are longer than their results. To get all items, add --all to the command.\n2 done\n',
    );
    expect((await listOn('rulesets list {} --all')).stderr).toBe('2 done\n');
  });

  it('runs on every organization', async () => {
    const { stdout, code } = await each('orgs --fields target,result.name -- orgs get {org}', {
      'GET /organizations': { body: [{ login: 'acme' }, { login: 'globex' }] },
      'GET /orgs/acme': { body: { login: 'acme', name: 'Acme' } },
      'GET /orgs/globex': { body: { login: 'globex', name: 'Globex' } },
    });
    expect({ stdout, code }).toEqual({ stdout: 'acme\tAcme\nglobex\tGlobex\n', code: 0 });
  });

  it('runs on named organizations, each once, without listing any', async () => {
    const line = 'orgs acme globex ACME --concurrency 1 --fields target,status,result.name';
    const script = {
      'GET /orgs/acme': { body: { login: 'acme', name: 'Acme' } },
      'GET /orgs/globex': { status: 404, body: { message: 'Not Found' } },
    };
    const { stdout, stderr, code, asked } = await each(`${line} -- orgs get {}`, script);
    expect({ stdout, code, asked }).toEqual({
      stdout: 'acme\tok\tAcme\nglobex\tfailed\t\n',
      code: 9,
      asked: ['GET /orgs/acme', 'GET /orgs/globex'],
    });
    expect(stderr).toContain('1 × 404 Not Found (globex)');
    const table = await each('orgs acme -- orgs get {}', script, { tty: true });
    expect(table.stdout).toBe('TARGET  STATUS\nacme    ok\n');
    const json = await each('orgs acme -o ndjson -- orgs get {}', script);
    expect(lines(json.stdout)).toEqual([
      { target: 'acme', status: 'ok', exit: 0, result: { login: 'acme', name: 'Acme' } },
    ]);
    expect((await each('--help')).stdout).toContain('each (repos ORG… | orgs [ORG…] | --from FILE | --resume JOURNAL)');
  });

  it('reads targets from standard input, as names or records, each once', async () => {
    const stdin = 'acme/site\n\n{"full_name":"acme/api","size":3}\nACME/site\n';
    const { stdout, code } = await each('--from - --concurrency 1 --quiet -- repos get {}', fleet, { stdin });
    expect({ stdout, code }).toEqual({ stdout: 'acme/site\nacme/api\n', code: 0 });
  });

  it('reads the results of an earlier run, as jq prints those that failed', async () => {
    const { stdout } = await each('--from - --concurrency 1 -o ndjson -- repos get {}', fleet, {
      stdin: 'acme/site\nacme/gone\nacme/old',
    });
    const failed = lines(stdout).filter((line) => (line as { status: string }).status === 'failed');
    const stdin = failed.map((line) => `${JSON.stringify(line, undefined, 2)}\n`).join('');
    expect(stdin.split('\n').length).toBeGreaterThan(10);
    const again = await each('--from - --concurrency 1 --quiet -- repos get {}', fleet, { stdin });
    expect(again.stdout).toBe('acme/gone\nacme/old\n');
  });

  it('reads outcomes of a journal, changes of a plan, and records of repositories with properties', async () => {
    const stdin = [
      '{"target":"acme/site","outcome":"failed","at":"2026-03-01T12:00:00.000Z"}',
      '{"action":"update","kind":"settings","target":"acme/api","changes":[]}',
      '{"repository_id":7,"repository_full_name":"acme/old","properties":[{"property_name":"}","value":"\\"{"}]}',
    ].join('\n');
    const { stdout } = await each('--from - --concurrency 1 --quiet -- repos get {}', fleet, { stdin });
    expect(stdout).toBe('acme/site\nacme/api\nacme/old\n');
  });

  it.each([
    ['a b', 'Line 1 of standard input is not a target. Nothing was sent.'],
    ['acme/site\nacme/..', 'Line 2 of standard input is not a target. Nothing was sent.'],
    ['{"name":"site"}', 'Line 1 of standard input is not a target. Nothing was sent.'],
    ['{"target":"branch","name":"Guard"}', 'Line 1 of standard input is not a target. Nothing was sent.'],
    ['acme/site\n{\n  "full_name": "acme/api"\n', 'Line 2 of standard input is not a target. Nothing was sent.'],
    ['{"full_name":"acme/site"} acme/api', 'Line 1 of standard input is not a target. Nothing was sent.'],
    [
      '{"full_name":"acme/site","id":7}\n{"full_name":"Acme/Site","id":8}',
      '--from has two IDs for Acme/Site: 7 and 8. Nothing was sent.',
    ],
    ...['"R_7"', '9.5', 'null', '{}', '"1e1"', '9007199254740993'].map((id) => [
      `acme/api\n{"full_name":"acme/site","id":${id}}`,
      'Line 2 of standard input has an ID that is not a whole number. Nothing was sent.',
    ]),
    ['{"login":"acme","id":"O_7"}', 'Line 1 of standard input has an ID that is not a whole number. Nothing was sent.'],
    [
      '{"action":"update","target":"acme","organization_id":"O_7"}',
      'Line 1 of standard input has an ID that is not a whole number. Nothing was sent.',
    ],
    [
      '{"full_name":"acme/site","id":"7"}\n{"repository_full_name":"acme/site","repository_id":8}',
      '--from has two IDs for acme/site: 7 and 8. Nothing was sent.',
    ],
    ...[
      '{"full_name":"acme/site","id":7,"repository_id":8}',
      '{"login":"acme","id":7,"organization_id":8}',
      '{"target":"acme/site","status":"ok","id":7,"result":{"full_name":"acme/site","id":8}}',
    ].map((record) => [
      `acme/api\n${record}`,
      'Line 2 of standard input has two different IDs. Nothing was sent.\nCorrect the ID, or remove it',
    ]),
    ...[
      'full_name\nacme/site',
      'FULL_NAME\nacme/site',
      'repository_full_name\nacme/site',
      '\nlogin\nacme',
      '\nLOGIN\nacme',
    ].map((list) => [
      list,
      `Line ${list.startsWith('\n') ? 2 : 1} of standard input is a table header, not a target. Nothing was sent.`,
    ]),
    ['acme/site?x=1', 'Line 1 of standard input is not a target. Nothing was sent.'],
  ])('rejects %j as a target', async (stdin, message) => {
    const { stderr, code, asked } = await each('--from - -- repos get {}', fleet, { stdin });
    expect({ stderr, code, asked }).toEqual({ stderr: expect.stringContaining(message), code: 2, asked: [] });
  });

  it('rejects a path of more than 1,024 characters as a target, without repeating it', async () => {
    const stdin = `acme/${'a'.repeat(1020)}`;
    expect(await each('--from - -- repos get {}', fleet, { stdin })).toMatchObject({
      ...{ code: 2, asked: [] },
      stderr: expect.stringContaining('forgectl: Line 1 of standard input is not a target. Nothing was sent.\n'),
    });
    expect((await each('--from - -- repos get {}', fleet, { stdin: stdin.slice(1) })).asked).toHaveLength(1);
  });

  it('rejects an unterminated string as a target', async () => {
    const stdin = `{"name":"${'\\"'.repeat(2e6)}`;
    expect(await each('--from - -- repos get {}', fleet, { stdin })).toMatchObject({ code: 2, asked: [] });
  });

  it('selects repositories with --where', async () => {
    const { stdout } = await each(['repos', 'acme', '--where', '.archived', '--quiet', '--', 'repos', 'get', '{}'], {
      ...fleet,
      'GET /repos/acme/old': { body: repository('old') },
    });
    expect(stdout).toBe('acme/old\n');
  });

  it('selects repositories with filters, together with --where', async () => {
    const quiet = async (...words: string[]) =>
      (await each(['repos', 'acme', ...words, '--quiet', '--concurrency', '1', '--', 'repos', 'get', '{}'])).stdout;
    expect(await quiet('--no-archived')).toBe('acme/site\nacme/api\n');
    expect(await quiet('--no-archived', '--where', '.name != "site"')).toBe('acme/api\n');
    const { asked } = await each('repos acme --visibility public -- repos get {}');
    expect(asked).toEqual(['GET /orgs/acme/repos?type=public&per_page=100']);
  });

  it('selects records of a file with --where', async () => {
    const stdin = '{"full_name":"acme/site","size":3}\n{"full_name":"acme/api","size":5}\n{"login":"acme"}\n';
    const { stdout, asked } = await each(
      ['--from', '-', '--where', '.size > 4', '--quiet', '--', 'repos', 'get', '{}'],
      fleet,
      { stdin },
    );
    expect({ stdout, asked }).toEqual({ stdout: 'acme/api\n', asked: ['GET /repos/acme/api'] });
  });

  it.each([
    ['repos acme', '.archivd', 'archived'],
    ['orgs', '.logn', 'login'],
  ])('rejects a misspelled field in --where of %s before any request', async (targets, field, meant) => {
    const words = [...targets.split(' '), '--where', `${field} | not`, '--', 'api', '/x/{}'];
    expect(await each(words, fleet)).toMatchObject({
      code: 2,
      stderr: `forgectl: --where uses ${field}, which is not a field of these records. Did you mean .${meant}?\n`,
      asked: [],
    });
  });

  it('rejects a field in --where that occurs in no record of the file', async () => {
    const stdin = '{"full_name":"acme/site","tier":"gold"}\n{"full_name":"acme/api","archived":true}\n';
    const select = (where: string) =>
      each(['--from', '-', '--where', where, '--quiet', '--', 'repos', 'get', '{}'], fleet, { stdin });
    expect(await select('.size | not')).toMatchObject({
      code: 2,
      stderr: 'forgectl: --where uses .size, which is not a field of these records.\n',
      asked: [],
    });
    expect(await select('.tier == "gold"')).toMatchObject({ code: 0, stdout: 'acme/site\n' });
  });

  it('rejects --where for a file with names, which have no fields', async () => {
    const stdin = '{"full_name":"acme/site"}\n\nacme/api\n';
    const { stderr, code, asked } = await each('--from - --where .archived -- repos get {}', fleet, { stdin });
    expect({ stderr, code, asked }).toEqual({
      stderr:
        'forgectl: --where requires records, but line 3 of standard input is only a name. Nothing was sent.\nList the targets with -o ndjson, or select them with the --where of the list command.\n',
      code: 2,
      asked: [],
    });
  });

  it('replaces placeholders within words, and leaves JSON unchanged', async () => {
    const words = 'repos acme --concurrency 1 --where .name=="site" -- api POST /repos/{}/x -f a={org}:{name}'.split(
      ' ',
    );
    const { requests } = await each([...words, '-f', 'b={"c":1}'], {
      ...fleet,
      'POST /repos/acme/site/x': { body: {} },
    });
    expect(requests.at(-1)).toMatchObject({ method: 'POST', body: '{"a":"acme:site","b":"{\\"c\\":1}"}' });
  });

  it('accepts another placeholder with --replace', async () => {
    const { asked } = await each('repos acme --where .name=="site" --replace @@ -- repos get @@');
    expect(asked.at(-1)).toBe('GET /repos/acme/site');
  });

  it('gives every command the same standard input, read once', async () => {
    const { requests } = await each(
      '--from targets.txt -- repos update {} --input -'.replace('targets.txt', await file('acme/site\nacme/api\n')),
      fleet,
      {
        stdin: '{"description":"x"}',
      },
    );
    const sent = requests.filter(({ method }) => method === 'PATCH');
    expect(sent.map(({ body }) => body)).toEqual(['{"description":"x"}', '{"description":"x"}']);
  });

  it('--dry-run prints the requests of all targets and sends none', async () => {
    const { stdout, stderr, asked, journal } = await each(
      'repos acme --concurrency 1 --dry-run -- repos update {} --description x',
    );
    expect(stdout).toBe(
      [
        'acme/site\tPATCH /repos/acme/site\t{"description":"x"}\t\n',
        'acme/api\tPATCH /repos/acme/api\t{"description":"x"}\t\n',
        'acme/old\tPATCH /repos/acme/old\t{"description":"x"}\t\n',
      ].join(''),
    );
    expect({ stderr, asked, journal }).toEqual({
      stderr: [
        '3 repositories of acme: visibility and last push unknown',
        'acme/site, acme/api, acme/old',
        'description: x',
        'Dry run: nothing was sent.',
        '',
      ].join('\n'),
      asked: ['GET /orgs/acme/repos?per_page=100'],
      journal: [],
    });
  });

  it('--dry-run prints the requests of a command that reads', async () => {
    const { stdout, stderr, asked } = await each('--from - --dry-run -- repos get {}', fleet, { stdin: 'acme/site' });
    expect({ stdout, stderr, asked }).toEqual({
      stdout: 'acme/site\tGET /repos/acme/site\t\t\n',
      stderr: 'Dry run: nothing was sent.\n',
      asked: [],
    });
  });
});

describe('before the first request, each rejects', () => {
  it.each([
    ['repos acme', 'No command given.'],
    ['repos acme -- nosuch {}', 'Unknown command'],
    ['repos acme -- repos get acme/site', 'The command does not contain {}. Add it where the target goes.'],
    ['repos acme -- repos get {} --nosuch', 'Unknown flag --nosuch.'],
    ['repos acme -- repos update {} --visibility secret', 'visibility must be one of public, private, internal.'],
    ['repos acme -- repos update {}', 'No changes given. Nothing was sent.'],
    ['repos acme -- repos get {} --json', 'Put --json before --: it applies to each as a whole.'],
    ['repos acme -- repos get {} -ojson', 'Put --output before --: it applies to each as a whole.'],
    ['orgs -- properties set {} a=b --repos x --journal y', 'Put --journal before --: it applies to each as a whole.'],
    ['repos acme -- repos get {} --base-url x', 'Put --base-url before --: it applies to each as a whole.'],
    ['repos acme -- repos delete {} --yes', 'Put --yes before --: it applies to each as a whole.'],
    ['repos acme -- repos update {} --dry-run', 'Put --dry-run before --: it applies to each as a whole.'],
    ['repos acme -- audit-log list {org} --follow', '--follow is not supported within each.'],
    ['repos acme -- registries seal {org}', '“registries seal” prints a secret and cannot run within each.'],
    ['repos acme -- auth check {}', '“auth check” cannot run within each.'],
    ['repos acme -- each --from {} -- orgs get {}', '“each” cannot run within each.'],
    ['repos acme -- sandbox serve {}', '“sandbox serve” cannot run within each.'],
    ['orgs -- repos get {}/{name}', '{name} requires a repository, but ORG is an organization.'],
    ['orgs -- repos get {}', 'OWNER/NAME'],
    ['repos -- repos get {}', 'ORG is required'],
    ['-- repos get {}', 'TARGETS is required: repos ORG…, orgs [ORG…], or --from FILE'],
    ['orgs acme/site -- orgs get {}', 'ORG must be a single name, without a slash'],
    ['orgs acme globex?x=1 -- orgs get {}', 'ORG must be the login of an organization, not “globex?x=1”'],
    ['orgs acme --where .x -- orgs get {}', '--where cannot be used with orgs ORG…, which are only names'],
    ['orgs acme -- repos get {}', 'OWNER/NAME'],
    ['orgs --from x -- orgs get {}', '--from cannot be used with orgs'],
    ['orgs --no-archived --topic web -- orgs get {}', '--no-archived requires repos'],
    ['--from x --topic web -- repos get {}', '--topic requires repos'],
    ['orgs --only failed -- orgs get {}', '--only requires --resume'],
    ['orgs --shard 3/2 -- orgs get {}', '--shard must have the form I/N, from 1/N to N/N'],
    ['orgs --shard-index 1 -- orgs get {}', '--shard-index requires --shards'],
    ['orgs --shards 2 -- orgs get {}', '--shards requires --shard-index'],
    [
      'orgs --shard-index -1 --shards 2 -- orgs get {}',
      'forgectl: --shard-index must be a whole number from 0 to 999998. Nothing was sent.',
    ],
    [
      'orgs --shard-index x --shards 0 -- orgs get {}',
      'forgectl: --shard-index must be a whole number from 0 to 999998; --shards must be a whole number from 1 to 999999. Nothing was sent.',
    ],
    [
      'orgs --shard-index 2 --shards 2 -- orgs get {}',
      '--shard-index must be less than --shards 2, because it counts from 0',
    ],
    [
      'orgs --shard 1/2 --shard-index 1 --shards 2 -- orgs get {}',
      '--shard cannot be used with --shard-index and --shards',
    ],
    ['orgs --expect 3..2 -- orgs get {}', '--expect must be a number or a range, such as 40, 40..120 or 40..'],
    ['orgs --max-failures x -- orgs get {}', '--max-failures must be a whole number, or a percentage such as 5%'],
    ['orgs --journal a --resume b -- orgs get {}', '--journal cannot be used with --resume'],
    ['--resume a --resume-or-start b', '--resume cannot be used with --resume-or-start'],
    ['--journal a --resume-or-start b', '--journal cannot be used with --resume-or-start'],
  ])('forgectl each %s', async (line, message) => {
    const { stderr, code, asked } = await each(line);
    expect({ stderr, code, asked }).toEqual({ stderr: expect.stringContaining(message), code: 2, asked: [] });
  });

  it('a target whose name would be read as a flag', async () => {
    const { stdout, asked } = await each('repos acme -o ndjson -- api GET {name}', {
      'GET /orgs/acme/repos': { body: [repository('--paginate')] },
    });
    expect(lines(stdout)).toEqual([
      expect.objectContaining({
        status: 'failed',
        exit: 2,
        error: { code: 'usage', message: '--paginate would be read as a flag. Put -- before {name}.' },
      }),
    ]);
    expect(asked).toEqual(['GET /orgs/acme/repos?per_page=100']);
  });
});

describe('a command that requires confirmation', () => {
  const script: Script = {
    ...fleet,
    'GET /repos/acme/site': { body: repository('site', { id: 1 }) },
    'GET /repos/acme/api': { body: repository('api', { id: 2 }) },
    'DELETE /repos/acme/site': { status: 204 },
    'DELETE /repos/acme/api': { status: 204 },
  };
  const targets = 'acme/site\nacme/api\n';

  it.each(['', ' --yes', ' --yes --max-failures 1'])('is rejected with “%s”', async (flags) => {
    const { stderr, code, asked } = await each(`--from ${await file(targets)}${flags} -- repos delete {}`, script);
    expect({ stderr, code, asked }).toEqual({
      stderr: expect.stringContaining('confirm with --yes and --expect N..M.'),
      code: 2,
      asked: [],
    });
  });

  it('runs with --yes and --expect', async () => {
    const { code, asked } = await each(`--from ${await file(targets)} --yes --expect 2 -- repos delete {}`, script);
    const deletions = asked.filter((request) => request.startsWith('DELETE '));
    expect({ code, deletions }).toEqual({ code: 0, deletions: ['DELETE /repos/acme/site', 'DELETE /repos/acme/api'] });
  });

  it('runs after the number of targets is typed', async () => {
    const { stderr, asked } = await each(`--from ${await file(targets)} -- repos delete {}`, script, {
      person: [['Type “2” to confirm', '2\n']],
    });
    const deletions = asked.filter((request) => request.startsWith('DELETE '));
    expect(deletions).toEqual(['DELETE /repos/acme/site', 'DELETE /repos/acme/api']);
    expect(stderr).toContain('--expect 2 --yes');
  });

  it('does not run after another answer', async () => {
    const { code, asked } = await each(`--from ${await file(targets)} -- repos delete {}`, script, {
      person: [['Type “2” to confirm', 'yes\n']],
    });
    expect({ code, asked }).toEqual({ code: 2, asked: [] });
  });
});

describe('--expect', () => {
  it.each([
    ['3', 0],
    ['2..4', 0],
    ['3..', 0],
    ['..3', 0],
    ['4', 12],
    ['..2', 12],
    ['4..', 12],
  ])('%s ends with %i for three repositories', async (range, expected) => {
    const script = { ...fleet, 'GET /repos/acme/old': { body: repository('old') } };
    const { code, asked } = await each(`repos acme --expect ${range} -- repos get {}`, script);
    expect({ code, requests: asked.length }).toEqual({ code: expected, requests: expected === 0 ? 4 : 1 });
  });
});

describe('--max-failures', () => {
  it.each(['0', '34%'])('%s skips the rest', async (limit) => {
    const { stdout, stderr, code } = await each(`repos acme --concurrency 1 --max-failures ${limit} -- repos get {}`, {
      'GET /orgs/acme/repos': { body: ['a', 'b', 'c', 'd'].map((name) => repository(name)) },
    });
    const statuses = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[1]);
    const failed = limit === '0' ? 1 : 2;
    expect(statuses).toEqual([...Array(failed).fill('failed'), ...Array(4 - failed).fill('skipped')]);
    expect({ stderr, code }).toEqual({ stderr: expect.stringContaining(`: ${4 - failed} skipped.`), code: 9 });
  });
});

describe('a run that changes something', () => {
  const readable = { ...fleet, 'GET /repos/acme/old': { body: repository('old') } };

  it('writes a journal to the state directory, and explains how to continue', async () => {
    const line = 'repos acme --concurrency 1 -- repos update {} --description x';
    const { stderr, code, journal } = await each(line, readable);
    const [text = ''] = journal;
    const at = expect.any(String);
    expect(lines(text)).toEqual([
      {
        journal: 2,
        platform: expect.stringContaining('/api/v3'),
        line: ['repos', 'acme', '--concurrency', '1'],
        command: ['repos', 'update', '{}', '--description', 'x'],
      },
      { targets: ['acme/site', 'acme/api', 'acme/old'].map((name) => expect.objectContaining({ name })) },
      ...['site', 'api'].flatMap((name) => [
        { target: `acme/${name}`, sending: `PATCH /repos/acme/${name}`, at, before: { id: name.length } },
        { target: `acme/${name}`, received: `PATCH /repos/acme/${name}`, status: 200, at },
        { target: `acme/${name}`, outcome: 'ok', at },
      ]),
      { target: 'acme/old', sending: 'PATCH /repos/acme/old', at, before: { id: 3 } },
      { target: 'acme/old', received: 'PATCH /repos/acme/old', status: 403, at },
      { target: 'acme/old', outcome: 'failed', at, error: expect.objectContaining({ exit: 5, code: 'not_permitted' }) },
    ]);
    expect(code).toBe(9);
    expect(stderr).toMatch(
      /^Journal: \S+\.ndjson\n2 done, 1 failed\n1 × archived \(acme\/old\)\nContinue with:\n {2}forgectl each --concurrency 1 --resume \S+\.ndjson\nThis run cannot be undone .*\nforgectl: 1 of 3 targets failed\.\n/,
    );
  });

  it('continues with --resume, and sends only what is not done', async () => {
    const path = join(await temporaryDirectory(), 'run.ndjson');
    const line = (flag: string) => `repos acme --concurrency 1 ${flag} ${path}`;
    const target = await scriptedPlatform(readable);
    const again = async (more: string, flag = '--resume') => {
      const before = target.requests.length;
      const { stdout, stderr, code } = await run(
        [...`each ${line(flag)}${more} -- repos update {} --description x`.split(' ')],
        {
          env: target.env,
        },
      );
      const sent = target.requests.slice(before).filter(({ method }) => method === 'PATCH');
      return { stdout, stderr, code, sent: sent.map(({ url }) => url.replace('/api/v3/repos/', '')) };
    };
    expect(await again('', '--journal')).toMatchObject({ code: 9, sent: ['acme/site', 'acme/api', 'acme/old'] });
    expect(await again('')).toMatchObject({
      stdout: expect.stringMatching(/^acme\/site\tskipped\t\t\nacme\/api\tskipped\t\t\nacme\/old\tfailed/),
      sent: ['acme/old'],
    });
    expect(await again(' --only failed')).toMatchObject({
      stdout: expect.stringMatching(/^acme\/old\tfailed/),
      stderr: expect.stringMatching(/\n0 done, 1 failed\n.*\nforgectl: 1 of 1 target failed\.\n$/s),
      sent: ['acme/old'],
    });
    // The journal still has all targets of the run.
    expect(readFileSync(path, 'utf8').match(/^\{"targets":/gm)).toHaveLength(1);
  });

  it('rejects a journal of another command', async () => {
    const path = join(await temporaryDirectory(), 'run.ndjson');
    const target = await scriptedPlatform(fleet);
    await run(`each repos acme --journal ${path} -- repos update {} --description x`.split(' '), { env: target.env });
    const sent = target.requests.filter(({ method }) => method === 'PATCH').length;
    const ended = await run(`each repos acme --resume ${path} -- repos update {} --description y`.split(' '), {
      env: target.env,
    });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('is the journal of another command line') });
    expect(target.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(sent);
  });

  it('counts a target with all its writes in the journal as done, and sends nothing', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'run.ndjson');
    const target = await scriptedPlatform(fleet);
    const at = '"at":"2026-03-01T12:00:00.000Z"';
    const step = 'PATCH /repos/acme/site';
    writeFileSync(
      path,
      [
        `{"journal":2,"platform":"${target.baseUrl}","command":["repos","update","{}","--description","x"]}`,
        '{"targets":[{"name":"acme/site"}]}',
        `{"target":"acme/site","sending":"${step}",${at}}`,
        `{"target":"acme/site","received":"${step}","status":200,${at}}`,
        '',
      ].join('\n'),
      { mode: 0o600 },
    );
    const line = `each --from - --resume ${path} -- repos update {} --description x`;
    const ended = await run(line.split(' '), { env: target.env, stdin: 'acme/site' });
    expect({ ...ended, requests: target.requests }).toMatchObject({
      stdout: 'acme/site\tok\t\t\n',
      code: 0,
      requests: [],
    });
  });
});

it('assigns every target to exactly one shard', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `acme/r${index}`);
  const platform = await scriptedPlatform(() => ({ body: {} }));
  for (const shard of ['--shard 1/3', '--shard-index 1 --shards 3', '--shard-index=2 --shards=3'])
    await run(`each --from - ${shard} -- repos get {}`.split(' '), {
      env: platform.env,
      stdin: names.join('\n'),
    });
  expect(platform.requests.map(({ url }) => url.replace('/api/v3/repos/', '')).sort()).toEqual([...names].sort());
});

/** Returns the path of a file with a text. */
async function file(text: string): Promise<string> {
  const path = join(await temporaryDirectory(), 'targets.txt');
  writeFileSync(path, text);
  return path;
}
