import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { classicToken, pathOf, type RecordedRequest, scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

const cloneToken = ['A', 'C'.repeat(28)].join('');

const policy = `organizations: [acme]
repositories:
  - select: {}
    rulesets:
      - { name: Guard, enforcement: active, bypass_actors: [], rules: [{ type: deletion }] }
`;

const repository = {
  id: 1,
  name: 'site',
  full_name: 'acme/site',
  owner: { login: 'acme', id: 2 },
  archived: false,
  private: true,
  temp_clone_token: cloneToken,
};

/** What the platform has, which tests change between runs. */
interface State {
  updatedAt: string;
  enforcement: string;
  /** The platform's time. */
  date: string;
  scopes: string;
  seesActors: boolean;
  /** Of the tokens of an app. */
  permissions: Readonly<Record<string, string>>;
}

const listsAlone = ['GET /orgs/acme/repos', 'GET /repos/acme/site/rulesets'];
const ruleset = 'GET /repos/acme/site/rulesets/7';
/** The requests of a plan, which begins with who plans. */
const lists = ['GET /user', ...listsAlone];
const all = [...lists, ruleset];

/** A platform with one repository that has one ruleset, whose ETags change with the token; and a folder with a policy. */
async function onPlatform(change: Partial<State> = {}) {
  const state: State = {
    updatedAt: '2026-01-01T00:00:00Z',
    enforcement: 'active',
    date: '2026-03-01T12:00:00Z',
    scopes: 'repo',
    seesActors: true,
    permissions: { administration: 'read' },
    ...change,
  };
  const bodyOf = (path: string): unknown => {
    const { enforcement, updatedAt: updated_at } = state;
    const summary = { id: 7, name: 'Guard', source_type: 'Repository', source: 'acme/site', enforcement, updated_at };
    if (path === '/user') return { login: 'riverotter', id: 3 };
    if (path === '/app') return { id: 41, slug: 'deployer' };
    if (path === '/orgs/acme/repos') return [repository];
    if (path === '/repos/acme/site') return repository;
    if (path === '/repos/acme/site/rulesets') return [summary];
    if (path !== '/repos/acme/site/rulesets/7') return undefined;
    return { ...summary, ...(state.seesActors && { bypass_actors: [] }), rules: [{ type: 'deletion' }] };
  };
  let tokens = 0;
  const platform = await scriptedPlatform((request) => {
    if (pathOf(request).startsWith('/app/')) {
      const { date, permissions } = state;
      const token = ['ghs', String(++tokens).padStart(36, 'z')].join('_');
      const body = { token, expires_at: '2026-03-01T13:00:00Z', permissions, repository_selection: 'all' };
      return { status: 201, headers: { date: new Date(date).toUTCString() }, body };
    }
    const body = bodyOf(pathOf(request));
    if (body === undefined) return { status: 404, body: { message: 'Not Found' } };
    const tag = createHash('sha256')
      .update(JSON.stringify([body, request.headers.authorization]))
      .digest('hex');
    const headers = { etag: `W/"${tag}"`, date: new Date(state.date).toUTCString(), 'x-oauth-scopes': state.scopes };
    if (request.method === 'PUT') return { headers, body };
    return request.headers['if-none-match'] === headers.etag ? { status: 304, headers } : { headers, body };
  });
  const folder = await temporaryDirectory();
  const file = join(folder, 'policy.yaml');
  writeFileSync(file, policy);
  let seen = 0;
  /** Runs a plan. Returns its messages without the selection, its exit code and the requests that were sent. */
  const plan = async (words: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
    const options = { env: { ...platform.env, ...env }, configDir: folder };
    const { stderr, code } = await run(['policy', 'plan', file, '--exit-code', ...words], options);
    const sent = platform.requests.slice(seen);
    seen = platform.requests.length;
    return {
      line: stderr.replace('acme: 1 of 1 repositories selected.\n', ''),
      code,
      sent: sent.map((each) => `${each.method} ${pathOf(each)}`),
      requests: sent,
    };
  };
  const directory = join(folder, 'cache/forgectl/forgectl-cache-v1/readings');
  return { state, platform, folder, file, plan, directory, database: join(directory, 'readings.sqlite') };
}

const conditional = (requests: readonly RecordedRequest[]) =>
  requests.map(({ headers }) => headers['if-none-match'] !== undefined);

function onDatabase<T>(file: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

describe('a second plan', () => {
  it('gets a 304 for each list, and does not request rulesets that the lists show as unchanged', async () => {
    const { plan } = await onPlatform();
    expect(await plan()).toMatchObject({ line: 'No changes. 4 requests.\n', code: 0, sent: all });
    expect(await plan()).toMatchObject({ line: 'No changes. 3 requests, 3 unchanged.\n', code: 0, sent: lists });
  });

  it('counts its requests in JSON', async () => {
    const { platform, file, folder } = await onPlatform();
    const json = () => run(['policy', 'plan', file, '-o', 'json'], { env: platform.env, configDir: folder });
    expect(JSON.parse((await json()).stdout).requests).toEqual({ sent: 4, not_modified: 0 });
    expect(JSON.parse((await json()).stdout).requests).toEqual({ sent: 3, not_modified: 3 });
  });

  it('requests a ruleset whose updated_at changed', async () => {
    const { plan, state } = await onPlatform();
    await plan();
    Object.assign(state, { updatedAt: '2026-02-01T00:00:00Z', enforcement: 'disabled' });
    expect(await plan()).toMatchObject({
      line: expect.stringContaining('4 requests, 2 unchanged.'),
      code: 11,
      sent: all,
    });
  });

  it('requests a ruleset that was read within two seconds of its update, until it is confirmed later', async () => {
    const { plan, state } = await onPlatform({ updatedAt: '2026-03-01T11:59:58Z' });
    await plan();
    expect(await plan()).toMatchObject({ sent: all, line: 'No changes. 4 requests, 4 unchanged.\n' });
    state.date = '2026-03-01T12:00:01Z';
    expect((await plan()).sent).toEqual(all);
    expect((await plan()).sent).toEqual(lists);
  });

  it('requests a ruleset whose bypass actors were hidden', async () => {
    const { plan, state } = await onPlatform({ seesActors: false });
    expect((await plan()).code).toBe(5);
    state.seesActors = true;
    expect(await plan()).toMatchObject({ code: 0, sent: all });
  });

  it('requests a ruleset if the scopes of the token have changed', async () => {
    const { plan, state } = await onPlatform();
    await plan();
    state.scopes = 'public_repo';
    expect((await plan()).sent).toEqual(all);
  });

  it.each<[what: string, words: string[], env: Record<string, string>]>([
    ['another token', [], { FORGECTL_TOKEN: ['ghp', 'y'.repeat(36)].join('_') }],
    ['another API version', ['--api-version', '2026-03-10'], {}],
  ])('reads nothing of one with %s', async (_what, words, env) => {
    const { plan } = await onPlatform();
    await plan();
    const { sent, requests } = await plan(words, env);
    expect(sent).toEqual(all);
    expect(conditional(requests)).toEqual([false, false, false, false]);
  });

  it('neither reads nor writes the cache with --no-cache', async () => {
    const { plan, directory } = await onPlatform();
    await plan(['--no-cache']);
    expect(existsSync(directory)).toBe(false);
    await plan();
    const { sent, requests } = await plan(['--no-cache']);
    expect(sent).toEqual(all);
    expect(conditional(requests)).toEqual([false, false, false, false]);
  });
});

describe('a second plan of an app', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const asApp = {
    FORGECTL_TOKEN: '',
    FORGECTL_APP_ID: '41',
    FORGECTL_APP_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs1', format: 'pem' })),
    FORGECTL_APP_INSTALLATION: '5',
  };
  const minting = 'POST /app/installations/5/access_tokens';

  it('does not request unchanged rulesets, although the token is another', async () => {
    const { plan } = await onPlatform();
    expect((await plan([], asApp)).sent).toEqual(['GET /app', minting, ...listsAlone, ruleset]);
    expect(await plan([], asApp)).toMatchObject({
      line: 'No changes. 3 requests.\n',
      code: 0,
      sent: ['GET /app', minting, ...listsAlone],
    });
  });

  it.each<[what: string, state: Partial<State>, env: Readonly<Record<string, string>>]>([
    ['other permissions', { permissions: { administration: 'write' } }, {}],
    ['another app', {}, { FORGECTL_APP_ID: '42' }],
    ['another installation', {}, { FORGECTL_APP_INSTALLATION: '6' }],
  ])('reads nothing of one with %s', async (_what, change, env) => {
    const { plan, state } = await onPlatform();
    await plan([], asApp);
    Object.assign(state, change);
    const { sent, requests } = await plan([], { ...asApp, ...env });
    expect(sent.slice(2)).toEqual([...listsAlone, ruleset]);
    expect(conditional(requests)).toEqual([false, false, false, false, false]);
  });
});

describe('policy apply', () => {
  it('requests a ruleset again before it changes it', async () => {
    const { plan, platform, state, file, folder } = await onPlatform({ enforcement: 'disabled' });
    await plan();
    state.date = '2026-03-01T12:10:00Z';
    const env = { ...platform.env, XDG_STATE_HOME: join(folder, 'state') };
    await run(['policy', 'apply', file, '--yes'], { env, configDir: folder });
    const sent = platform.requests.slice(4).map((each) => `${each.method} ${pathOf(each)}`);
    expect(sent).toEqual([...lists, ruleset, 'GET /repos/acme/site', 'PUT /repos/acme/site/rulesets/7']);
  });
});

describe('policy export', () => {
  it('uses the cache too, reads repositories in parallel, and counts what has not changed', async () => {
    const { platform, folder } = await onPlatform();
    const options = { env: platform.env, configDir: folder };
    const words = ['policy', 'export', 'acme', '--repositories', '--concurrency', '2', '--dir', join(folder, 'policy')];
    const { stdout, stderr } = await run(words, options);
    expect(stdout).toContain(`${folder}/policy/acme/repositories/site.yaml\n`);
    expect(stderr).toMatch(/ \d+ requests\.\nforgectl: /);
    expect((await run([...words, '--force'], options)).stderr).toMatch(/ \d+ requests, \d+ unchanged\.\nforgectl: /);
  });
});

describe('the cache of readings', () => {
  it('is one file that only its owner can read', async () => {
    const { plan, directory } = await onPlatform();
    await plan();
    expect(readdirSync(directory)).toEqual(['readings.sqlite']);
    expect(lstatSync(directory).mode & 0o777).toBe(0o700);
    expect(lstatSync(join(directory, 'readings.sqlite')).mode & 0o777).toBe(0o600);
  });

  it('contains neither tokens nor hashes of them', async () => {
    const { plan, database } = await onPlatform();
    await plan();
    const contents = onDatabase(database, (open) => {
      const rows = open.prepare('SELECT content FROM readings').all() as { content: Uint8Array }[];
      return rows.map(({ content }) => {
        const response = content.subarray(33);
        return (content[32] === 1 ? inflateRawSync(response) : Buffer.from(response)).toString();
      });
    });
    expect(contents.join('\n')).toContain('"full_name":"acme/site"');
    const bytes = `${contents.join('\n')}${readFileSync(database, 'latin1')}${readFileSync(database, 'hex')}`;
    const hash = createHash('sha256').update(classicToken).digest('hex');
    for (const secret of [classicToken, Buffer.from(classicToken).toString('base64'), hash, cloneToken])
      expect(bytes).not.toContain(secret);
  });

  it.each<[what: string, damage: (database: string) => void]>([
    ['a file that is no database', (file) => writeFileSync(file, 'no database '.repeat(1000))],
    ['a truncated file', (file) => writeFileSync(file, readFileSync(file).subarray(0, 5000))],
    ['another version', (file) => onDatabase(file, (database) => database.exec('PRAGMA user_version = 99'))],
    ['another table', (file) => onDatabase(file, (database) => database.exec('CREATE TABLE other (name TEXT) STRICT'))],
  ])('is replaced if it is damaged: %s', async (_what, damage) => {
    const { plan, database } = await onPlatform();
    await plan();
    damage(database);
    const { code, sent, requests } = await plan();
    expect({ code, sent, conditional: conditional(requests) }).toEqual({
      code: 0,
      sent: all,
      conditional: [false, false, false, false],
    });
    expect((await plan()).sent).toEqual(lists);
  });

  it.each([
    [
      'the HMAC of a response is wrong',
      'UPDATE readings SET content = CAST(zeroblob(32) || substr(content, 33) AS BLOB)',
    ],
    ['a response is shorter than its HMAC', 'UPDATE readings SET content = zeroblob(8)'],
    [
      'two responses are exchanged',
      `CREATE TEMP TABLE copy AS SELECT * FROM readings;
       UPDATE readings SET content = (SELECT content FROM copy WHERE copy.name > readings.name
         OR readings.name = (SELECT max(name) FROM copy) ORDER BY copy.name LIMIT 1)`,
    ],
  ])('is not used if %s', async (_what, sql) => {
    const { plan, database } = await onPlatform();
    await plan();
    onDatabase(database, (open) => open.exec(sql));
    const { code, requests } = await plan();
    expect({ code, conditional: conditional(requests) }).toEqual({
      code: 0,
      conditional: [false, false, false, false],
    });
    expect((await plan()).sent).toEqual(lists);
  });

  it('is not used while another program locks it', async () => {
    const { plan, database } = await onPlatform();
    await plan();
    const other = new DatabaseSync(database);
    onTestFinished(() => other.close());
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    expect(await plan()).toMatchObject({ code: 0, sent: all });
    expect((await plan(['--debug'])).line).toContain('Cache of policy responses disabled: ');
  });

  it.skipIf(process.platform === 'win32').each<[what: string, replace: (database: string) => void]>([
    ['a link', (file) => symlinkSync(`${file}.elsewhere`, file)],
    ['readable by others', (file) => chmodSync(writtenTo(file), 0o644)],
  ])('is not used, and not removed, if its file is %s', async (_what, replace) => {
    const { plan, database } = await onPlatform();
    await plan();
    rmSync(database);
    replace(database);
    expect(await plan()).toMatchObject({ code: 0, sent: all });
    expect(existsSync(`${database}.elsewhere`)).toBe(false);
    expect((await plan(['--debug'])).line).toContain(
      `Cache of policy responses disabled: ${database} must be a regular file that you own, with mode 0600.`,
    );
  });
});

function writtenTo(file: string): string {
  writeFileSync(file, '');
  return file;
}
