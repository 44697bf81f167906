/** Programs that the configuration of a repository names never run; those that the user's own configuration names do. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkoutAt, headOf, isDirty, remotesOf, trackedFiles } from '../../src/git/checkout.ts';
import { Git, GitError } from '../../src/git/git.ts';
import { temporaryDirectory } from '../support/run.ts';

let home: string;
let folder: string;
let env: Record<string, string>;

const path = (...names: readonly string[]) => join(folder, ...names);
const plain = (...words: readonly string[]) =>
  spawnSync('git', words, { cwd: folder, env, input: '', timeout: 10_000 });
const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: folder, env, encoding: 'utf8' });

/** A file without a size, of which many gigabytes can be read. */
const memoryMap = '/proc/self/pagemap';

/** A command that leaves a mark. */
const mark = (name = 'marker') => `touch '${join(home, name)}'; cat`;
const left = (name = 'marker') => existsSync(join(home, name));

/** Makes git read the file again, whose content is the same. */
const touch = (file = path('a')) => utimesSync(file, new Date(1e12), new Date(1e12));

beforeEach(async () => {
  home = await temporaryDirectory();
  folder = join(home, 'repository');
  mkdirSync(folder);
  env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'mona',
    GIT_AUTHOR_EMAIL: 'mona@example.com',
    GIT_COMMITTER_NAME: 'mona',
    GIT_COMMITTER_EMAIL: 'mona@example.com',
  };
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(path('a'), 'one\n');
  writeFileSync(path('.gitattributes'), '* filter=x diff=x merge=x\n');
  git('add', '--all');
  git('commit', '--quiet', '--message=One');
});

