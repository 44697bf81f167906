/** forgectl each: what is shown and asked before a bulk write. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Script, scriptedPlatform } from '../../support/platform.ts';
import { type RunOptions, run, temporaryDirectory } from '../../support/run.ts';

const secret = ['s3cret', 'value', 'of', 'a', 'hook'].join('-');

/** Repositories of acme: the first four were pushed in the last 90 days, and the last one never. */
const repositories = (count: number, rest: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    full_name: `acme/r${index}`,
    private: true,
    visibility: 'private',
    archived: false,
    pushed_at: index < 4 ? '2026-02-01T00:00:00Z' : index === count - 1 ? null : '2025-11-01T00:00:00Z',
    ...rest,
  }));

/** A platform with these repositories, which accepts every write. */
const withRepositories =
  (...listed: readonly object[][]): Script =>
  ({ method, url }) => {
    const lists = [/\/orgs\/acme\/repos/, /\/orgs\/globex\/repos/];
    const list = lists.findIndex((pattern) => pattern.test(url));
    if (method === 'GET' && list >= 0) return { body: listed[list] };
    const [, name = ''] = /\/repos\/(.*)$/.exec(url) ?? [];
    return { body: { id: Number(name.replace(/^\w+\/r/, '')) + 1, full_name: name, description: null } };
  };

async function each(line: string, script: Script, options: RunOptions = {}) {
  const platform = await scriptedPlatform(script);
  const env = { ...platform.env, XDG_STATE_HOME: await temporaryDirectory() };
  const ended = await run(['each', ...line.split(' ')], { ...options, env });
  const writes = platform.requests.filter(({ method }) => method !== 'GET');
  return { ...ended, writes: writes.length, asked: platform.requests.length };
}

/** Returns the lines before the journal, or before the end of a dry run. */
const shown = (stderr: string) =>
  stderr
    .replaceAll('\r', '')
    .split(/Journal: |Dry run: /)[0]
    ?.trimEnd()
    .split('\n');

