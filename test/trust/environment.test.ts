/** The variables that CI runners and the platform's general client set: understood, and each token kept to its own platform. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { writeProfiles } from '../support/profiles.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const secret = (name: string) => ['ghp', name, 'x'.repeat(24)].join('_');
const [own, kept, enterprise, runner, hosted] = ['own', 'kept', 'enterprise', 'runner', 'hosted'].map(secret) as [
  string,
  string,
  string,
  string,
  string,
];

/** Three platforms on sockets of their own, and what arrived at each: `/orgs/acme`, with this `Authorization`. */
async function threePlatforms() {
  const start = () => scriptedPlatform(() => ({ body: { login: 'acme' } }));
  const platforms = [await start(), await start(), await start()] as const;
  const [a, b, c] = platforms.map(({ baseUrl }) => baseUrl) as [string, string, string];
  const arrived = () =>
    platforms.map(({ requests }) => requests.map(({ headers }) => headers.authorization ?? 'nothing'));
  return { a, b, c, arrived };
}

/** A profile `work` for a platform, with a token of its own unless told otherwise. */
async function profileFor(baseUrl: string, token: string | null = kept) {
  const configDir = await temporaryDirectory();
  const { origin } = new URL(baseUrl);
  const record = token === null ? {} : { token: { storage: 'file', origin } };
  writeProfiles(configDir, {
    active: 'work',
    profiles: { work: { 'base-url': baseUrl, ...record } },
    tokens: token === null ? {} : { work: { origin, token } },
  });
  return configDir;
}

const get = ['orgs', 'get', 'acme', '--json'];
const sent = (token: string) => `Bearer ${token}`;

describe('on a CI runner', () => {
  it('GITHUB_API_URL selects the platform that receives GITHUB_TOKEN', async () => {
    const { a, arrived } = await threePlatforms();
    const { stderr, code } = await run(get, { env: { CI: 'true', GITHUB_API_URL: a, GITHUB_TOKEN: runner } });
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(arrived()).toEqual([[sent(runner)], [], []]);
  });

  it('without GITHUB_TOKEN, requests to GITHUB_API_URL have no token', async () => {
    const { a, arrived } = await threePlatforms();
    const { code } = await run(get, { env: { GITHUB_API_URL: a } });
    expect(code).toBe(0);
    expect(arrived()).toEqual([['nothing'], [], []]);
  });

  it('FORGECTL_BASE_URL and FORGECTL_TOKEN override both, and the runner’s platform gets no request', async () => {
    const { a, b, arrived } = await threePlatforms();
    const env = { GITHUB_API_URL: a, GITHUB_TOKEN: runner, FORGECTL_BASE_URL: b, FORGECTL_TOKEN: own };
    expect((await run(get, { env })).code).toBe(0);
    expect(arrived()).toEqual([[], [sent(own)], []]);
  });

  it('a login in the job overrides both', async () => {
    const { a, b, arrived } = await threePlatforms();
    const env = { GITHUB_API_URL: a, GITHUB_TOKEN: runner };
    expect((await run(get, { env, configDir: await profileFor(b) })).code).toBe(0);
    expect(arrived()).toEqual([[], [sent(kept)], []]);
  });

  it('--base-url may use GITHUB_TOKEN if it is the runner’s platform', async () => {
    const { a, arrived } = await threePlatforms();
    const env = { GITHUB_API_URL: a, GITHUB_TOKEN: runner };
    expect((await run([...get, '--base-url', a], { env })).code).toBe(0);
    expect(arrived()).toEqual([[sent(runner)], [], []]);
  });

  it('--base-url to another platform does not send GITHUB_TOKEN, and says why', async () => {
    const { a, b, arrived } = await threePlatforms();
    const env = { GITHUB_API_URL: a, GITHUB_TOKEN: runner };
    const { stderr, code } = await run([...get, '--base-url', b], { env });
    expect(code).toBe(0);
    expect(stderr.split('\n')).toEqual([
      `GITHUB_TOKEN belongs to ${new URL(a).origin} (from GITHUB_API_URL); not sent to ${new URL(b).origin}.`,
      `No token for ${b}; sending requests without one.`,
      '',
    ]);
    expect(arrived()).toEqual([[], ['nothing'], []]);
  });

  it('FORGECTL_BASE_URL alone may use GITHUB_TOKEN only if it is the runner’s platform', async () => {
    const { a, b, arrived } = await threePlatforms();
    const env = { GITHUB_API_URL: a, GITHUB_TOKEN: runner };
    await run(get, { env: { ...env, FORGECTL_BASE_URL: a } });
    await run(get, { env: { ...env, FORGECTL_BASE_URL: b } });
    expect(arrived()).toEqual([[sent(runner)], ['nothing'], []]);
  });

  it('FORGECTL_TOKEN is not sent to the runner’s platform', async () => {
    const { a, arrived } = await threePlatforms();
    const env = { GITHUB_API_URL: a, GITHUB_TOKEN: runner, FORGECTL_TOKEN: own };
    const { stderr, code } = await run(['orgs', 'get', 'acme'], { env });
    expect({ stderr, code }).toEqual({
      stderr: `forgectl: FORGECTL_TOKEN is set without FORGECTL_BASE_URL: set FORGECTL_BASE_URL too, for example to ${new URL(a).origin}.\n`,
      code: 2,
    });
    expect(arrived()).toEqual([[], [], []]);
  });

  it('a GITHUB_TOKEN without a platform is sent nowhere', async () => {
    const { a, arrived } = await threePlatforms();
    const { stderr } = await run([...get, '--base-url', a], { env: { GITHUB_TOKEN: runner } });
    expect(stderr.split('\n')).toEqual([
      `GITHUB_TOKEN belongs to no platform because GITHUB_API_URL is not set; not sent to ${new URL(a).origin}.`,
      `No token for ${a}; sending requests without one.`,
      '',
    ]);
    expect(arrived()).toEqual([['nothing'], [], []]);
  });
});