describe('a program that the repository configures', () => {
  it.each<[key: string, words: readonly string[], others?: Readonly<Record<string, string>>]>([
    ['core.fsmonitor', ['status']],
    ['filter.x.clean', ['status'], { 'filter.x.required': 'true' }],
    ['filter.x.process', ['status']],
    ['filter.x.smudge', ['cat-file', '--filters', 'HEAD:a']],
    ['diff.external', ['diff', '--ext-diff']],
    ['diff.x.command', ['diff', '--ext-diff']],
    ['diff.x.textconv', ['diff', '--textconv']],
    ['tar.x.command', ['archive', '--format=x', 'HEAD']],
    ['gpg.program', ['commit', '--allow-empty', '--gpg-sign', '--message=x']],
    ['gpg.ssh.defaultKeyCommand', ['commit', '--allow-empty', '--gpg-sign', '--message=x'], { 'gpg.format': 'ssh' }],
    ['core.editor', ['commit', '--allow-empty']],
    ['core.sshCommand', ['ls-remote', 'ssh://git@127.0.0.1/x']],
    ['core.gitProxy', ['ls-remote', 'git://127.0.0.1/x']],
    ['remote.x.uploadpack', ['fetch', 'x'], { 'remote.x.url': '.' }],
  ])('does not run: %s', async (key, words, others = {}) => {
    writeFileSync(join(home, 'program'), `#!/bin/sh\ntouch '${join(home, 'marker')}'\nexit 1\n`, { mode: 0o755 });
    for (const [name, value] of Object.entries({ ...others, [key]: join(home, 'program') })) git('config', name, value);
    if (words[0] === 'diff') appendFileSync(path('a'), 'two\n');
    touch();
    plain(...words);
    expect(left()).toBe(true);

    rmSync(join(home, 'marker'));
    touch();
    await new Git(folder, env).run(...words).catch(() => undefined);
    expect(left()).toBe(false);
  });

  it.each(['.git/hooks', 'hooks'])('does not run as a hook in %s', async (hooks) => {
    mkdirSync(path(hooks), { recursive: true });
    writeFileSync(path(hooks, 'post-checkout'), `#!/bin/sh\ntouch '${join(home, 'marker')}'\n`, { mode: 0o755 });
    if (hooks === 'hooks') git('config', 'core.hooksPath', path(hooks));
    plain('checkout', '--quiet', 'main');
    expect(left()).toBe(true);

    rmSync(join(home, 'marker'));
    await new Git(folder, env).run('checkout', '--quiet', 'main');
    expect(left()).toBe(false);
  });

  it.each([
    'core.alternateRefsCommand',
    'core.askPass',
    'core.pager',
    'credential.https://x.example.helper',
    'hook.x.command',
    'interactive.diffFilter',
    'lfs.extension.x.clean',
    'lfs.extension.x.smudge',
    'merge.x.driver',
    'remote.x.receivepack',
    'remote.x.vcs',
    'sequence.editor',
    'uploadpack.packObjectsHook',
  ])('is replaced by none, or by that of the user: %s', async (key) => {
    git('config', key, mark());
    expect(await new Git(folder, env).run('config', '--get', key)).toBe('\n');
    git('config', '--global', key, 'own program');
    expect(await new Git(folder, env).run('config', '--get', key)).toBe('own program\n');
  });

  it('is replaced by none, of several: credential.helper', async () => {
    git('config', 'credential.helper', 'store');
    expect(await new Git(folder, env).run('config', '--get-all', 'credential.helper')).toBe('store\n\n');
  });

  it.each<[where: string, name: () => void]>([
    [
      'in an included file',
      () => {
        writeFileSync(join(home, 'included'), `[filter "x"]\n\tclean = "${mark()}"\n`);
        git('config', 'include.path', join(home, 'included'));
      },
    ],
    [
      'in a file included for its branch',
      () => {
        writeFileSync(join(home, 'included'), `[filter "x"]\n\tclean = "${mark()}"\n`);
        git('config', 'includeIf.onbranch:main.path', join(home, 'included'));
      },
    ],
    [
      'for a working tree',
      () => {
        git('config', 'extensions.worktreeConfig', 'true');
        git('config', '--worktree', 'filter.x.clean', mark());
      },
    ],
  ])('does not run %s', async (_, name) => {
    name();
    touch();
    plain('status');
    expect(left()).toBe(true);

    rmSync(join(home, 'marker'));
    touch();
    expect(await isDirty({ root: folder, sha: undefined, ref: undefined }, env)).toBe(false);
    expect(left()).toBe(false);
  });

  it.each([
    ['an equals sign', Buffer.from('a=b')],
    ['other bytes than UTF-8', Buffer.from([0x61, 0xff])],
  ])('does not run under a name with %s', async (_, name) => {
    const attributes = Buffer.concat([Buffer.from('* filter='), name, Buffer.from('\n')]);
    writeFileSync(path('.git/info/attributes'), attributes);
    appendFileSync(
      path('.git/config'),
      Buffer.concat([Buffer.from('[filter "'), name, Buffer.from(`"]\n\tclean = "${mark()}"\n`)]),
    );
    touch();
    plain('status');
    expect(left()).toBe(true);

    rmSync(join(home, 'marker'));
    touch();
    await expect(new Git(folder, env).run('status')).rejects.toThrow(
      new GitError('the configuration of the repository has an invalid setting in section filter', 'other'),
    );
    expect(left()).toBe(false);
  });

  it('does not run under a name that is longer than a command line', async () => {
    appendFileSync(path('.git/config'), `[filter "${'x'.repeat(200_000)}"]\n\tclean = "${mark()}"\n`);
    await expect(new Git(folder, env).run('status')).rejects.toThrow(
      new GitError('the configuration of the repository has an invalid setting in section filter', 'other'),
    );
  });

  it('does not run in a submodule', async () => {
    const other = join(home, 'other');
    git('clone', '--quiet', '.', other);
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'sub');
    git('commit', '--quiet', '--message=Two');
    git('-C', 'sub', 'config', 'filter.x.clean', mark());
    touch(path('sub/a'));
    plain('status');
    expect(left()).toBe(true);

    rmSync(join(home, 'marker'));
    touch(path('sub/a'));
    const checkout = await checkoutAt(folder, env);
    expect(checkout && (await isDirty(checkout, env))).toBe(false);
    expect(left()).toBe(false);
    git('-C', 'sub', 'commit', '--quiet', '--allow-empty', '--message=Three');
    expect(checkout && (await isDirty(checkout, env))).toBe(true);
  });

  it('does not run to fetch a missing object', async () => {
    git('config', 'remote.x.url', `ext::touch ${join(home, 'marker')}`);
    git('config', 'remote.x.promisor', 'true');
    git('config', 'protocol.ext.allow', 'always');
    git('config', 'core.repositoryFormatVersion', '1');
    git('config', 'extensions.partialClone', 'x');
    const blob = git('rev-parse', 'HEAD:a').trim();
    rmSync(path('.git/objects', blob.slice(0, 2), blob.slice(2)));
    plain('cat-file', 'blob', 'HEAD:a');
    expect(left()).toBe(true);

    rmSync(join(home, 'marker'));
    await expect(new Git(folder, env).run('cat-file', 'blob', 'HEAD:a')).rejects.toThrow(GitError);
    expect(left()).toBe(false);
  });

  it.skipIf(process.platform === 'win32')(
    'does not run as an alias for an empty protocol, with an old git',
    async () => {
      git('config', 'remote.x.url', '::x');
      git('config', 'remote.x.promisor', 'true');
      git('config', 'alias.remote-', `!touch ${join(home, 'marker')}`);
      git('config', 'core.repositoryFormatVersion', '1');
      git('config', 'extensions.partialClone', 'x');
      const blob = git('rev-parse', 'HEAD:a').trim();
      rmSync(path('.git/objects', blob.slice(0, 2), blob.slice(2)));
      mkdirSync(join(home, 'bin'));
      const old = `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nPATH='${env.PATH}' exec git "$@"\n`;
      writeFileSync(join(home, 'bin/git'), old, { mode: 0o755 });
      plain('-c', 'protocol.allow=always', 'cat-file', 'blob', 'HEAD:a');
      expect(left()).toBe(true);

      rmSync(join(home, 'marker'));
      const reading = new Git(folder, { ...env, PATH: `${home}/bin:${env.PATH}` }).run('cat-file', 'blob', 'HEAD:a');
      await expect(reading).rejects.toThrow(GitError);
      expect(left()).toBe(false);
    },
  );
});

