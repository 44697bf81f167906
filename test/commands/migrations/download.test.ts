import { execFileSync } from 'node:child_process';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { classicToken, type ScriptedAnswer, type ScriptedPlatform, scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';
import { startServer } from '../../support/server.ts';

const archive = '/user/migrations/78/archive';

/** A platform whose archive is on `storage`. */
async function platformWith(storage: { origin?: string; baseUrl?: string }): Promise<ScriptedPlatform> {
  const location = `${storage.origin ?? storage.baseUrl}/a.tar.gz?sig=letmein`;
  return scriptedPlatform({ [`GET ${archive}`]: { status: 302, headers: { location } } });
}

const storageWith = (answer: ScriptedAnswer) => scriptedPlatform({ 'GET /a.tar.gz': answer });

const tenBytes: ScriptedAnswer = { headers: { etag: '"v1"', 'content-length': '10' }, body: '0123456789' };

describe('migrations download', () => {
  it('saves the archive and prints its path, without the signed URL', async () => {
    const storage = await storageWith(tenBytes);
    const platform = await platformWith(storage);
    const directory = await temporaryDirectory();
    const file = join(directory, 'a.tar.gz');
    const result = await run(['migrations', 'download', '78', '--file', file, '--json', '--debug'], {
      env: platform.env,
    });
    expect(JSON.parse(result.stdout)).toEqual({ file, bytes: 10 });
    expect(result.code).toBe(0);
    expect(result.stderr).toContain('sig=********');
    expect(result.stdout + result.stderr).not.toContain('letmein');
    const told = await run(['migrations', 'download', '78', '--file', file, '--force', '-o', 'table'], platform);
    expect(told.stdout).toContain('Size  10 B\n');
    expect(result.stderr).not.toContain(classicToken);
    expect(await readFile(file, 'utf8')).toBe('0123456789');
    expect(storage.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('names it migration-ID.tar.gz in the current directory, whatever the storage host says', async () => {
    const storage = await storageWith({
      ...tenBytes,
      headers: { ...tenBytes.headers, 'content-disposition': 'attachment; filename="/etc/passwd"' },
    });
    const platform = await platformWith(storage);
    const directory = await temporaryDirectory();
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(directory);
    const { stdout } = await run(['migrations', 'download', '78'], { env: platform.env });
    expect(stdout).toBe('file\tmigration-78.tar.gz\nbytes\t10\n');
    expect(await readdir(directory)).toEqual(['migration-78.tar.gz']);
  });

  it('writes the archive and nothing else to standard output with --file -', async () => {
    const storage = await storageWith(tenBytes);
    const platform = await platformWith(storage);
    const result = await run(['migrations', 'download', '78', '--file', '-'], { env: platform.env });
    expect(result).toEqual({ stdout: '0123456789', stderr: '', code: 0 });
    expect(await run(['migrations', 'download', '78', '--file', '-', '--json'], { env: platform.env })).toEqual(result);
  });

  it('--file - refuses to write to a terminal before any request', async () => {
    const platform = await platformWith(await storageWith(tenBytes));
    const { stdout, stderr, code } = await run(['migrations', 'download', '78', '--file', '-'], {
      env: platform.env,
      tty: true,
    });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toContain('Cannot print an archive on a terminal');
    expect(platform.requests).toEqual([]);
  });

  it.each([
    ['resumes after a lost connection', '"v1"', 206, { stdout: '0123456789', code: 0 }],
    ['fails if the storage host has replaced the file in the meantime', '"v2"', 200, { stdout: '01234', code: 1 }],
  ])('--file - %s', async (_, etag, status, expected) => {
    const storage = await startServer((response, request) => {
      if (request.headers.range === undefined) {
        response.writeHead(200, { etag: '"v1"', 'content-length': '10' });
        response.write('01234', () => response.destroy());
        return;
      }
      expect(request.headers).toMatchObject({ range: 'bytes=5-', 'if-range': '"v1"' });
      response.writeHead(status, { etag, ...(status === 206 ? { 'content-range': 'bytes 5-9/10' } : {}) });
      response.end('56789');
    });
    const platform = await platformWith(storage);
    expect(await run(['migrations', 'download', '78', '--file', '-'], { env: platform.env })).toMatchObject(expected);
  });

  it('refuses to replace a file before any request, unless --force is given', async () => {
    const platform = await platformWith(await storageWith(tenBytes));
    const file = join(await temporaryDirectory(), 'a.tar.gz');
    await writeFile(file, 'precious');
    const refused = await run(['migrations', 'download', '78', '--file', file], { env: platform.env });
    expect(refused.stderr).toContain(`${file} already exists. Nothing was sent.`);
    expect(refused.stderr).toContain('--force');
    expect(refused.code).toBe(2);
    expect(platform.requests).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe('precious');
    const forced = await run(['migrations', 'download', '78', '--file', file, '--force'], { env: platform.env });
    expect(forced.code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('0123456789');
  });

  it('reports in one line why the file cannot be written, before any request', async () => {
    const platform = await scriptedPlatform({});
    const directory = await temporaryDirectory();
    const missing = await run(['migrations', 'download', '78', '--file', join(directory, 'no', 'a')], {
      env: platform.env,
    });
    expect(missing.stderr).toContain(`Cannot write ${directory}/no/a.part: the directory does not exist. Nothing was`);
    expect(missing.code).toBe(2);
    const folder = await run(['migrations', 'download', '78', '--file', directory], { env: platform.env });
    expect(folder.stderr).toContain(`${directory} is a directory. Nothing was sent.`);
    expect(folder.code).toBe(2);
    await symlink('elsewhere', join(directory, 'link'));
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    for (const [name, reason] of [
      ['link', 'is a symbolic link'],
      ['pipe', 'is not a regular file'],
    ]) {
      const file = join(directory, name ?? '');
      const refused = await run(['migrations', 'download', '78', '--force', '--file', file], { env: platform.env });
      expect(refused.stderr).toBe(`forgectl: ${file} ${reason}. Nothing was sent.\nChoose another file with --file.\n`);
      expect(refused.code).toBe(2);
    }
    expect(await readdir(directory)).toEqual(['link', 'pipe']);
    const unnamed = await run(['migrations', 'download', '78', '--file', ''], { env: platform.env });
    expect(unnamed.stderr).toContain('--file must be a file name');
    expect(unnamed.code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it('reports that a part is kept after an interruption, and resumes the next time', async () => {
    const storage = await startServer((response, request, count) => {
      if (request.headers.range === 'bytes=4-' && count > 2) {
        response.writeHead(206, { etag: '"v1"', 'content-range': 'bytes 4-9/10' }).end('456789');
        return;
      }
      response.writeHead(200, { etag: '"v1"', 'content-length': '10' });
      response.write('0123', () => response.destroy());
    });
    const platform = await platformWith(storage);
    const file = join(await temporaryDirectory(), 'a.tar.gz');
    const broken = await run(['migrations', 'download', '78', '--file', file, '--json'], { env: platform.env });
    const [kept, error = ''] = broken.stderr.trimEnd().split('\n');
    expect(kept).toBe(`4 B are saved in ${file}.part; run the same command to resume.`);
    expect(JSON.parse(error).error.message).toContain('closed the connection in the middle of the response');
    expect(broken.code).toBe(8);
    const resumed = await run(['migrations', 'download', '78', '--file', file], { env: platform.env });
    expect(resumed.code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('0123456789');
  });

  it('shows progress on a terminal', async () => {
    const platform = await platformWith(await storageWith(tenBytes));
    const file = join(await temporaryDirectory(), 'a.tar.gz');
    const { stderr } = await run(['migrations', 'download', '78', '--file', file], { env: platform.env, tty: true });
    expect(stderr).toContain('\r0 B of 10 B, 0%');
    expect(stderr.endsWith('\r')).toBe(true);
  });

  it('keeps the received part when interrupted, exit code 130', async () => {
    const storage = await startServer((response) => {
      response.writeHead(200, { etag: '"v1"', 'content-length': '10' });
      response.write('0123', () => setImmediate(() => process.emit('SIGINT')));
    });
    const platform = await platformWith(storage);
    const directory = await temporaryDirectory();
    const { code, stderr } = await run(['migrations', 'download', '78', '--file', join(directory, 'a')], {
      env: platform.env,
    });
    expect(code).toBe(130);
    expect(stderr).toContain('Interrupted');
  });

  it('explains a 404 and leaves no file, exit code 3', async () => {
    const platform = await scriptedPlatform({});
    const directory = await temporaryDirectory();
    const { stderr, code } = await run(['migrations', 'download', '78', '--file', join(directory, 'a')], {
      env: platform.env,
    });
    expect(stderr).toContain('GET /user/migrations/78/archive returned 404');
    expect(stderr).toContain('for seven days once the migration is exported');
    expect(code).toBe(3);
    expect(await readdir(directory)).toEqual([]);
  });

  it('rejects a fine-grained token before any request', async () => {
    const platform = await scriptedPlatform({});
    const directory = await temporaryDirectory();
    const token = ['github', 'pat', 'y'.repeat(40)].join('_');
    const { stderr, code } = await run(['migrations', 'download', '78', '--file', join(directory, 'a')], {
      env: { ...platform.env, FORGECTL_TOKEN: token },
    });
    expect(stderr).toContain('works only with classic personal access tokens and OAuth app tokens');
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
    expect(await readdir(directory)).toEqual([]);
  });
});