describe('with the variables of gh', () => {
  it.each(['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'])(
    '%s is sent to a self-managed GH_HOST',
    async (variable) => {
      const { a, arrived } = await threePlatforms();
      const env = { GH_HOST: new URL(a).origin, [variable]: enterprise, GH_TOKEN: hosted };
      expect((await run(get, { env })).code).toBe(0);
      expect(arrived()).toEqual([[sent(enterprise)], [], []]);
    },
  );

  it('GH_ENTERPRISE_TOKEN overrides GITHUB_ENTERPRISE_TOKEN', async () => {
    const { a, arrived } = await threePlatforms();
    const env = { GH_HOST: a, GITHUB_ENTERPRISE_TOKEN: runner, GH_ENTERPRISE_TOKEN: enterprise };
    await run(get, { env });
    expect(arrived()).toEqual([[sent(enterprise)], [], []]);
  });

  it('tokens of gh are not sent to GITHUB_API_URL', async () => {
    const { a, arrived } = await threePlatforms();
    const tokens = { GH_TOKEN: hosted, GH_ENTERPRISE_TOKEN: enterprise, GITHUB_ENTERPRISE_TOKEN: runner };
    expect((await run(get, { env: { GITHUB_API_URL: a, ...tokens } })).stderr.split('\n')).toEqual([
      `GH_TOKEN belongs to github.com because GH_HOST is not set; not sent to ${new URL(a).origin}.`,
      `GH_ENTERPRISE_TOKEN belongs to no platform because GH_HOST is not set; not sent to ${new URL(a).origin}.`,
      `No token for ${a}; sending requests without one.`,
      '',
    ]);
    expect(arrived()).toEqual([['nothing'], [], []]);
  });

  it('GH_TOKEN is sent to no self-managed platform', async () => {
    const { a, arrived } = await threePlatforms();
    const { stderr } = await run(get, { env: { GH_HOST: a, GH_TOKEN: hosted } });
    const { origin } = new URL(a);
    expect(stderr.split('\n')).toEqual([
      `GH_TOKEN applies only to hosted platforms, but GH_HOST is a self-managed one; not sent to ${origin}.`,
      `No token for ${a}; sending requests without one.`,
      '',
    ]);
    expect(arrived()).toEqual([['nothing'], [], []]);
  });

  it.each([
    [{ GH_HOST: 'github.com' }, 'https://api.github.com'],
    [{ GH_HOST: 'acme.ghe.com' }, 'https://api.acme.ghe.com'],
    [{ FORGECTL_BASE_URL: 'github.com' }, 'https://api.github.com'],
  ])('GH_TOKEN is sent to hosted platforms: %j', async (env, origin) => {
    const tokens = { GH_TOKEN: hosted, GH_ENTERPRISE_TOKEN: enterprise };
    expect((await run(['auth', 'token'], { env: { ...env, ...tokens } })).stdout).toBe(`${hosted}\n`);
    expect((await run(['config', 'get', 'base-url'], { env })).stdout).toBe(`${origin}\n`);
  });

  it.each([
    [{ GH_HOST: 'github.com' }, 'https://api.acme.ghe.com'],
    [{ GH_HOST: 'acme.ghe.com' }, 'https://api.github.com'],
    [{}, 'https://api.acme.ghe.com'],
  ])('GH_TOKEN of %j is not sent to %s', async (env, baseUrl) => {
    const words = ['auth', 'token', '--base-url', baseUrl];
    const { stdout, code } = await run(words, { env: { ...env, GH_TOKEN: hosted } });
    expect({ stdout, code }).toEqual({ stdout: '', code: 4 });
  });

  it('each token of a laptop’s environment is sent only to its own platform', async () => {
    const { a, b, c, arrived } = await threePlatforms();
    const env = { GH_HOST: a, GH_ENTERPRISE_TOKEN: enterprise, GITHUB_API_URL: b, GITHUB_TOKEN: runner };
    const configDir = await profileFor(c);
    await run([...get, '--base-url', a], { env, configDir });
    await run([...get, '--base-url', b], { env, configDir });
    await run(get, { env, configDir });
    expect(arrived()).toEqual([[sent(enterprise)], [sent(runner)], [sent(kept)]]);
  });

  it('GH_HOST overrides GITHUB_API_URL, and a profile overrides GH_HOST', async () => {
    const { a, b, c, arrived } = await threePlatforms();
    const env = { GH_HOST: a, GH_ENTERPRISE_TOKEN: enterprise, GITHUB_API_URL: b, GITHUB_TOKEN: runner };
    await run(get, { env });
    await run(get, { env, configDir: await profileFor(c) });
    expect(arrived()).toEqual([[sent(enterprise)], [], [sent(kept)]]);
  });

  it('a profile without a login uses the token whose pair has its platform', async () => {
    const { a, b, arrived } = await threePlatforms();
    const env = { GH_HOST: a, GH_ENTERPRISE_TOKEN: enterprise };
    await run(get, { env, configDir: await profileFor(a, null) });
    expect((await run(get, { env, configDir: await profileFor(b, null) })).code).toBe(4);
    expect(arrived()).toEqual([[sent(enterprise)], [], []]);
  });

  it('a profile whose token is missing does not use another token', async () => {
    const { a, arrived } = await threePlatforms();
    const configDir = await profileFor(a);
    writeProfiles(configDir, {
      active: 'work',
      profiles: { work: { 'base-url': a, token: { storage: 'file', origin: new URL(a).origin } } },
    });
    const { stderr, code } = await run(get, { env: { GH_HOST: a, GH_ENTERPRISE_TOKEN: enterprise }, configDir });
    expect(code).toBe(4);
    expect(stderr).toContain('The token of profile work is no longer in the credentials file.');
    expect(arrived()).toEqual([[], [], []]);
  });

  it('an invalid GH_HOST matters only if it would be used', async () => {
    const { a, arrived } = await threePlatforms();
    const env = { GH_HOST: 'http://ghe.example.com', GH_ENTERPRISE_TOKEN: enterprise };
    expect((await run([...get, '--base-url', a], { env })).code).toBe(0);
    const { stderr, code } = await run(['orgs', 'get', 'acme'], { env });
    expect(code).toBe(2);
    expect(stderr).toBe(
      'forgectl: GH_HOST: The base URL for ghe.example.com must start with https:// (plain http is only allowed for this machine).\n',
    );
    expect(arrived()).toEqual([['nothing'], [], []]);
  });
});

