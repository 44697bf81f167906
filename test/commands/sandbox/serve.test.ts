import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Announcement } from '../../../src/sandbox/announcement.ts';
import { startSandbox } from '../../../src/sandbox/serve.ts';
import { start } from '../../support/process.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

describe('forgectl sandbox serve', () => {
  it('reports every invalid value at once', async () => {
    const { code, stderr, stdout } = await run(
      'sandbox serve --port 70000 --orgs 0 --latency -1 --rate-limit x --fault sleepy=0.1 --fault 500=2 --fault reset'.split(
        ' ',
      ),
    );
    expect(code).toBe(2);
    expect(stdout).toBe('');
    for (const problem of [
      '--port must be a port from 0 to 65535, where 0 selects a free port',
      '--orgs must be a whole number, at least 1',
      '--latency must be a whole number from 0 to 600000',
      '--rate-limit must be a whole number, at least 1',
      '--fault must be KIND=RATE, where KIND is one of reset, 500, 502, 503, slow, truncated, html',
      '--fault must be 500=RATE, where RATE is the share of requests, from 0 to 1, such as 0.05',
      '--fault must be reset=RATE, where RATE is the share of requests, from 0 to 1, such as 0.05',
    ])
      expect(stderr).toContain(problem);
  });

  it.each([
    ['--host 0.0.0.0', '--host requires --allow-host with the host names that clients use'],
    ['--host sandbox --allow-host sandbox', '--host must be an IPv4 address or ::, such as 0.0.0.0'],
    [
      '--host 0.0.0.0 --allow-host http://sandbox:80',
      '--allow-host must be host names without ports, separated by commas, such as sandbox,forge.test',
    ],
  ])('rejects %s', async (flags, message) => {
    const { code, stderr } = await run(`sandbox serve ${flags}`.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('rejects rates with a sum over 1, and a fault given twice', async () => {
    const { code, stderr } = await run(
      'sandbox serve --fault 500=0.6 --fault 503=0.5 --fault 500=0.1 --port x'.split(' '),
    );
    expect(code).toBe(2);
    expect(stderr).toContain('--fault repeats 500');
    expect(stderr).toContain('--port must be a port');
    const sum = await run('sandbox serve --fault 500=0.6 --fault 503=0.5'.split(' '));
    expect(sum.code).toBe(2);
    expect(sum.stderr).toContain('--fault rates must not exceed 1 in total');
  });

  it.each([
    [
      [],
      true,
      'sandbox: Paste these lines into another terminal and try “forgectl orgs list”. Press Ctrl-C to stop the sandbox.\n',
    ],
    [['--json'], true, ''],
    [[], false, ''],
  ])('%j explains its output on a terminal: %j', async (flags, tty, told) => {
    // It runs until it is told to end, which it takes from before it starts.
    const end = (event: string | symbol, listener: () => void) => void (event === 'SIGTERM' && listener());
    process.on('newListener', end);
    onTestFinished(() => void process.off('newListener', end));
    const { stdout, stderr, code } = await run(['sandbox', 'serve', ...flags], { tty });
    expect(code).toBe(0);
    expect(stdout).toContain('http://127.0.0.1:');
    expect(stderr).toBe(told);
  });

  it('begins each line on stderr with its name', async () => {
    const { child, ended } = start(['sandbox', 'serve', '--json', '--fault', '500=1']);
    const [announced] = (await child.stdout.take(1).toArray()) as Buffer[];
    const { base_url } = JSON.parse(String(announced)) as Announcement;
    await fetch(`${base_url}/meta`);
    child.kill('SIGTERM');
    expect((await ended).stderr).toBe('sandbox: request 1, GET /api/v3/meta: fault 500\n');
  });

  it('prints its app, whose tokens have the requested lifetime', async () => {
    const { child, ended } = start('sandbox serve --json --orgs 4 --token-lifetime 20s'.split(' '));
    const [announced] = (await child.stdout.take(1).toArray()) as Buffer[];
    const { base_url, app } = JSON.parse(String(announced)) as Announcement;
    expect(app).toEqual({
      id: 41,
      private_key_file: expect.stringMatching(/\/app\.private-key\.pem$/),
      installations: [
        { id: 5000, organization: 'acme', suspended: false },
        { id: 5001, organization: 'globex', suspended: true },
        { id: 5003, organization: 'umbrella', suspended: false },
      ],
    });
    const env = {
      FORGECTL_BASE_URL: base_url,
      FORGECTL_APP_ID: '41',
      FORGECTL_APP_PRIVATE_KEY_FILE: app.private_key_file,
    };
    expect(statSync(app.private_key_file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(app.private_key_file)).mode & 0o777).toBe(0o700);
    const now = new Date();
    const created = await run('installations token acme --json'.split(' '), { env, now });
    expect(created).toMatchObject({ stderr: '', code: 0 });
    const { expires_at } = JSON.parse(created.stdout) as { expires_at: string };
    expect(Date.parse(expires_at) - now.getTime()).toBeLessThanOrEqual(60_000);
    child.kill('SIGTERM');
    await ended;
    expect(existsSync(dirname(app.private_key_file))).toBe(false);
  });

  it('rejects installation tokens in their first second with --fault fresh-token', async () => {
    const { child, ended } = start('sandbox serve --json --fault fresh-token=1'.split(' '));
    const [announced] = (await child.stdout.take(1).toArray()) as Buffer[];
    const { base_url, app } = JSON.parse(String(announced)) as Announcement;
    const env = {
      FORGECTL_BASE_URL: base_url,
      FORGECTL_APP_ID: '41',
      FORGECTL_APP_PRIVATE_KEY_FILE: app.private_key_file,
    };
    const statusWithFreshToken = async () => {
      const { stdout } = await run('installations token acme --quiet'.split(' '), { env, now: new Date() });
      expect(stdout).toMatch(/^ghs_\w{36}\n$/);
      const headers = { authorization: `Bearer ${stdout.trim()}` };
      return (await fetch(`${base_url}/installation/repositories`, { headers })).status;
    };
    let status = 200;
    // On a slow machine, a token may be older than a second.
    while (status === 200) status = await statusWithFreshToken();
    expect(status).toBe(401);
    // Somebody else may have put another folder in place of that of the key.
    const folder = dirname(app.private_key_file);
    writeFileSync(join(folder, 'thesis'), 'mine');
    child.kill('SIGTERM');
    await ended;
    expect(readdirSync(folder)).toEqual(['thesis']);
  });

  it('rejects known logins that are none, and the login of a generated organization', async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'logins.txt');
    await writeFile(file, 'newwren\n\nnot a login\n');
    expect(await run(['sandbox', 'serve', '--known-logins', file])).toMatchObject({
      code: 2,
      stderr: `forgectl: ${file}:3 is not a login, team:SLUG or app:SLUG.\n`,
    });
    expect(await run(['sandbox', 'serve', '--empty-organization', 'Acme'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Acme is the login of an organization with sample data.'),
    });
  });

  it('explains in one line why a state file cannot be used', async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, 'folder'));
    const state = join(directory, 'state.db');
    const sandbox = await startSandbox({ state, seed: 1 });
    const used = await run(['sandbox', 'serve', '--state', state]);
    await sandbox.close();
    expect(used).toMatchObject({ code: 2, stdout: '' });
    expect(used.stderr).toContain(`${state} is in use by another sandbox. Stop it, or use another file.`);
    const other = await run(['sandbox', 'serve', '--state', state, '--seed', '2']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain(
      `${state} contains a sandbox with --seed 1, not --seed 2. Omit these flags, or use another file.`,
    );
    const folder = await run(['sandbox', 'serve', '--state', join(directory, 'folder')]);
    expect(folder.code).toBe(2);
    expect(folder.stderr).toContain(`Cannot use ${join(directory, 'folder')} for state`);
  });

  it('reports an address that this machine does not have', async () => {
    // Reserved for documentation.
    const words = ['sandbox', 'serve', '--host', '192.0.2.1', '--allow-host', 'sandbox'];
    expect(await run(words)).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: 'forgectl: 192.0.2.1 is not an address of this machine.\n',
    });
  });

  it('reports a port in use, and then creates no state file', async () => {
    const sandbox = await startSandbox({});
    const { port } = new URL(sandbox.baseUrl);
    const state = join(await temporaryDirectory(), 'unused.db');
    const { code, stderr } = await run(['sandbox', 'serve', '--port', port, '--state', state]);
    await sandbox.close();
    expect(code).toBe(2);
    expect(stderr).toContain(`Port ${port} is already in use.`);
    expect(existsSync(state)).toBe(false);
  });
});
