/** Ctrl-C, SIGTERM and a reader that goes away: an end at once, in order, with nothing left in doubt unsaid. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classicToken } from '../support/platform.ts';
import { hasPython, inTerminal, type Running, start } from '../support/process.ts';
import { temporaryDirectory } from '../support/run.ts';
import { type Answering, json, startServer } from '../support/server.ts';

/** A platform, and the promise of the first request that reaches it. */
async function platform(answering: Answering) {
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
  const server = await startServer((response, request, count) => {
    answering(response, request, count);
    resolve(response);
  });
  const configDir = await temporaryDirectory();
  const env = {
    FORGECTL_BASE_URL: `${server.origin}/api/v3`,
    FORGECTL_TOKEN: classicToken,
    FORGECTL_CONFIG_DIR: configDir,
    XDG_CACHE_HOME: join(configDir, 'cache'),
  };
  return { server, env, asked };
}

const silence: Answering = () => {};

async function endedBy(signal: NodeJS.Signals, { child, ended }: Running) {
  child.kill(signal);
  return ended;
}

describe('Ctrl-C', () => {
  it('stops a read immediately, with exit code 130', async () => {
    const { env, asked } = await platform(silence);
    const running = start(['orgs', 'get', 'acme'], { env });
    await asked;
    expect(await endedBy('SIGINT', running)).toEqual({
      code: 130,
      signal: null,
      stdout: '',
      stderr: 'forgectl: Interrupted\n',
    });
  });

  it('stops a write immediately, reports that its outcome is unknown, and shows the command to check it', async () => {
    const { env, asked } = await platform(silence);
    const running = start(['orgs', 'update', 'acme', '--description', 'Rockets', '--json'], { env });
    await asked;
    const { code, stderr } = await endedBy('SIGINT', running);
    expect(code).toBe(130);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'interrupted',
        message: 'Interrupted before the response to PATCH /orgs/acme; the change may have happened.',
        advice: 'Check the result before you retry: forgectl orgs get acme.',
      },
    });
  });

  it.each([
    [{}, 'dependabot'],
    [{ FORGECTL_ALERTS_SEGMENT: 'depalerts' }, 'depalerts'],
  ])('reports the request as it was sent, with the segment of the alerts (%j)', async (words, segment) => {
    const { env, asked } = await platform(silence);
    const running = start(['dismissals', 'cancel', 'acme/site', '7', '--yes'], { env: { ...env, ...words } });
    await asked;
    const { stderr } = await endedBy('SIGINT', running);
    expect(stderr).toContain(
      `the response to DELETE /repos/acme/site/dismissal-requests/${segment}/7; the change may have happened.`,
    );
  });

  it('stops a wait for the platform, with notices on separate lines', async () => {
    const { env } = await platform((response) => json(response, {}, { 'retry-after': '50' }, 429));
    const running = start(['orgs', 'get', 'acme'], { env });
    await once(running.child.stderr, 'data');
    const { code, stderr } = await endedBy('SIGINT', running);
    expect(code).toBe(130);
    expect(stderr).toBe('Rate limit reached; retrying in 50 s.\nforgectl: Interrupted\n');
  });
});

describe('while reading standard input', () => {
  const lines: readonly (readonly string[])[] = [
    ['registries', 'seal', 'acme', '--secret-stdin'],
    [
      'registries',
      'create',
      'acme',
      '--registry-type',
      'npm_registry',
      '--url',
      'https://x.example',
      '--visibility',
      'all',
      '--secret-stdin',
    ],
    ['orgs', 'update', 'acme', '--input', '-'],
    ['api', 'POST', '/x', '--input', '-'],
    ['rulesets', 'lint', '-'],
    ['comments', 'update', 'acme/site', '7', '--body-file', '-'],
    ['auth', 'login', '--with-token', '--insecure-storage'],
  ];

  it.each(lines.map((words) => [words.join(' '), words] as const))(
    'Ctrl-C stops it with 130, and nothing was sent: %s',
    async (_line, words) => {
      const { server, env } = await platform(silence);
      const running = start(words, { env });
      // More than a pipe holds: once it is gone, somebody is reading.
      await new Promise((resolve) => running.child.stdin.write('half a sec'.repeat(100_000), resolve));
      const ended = await endedBy('SIGINT', running);
      expect(ended).toEqual({ code: 130, signal: null, stdout: '', stderr: 'forgectl: Interrupted\n' });
      expect(server.requests).toEqual([]);
    },
  );
});