describe('FORGECTL_TOKEN without FORGECTL_BASE_URL', () => {
  it('is sent to the platform of --base-url, whatever the profile has', async () => {
    const { a, b, arrived } = await threePlatforms();
    const configDir = await profileFor(a);
    await run([...get, '--base-url', b], { env: { FORGECTL_TOKEN: own }, configDir });
    expect(arrived()).toEqual([[], [sent(own)], []]);
  });

  it('is sent to the platform of a profile without a token', async () => {
    const { a, arrived } = await threePlatforms();
    await run(get, { env: { FORGECTL_TOKEN: own }, configDir: await profileFor(a, null) });
    expect(arrived()).toEqual([[sent(own)], [], []]);
  });

  it('is rejected if the profile has its own token', async () => {
    const { a, arrived } = await threePlatforms();
    const configDir = await profileFor(a);
    const { stderr, code } = await run(['orgs', 'get', 'acme'], { env: { FORGECTL_TOKEN: own }, configDir });
    expect({ stderr, code }).toEqual({
      stderr:
        'forgectl: FORGECTL_TOKEN is set without FORGECTL_BASE_URL, but profile work has its own token: set FORGECTL_BASE_URL or unset FORGECTL_TOKEN.\n',
      code: 2,
    });
    expect(arrived()).toEqual([[], [], []]);
  });
});

