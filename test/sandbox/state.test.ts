import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lchownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/serve.ts';
import { hotJournal } from '../support/hot-journal.ts';
import { commits } from './support.ts';

let directory: string;
let running: ChildProcess[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
  running = [];
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

interface Running {
  readonly baseUrl: string;
  readonly tokens: Record<string, string>;
  /** Ends it in the middle of whatever it does; resolves with what it said on stderr. */
  kill(): Promise<string>;
}

/** A sandbox in another process. */
async function started(file: string): Promise<Running> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('state-process.ts', import.meta.url)), file]);
  running.push(child);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(said))),
  ]);
  const kill = async () => {
    const gone = once(child, 'close');
    child.kill('SIGKILL');
    await gone;
    return said;
  };
  return { ...JSON.parse(String(line)), kill };
}

interface At {
  readonly baseUrl: string;
  readonly tokens: Readonly<Record<string, string>>;
}

async function ask({ baseUrl, tokens }: At, request: string, body?: unknown, as = 'classic') {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${tokens[as]}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
}

const stateFile = (name = 'state.db') => join(directory, name);

/** A sandbox in this process, for as long as `use` takes. */
async function during<T>(options: SandboxOptions, use: (sandbox: At) => Promise<T> | T): Promise<T> {
  const sandbox = await startSandbox(options);
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

describe('a killed sandbox', () => {
  test('has every acknowledged write after a restart, and prints no warning', async () => {
    const first = await started(stateFile());
    expect((await ask(first, 'POST /orgs/acme/repos', { name: 'kept' })).status).toBe(201);
    expect((await ask(first, 'PATCH /orgs/acme', { location: 'Oslo' })).status).toBe(200);
    const ruleset = await ask(first, 'POST /repos/acme/site/rulesets', { name: 'Kept', enforcement: 'active' });
    expect((await ask(first, 'DELETE /repos/acme/site/comments/10000101')).status).toBe(204);
    expect((await ask(first, 'DELETE /installation/token', undefined, 'installation')).status).toBe(204);
    expect(await first.kill()).toBe('');

    const second = await started(stateFile());
    expect((await ask(second, 'GET /repos/acme/kept')).body).toMatchObject({ id: 100_037, full_name: 'acme/kept' });
    expect((await ask(second, 'GET /orgs/acme')).body.location).toBe('Oslo');
    expect((await ask(second, `GET /repos/acme/site/rulesets/${ruleset.body.id}`)).body.name).toBe('Kept');
    expect((await ask(second, 'GET /repos/acme/site/comments/10000101')).status).toBe(404);
    expect((await ask(second, 'GET /repos/acme/site/comments/10000102')).status).toBe(200);
    expect((await ask(second, 'GET /installation/repositories', undefined, 'installation')).status).toBe(401);
    expect((await ask(second, 'POST /orgs/acme/repos', { name: 'later' })).body.id).toBe(100_038);
  });

  test('loses no acknowledged write, whenever it is killed', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (answers) => {
        const file = stateFile(`round-${++round}.db`);
        const first = await started(file);
        const answered: number[] = [];
        let killed: Promise<string> | undefined;
        const writeOn = async (): Promise<void> => {
          const { status, body } = await ask(first, `POST /repos/acme/site/commits/${commits[0]}/comments`, {
            body: 'Noted',
          });
          expect(status).toBe(201);
          answered.push(body.id);
          // The other writers are in the middle of theirs.
          if (answered.length >= answers) killed ??= first.kill();
          return writeOn();
        };
        await Promise.allSettled([writeOn(), writeOn(), writeOn(), writeOn()]);
        await killed;
        await during({ state: file }, async (second) => {
          for (const id of answered)
            expect((await ask(second, `GET /repos/acme/site/comments/${id}`)).status).toBe(200);
        });
      }),
      { numRuns: 4 },
    );
  });
});