describe('--dry-run shows on stderr', () => {
  it('what the repositories are, five names and the change', async () => {
    const { stderr, stdout, writes } = await each(
      'repos acme --dry-run -o ndjson -- repos archive {}',
      withRepositories(repositories(26)),
    );
    expect(shown(stderr)).toEqual([
      '26 repositories of acme: 26 private, 4 pushed in the last 90 days',
      'acme/r0, acme/r1, acme/r2, acme/r3, acme/r4 and 21 more',
      'archived: no → yes',
    ]);
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
      target: 'acme/r0',
      status: 'ok',
      exit: 0,
      result: {
        method: 'PATCH',
        url: expect.stringMatching(/^http:\S+\/api\/v3\/repos\/acme\/r0$/),
        body: { archived: true },
      },
    });
    expect(writes).toBe(0);
  });

  it('visibilities that cannot be text as JSON', async () => {
    const odd = repositories(1, { visibility: { toString: 1, valueOf: 1 } });
    const { stderr } = await each('repos acme --dry-run -- repos archive {}', withRepositories(odd));
    expect(shown(stderr)?.[0]).toBe('1 repository of acme: 1 {"toString":1,"valueOf":1}, 1 pushed in the last 90 days');
  });

  it('different old values with their counts, fields that no list shows, and values that stay', async () => {
    const listed = repositories(2, { has_wiki: true, description: 'x' });
    const others = repositories(1, {
      full_name: 'globex/site',
      visibility: 'public',
      has_wiki: false,
      description: 'x',
    });
    const { stderr } = await each(
      'repos acme globex --dry-run -- repos update {} --no-has-wiki --description x --allow-auto-merge',
      withRepositories(listed, others),
    );
    expect(shown(stderr)).toEqual([
      '3 repositories of acme and globex: 2 private, 1 public, 3 pushed in the last 90 days',
      'acme/r0, acme/r1, globex/site',
      'description: x (no change)',
      'has_wiki: yes (2), no (1) → no',
      'allow_auto_merge: yes',
    ]);
  });

  it('more than three different old values as a number, and archived repositories', async () => {
    const listed = repositories(4).map((record, index) => ({
      ...record,
      description: `d${index}`,
      archived: index > 2,
    }));
    const { stderr } = await each('repos acme --dry-run -- repos update {} --description x', withRepositories(listed));
    expect(shown(stderr)).toEqual([
      '4 repositories of acme: 4 private, 1 archived, 4 pushed in the last 90 days',
      'acme/r0, acme/r1, acme/r2, acme/r3',
      'description: 4 different values → x',
    ]);
  });

  it('the request and its fields, if it does not change the target itself', async () => {
    const line = 'repos acme --dry-run -- rulesets create {} --name Guard --enforcement active --target branch';
    const { stderr } = await each(line, withRepositories(repositories(1)));
    expect(shown(stderr)?.slice(1)).toEqual([
      'acme/r0',
      'POST /repos/{}/rulesets',
      'name: Guard',
      'target: branch',
      'enforcement: active',
    ]);
  });

  it.each([
    ['null', 'body: -'],
    ['["a","b"]', 'body: a, b'],
  ])('a body that is no object: %s', async (stdin, body) => {
    const line = 'repos acme --dry-run -- api PATCH /repos/{} --input -';
    const { stdout, stderr, code } = await each(line, withRepositories(repositories(1)), { stdin });
    expect({ stdout, code }).toEqual({ stdout: `acme/r0\tPATCH /repos/acme/r0\t${stdin}\t\n`, code: 0 });
    expect(shown(stderr)?.slice(1)).toEqual(['acme/r0', 'PATCH /repos/{}', body]);
  });

  it('organizations, and a deletion by its request', async () => {
    const stdin =
      '{"login":"acme"}\nglobex\n{"full_name":"acme/r1","visibility":"public","pushed_at":"2026-02-20T00:00:00Z"}';
    const { stderr } = await each('--from - --dry-run -- api DELETE {}/x', withRepositories(), { stdin });
    expect(shown(stderr)).toEqual([
      '2 organizations and 1 repository of acme: 1 public, 1 pushed in the last 90 days (according to standard input)',
      'acme, globex, acme/r1',
      'DELETE /{}/x',
    ]);
  });

  it('people whose memberships change', async () => {
    const stdin = 'paperfox\ntealheron\n';
    const script: Script = {
      'GET /orgs/acme/teams/platform': { body: { id: 1, slug: 'platform', organization: { login: 'acme' } } },
    };
    const { stderr } = await each('--from - --dry-run -- teams add acme platform {} --role member', script, { stdin });
    expect(shown(stderr)).toEqual([
      '2 people',
      'paperfox, tealheron',
      'PUT /orgs/acme/teams/platform/memberships/{} (for paperfox)',
      'role: member',
    ]);
  });

  it('what is unknown about targets given only by name', async () => {
    const { stderr } = await each('--from - --dry-run -- repos archive {}', withRepositories(), { stdin: 'acme/site' });
    expect(shown(stderr)).toEqual([
      '1 repository of acme: visibility and last push unknown',
      'acme/site',
      'archived: yes',
    ]);
  });

  it('no secret', async () => {
    const path = join(await temporaryDirectory(), 'hook.json');
    writeFileSync(path, JSON.stringify({ config: { url: `https://u:${secret}@x.example`, secret } }));
    const line = `repos acme --dry-run -- api POST /repos/{}/hooks --input ${path}`;
    const { stderr, stdout } = await each(line, withRepositories(repositories(1)));
    expect(shown(stderr)?.slice(2)).toEqual([
      'POST /repos/{}/hooks',
      'config.url: https://u:********@x.example',
      'config.secret: ********',
    ]);
    expect(stdout + stderr).not.toContain(secret);
  });

  it('nothing for a command that reads', async () => {
    for (const command of ['repos get {}', 'repos topics {}', 'api repos/{}']) {
      const { stderr } = await each(`repos acme --dry-run -- ${command}`, withRepositories(repositories(12)));
      expect(stderr).toBe('Dry run: nothing was sent.\n');
    }
  });
});

describe('the table of a dry run', () => {
  it('has the target, the change and the body', async () => {
    const line = 'repos acme --dry-run -- repos update {} --description x';
    const { stdout } = await each(line, withRepositories(repositories(2)), { tty: true });
    expect(stdout.split('\n')).toEqual([
      'TARGET   CHANGE                BODY',
      'acme/r0  PATCH /repos/acme/r0  {"description":"x"}',
      'acme/r1  PATCH /repos/acme/r1  {"description":"x"}',
      '',
    ]);
  });
});