describe('auth status', () => {
  it('reports the chosen source, and why the others were ignored', async () => {
    const { a, b, c } = await threePlatforms();
    const env = {
      GH_HOST: a,
      GH_TOKEN: hosted,
      GH_ENTERPRISE_TOKEN: enterprise,
      GITHUB_API_URL: b,
      GITHUB_TOKEN: runner,
    };
    const profile = await run(['auth', 'status', '--json'], { env, configDir: await profileFor(c) });
    const [originA, originB, originC] = [a, b, c].map((url) => new URL(url).origin);
    expect(JSON.parse(profile.stdout)).toMatchObject({
      base_url: c,
      base_url_from: 'profile work',
      source: 'file',
      variable: null,
      ignored_tokens: [
        `GH_TOKEN applies only to hosted platforms, but GH_HOST is a self-managed one; not sent to ${originC}.`,
        `GH_ENTERPRISE_TOKEN belongs to ${originA} (from GH_HOST); not sent to ${originC}.`,
        `GITHUB_TOKEN belongs to ${originB} (from GITHUB_API_URL); not sent to ${originC}.`,
      ],
    });
    const surroundings = { GITHUB_API_URL: b, GITHUB_TOKEN: runner };
    const ambient = await run(['auth', 'status', '--json'], { env: surroundings });
    expect(JSON.parse(ambient.stdout)).toMatchObject({
      profile: null,
      base_url: b,
      base_url_from: 'GITHUB_API_URL',
      source: 'environment',
      variable: 'GITHUB_TOKEN',
      ignored_tokens: [],
    });
    const both = await run(['auth', 'status', '--json'], { env: surroundings, configDir: await profileFor(b) });
    expect(JSON.parse(both.stdout)).toMatchObject({
      source: 'file',
      ignored_tokens: ['Ignored GITHUB_TOKEN: the token of profile work takes precedence.'],
    });
  });
});

it('a token of the environment is masked in responses, and its variable is reported if it is rejected', async () => {
  const { baseUrl } = await scriptedPlatform((request) =>
    request.url.endsWith('/user')
      ? { status: 401, body: { message: `Bad credentials ${runner}` } }
      : { body: { login: 'acme', description: runner } },
  );
  const env = { GITHUB_API_URL: baseUrl, GITHUB_TOKEN: runner };
  const shown = await run([...get, '--debug'], { env });
  expect(shown.stdout + shown.stderr).not.toContain(runner);
  const refused = await run(['auth', 'status'], { env });
  expect(refused.stderr).not.toContain(runner);
  expect(refused.stderr).toContain('The platform rejected the token in GITHUB_TOKEN');
});