describe('a filter that the user configures', () => {
  it('runs, even if the repository configures another for the same files', async () => {
    git('config', '--global', 'filter.x.clean', mark('own'));
    git('config', 'filter.x.clean', mark());
    touch();
    expect(await isDirty({ root: folder, sha: undefined, ref: undefined }, env)).toBe(false);
    expect([left('own'), left()]).toEqual([true, false]);
  });

  it('may come from the environment', async () => {
    const own = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'filter.x.clean', GIT_CONFIG_VALUE_0: mark('own') };
    touch();
    expect(await isDirty({ root: folder, sha: undefined, ref: undefined }, { ...env, ...own })).toBe(false);
    expect(left('own')).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('a repository that would keep git busy', () => {
  it('is an error after a time limit', async () => {
    execFileSync('mkfifo', [join(home, 'pipe')]);
    const waiting = new Git(folder, env, { timeoutMs: 300 }).run('config', '--file', join(home, 'pipe'), '--list');
    await expect(waiting).rejects.toThrow(new GitError('git did not end within 0.3 s', 'timeout'));
  });

  const read = ['index', 'CHERRY_PICK_HEAD', 'objects/info/commit-graph', 'objects/pack/multi-pack-index'];
  it.each([...read, 'objects/ab/cd', 'rebase-merge/onto', 'reftable/tables.list', 'sequencer/todo'])(
    'is an error: a pipe in place of %s',
    async (name) => {
      rmSync(path('.git', name), { force: true });
      mkdirSync(dirname(path('.git', name)), { recursive: true });
      execFileSync('mkfifo', [path('.git', name)]);
      await expect(new Git(folder, env).run('status')).rejects.toThrow(`.git/${name} is not a regular file`);
    },
  );

  it.each([
    ['include.path', '../../pipe'],
    ['include.path', '../../more'],
    ['includeIf.gitdir:/.path', '../../pipe'],
  ])('is an error: a pipe that its settings include as %s %s', async (key, value) => {
    execFileSync('mkfifo', [join(home, 'pipe')]);
    writeFileSync(join(home, 'more'), '[include]path = pipe\n');
    git('config', key, value);
    await expect(new Git(folder, env).run('status')).rejects.toThrow('/pipe is not a regular file');
  });

  it.each([
    ['beside one for a missing user', '[includeIf "gitdir:/none/"]\npath = ~nobody-here/x\n[include]\npath = PIPE\n'],
    ['beside one without a value', '[includeIf "gitdir:/none/"]\npath\n[include]\npath = PIPE\n'],
    ['at the end of a large file', `${'#'.repeat(1_100_000)}\n[include]\npath = PIPE\n`],
    ['through the target of a link', '[include]\npath = link/../pipe\n'],
  ])('is an error: a pipe that its settings include %s', async (_, included) => {
    mkdirSync(join(home, 'far/linked'), { recursive: true });
    execFileSync('mkfifo', [join(home, 'far/pipe')]);
    symlinkSync(join(home, 'far/linked'), path('.git/link'));
    appendFileSync(path('.git/config'), included.replace('PIPE', join(home, 'far/pipe')));
    await expect(new Git(folder, env).run('status')).rejects.toThrow('/pipe is not a regular file');
  });

  it('is an error if its settings cannot be parsed after an include', async () => {
    execFileSync('mkfifo', [join(home, 'pipe')]);
    appendFileSync(path('.git/config'), `[include]\npath = ${join(home, 'pipe')}\n[broken\n`);
    await expect(new Git(folder, env).run('status')).rejects.toThrow(/^bad config line \d+ in file .*config$/);
  });

  it('is an error if it includes more files, or larger ones, than anyone needs', async () => {
    const config = readFileSync(path('.git/config'), 'utf8');
    writeFileSync(
      path('.git/config'),
      `${config}[include]\n${Array.from({ length: 201 }, (_, at) => `path = ${at}\n`).join('')}`,
    );
    await expect(new Git(folder, env).run('status')).rejects.toEqual(
      new GitError(
        'the configuration of the repository includes more than 200 files',
        'other',
        'List them with: git config --list --show-origin. Remove the includes that you do not need.',
      ),
    );
    writeFileSync(path('.git/config'), `${config}[include]\npath = large\n`);
    writeFileSync(path('.git/large'), '');
    truncateSync(path('.git/large'), 16 * 1024 * 1024 + 1);
    await expect(new Git(folder, env).run('status')).rejects.toThrow('/large is larger than 16 MiB');
  });

  it.each([
    ['.git', (to: string) => `gitdir: ${to}\n`],
    ['.git/commondir', (to: string) => `${to}${'\n'.repeat(1_100_000)}`],
  ])('is an error: a device in the folder that %s names through the target of a link', async (name, written) => {
    mkdirSync(join(home, 'far/linked'), { recursive: true });
    renameSync(path('.git'), join(home, 'far/real'));
    symlinkSync(join(home, 'far/linked'), path('link'));
    if (name === '.git/commondir') {
      mkdirSync(path('.git'));
      writeFileSync(path('.git/HEAD'), 'ref: refs/heads/main\n');
      symlinkSync(join(home, 'far/linked'), path('.git/link'));
    }
    writeFileSync(path(name), written('link/../real'));
    rmSync(join(home, 'far/real/config'));
    symlinkSync('/dev/zero', join(home, 'far/real/config'));
    await expect(new Git(folder, env).run('status')).rejects.toThrow('real/config is not a regular file');
  });

  it('may have the null device in place of a file, and anything beside its own', async () => {
    for (const name of ['exclude', 'attributes']) {
      rmSync(path('.git/info', name), { force: true });
      symlinkSync('/dev/null', path('.git/info', name));
    }
    git('config', 'include.path', '/dev/null');
    execFileSync('mkfifo', [path('config')]);
    expect(await new Git(folder, env).run('status', '--porcelain', '--untracked-files=no')).toBe('');
  });

  it('may lie in a folder with folders of such names', async () => {
    mkdirSync(path('HEAD'));
    mkdirSync(path('config'));
    expect(await new Git(folder, env).run('status', '--porcelain')).toBe('');
  });

  it('is an error: a pipe in place of attributes of the working tree', async () => {
    mkdirSync(path('of/files'), { recursive: true });
    writeFileSync(path('of/files/b'), 'b');
    git('add', '--all');
    execFileSync('mkfifo', [path('of/.gitattributes')]);
    await expect(isDirty({ root: folder, sha: undefined, ref: undefined }, env)).rejects.toThrow(
      'of/.gitattributes is not a regular file',
    );
  });

  it('has two minutes', async () => {
    const limits = new Set<unknown>();
    vi.doMock('node:child_process', async (original) => {
      const actual = await original<typeof import('node:child_process')>();
      const run = promisify(actual.execFile);
      const limited = (...[file, words, options]: readonly [string, readonly string[], { timeout: number }]) => {
        limits.add(options.timeout);
        return run(file, words, options);
      };
      return { ...actual, execFile: Object.assign(() => {}, { [promisify.custom]: limited }) };
    });
    onTestFinished(() => {
      vi.doUnmock('node:child_process');
      vi.resetModules();
    });
    vi.resetModules();
    const fresh = await import('../../src/git/git.ts');
    await new fresh.Git(folder, env).run('status');
    expect([...limits]).toEqual([120_000]);
  });

  it('is an error: a device in the repository around the target of a link', async () => {
    mkdirSync(path('sub'));
    symlinkSync(path('sub'), join(home, 'link'));
    rmSync(path('.git/config'));
    symlinkSync('/dev/zero', path('.git/config'));
    await expect(new Git(join(home, 'link'), env).run('status')).rejects.toThrow('.git/config is not a regular file');
  });

  const files = ['HEAD', 'config', 'commondir', 'info/attributes', 'objects/info/alternates', 'packed-refs'];
  it.each([...files, 'refs/heads/main', 'refs/tags/v1'])('is an error: a device in place of %s', async (name) => {
    rmSync(path('.git', name), { force: true });
    symlinkSync('/dev/zero', path('.git', name));
    await expect(new Git(folder, env).run('status')).rejects.toThrow(`.git/${name} is not a regular file`);
  });

  // The kernel makes the content, which has no size. git would read gigabytes of it.
  it
    .skipIf(!existsSync(memoryMap))
    .each([...files, 'refs/heads/main', 'CHERRY_PICK_HEAD', 'rebase-merge/onto', 'objects/pack/x.pack'])(
    'is an error: a file of the kernel in place of %s',
    async (name) => {
      mkdirSync(dirname(path('.git', name)), { recursive: true });
      rmSync(path('.git', name), { force: true });
      symlinkSync(memoryMap, path('.git', name));
      await expect(new Git(folder, env).run('status')).rejects.toThrow(`.git/${name} is not a regular file`);
    },
  );

  it.skipIf(!existsSync(memoryMap))('is an error: a file of the kernel that settings include', async () => {
    git('config', 'include.path', memoryMap);
    await expect(new Git(folder, env).run('status')).rejects.toThrow(`${memoryMap} is not a regular file`);
  });

  const huge = [
    'HEAD',
    'info/exclude',
    'info/sparse-checkout',
    'rebase-merge/onto',
    'refs/heads/main',
    'sequencer/todo',
  ];
  it.each(huge)('is an error: a huge %s', async (name) => {
    mkdirSync(dirname(path('.git', name)), { recursive: true });
    appendFileSync(path('.git', name), '');
    truncateSync(path('.git', name), 64 * 1024 ** 3);
    await expect(new Git(folder, env).run('status')).rejects.toThrow(`.git/${name} is larger than 16 MiB`);
  });

  it('is an error: a device in place of the branch that an include depends on', async () => {
    appendFileSync(path('.git/config'), '[includeIf "onbranch:other"]\n\tpath = other\n');
    rmSync(path('.git/refs/heads/main'));
    symlinkSync('/dev/zero', path('.git/refs/heads/main'));
    await expect(new Git(folder, env, { timeoutMs: 300 }).run('status')).rejects.toThrow(
      '.git/refs/heads/main is not a regular file',
    );
  });

  it.each(['refs/heads/main', 'CHERRY_PICK_HEAD'])('is an error: a device that %s points to', async (name) => {
    mkdirSync(path('.git/modules'));
    symlinkSync('/dev/zero', path('.git/modules/zero'));
    writeFileSync(path('.git', name), 'ref:  modules/zero\n');
    await expect(new Git(folder, env).run('status')).rejects.toThrow(`.git/${name} points to a file that is not a ref`);
    writeFileSync(path('.git', name), 'ref: refs/heads/other\n');
    await new Git(folder, env).run('status');
  });

  it.each([
    ['.git/commondir', `${'\n'.repeat(2e6)}x`],
    ['sub/.git', `gitdir: ${'\n'.repeat(2e6)}x`],
  ])('ends: line breaks within %s', async (name, text) => {
    mkdirSync(path('sub'));
    writeFileSync(path(name), text);
    await expect(new Git(path('sub'), env).run('status')).rejects.toThrow(GitError);
  });

  it('reads remotes with many tabs in their URLs', async () => {
    const [remote, url] = ['[remote "origin"]', 'https://git.acme.example/acme/site'];
    appendFileSync(path('.git/config'), `${remote}\nurl = ${url}\npushurl = "${'\\t'.repeat(2e6)}"\n`);
    expect(await remotesOf(folder, env)).toEqual([{ name: 'origin', url }]);
  });

  it('is an error: a pipe in place of a ref, or a folder of devices', async () => {
    execFileSync('mkfifo', [path('.git/refs/heads/pipe')]);
    await expect(new Git(folder, env).run('status')).rejects.toThrow('.git/refs/heads/pipe is not a regular file');
    rmSync(path('.git/refs/heads/pipe'));
    symlinkSync('/dev', path('.git/refs/heads/devices'));
    await expect(new Git(folder, env).run('status')).rejects.toThrow('.git/refs/heads/devices is not a regular file');
  });

  it.each([
    ['plain', (to: string) => to],
    ['quoted', (to: string) => `"${to.replace('objects', '\\157bjects')}"`],
  ])('is an error: a device in place of the alternates of alternates (%s)', async (_, written) => {
    mkdirSync(join(home, 'objects/info'), { recursive: true });
    symlinkSync('/dev/zero', join(home, 'objects/info/alternates'));
    writeFileSync(path('.git/objects/info/alternates'), `${written(join(home, 'objects'))}\n`);
    await expect(new Git(folder, env).run('status')).rejects.toThrow('objects/info/alternates is not a regular file');
  });

  it.each([
    ['with another character after the quote', '"../../more"x\n'],
    ['with a line break', '"../../of\nmore"\n', 'of\nmore'],
    ['without a closing quote', '"more\n', '.git/objects/"more'],
    ['before a null byte', '../../more\0x\n'],
    ['after a comment', '# "\n../../more\n'],
    ['through the target of a link', 'link/../more\n', 'more'],
  ])('is an error: a pipe in alternates that are named %s', async (_, list, name = 'more') => {
    mkdirSync(path('linked'));
    symlinkSync(path('linked'), path('.git/objects/link'));
    mkdirSync(path(name, 'pack'), { recursive: true });
    execFileSync('mkfifo', [path(name, 'pack/pipe')]);
    writeFileSync(path('.git/objects/info/alternates'), list);
    await expect(new Git(folder, env).run('status')).rejects.toThrow(`${name}/pack/pipe is not a regular file`);
  });

  it('is an error if it has more alternates than anyone needs', async () => {
    const list = path('.git/objects/info/alternates');
    writeFileSync(list, Array.from({ length: 201 }, (_, at) => `${at}\n`).join(''));
    await expect(new Git(folder, env).run('status')).rejects.toThrow(
      new GitError(`${list} leads to more than 200 folders`, 'other'),
    );
  });

  it.each([
    ['.git', 'gitdir: real\0x\n'],
    ['.git/commondir', '../real\0x\n'],
  ])('is an error: a device in the folder that %s names before a null byte', async (name, text) => {
    renameSync(path('.git'), path('real'));
    if (name === '.git/commondir') {
      mkdirSync(path('.git'));
      writeFileSync(path('.git/HEAD'), 'ref: refs/heads/main\n');
    }
    writeFileSync(path(name), text);
    symlinkSync('/dev/zero', path('real/packed-refs'));
    await expect(checkoutAt(folder, env)).rejects.toThrow('real/packed-refs is not a regular file');
  });

  it('is an error: a ref that points to a file whose name begins with a space of Unicode', async () => {
    writeFileSync(path('.git/refs/heads/main'), 'ref: \u00a0refs/x\n');
    await expect(new Git(folder, env).run('status')).rejects.toThrow(
      '.git/refs/heads/main points to a file that is not a ref',
    );
  });

  it('is an error: a device in a folder that looks like a bare repository', async () => {
    mkdirSync(path('sub/objects'), { recursive: true });
    writeFileSync(path('sub/HEAD'), 'ref: refs/heads/main\n');
    symlinkSync('/dev/zero', path('sub/commondir'));
    await expect(new Git(path('sub'), env).run('status')).rejects.toThrow('sub/commondir is not a regular file');
  });

  it.each(['refs/heads/main', 'commondir'])('is an error: a device in a submodule in place of %s', async (name) => {
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', 'sub'], { cwd: folder, env });
    execFileSync('git', ['commit', '--quiet', '--allow-empty', '--message=One'], { cwd: path('sub'), env });
    git('add', 'sub');
    rmSync(path('sub/.git', name), { force: true });
    symlinkSync('/dev/zero', path('sub/.git', name));
    await expect(isDirty({ root: folder, sha: undefined, ref: undefined }, env)).rejects.toThrow(
      `sub/.git/${name} is not a regular file`,
    );
  });

  it('is an error: a device in the folder that the file .git names', async () => {
    cpSync(path('.git'), join(home, 'elsewhere'), { recursive: true });
    rmSync(path('.git'), { recursive: true });
    writeFileSync(path('.git'), 'gitdir: ../elsewhere\n');
    symlinkSync('/dev/zero', join(home, 'elsewhere/commondir'));
    await expect(new Git(folder, env).run('status')).rejects.toThrow('elsewhere/commondir is not a regular file');
  });

  it.each(['attributesFile', 'excludesFile'])('does so with none of its own settings: core.%s', async (name) => {
    execFileSync('mkfifo', [join(home, 'pipe')]);
    git('config', `core.${name}`, join(home, 'pipe'));
    expect(await new Git(folder, env, { timeoutMs: 20_000 }).run('status', '--porcelain')).toBe('');
  });

  // Only Linux has such names.
  describe.runIf(process.platform === 'linux')('with a name that is not UTF-8', () => {
    const inBytes = (...names: readonly string[]) => Buffer.from(path(...names), 'latin1');
    const pipe = (...names: readonly string[]) =>
      execFileSync('python3', ['-c', 'import os, sys; os.mkfifo(sys.stdin.buffer.read())'], {
        input: inBytes(...names),
      });

    it.each(['.git/refs/heads/\xff', '.git/objects/pack/\xff.idx'])('is an error: the pipe %j', async (name) => {
      pipe(name);
      await expect(new Git(folder, env).run('status')).rejects.toThrow(
        `${name.replace('\xff', '\ufffd')} is not a regular file`,
      );
    });

    it.each([
      ['.git', 'gitdir: real\xff\n', 'packed-refs'],
      ['.git/objects/info/alternates', '../../real\xff/objects\n', 'objects/pack/pipe'],
      ['.git/objects/info/alternates', '"../../real\\377/objects"\n', 'objects/pack/pipe'],
    ])('is an error: a pipe in the folder that %s names as %j', async (name, text, read) => {
      if (name === '.git') renameSync(path('.git'), inBytes('real\xff'));
      else mkdirSync(inBytes('real\xff/objects/pack'), { recursive: true });
      writeFileSync(path(name), text, 'latin1');
      pipe('real\xff', read);
      await expect(checkoutAt(folder, env)).rejects.toThrow(`real\ufffd/${read} is not a regular file`);
    });

    it.each(['../../\xff', '~/\xff'])('is an error: a pipe that its settings include as %j', async (value) => {
      appendFileSync(path('.git/config'), `[include]\npath = ${value}\n`, 'latin1');
      pipe('../\xff');
      await expect(new Git(folder, env).run('status')).rejects.toThrow('/\ufffd is not a regular file');
    });

    it('is an error: a file of settings that includes others', async () => {
      appendFileSync(path('.git/config'), '[include]\npath = \xff\n', 'latin1');
      writeFileSync(inBytes('.git/\xff'), '[include]\npath = pipe\n');
      await expect(new Git(folder, env).run('status')).rejects.toThrow(
        '.git/\ufffd includes files, but its name is not UTF-8',
      );
    });

    it('is an error: a pipe in place of attributes in the folder', async () => {
      mkdirSync(inBytes('\xff'));
      writeFileSync(inBytes('\xff/b'), 'b');
      git('add', '--all');
      pipe('\xff/.gitattributes');
      await expect(isDirty({ root: folder, sha: undefined, ref: undefined }, env)).rejects.toThrow(
        '\ufffd/.gitattributes is not a regular file',
      );
    });

    it('may have its repository there, and branches of such names', async () => {
      git('branch', 'other');
      renameSync(path('.git/refs/heads/other'), inBytes('.git/refs/heads/\xff'));
      renameSync(path('.git'), inBytes('real\xff'));
      writeFileSync(path('.git'), 'gitdir: real\xff\n', 'latin1');
      expect((await checkoutAt(folder, env))?.ref).toBe('refs/heads/main');
    });
  });

  it('is an error if it configures more programs than anyone needs', async () => {
    const filters = Array.from({ length: 201 }, (_, at) => `[filter "f${at}"]\n\tclean = "${mark()}"\n`);
    appendFileSync(path('.git/config'), filters.join(''));
    await expect(new Git(folder, env).run('status')).rejects.toThrow(
      new GitError('the configuration of the repository has more than 200 programs', 'other'),
    );
  });
});

it('differs from its commit, whatever replaces that', async () => {
  const first = git('rev-parse', 'HEAD').trim();
  appendFileSync(path('a'), 'two\n');
  git('commit', '--quiet', '--all', '--message=Two');
  git('replace', first, 'HEAD');
  git('reset', '--quiet', '--soft', first);
  expect(git('status', '--porcelain')).toBe('');
  expect(await isDirty({ root: folder, sha: first, ref: undefined }, env)).toBe(true);
});

describe('a bare repository', () => {
  it('is not assumed because a folder looks like one', async () => {
    cpSync(path('.git'), path('embedded'), { recursive: true });
    for (const settings of ['bare = true', `bare = false\n\tworktree = ${folder}`]) {
      writeFileSync(path('embedded/config'), `[core]\n\t${settings}\n\tfsmonitor = "${mark()}"\n`);
      const refused = `cannot use bare repository '${path('embedded')}' (safe.bareRepository is 'explicit')`;
      await expect(checkoutAt(path('embedded'), env)).rejects.toThrow(refused);
      await expect(trackedFiles(path('embedded'), env)).rejects.toThrow(refused);
    }
    expect(left()).toBe(false);
  });
});

describe('a repository given by the user', () => {
  it('may be bare, and runs no program either', async () => {
    const sha = git('rev-parse', 'HEAD').trim();
    cpSync(path('.git'), join(home, 'bare.git'), { recursive: true });
    writeFileSync(
      join(home, 'bare.git/config'),
      `[core]\n\tbare = true\n\tfsmonitor = "${mark()}"\n[filter "x"]\n\tclean = "${mark()}"\n`,
    );
    expect(await headOf(join(home, 'bare.git'), env)).toEqual({ sha, ref: 'refs/heads/main' });
    const bare = new Git(folder, env, { repository: join(home, 'bare.git') });
    expect(await bare.run('config', '--get', 'filter.x.clean')).toBe('\n');
    expect(left()).toBe(false);
  });

  it('may have no commit', async () => {
    git('init', '--quiet', '--bare', '--initial-branch=main', join(home, 'new.git'));
    expect(await headOf(join(home, 'new.git'), env)).toEqual({ sha: undefined, ref: 'refs/heads/main' });
  });

  it('is an error if it is none, and not the one around it', async () => {
    mkdirSync(path('sub'));
    for (const named of [path('sub'), path('nowhere')])
      await expect(headOf(named, env)).rejects.toThrow(
        new GitError(`not a git repository: '${named}'`, 'not a repository'),
      );
  });
});

describe('the checkout of a folder', () => {
  it('is the one around the folder, whatever git variables are set', async () => {
    const sha = git('rev-parse', 'HEAD').trim();
    mkdirSync(path('sub'));
    const others = { GIT_DIR: join(home, 'nowhere'), GIT_WORK_TREE: '/', GIT_INDEX_FILE: '/nowhere', GIT_CONFIG: '/x' };
    const checkout = await checkoutAt(path('sub'), { ...env, ...others, GIT_TRACE: '1', LC_ALL: 'de_DE.UTF-8' });
    expect(checkout).toEqual({ root: folder, sha, ref: 'refs/heads/main' });
    expect(await trackedFiles(folder, { ...env, ...others })).toEqual(['.gitattributes', 'a']);
  });

  it('may be one of several working trees, or a submodule', async () => {
    git('worktree', 'add', '--quiet', '--detach', join(home, 'tree'));
    expect((await checkoutAt(join(home, 'tree'), env))?.root).toBe(join(home, 'tree'));
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', folder, 'sub');
    expect((await checkoutAt(path('sub'), env))?.root).toBe(path('sub'));
  });

  it.each(['/', 'HOME'])('is not one that the repository configures: %s', async (named) => {
    const tree = named === 'HOME' ? home : named;
    git('init', '--quiet', home);
    git('config', 'core.worktree', tree);
    await expect(checkoutAt(folder, env)).rejects.toThrow(
      `the repository in ${path('.git')} has its working tree in ${tree}`,
    );
  });

  it('is none outside of a repository, and without git', async () => {
    expect(await checkoutAt(home, env)).toBeUndefined();
    expect(await checkoutAt(folder, { ...env, PATH: home })).toBeUndefined();
  });

  it('is an error if git fails, with the message and the advice of git', async () => {
    const error = await checkoutAt(folder, { ...env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }).catch((error) => error);
    expect({ ...error, message: error.message }).toEqual({
      name: 'GitError',
      reason: 'other',
      message: `detected dubious ownership in repository at '${folder}'`,
      advice: `To add an exception for this directory, call: git config --global --add safe.directory ${folder}`,
    });
    writeFileSync(path('.git/config'), '[core\n');
    await expect(checkoutAt(folder, env)).rejects.toThrow('bad config line 1 in file .git/config');
    expect(readFileSync(path('a'), 'utf8')).toBe('one\n');
  });
});
