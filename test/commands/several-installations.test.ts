/** Runs over several organizations as an app: each installation with its own tokens and rate limit. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/serve.ts';
import { appEnv } from '../support/app.ts';
import { pathOf, type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';
import { type RunOptions, run, temporaryDirectory } from '../support/run.ts';

/** A sandbox whose app is installed on acme and umbrella, and suspended on globex. */
async function asApp(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({
    orgs: 4,
    repos: 2,
    clock: () => new Date('2026-03-01T12:00:00Z'),
    ...options,
  });
  onTestFinished(() => sandbox.close());
  const folder = await temporaryDirectory();
  const env = {
    FORGECTL_BASE_URL: sandbox.baseUrl,
    FORGECTL_APP_ID: '41',
    FORGECTL_APP_PRIVATE_KEY: sandbox.app.privateKey(),
    XDG_STATE_HOME: join(folder, 'state'),
  };
  const as = (line: string | readonly string[], more: RunOptions = {}) =>
    run(typeof line === 'string' ? line.split(' ') : line, { ...more, env: { ...env, ...more.env } });
  return { sandbox, folder, as };
}

const outcomesIn = (stdout: string): string[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { target, status, exit } = JSON.parse(line);
      return `${target} ${status} ${exit}`;
    })
    .sort();

describe('each with an app', () => {
  it('runs on all organizations that the app is installed on, and reports the suspended one once', async () => {
    const { as } = await asApp();
    const { stdout, stderr, code } = await as(
      'each orgs --all-installations -o ndjson -- orgs update {} --location Oslo',
    );
    expect(outcomesIn(stdout)).toEqual(['acme ok 0', 'globex failed 5', 'umbrella ok 0']);
    expect(stderr).toContain('2 done, 1 failed\n1 × 403 This installation has been suspended (globex)\n');
    expect(stderr).toContain('"message":"1 of 3 targets failed."');
    expect(stderr).not.toContain('Stopped');
    expect(code).toBe(9);
  });

  it('creates the tokens of several installations without a pause, even if the platform announces rate limits', async () => {
    const { as } = await asApp({ rateLimit: 5000 });
    const where = ['--where', '.suspended_at | not'];
    const waits: number[] = [];
    const sleep = async (ms: number) => void waits.push(ms);
    const line = ['each', 'orgs', '--all-installations', ...where, '-o', 'ndjson', '--', 'orgs', 'get', '{}'];
    const { stdout } = await as(line, { clock: { now: () => 0, sleep } });
    expect({ outcomes: outcomesIn(stdout), waits }).toEqual({ outcomes: ['acme ok 0', 'umbrella ok 0'], waits: [] });
  });

  it('selects installations with --where', async () => {
    const { as } = await asApp();
    const where = ['--where', '.suspended_at | not'];
    const line = ['each', 'orgs', '--all-installations', ...where, '-o', 'ndjson', '--', 'orgs', 'get', '{}'];
    const { stdout, code } = await as(line);
    expect(outcomesIn(stdout)).toEqual(['acme ok 0', 'umbrella ok 0']);
    expect(code).toBe(0);
  });

  it('runs on the repositories of all installations, and reports the suspended one once', async () => {
    const { as } = await asApp();
    const { stdout, code } = await as('each repos --all-installations -o ndjson -- repos get {}');
    const outcomes = outcomesIn(stdout);
    expect(outcomes).toEqual(expect.arrayContaining(['acme/site ok 0', 'globex failed 5', 'umbrella/site ok 0']));
    expect(outcomes).toHaveLength(5);
    expect(code).toBe(9);
  });

  it('uses all installations, even if the login selects one', async () => {
    const { as } = await asApp();
    const env = { FORGECTL_APP_INSTALLATION: 'acme' };
    const line = '--expect 3 -o ndjson -- orgs update {} --location Oslo';
    const { stdout } = await as(`each orgs --all-installations ${line}`, { env });
    expect(outcomesIn(stdout)).toEqual(['acme ok 0', 'globex failed 5', 'umbrella ok 0']);
  });

  it('reports a missing and a suspended installation for the targets of a file', async () => {
    const { as, folder } = await asApp();
    const file = join(folder, 'targets.txt');
    writeFileSync(file, 'initech/site\nacme/site\nglobex/site\numbrella/site\n');
    const { stdout, stderr, code } = await as(`each --from ${file} -o ndjson -- repos update {} --has-wiki`);
    expect(outcomesIn(stdout)).toEqual([
      'acme/site ok 0',
      'globex/site failed 5',
      'initech/site failed 4',
      'umbrella/site ok 0',
    ]);
    expect(stderr).toContain('1 × App 41 is not installed on initech (initech/site)\n');
    expect(code).toBe(9);
  });

  it.each([
    ['each orgs acme --all-installations -- orgs get {}', '--all-installations cannot be used with ORG'],
    ['each --from - --all-installations -- orgs get {}', '--all-installations cannot be used with --from'],
  ])('rejects %s', async (line, message) => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(line.split(' '), { env: platform.env });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it('rejects --all-installations with a token', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run('each orgs --all-installations -- orgs get {}'.split(' '), {
      env: platform.env,
    });
    expect(stderr).toContain('This command requires the private key of an app');
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });
});