describe('FORGECTL_TOKEN_FILE', () => {
  const list = (...flags: readonly string[]) => ['each', 'orgs', 'acme', ...flags, '--', 'orgs', 'get', '{}'];

  async function tokenFiles(contents: Readonly<Record<string, string>>) {
    const folder = await temporaryDirectory();
    for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
    return folder;
  }

  it('names a file whose token is sent only to the platform of FORGECTL_BASE_URL, and printed nowhere', async () => {
    const { a, b, arrived } = await threePlatforms();
    const configDir = await profileFor(b);
    const folder = await tokenFiles({ token: `\n ${own}\r\n` });
    const env = { FORGECTL_BASE_URL: a, FORGECTL_TOKEN_FILE: join(folder, 'token') };
    const { stdout, stderr, code } = await run([...get, '--debug'], { configDir, env });
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(own);
    const other = await run([...get, '--base-url', b, '--profile', 'work'], { configDir, env });
    expect(other.code).toBe(0);
    expect(arrived()).toEqual([[sent(own)], [sent(kept)], []]);
    expect((await run(get, { configDir, env: { FORGECTL_TOKEN_FILE: join(folder, 'token') } })).stderr).toContain(
      'FORGECTL_TOKEN_FILE is set without FORGECTL_BASE_URL, but profile work has its own token',
    );
  });

  it('causes a notice if others can read the file', async () => {
    const { a } = await threePlatforms();
    const file = join(await tokenFiles({ token: own }), 'token');
    const env = { FORGECTL_BASE_URL: a, FORGECTL_TOKEN_FILE: file };
    const notice = (mode: string) =>
      `Other users can access the token in ${file} (mode ${mode}). Limit it to yourself: chmod 600 ${file}\n`;
    for (const [mode, stderr] of [
      [0o644, notice('644')],
      [0o440, notice('440')],
      [0o600, ''],
      [0o400, ''],
    ] as const) {
      chmodSync(file, mode);
      expect(await run(get, { env })).toMatchObject({ code: 0, stderr });
    }
  });

  it('has the index of the shard in its name, from 0; FORGECTL_TOKEN takes precedence', async () => {
    const { a, arrived } = await threePlatforms();
    const folder = await tokenFiles({ 'token-0': own, 'token-1': kept });
    const env = { FORGECTL_BASE_URL: a, FORGECTL_TOKEN_FILE: join(folder, 'token-{index}') };
    const { stderr } = await run(['orgs', 'get', 'acme'], { env });
    expect(stderr).toBe(
      'forgectl: FORGECTL_TOKEN_FILE contains {index}, but no shard is selected.\nAdd --shard-index I --shards N, or name a file without {index}.\n',
    );
    for (const flags of [
      ['--shard-index', '0', '--shards', '1'],
      ['--shard', '1/1'],
    ])
      expect((await run(list(...flags), { env })).code).toBe(0);
    expect((await run(list('--shard', '1/1'), { env: { ...env, FORGECTL_TOKEN: enterprise } })).code).toBe(0);
    expect(arrived()).toEqual([[sent(own), sent(own), sent(enterprise)], [], []]);
  });

  it.each([
    ['', 'The token in FOLDER/token (FORGECTL_TOKEN_FILE) is empty.'],
    [`${own} ${kept}`, 'The token in FOLDER/token (FORGECTL_TOKEN_FILE) contains a space or a line break.'],
    ['x'.repeat(65_537), 'Cannot read the token in FOLDER/token (FORGECTL_TOKEN_FILE): it is larger than 64 KiB.'],
    [undefined, 'Cannot read the token in FOLDER/token (FORGECTL_TOKEN_FILE): no such file. Nothing was sent.'],
  ])('is rejected with %.9j, without a request', async (content, message) => {
    const { a, arrived } = await threePlatforms();
    const folder = await tokenFiles(content === undefined ? {} : { token: content });
    const env = { FORGECTL_BASE_URL: a, FORGECTL_TOKEN_FILE: join(folder, 'token') };
    const { stderr, code } = await run(['orgs', 'get', 'acme'], { env });
    expect({ stderr: stderr.replaceAll(folder, 'FOLDER'), code }).toEqual({
      stderr: expect.stringContaining(message),
      code: 2,
    });
    expect(arrived()).toEqual([[], [], []]);
  });

  it('names neither a pipe nor a device', async () => {
    const env = { FORGECTL_BASE_URL: 'https://ghe.example.com', FORGECTL_TOKEN_FILE: '/dev/zero' };
    expect((await run(['orgs', 'get', 'acme'], { env })).stderr).toContain('it is not a regular file');
  });
});