describe('the state of a sandbox', () => {
  test('contains its seed and size; others are rejected', async () => {
    const state = stateFile();
    await during({ state, orgs: 2, repos: 5, seed: 7 }, () => {});
    await during({ state }, async (sandbox) => {
      expect((await ask(sandbox, 'GET /organizations')).body).toHaveLength(2);
      expect((await ask(sandbox, 'GET /orgs/acme/repos')).body).toHaveLength(5);
    });
    await during({ state, orgs: 2, seed: 7 }, () => {});
    await expect(startSandbox({ state, orgs: 3, seed: 8 })).rejects.toThrow(
      `${state} contains a sandbox with --orgs 2 --seed 7, not --orgs 3 --seed 8. Omit these flags, or use another file.`,
    );
  });

  test('has its own random tokens, which stay valid', async () => {
    const tokens = (options: SandboxOptions) => during(options, (sandbox) => sandbox.tokens);
    const kept = await tokens({ state: stateFile(), seed: 7 });
    expect(await tokens({ state: stateFile() })).toEqual(kept);
    expect((await tokens({ state: stateFile('other.db'), seed: 7 })).classic).not.toBe(kept.classic);
  });

  test('is readable by its owner only', async () => {
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    await during({ state: stateFile() }, () => {
      const modes = readdirSync(directory).map((name) => [name, statSync(join(directory, name)).mode & 0o777]);
      expect(Object.fromEntries(modes)).toEqual({ 'state.db': 0o600, 'state.db-wal': 0o600 });
    });
  });

  test('is in the file of that name, even if SQLite would interpret the name', async () => {
    const here = process.cwd();
    process.chdir(directory);
    onTestFinished(() => process.chdir(here));
    await during({ state: ':memory:' }, () => expect(readdirSync(directory)).toContain(':memory:'));
  });

  test('is used by one sandbox at a time', async () => {
    const state = stateFile();
    const first = await started(state);
    await expect(startSandbox({ state })).rejects.toThrow(
      `${state} is in use by another sandbox. Stop it, or use another file.`,
    );
    expect((await ask(first, 'GET /user')).status).toBe(200);
    await first.kill();
    await during({ state }, () => {});
  });

  test('is not read from a file of another type, which stays unchanged', async () => {
    const text = stateFile('notes.txt');
    writeFileSync(text, 'Buy milk. '.repeat(100));
    await expect(startSandbox({ state: text })).rejects.toThrow(
      `${text} is not a sandbox state file. Use another file.`,
    );
    const other = stateFile('other.db');
    const database = new DatabaseSync(other);
    database.exec('CREATE TABLE mine (it TEXT)');
    database.close();
    await expect(startSandbox({ state: other })).rejects.toThrow(
      `${other} is not a state file of this sandbox version. Use another file.`,
    );
    const again = new DatabaseSync(other, { readOnly: true });
    expect(again.prepare('SELECT name FROM sqlite_schema').all()).toEqual([expect.objectContaining({ name: 'mine' })]);
    again.close();
  });

  test('is not read next to a planted journal, which deletes nothing', async () => {
    const state = stateFile();
    await during({ state }, () => {});
    const before = readFileSync(state);
    const victim = join(directory, 'victim.txt');
    writeFileSync(victim, 'mine');
    writeFileSync(`${state}-journal`, hotJournal(victim), { mode: 0o600 });
    symlinkSync(state, join(directory, 'link.db'));
    for (const file of [state, join(directory, 'link.db')])
      await expect(startSandbox({ state: file })).rejects.toThrow(
        `Cannot use ${file} for state: ${realpathSync(state)}-journal was not created by the sandbox. Remove it, or use another file.`,
      );
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(readFileSync(state)).toEqual(before);
  });

  test('is not read next to a write-ahead log that is a link or has another name', async () => {
    const state = stateFile();
    await during({ state }, () => {});
    const victim = join(directory, 'victim.txt');
    writeFileSync(victim, 'mine', { mode: 0o600 });
    for (const [link, reason] of [
      [symlinkSync, 'is not a regular file of this user'],
      [linkSync, 'has another hard link'],
    ] as const) {
      link(victim, `${state}-wal`);
      await expect(startSandbox({ state })).rejects.toThrow(`-wal ${reason}.`);
      rmSync(`${state}-wal`);
    }
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(readdirSync(directory).toSorted()).toEqual(['state.db', 'victim.txt']);
  });

  test.each(['-wal', '-shm'])('is not created next to a file with its name and %s, which stays', async (suffix) => {
    const state = stateFile();
    writeFileSync(`${state}${suffix}`, 'mine');
    await expect(startSandbox({ state })).rejects.toThrow(`state.db${suffix} was not created by the sandbox.`);
    expect(readFileSync(`${state}${suffix}`, 'utf8')).toBe('mine');
    rmSync(`${state}${suffix}`);
    await during({ state }, () => {});
  });

  test.skipIf(process.getuid?.() !== 0)('is not used through a link of another user', async () => {
    const victim = join(directory, 'victim');
    mkdirSync(victim);
    symlinkSync(victim, join(directory, 'folder'));
    symlinkSync(join(victim, 'state.db'), join(directory, 'link.db'));
    symlinkSync('folder/kept.db', join(directory, 'own.db'));
    writeFileSync(join(victim, 'kept.db'), '');
    for (const link of ['folder', 'link.db']) lchownSync(join(directory, link), 65534, 65534);
    for (const [file, link] of [
      ['folder/state.db', 'folder'],
      ['link.db', 'link.db'],
      ['own.db', 'folder'],
    ] as const)
      await expect(startSandbox({ state: join(directory, file) })).rejects.toThrow(
        `${join(directory, link)} is a symbolic link of another user.`,
      );
    expect(readdirSync(victim)).toEqual(['kept.db']);
    expect(statSync(join(victim, 'kept.db')).size).toBe(0);
  });

  test('is not a broken link or a pipe', async () => {
    symlinkSync(join(directory, 'nothing'), join(directory, 'link.db'));
    execFileSync('mkfifo', [join(directory, 'pipe.db')]);
    await expect(startSandbox({ state: join(directory, 'link.db') })).rejects.toThrow(
      `${join(directory, 'link.db')} is a broken symbolic link.`,
    );
    await expect(startSandbox({ state: join(directory, 'pipe.db') })).rejects.toThrow(
      `${join(directory, 'pipe.db')} is not a regular file of this user.`,
    );
    expect(readdirSync(directory).toSorted()).toEqual(['link.db', 'pipe.db']);
  });

  test.skipIf(process.platform === 'win32')('has mode 0600, even if the file existed', async () => {
    const state = stateFile();
    writeFileSync(state, '');
    chmodSync(state, 0o644);
    await during({ state }, () => {});
    expect(statSync(state).mode & 0o777).toBe(0o600);
  });

  test('leaves the mode of a file that it rejects unchanged', async () => {
    const [other, text] = [stateFile('other.db'), stateFile('notes.txt')];
    const database = new DatabaseSync(other);
    database.exec('CREATE TABLE any (it)');
    database.close();
    writeFileSync(text, 'mine');
    for (const file of [other, text]) {
      chmodSync(file, 0o644);
      await expect(startSandbox({ state: file })).rejects.toThrow(/ is not a (?:sandbox )?state file/);
      expect(statSync(file).mode & 0o777).toBe(0o644);
    }
    expect(readdirSync(directory).toSorted()).toEqual(['notes.txt', 'other.db']);
  });

  test('requires a directory', async () => {
    const state = join(directory, 'missing', 'state.db');
    await expect(startSandbox({ state })).rejects.toThrow(
      `Cannot use ${state} for state: unable to open database file. Choose a file in a writable directory.`,
    );
  });
});