describe('on a terminal', () => {
  const line = 'repos acme --concurrency 1 -- repos update {} --description x';

  it('the change of more than 10 targets is shown, and their number must be typed', async () => {
    const question = 'This changes 11 targets. Type “11” to confirm:';
    const script = withRepositories(repositories(11));
    const confirmed = await each(line, script, { person: [[question, '11\r']] });
    expect({ code: confirmed.code, writes: confirmed.writes }).toEqual({ code: 0, writes: 11 });
    expect(confirmed.stderr).toContain('11 repositories of acme: 11 private, 4 pushed in the last 90 days');
    expect(confirmed.stderr.indexOf('11 repositories of acme')).toBeLessThan(confirmed.stderr.indexOf(question));
    const refused = await each(line, script, { person: [[question, 'y\r']] });
    expect({ code: refused.code, writes: refused.writes, asked: refused.asked }).toEqual({
      code: 2,
      writes: 0,
      asked: 1,
    });
  });

  it.each([
    ['10 targets', 10, line],
    ['more with --yes alone', 11, `--yes ${line}`],
    ['more of a command that reads', 11, 'repos acme -- repos topics {}'],
    ['more of a command that reads by api', 11, 'repos acme -- api repos/{}'],
  ])('nothing is asked for %s', async (_, count, words) => {
    const given = words.startsWith('--yes') ? words.replace('--yes repos acme', 'repos acme --yes') : words;
    const { code, stderr } = await each(given, withRepositories(repositories(count)), { person: [] });
    expect(code).toBe(0);
    expect(stderr).not.toContain('to confirm');
    expect(stderr.includes(`${count} repositories of acme: ${count} private`)).toBe(words.includes('update'));
  });

  it('the writes of a command that reads first are those of the first target', async () => {
    const script: Script = {
      'GET /orgs/acme/repos': { body: repositories(2) },
      'GET /repos/acme/r0': { body: { id: 77, full_name: 'acme/r0' } },
    };
    const words = 'repos acme -- orgs immutable-releases remove {org} {}';
    const { stderr, code } = await each(words, script, { person: [['This stops enforcing', 'no\r']] });
    expect(code).toBe(2);
    expect(stderr).toContain('DELETE /orgs/acme/settings/immutable-releases/repositories/77 (for acme/r0)');
  });

  it('a command that asks for confirmation still requires --expect with --yes', async () => {
    const { code, stderr, asked } = await each('repos acme --yes -- repos archive {}', withRepositories(), {
      person: [],
    });
    expect({ code, asked }).toEqual({ code: 2, asked: 0 });
    expect(stderr).toContain('confirm with --yes and --expect N..M.');
  });

  it('a command that asks for confirmation shows the change before the prompt', async () => {
    const { code, stderr, writes } = await each('repos acme -- repos archive {}', withRepositories(repositories(2)), {
      person: [['This archives every target', 'no\r']],
    });
    expect({ code, writes }).toEqual({ code: 2, writes: 0 });
    expect(stderr).toContain('archived: no → yes');
  });

  it('only the targets that an earlier run has not completed are counted', async () => {
    const path = join(await temporaryDirectory(), 'run.ndjson');
    const script = withRepositories(repositories(11));
    const platform = await scriptedPlatform(script);
    const words = `each repos acme --resume-or-start ${path} -- repos update {} --description x`.split(' ');
    const begun = await run(words, { env: platform.env });
    expect(begun.code).toBe(0);
    const again = await run(words, { env: platform.env, person: [] });
    expect({ code: again.code, isShown: again.stderr.includes('repositories of acme') }).toEqual({
      code: 0,
      isShown: false,
    });
  });
});

it('without a terminal nothing is shown, and there is no prompt', async () => {
  const { code, stderr, writes } = await each(
    'repos acme -- repos update {} --description x',
    withRepositories(repositories(11)),
  );
  expect({ code, writes }).toEqual({ code: 0, writes: 11 });
  expect(stderr).toMatch(/^Journal: \S+\n11 done\nUndo with:\n.*\n$/);
});