describe('policies with an app', () => {
  const policyFor = (organizations: string) => `
organizations: [${organizations}]
settings: { location: Oslo }
rulesets:
  - name: Guard
    enforcement: active
    target: branch
    conditions: { ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] } }
    rules: [{ type: deletion }]
repositories:
  - select: { names: [site] }
    settings: { homepage: https://site.example.com }
`;

  async function withPolicy(organizations: string, options?: SandboxOptions) {
    const { as, folder, ...rest } = await asApp(options);
    const file = join(folder, 'policy.yaml');
    writeFileSync(file, policyFor(organizations));
    return { ...rest, as, folder, file };
  }

  const changesIn = (stdout: string): string[] =>
    JSON.parse(stdout).changes.map((change: { action: string; kind: string; target: string; reason?: string }) =>
      [change.action, change.kind, change.target, change.reason].filter(Boolean).join(' '),
    );

  const statusesIn = (stdout: string): string[] =>
    JSON.parse(stdout).map(({ target, phase, status }: { target: string; phase?: string; status: string }) =>
      [target, ...(phase ? [`(${phase})`] : []), status].join(' '),
    );

  it('plan and apply with the installation of each organization', async () => {
    const { as, file } = await withPolicy('acme, umbrella');
    const plan = await as(`policy plan ${file} --json`);
    expect(JSON.parse(plan.stdout).identity).toBe('app:sandbox-app');
    expect(changesIn(plan.stdout)).toEqual([
      'update settings acme',
      'create ruleset acme',
      'update settings acme/site',
      'update settings umbrella',
      'create ruleset umbrella',
      'update settings umbrella/site',
    ]);
    const applied = await as(`policy apply ${file} --yes --json`);
    expect(statusesIn(applied.stdout)).toEqual([
      'acme ok',
      'acme (loosenings) ok',
      'acme/site ok',
      'umbrella ok',
      'umbrella (loosenings) ok',
      'umbrella/site ok',
    ]);
    expect(applied.code).toBe(0);
    expect(changesIn((await as(`policy plan ${file} --json`)).stdout)).toEqual([]);
  });

  it('plan one line for an organization whose installation is suspended or missing', async () => {
    const { as, file } = await withPolicy('globex, initech, umbrella');
    const { stdout, stderr, code } = await as(`policy plan ${file} --json`);
    expect(changesIn(stdout)).toEqual([
      'unreadable settings globex This installation has been suspended',
      'unreadable settings initech App 41 is not installed on initech',
      'update settings umbrella',
      'create ruleset umbrella',
      'update settings umbrella/site',
    ]);
    expect(stderr).toContain('2 objects could not be read.');
    expect(code).toBe(5);
    const applied = await as(`policy apply ${file} --yes --json`);
    expect(statusesIn(applied.stdout)).toEqual(['umbrella ok', 'umbrella (loosenings) ok', 'umbrella/site ok']);
    expect(applied.code).toBe(5);
  });

  it.each([
    ['globex', 5, 'returned 403 This installation has been suspended'],
    ['initech', 4, 'App 41 is not installed on initech.'],
  ])('for %s alone, fail with exit code %d', async (organization, exit, message) => {
    const { as, file } = await withPolicy(organization);
    const { stderr, code } = await as(`policy plan ${file}`);
    expect(stderr).toContain(message);
    expect(code).toBe(exit);
  });

  it('export all organizations that the app is installed on', async () => {
    const { as, folder } = await asApp();
    const dir = join(folder, 'policy');
    const { stdout, stderr, code } = await as(`policy export --all-installations --dir ${dir} --json`);
    const files = JSON.parse(stdout).map(({ file }: { file: string }) => relative(dir, file));
    expect(files).toEqual(expect.arrayContaining(['acme/settings.yaml', 'umbrella/settings.yaml']));
    expect(readdirSync(dir)).toEqual(['acme', 'policy.schema.json', 'umbrella']);
    expect(stderr).toContain(
      'globex was not exported: POST /app/installations/5001/access_tokens returned 403 This installation has been suspended.\n',
    );
    expect(stderr).toContain('1 of 3 organizations failed.');
    expect(code).toBe(9);
  });
});