describe('while reading a pipe without a writer', () => {
  it.each([
    ['orgs', 'update', 'acme', '--input', 'PIPE'],
    ['comments', 'update', 'acme/site', '7', '--body-file', 'PIPE'],
    ['api', 'POST', '/x', '-F', 'a=@PIPE'],
    ['rulesets', 'create', 'acme', '--name', 'a', '--enforcement', 'active', '--rules', '@PIPE'],
  ])('Ctrl-C ends it by the signal, without waiting for blocked threads: %s', async (...words) => {
    const { server, env } = await platform(silence);
    const pipe = join(await temporaryDirectory(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const running = start(
      words.map((word) => word.replace('PIPE', pipe)),
      { env },
    );
    // It opens once somebody reads.
    const writer = await open(pipe, 'w');
    await writer.write('{"name":');
    const { code, signal, stderr } = await endedBy('SIGINT', running);
    expect({ code, signal }).toEqual({ code: null, signal: 'SIGINT' });
    expect(stderr).toMatch(/^(forgectl: Interrupted\n)?$/);
    expect(server.requests).toEqual([]);
    await writer.close();
  });
});

/** Linux tells which signals a process takes care of: waits until the last digit of their bits is one of these. */
const seesSignals = existsSync('/proc/self/status');
async function signalsTaken(digits: string, { child }: Running): Promise<void> {
  for (;;) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    if (new RegExp(`^SigCgt:.*[${digits}]$`, 'm').test(status)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe.skipIf(!seesSignals)('a jq filter that never ends', () => {
  it.each([
    ['orgs', 'get', 'acme', '--jq', 'def f: f; f'],
    ['orgs', 'list', '--where', 'def f: f; f', '--timeout', '1h'],
  ])('ends by the signal of Ctrl-C, which shells see as 130: %s %s', async (...words) => {
    const acme = { login: 'acme' };
    const { env, asked } = await platform((response, { url }) => json(response, url.endsWith('/acme') ? acme : [acme]));
    const running = start(words, { env });
    await asked;
    // Ctrl-C is the system's while jq runs.
    await signalsTaken('014589cd', running);
    expect(await endedBy('SIGINT', running)).toEqual({ code: null, signal: 'SIGINT', stdout: '', stderr: '' });
  });
});

describe.skipIf(!seesSignals)('while another forgectl changes the settings', () => {
  /** What writes the settings takes care of SIGHUP, as nothing before it does. */
  const writerIsLoaded = (running: Running) => signalsTaken('13579bdf', running);

  it.each([
    ['SIGINT', { code: 130, signal: null, stderr: 'forgectl: Interrupted\n' }],
    ['SIGTERM', { code: null, signal: 'SIGTERM', stderr: '' }],
    ['SIGHUP', { code: null, signal: 'SIGHUP', stderr: '' }],
  ] as const)('%s ends the wait', async (signal, ended) => {
    const configDir = await temporaryDirectory();
    await mkdir(join(configDir, 'settings.lock'));
    const running = start(['config', 'set', 'output', 'json'], { env: { FORGECTL_CONFIG_DIR: configDir } });
    await writerIsLoaded(running);
    expect(await endedBy(signal, running)).toEqual({ ...ended, stdout: '' });
    expect((await readdir(configDir)).sort()).toEqual(['cache.key', 'settings.lock']);
  });
});

describe('the sandbox', () => {
  it('shuts down silently after Ctrl-C, and leaves only its state', async () => {
    const directory = await temporaryDirectory();
    const state = join(directory, 'state.db');
    const running = start(['sandbox', 'serve', '--orgs', '1', '--repos', '1', '--state', state], {
      env: { TMPDIR: directory },
    });
    await once(running.child.stdout, 'data');
    expect(await endedBy('SIGINT', running)).toMatchObject({ code: 130, signal: null, stderr: '' });
    expect(await readdir(directory)).toEqual(['state.db']);
  });
});

describe('a download', () => {
  const whole = 'x'.repeat(200_000);

  /** A storage host that stops in the middle of the first answer. */
  async function stalling() {
    const storage = await startServer((response, { headers }) => {
      const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
      if (from > 0)
        response
          .writeHead(206, { etag: '"v1"', 'content-range': `bytes ${from}-199999/200000` })
          .end(whole.slice(from));
      else response.writeHead(200, { etag: '"v1"', 'content-length': '200000' }).write(whole.slice(0, 100_000));
    });
    const { env } = await platform((response) =>
      response.writeHead(302, { location: `${storage.origin}/a?sig=letmein` }).end(),
    );
    const directory = await temporaryDirectory();
    const words = ['migrations', 'download', '7', '--file', join(directory, 'a')];
    return { env, directory, words };
  }

  /** Waits until the part has all that was sent. */
  async function partIsThere(directory: string): Promise<void> {
    for (;;) {
      const part = await readFile(join(directory, 'a.part')).catch(() => Buffer.alloc(0));
      if (part.length === 100_000) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it.each<[what: string, signals: readonly NodeJS.Signals[]]>([
    ['Ctrl-C', ['SIGINT']],
    ['Ctrl-C twice', ['SIGINT', 'SIGINT']],
    ['SIGTERM', ['SIGTERM']],
  ])('leaves a part after %s that the same command resumes', async (_what, signals) => {
    const { env, directory, words } = await stalling();
    const running = start(words, { env });
    await partIsThere(directory);
    for (const signal of signals) running.child.kill(signal);
    const { code, signal, stderr } = await running.ended;
    expect(signal ?? code).toBe(signals[0] === 'SIGTERM' ? 'SIGTERM' : 130);
    expect(stderr).not.toMatch(/\n\s+at |letmein/);
    expect((await readdir(directory)).sort()).toEqual(['a.part', 'a.part.etag']);
    const resumed = await start(words, { env }).ended;
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(join(directory, 'a'), 'utf8')).toBe(whole);
    expect(await readdir(directory)).toEqual(['a']);
  });
});

describe('SIGTERM', () => {
  it('ends forgectl silently, like any program', async () => {
    const { env, asked } = await platform(silence);
    const running = start(['orgs', 'get', 'acme'], { env });
    await asked;
    expect(await endedBy('SIGTERM', running)).toEqual({ code: null, signal: 'SIGTERM', stdout: '', stderr: '' });
  });
});

describe('a closed pipe', () => {
  it('ends forgectl silently, without requesting further pages', async () => {
    const { server, env } = await platform((response, _request, count) =>
      json(
        response,
        Array.from({ length: 100 }, (_, index) => ({ id: count * 100 + index, description: 'x'.repeat(5000) })),
        { link: `</api/v3/orgs/acme/repos?page=${count + 1}>; rel="next"` },
      ),
    );
    const { child, ended } = start(['repos', 'list', 'acme', '--all', '-o', 'ndjson', '--no-cache'], { env });
    child.stdout.once('data', () => child.stdout.destroy());
    const { code, signal, stderr } = await ended;
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    expect(server.requests.length).toBeLessThan(10);
  });
});

describe.skipIf(!hasPython)('at a real terminal', () => {
  it('Ctrl-C also ends a shell loop: nothing else is requested', async () => {
    const { env, server } = await platform((response) => json(response, {}, { 'retry-after': '50' }, 429));
    const loop = ['bash', '-c', 'for name in a b c; do "$@" "$name"; done', 'bash'];
    const run = await inTerminal(['orgs', 'get'], [['retrying in 50 s', '\x03']], { env, through: loop });
    expect(run).toMatchObject({ code: 130, restored: true });
    expect(server.requests.map(({ url }) => url)).toEqual(['/api/v3/orgs/a']);
  });

  it('Ctrl-C at a prompt exits with 130 and restores the terminal', async () => {
    const { env } = await platform(silence);
    const { FORGECTL_TOKEN: _token, ...anonymous } = env;
    const run = await inTerminal(['auth', 'login'], [['Token for', '\x03']], { env: anonymous });
    expect(run).toMatchObject({ code: 130, restored: true });
    expect(run.shown).toContain('Interrupted');
  });

  it.each([
    ['a choice', ['rulesets', 'create', 'acme', '--name', 'x'], 'disabled'],
    ['a choice by number', ['rulesets', 'create', 'acme', '--name', 'x', '--plain'], 'Type a number'],
    ['several choices', ['orgs', 'update', 'acme'], 'Fields to change:'],
    ['a line of plain text', ['orgs', 'get', '--plain'], '(ORG):'],
    ['a secret in plain text', ['registries', 'seal', 'acme', '--plain'], 'Registry secret:'],
  ])('Ctrl-C at %s does as well', async (_what, words, question) => {
    const { env, server } = await platform((response) => json(response, {}));
    const run = await inTerminal(words, [[question, '\x03']], { env });
    expect(run).toMatchObject({ code: 130, restored: true });
    expect(run.shown).toMatch(/\n\S*forgectl: Interrupted\r\n$/);
    expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('a SIGINT from another process does, too', async () => {
    const { env } = await platform(silence);
    const { FORGECTL_TOKEN: _token, ...anonymous } = env;
    const run = await inTerminal(['auth', 'login'], [['Token for', 'SIGINT']], { env: anonymous });
    expect(run).toMatchObject({ code: 130, restored: true });
  });

  it('a SIGINT from another process at a selection restores the cursor', async () => {
    const { env } = await platform(silence);
    const words = ['rulesets', 'create', 'acme', '--name', 'x'];
    const run = await inTerminal(words, [['\x1b[?25l', 'SIGINT']], { env });
    expect(run).toMatchObject({ code: 130, restored: true });
    expect(run.shown.lastIndexOf('\x1b[?25h')).toBeGreaterThan(run.shown.lastIndexOf('\x1b[?25l'));
  });

  it('a countdown exits with 130 and leaves the cursor on an empty line', async () => {
    const { env } = await platform((response) => json(response, {}, { 'retry-after': '50' }, 429));
    const run = await inTerminal(['orgs', 'get', 'acme'], [['retrying in 50 s', '\x03']], { env });
    expect(run).toMatchObject({ code: 130, restored: true });
    expect(run.shown).toMatch(/retrying in 50 s\^C\r\nforgectl: Interrupted\r\n$/);
  });

  it('a progress line fits the terminal of stderr, regardless of stdout', async () => {
    const { env } = await platform((response) => json(response, {}, { 'retry-after': '50' }, 429));
    const stdout = join(await temporaryDirectory(), 'out');
    const run = await inTerminal(['orgs', 'get', 'acme'], [['in 50 s', '\x03']], {
      env,
      columns: 30,
      stdout,
    });
    expect(run.shown).toContain('\rRetrying in 50 s^C');
    expect(run.code).toBe(130);
  });
});
