import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openCache } from '../../src/disk/private-cache.ts';
import { temporaryDirectory } from '../support/run.ts';

const name = 'a'.repeat(64);
const other = 'b'.repeat(64);

let parent: string;
let env: { FORGECTL_CACHE_DIR: string; FORGECTL_CONFIG_DIR: string };
/** Where responses are. */
let directory: string;

beforeEach(async () => {
  parent = await temporaryDirectory();
  env = { FORGECTL_CACHE_DIR: join(parent, 'cache'), FORGECTL_CONFIG_DIR: join(parent, 'settings') };
  directory = join(parent, 'cache', 'forgectl-cache-v1', 'responses');
});

const read = (file = name) => openCache(env, 'responses').read(file)?.toString();
const write = (text: string) => openCache(env, 'responses').write(name, Buffer.from(text));

describe('a cached file', () => {
  it('is read by later runs', () => {
    write('text');
    expect(read()).toBe('text');
    expect(readdirSync(directory)).toEqual([name]);
  });

  it('is valid only with every byte unchanged', () => {
    write('text');
    const content = readFileSync(join(directory, name));
    for (let at = 0; at < content.length; at++) {
      const damaged = Buffer.from(content);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(join(directory, name), damaged);
      expect(read()).toBeUndefined();
      writeFileSync(join(directory, name), content.subarray(0, at));
      expect(read()).toBeUndefined();
    }
    writeFileSync(join(directory, name), content);
    expect(read()).toBe('text');
  });

  it('is not valid under another name, or as another kind', () => {
    const responses = openCache(env, 'responses');
    write('text');
    renameSync(join(directory, name), join(directory, other));
    expect(responses.read(other)).toBeUndefined();
    responses.write(name, Buffer.from('text'));
    const compile = openCache(env, 'compile');
    renameSync(join(directory, name), join(directory, '../compile', name));
    expect(compile.read(name)).toBeUndefined();
  });

  it('is not valid under another key', () => {
    write('text');
    writeFileSync(join(parent, 'settings', 'cache.key'), Buffer.alloc(32));
    expect(read()).toBeUndefined();
  });
});

describe('the files that the cache removes', () => {
  it('are its own regular files by name, including those left by a crash', () => {
    write('text');
    const precious = join(parent, 'precious');
    writeFileSync(precious, 'a thesis');
    writeFileSync(join(directory, `${name}.tmp-0123456789abcdef`), 'cut sh', { mode: 0o600 });
    writeFileSync(join(directory, 'thesis.txt'), 'a thesis', { mode: 0o600 });
    writeFileSync(join(directory, `${name}.bak`), 'a thesis', { mode: 0o600 });
    writeFileSync(join(directory, 'c'.repeat(64)), 'a thesis', { mode: 0o644 });
    symlinkSync(precious, join(directory, 'd'.repeat(64)));
    mkdirSync(join(directory, 'e'.repeat(64)));
    const responses = openCache(env, 'responses');
    const files = responses.files();
    expect(files.map((file) => file.name).sort()).toEqual([name, `${name}.tmp-0123456789abcdef`]);
    for (const file of files) responses.remove(file);
    expect(readdirSync(directory)).toHaveLength(5);
    expect(readFileSync(precious, 'utf8')).toBe('a thesis');
  });
});

describe('the key', () => {
  const key = () => join(parent, 'settings', 'cache.key');

  it('is created by the first run, at random and for its owner only', () => {
    openCache(env, 'responses');
    const first = readFileSync(key());
    expect(first).toHaveLength(32);
    expect(first.equals(Buffer.alloc(32))).toBe(false);
    if (process.platform !== 'win32') expect(statSync(key()).mode & 0o777).toBe(0o600);
    openCache(env, 'responses');
    expect(readFileSync(key()).equals(first)).toBe(true);
    expect(readdirSync(join(parent, 'settings'))).toEqual(['cache.key']);
  });

  it('is recreated if a crash left it incomplete', () => {
    mkdirSync(join(parent, 'settings'), { mode: 0o700 });
    writeFileSync(key(), '', { mode: 0o600 });
    openCache(env, 'responses');
    expect(readFileSync(key())).toHaveLength(32);
  });

  it.skipIf(process.platform === 'win32')('that others may read disables the cache', () => {
    openCache(env, 'responses');
    chmodSync(key(), 0o644);
    expect(() => openCache(env, 'responses')).toThrow(`${key()} must be a regular file that you own, with mode 0600`);
  });

  it.skipIf(process.platform === 'win32')('in settings that others may write disables the cache', () => {
    openCache(env, 'responses');
    chmodSync(join(parent, 'settings'), 0o777);
    expect(() => openCache(env, 'responses')).toThrow(`${join(parent, 'settings')} is writable by others`);
  });

  it.each(['cache', 'cache/settings', 'cache/forgectl-cache-v1'])('is never kept in the cache: %s', (settings) => {
    env.FORGECTL_CONFIG_DIR = join(parent, settings);
    expect(() => openCache(env, 'responses')).toThrow('contains the cache key, but is inside the cache');
    expect(readdirSync(join(parent, settings))).not.toContain('cache.key');
  });

  it.skipIf(process.platform === 'win32')('is found through a link to the settings', () => {
    mkdirSync(join(parent, 'dotfiles'), { mode: 0o700 });
    symlinkSync('dotfiles', join(parent, 'settings'));
    write('text');
    expect(read()).toBe('text');
    expect(readdirSync(join(parent, 'dotfiles'))).toEqual(['cache.key']);
  });
});