it.each(['x/../../evil', '..', 'a/b', 'CON', ''])(
  'policy export writes nothing if an installation is on %j',
  async (login) => {
    const installation = { id: 1, target_type: 'Organization', account: { id: 1, login } };
    const platform = await scriptedPlatform({
      'GET /app': { body: { id: 41, slug: 'deployer' } },
      'GET /app/installations': { body: [installation] },
    });
    const folder = await temporaryDirectory();
    const words = ['policy', 'export', '--all-installations', '--dir', join(folder, 'policy')];
    expect(await run(words, { env: { ...appEnv, FORGECTL_BASE_URL: platform.baseUrl } })).toEqual({
      code: 8,
      stdout: '',
      stderr: 'forgectl: GET /app/installations returned an installation on an organization without a valid login.\n',
    });
    expect(readdirSync(folder)).toEqual([]);
  },
);

describe('the rate limit of one installation', () => {
  const ids = ['acme', 'umbrella'];

  /** A platform with an app on two organizations, which answers requests to acme with `limited` until it is used up. */
  async function limitedPlatform(limited: (ScriptedAnswer | undefined)[]) {
    const platform = await scriptedPlatform((request) => {
      const path = pathOf(request);
      const [, org = ''] = /^\/(?:orgs|repos)\/(\w+)/.exec(path) ?? [];
      if (path === '/app') return { body: { id: 41, slug: 'deployer' } };
      if (path.endsWith('/installation')) return { body: { id: ids.indexOf(org) } };
      const [, id] = /^\/app\/installations\/(\d)/.exec(path) ?? [];
      if (id) return { status: 201, body: { token: `ghs_${ids[Number(id)]}`, expires_at: '2026-03-01T13:00:00Z' } };
      if (request.headers.authorization !== `Bearer ghs_${org}`) return { status: 401, body: { message: 'Bad token' } };
      if (path === `/orgs/${org}/repos`)
        return { body: ['one', 'two', 'three'].map((name) => ({ full_name: `${org}/${name}` })) };
      const location = request.method === 'PATCH' ? 'Oslo' : 'Rome';
      return (
        (org === 'acme' && limited.shift()) || {
          body: { id: ids.indexOf(org), full_name: path.slice('/repos/'.length), location },
        }
      );
    });
    const { FORGECTL_TOKEN: _token, ...env } = platform.env;
    return { platform, env: { ...env, ...appEnv } };
  }

  const refusal = (seconds: string): ScriptedAnswer => ({
    status: 429,
    headers: { 'retry-after': seconds },
    body: { message: 'API rate limit exceeded' },
  });

  it('does not delay the targets of another', async () => {
    const { platform, env } = await limitedPlatform([refusal('30'), refusal('30')]);
    const umbrella = () => platform.requests.filter((request) => pathOf(request).startsWith('/repos/umbrella/')).length;
    let now = 0;
    const clock = {
      now: () => now,
      // The limit ends only after all other targets are done.
      sleep: async (ms: number) => {
        while (umbrella() < 3) await new Promise(setImmediate);
        now += ms;
      },
    };
    const { stdout, code } = await run(
      'each repos acme umbrella --concurrency 2 -o ndjson -- repos get {}'.split(' '),
      { env, clock },
    );
    expect(outcomesIn(stdout)).toEqual([
      'acme/one ok 0',
      'acme/three ok 0',
      'acme/two ok 0',
      'umbrella/one ok 0',
      'umbrella/three ok 0',
      'umbrella/two ok 0',
    ]);
    expect(code).toBe(0);
  });

  it('does not delay the plan of another organization', async () => {
    const { platform, env } = await limitedPlatform([refusal('30')]);
    const isRead = (path: string) => platform.requests.some((request) => pathOf(request) === path);
    let now = 0;
    const clock = {
      now: () => now,
      sleep: async (ms: number) => {
        while (!isRead('/orgs/umbrella')) await new Promise(setImmediate);
        now += ms;
      },
    };
    const policy = 'organizations: [acme, umbrella]\nsettings: { location: Oslo }\n';
    const plan = ['policy', 'plan', '-', '--json'];
    const { stdout, code } = await run(plan, { env, clock, stdin: policy });
    expect(JSON.parse(stdout).changes.map(({ target }: { target: string }) => target)).toEqual(['acme', 'umbrella']);
    expect(code).toBe(0);
  });

  it('stops only its own targets if it lasts too long', async () => {
    const { env } = await limitedPlatform(Array.from({ length: 9 }, () => refusal('3600')));
    const { stdout, stderr, code } = await run(
      'each repos acme umbrella --concurrency 2 -o ndjson -- repos get {}'.split(' '),
      { env },
    );
    expect(outcomesIn(stdout)).toEqual([
      'acme/one failed 7',
      'acme/two failed 7',
      'umbrella/one ok 0',
      'umbrella/three ok 0',
      'umbrella/two ok 0',
    ]);
    expect(stderr).toContain('"message":"2 of 6 targets failed, 1 not started."');
    expect(code).toBe(9);
  });

  it('stops only its own targets of policy apply, which does not end in “Stopped”', async () => {
    const { platform, env } = await limitedPlatform([...Array(4), refusal('3600')]);
    const { stdout, stderr, code } = await run(['policy', 'apply', '-', '--yes'], {
      env,
      stdin: 'organizations: [acme, umbrella]\nsettings: { location: Oslo }\n',
    });
    expect(stdout).toBe(
      'acme (after its repositories)\tfailed\t\tPATCH /orgs/acme returned 429 API rate limit exceeded\numbrella (after its repositories)\tok\tupdate settings\t\n',
    );
    expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
      'forgectl: 1 of 2 targets failed.',
      'Retry in 60 minutes, at 13:00 UTC, or wait longer with --max-wait.',
    ]);
    expect({ writes: platform.requests.filter(({ method }) => method === 'PATCH').length, code }).toEqual({
      writes: 2,
      code: 9,
    });
  });

  it('is not explained as a missing permission', async () => {
    const refused = { status: 403, body: { message: 'API rate limit exceeded for installation ID 5000' } };
    const { env } = await limitedPlatform(Array.from({ length: 9 }, () => refused));
    const { stderr } = await run('each repos acme umbrella --concurrency 2 -- repos get {}'.split(' '), { env });
    expect(stderr).toContain('2 × 403 API rate limit exceeded for installation ID 5000 (acme/one, acme/two)\n');
  });
});

