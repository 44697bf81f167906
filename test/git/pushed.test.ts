import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PushingRepository } from '../../src/git/pushed.ts';
import { temporaryDirectory } from '../support/run.ts';

let folder = '';
const env = () => ({ PATH: process.env.PATH, HOME: folder });

function git(...words: readonly string[]): string {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example'];
  return execFileSync('git', [...author, ...words], { cwd: join(folder, 'site'), env: env(), encoding: 'utf8' }).trim();
}

function commit(message: string | Buffer, files: Readonly<Record<string, string | undefined>>): string {
  for (const [path, text] of Object.entries(files))
    if (text === undefined) rmSync(join(folder, 'site', path));
    else writeFileSync(join(folder, 'site', path), text);
  git('add', '--all');
  writeFileSync(join(folder, 'message'), message);
  git('commit', '--quiet', '--cleanup=verbatim', '--file', join(folder, 'message'));
  return git('rev-parse', 'HEAD');
}

let [root, changed, side, merged] = ['', '', '', ''];

beforeAll(async () => {
  folder = await temporaryDirectory();
  mkdirSync(join(folder, 'site'));
  git('init', '--quiet', '--initial-branch=main');
  root = commit('One\n', { a: 'a', gone: 'gone' });
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('checkout', '--quiet', '-b', 'side');
  side = commit('Side\n', { 'line\nbreak': '12345' });
  git('checkout', '--quiet', 'main');
  changed = commit('Two\n\nBody\n\n', { a: 'abc', gone: undefined });
  git('merge', '--quiet', '--no-commit', '--no-ff', 'side');
  merged = commit('Merge\n', { a: 'resolved' });
});

const open = () => PushingRepository.at(join(folder, 'site'), env());

describe('a repository to push from', () => {
  it('returns new commits with their messages unchanged', async () => {
    const facts = { authorEmail: 'ada@acme.example', committerEmail: 'ada@acme.example', isSigned: false };
    const commits = await (await open()).commits(merged, ['--remotes=origin']);
    expect(commits).toHaveLength(3);
    expect(commits).toEqual(
      expect.arrayContaining([
        { id: merged, parents: 2, message: 'Merge\n', ...facts },
        { id: changed, parents: 1, message: 'Two\n\nBody\n\n', ...facts },
        { id: side, parents: 1, message: 'Side\n', ...facts },
      ]),
    );
    expect(await (await open()).commits(root, ['--remotes=origin'])).toEqual([]);
  });

  it('takes no parents from a commit graph, which may contradict the commits', async () => {
    git('commit-graph', 'write', '--reachable');
    const file = join(folder, 'site/.git/objects/info/commit-graph');
    const graph = readFileSync(file);
    // After 20 bytes for the tree of each commit come its two parents; this number stands for none.
    const data = Number(graph.readBigUInt64BE(graph.indexOf('CDAT') + 4));
    const at = data + 36 * [root, side, changed, merged].toSorted().indexOf(merged) + 20;
    graph.writeUInt32BE(0x7000_0000, at);
    graph.writeUInt32BE(0x7000_0000, at + 4);
    rmSync(file);
    writeFileSync(file, graph);
    try {
      expect(git('rev-list', '--count', merged)).toBe('1');
      expect(await (await open()).commits(merged, ['--remotes=origin'])).toHaveLength(3);
    } finally {
      rmSync(file);
    }
  });

  it('returns the files that commits add or change, those of a merge only if it changed them itself', async () => {
    const files = await (await open()).files(merged, ['--remotes=origin']);
    expect(files).toHaveLength(3);
    expect(files).toEqual(
      expect.arrayContaining([
        { commit: merged, path: 'a', size: 8 },
        { commit: changed, path: 'a', size: 3 },
        { commit: side, path: 'line\nbreak', size: 5 },
      ]),
    );
    expect(await (await open()).files(root, ['--exclude=main', '--exclude=side', '--branches'])).toEqual([
      { commit: root, path: 'a', size: 1 },
      { commit: root, path: 'gone', size: 4 },
    ]);
  });

  it.skipIf(process.platform === 'win32')('ignores settings of the repository that change what git lists', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const settings = [
      ...['log.showRoot=false', 'log.showSignature=true', 'color.ui=always', 'diff.orderFile=/dev/zero'],
      `mailmap.file=${join(folder, 'pipe')}`,
    ];
    for (const setting of settings) git('config', ...setting.split('='));
    const files = await (await open()).files(root, ['--exclude=main', '--exclude=side', '--branches']);
    for (const setting of settings) git('config', '--unset', setting.split('=')[0] ?? '');
    expect(files.map(({ path }) => path)).toEqual(['a', 'gone']);
  });

  it('recognizes signatures and the encoding of messages', async () => {
    const tree = git('rev-parse', 'HEAD^{tree}');
    const person = 'Ada <ada@acme.example> 1700000000 +0000';
    const head = `tree ${tree}\nauthor ${person}\ncommitter ${person}\nencoding ISO-8859-1\n`;
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n parent \n -----END PGP SIGNATURE-----\n';
    const object = Buffer.concat([Buffer.from(`${head}${signature}\n`), Buffer.from('caf\xe9\n', 'latin1')]);
    const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      cwd: join(folder, 'site'),
      input: object,
      encoding: 'utf8',
    }).trim();
    expect(await (await open()).commits(id, ['--remotes=origin'])).toEqual([
      {
        id,
        parents: 0,
        message: 'café\n',
        authorEmail: 'ada@acme.example',
        committerEmail: 'ada@acme.example',
        isSigned: true,
      },
    ]);
  });

  it('reads a commit whose author git accepts, however malformed', async () => {
    const tree = git('rev-parse', 'HEAD^{tree}');
    const [author, committer] = [`A${'<'.repeat(2e6)}`, 'A <a@acme.example> <b@acme.example> 1700000000 +0000'];
    const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], {
      cwd: join(folder, 'site'),
      input: `tree ${tree}\nauthor ${author}\ncommitter ${committer}\n\n`,
      encoding: 'utf8',
    }).trim();
    expect(await (await open()).commits(id, ['--remotes=origin'])).toEqual([
      { id, parents: 0, message: '', authorEmail: '', committerEmail: 'a@acme.example', isSigned: false },
    ]);
  });

  it('opens a bare clone that the user named', async () => {
    git('clone', '--quiet', '--bare', '.', join(folder, 'site.git'));
    const bare = await PushingRepository.at(join(folder, 'site.git'), env());
    expect([bare.isBare, (await open()).isBare]).toEqual([true, false]);
    expect(await bare.refs('refs/heads/main', 'refs/heads/none')).toEqual(new Map([['refs/heads/main', merged]]));
  });

  it('resolves revisions, and nothing that looks like a flag', async () => {
    const repository = await open();
    expect(await repository.commitOf('main')).toBe(merged);
    expect(await repository.commitOf('none')).toBeUndefined();
    expect(await repository.commitOf('--all')).toBeUndefined();
    expect(await repository.refOf('HEAD')).toBe('refs/heads/main');
    expect(await repository.refOf(root)).toBeUndefined();
    expect([await repository.isRefName('refs/heads/a'), await repository.isRefName('refs/heads/a..b')]).toEqual([
      true,
      false,
    ]);
    expect([await repository.isAncestor(root, merged), await repository.isAncestor(merged, root)]).toEqual([
      true,
      false,
    ]);
  });
});