describe('tokens that expire during a run are renewed for each installation', () => {
  const start = Date.UTC(2026, 2, 1, 12);

  /** A sandbox and commands on one clock, which every look at it advances. */
  async function onTickingClock() {
    let now = start;
    const { as, ...rest } = await asApp({
      repos: 30,
      tokenLifetime: 2_000,
      // Paced writes make the runs longer than the lifetime of a token.
      rateLimit: 5_000,
      faults: { 'fresh-token': 0.1 },
      clock: () => new Date(now),
    });
    const clock = {
      now: () => {
        now += 1;
        return now;
      },
      sleep: async (ms: number) => {
        now += ms;
      },
    };
    const elapsed = () => now - start;
    return { ...rest, elapsed, as: (line: string | readonly string[]) => as(line, { clock, now: new Date(start) }) };
  }

  it('by each', async () => {
    const { as, elapsed } = await onTickingClock();
    const where = ['--where', '.archived | not'];
    const line = ['each', 'repos', 'acme', 'umbrella', ...where, '-o', 'ndjson', '--', 'repos', 'update', '{}'];
    const { stdout, code } = await as([...line, '--has-wiki']);
    const outcomes = outcomesIn(stdout);
    expect(outcomes.length).toBeGreaterThan(40);
    expect(outcomes.filter((outcome) => !outcome.endsWith(' ok 0'))).toEqual([]);
    expect(elapsed()).toBeGreaterThan(20_000);
    expect(code).toBe(0);
  });

  it('by policy apply', async () => {
    const { as, folder, elapsed } = await onTickingClock();
    const file = join(folder, 'policy.yaml');
    writeFileSync(
      file,
      'organizations: [acme, umbrella]\nrepositories: [{ select: { names: ["*"] }, settings: { homepage: https://example.com } }]\n',
    );
    const { stdout, code } = await as(`policy apply ${file} --yes --json`);
    const applied = JSON.parse(stdout);
    expect(applied.length).toBeGreaterThan(40);
    expect(applied.filter(({ status }: { status: string }) => status !== 'ok')).toEqual([]);
    expect(elapsed()).toBeGreaterThan(20_000);
    expect(code).toBe(0);
  });
});
