import { describe, expect, it } from 'vitest';
import { lockfileFormat } from '../../../src/dependencies/formats.ts';
import { lines, parse } from '../graph.ts';

const pyproject = `
[project]
dependencies = ["Flask_Login (>=0.6,<1.0) ; python_version > '3.9'"]
[tool.poetry.group.test.dependencies]
pytest = "^8"
`;

describe('poetry.lock', () => {
  const lock = (marks: string) => `
[[package]]
name = "Flask-Login"
version = "0.6.3"
${marks.replace('?', 'main')}
[package.dependencies]
werkzeug = { version = ">=1", optional = true }
missing = "*"

[[package]]
name = "pytest"
version = "8.0.0"
${marks.replace('?', 'test')}
[package.dependencies]
Werkzeug = "*"

[[package]]
name = "werkzeug"
version = "3.0.0"
${marks.replace('?', 'main')}
[metadata]
lock-version = "2.1"
`;
  const expected = [
    'pkg:pypi/flask-login@0.6.3 direct runtime → pkg:pypi/werkzeug@3.0.0',
    'pkg:pypi/pytest@8.0.0 direct development → pkg:pypi/werkzeug@3.0.0',
    'pkg:pypi/werkzeug@3.0.0 indirect runtime',
  ];

  it.each([
    ['groups', 'groups = ["?"]'],
    ['categories', 'category = "?"'],
    ['neither', ''],
  ])('has direct packages of pyproject.toml, and scopes of a lockfile with %s', async (_, marks) => {
    expect(lines(await parse('poetry.lock', lock(marks), { 'pyproject.toml': pyproject }))).toEqual(expected);
  });

  it('omits what only pyproject.toml contains if it is missing', async () => {
    expect(lines(await parse('poetry.lock', lock('')))).toEqual([
      'pkg:pypi/flask-login@0.6.3 ? ? → pkg:pypi/werkzeug@3.0.0',
      'pkg:pypi/pytest@8.0.0 ? ? → pkg:pypi/werkzeug@3.0.0',
      'pkg:pypi/werkzeug@3.0.0 ? ?',
    ]);
  });

  it('has sources as qualifiers, without credentials and folders', async () => {
    const source = (name: string, text: string) =>
      `[[package]]\nname = "${name}"\nversion = "1.0"\n[package.source]\n${text}\n`;
    const text = [
      source(
        'git',
        'type = "git"\nurl = "https://git.example.com/a.git"\nresolved_reference = "5d41402"\nsubdirectory = "lib"',
      ),
      source('ssh', 'type = "git"\nurl = "git@git.example.com:acme/a.git"\nresolved_reference = "5d41402"'),
      source('private', 'type = "legacy"\nurl = "https://user:secret@pypi.example.com/simple/"'),
      source('archive', 'type = "url"\nurl = "https://example.com/a.whl"'),
      source('folder', 'type = "directory"\nurl = "../folder"'),
    ].join('\n');
    expect(lines(await parse('poetry.lock', text))).toEqual([
      'pkg:pypi/git@1.0?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Fa.git%405d41402%23lib ? ?',
      'pkg:pypi/ssh@1.0?vcs_url=git%2Bssh:%2F%2Fgit%40git.example.com%2Facme%2Fa.git%405d41402 ? ?',
      'pkg:pypi/private@1.0?repository_url=https:%2F%2Fpypi.example.com%2Fsimple ? ?',
      'pkg:pypi/archive@1.0?download_url=https:%2F%2Fexample.com%2Fa.whl ? ?',
    ]);
  });

  it('follows local folders, which have no lockfile of their own', async () => {
    const text = `
[[package]]
name = "folder"
version = "1.0"
[package.dependencies]
idna = "*"
[package.source]
type = "directory"
url = "folder"
[[package]]
name = "idna"
version = "2.10"
`;
    const project = '[tool.poetry.dependencies]\nfolder = { path = "folder" }\n';
    expect(lines(await parse('poetry.lock', text, { 'pyproject.toml': project }))).toEqual([
      'pkg:pypi/idna@2.10 indirect runtime',
    ]);
  });

  it('reports the line of invalid TOML, also in the file next to it', async () => {
    await expect(parse('poetry.lock', '[metadata]\na = \n')).rejects.toMatchObject({
      message: 'not valid TOML',
      line: 2,
    });
    await expect(parse('poetry.lock', '[metadata]', { 'pyproject.toml': '\n\n!' })).rejects.toMatchObject({
      message: 'pyproject.toml beside it is not valid TOML (line 3)',
      line: undefined,
    });
  });
});

describe('uv.lock', () => {
  const lock = `
version = 1
[[package]]
name = "app"
source = { editable = "." }
dependencies = [{ name = "click", extra = ["color"] }, { name = "lib" }]
[package.optional-dependencies]
tz = [{ name = "tzdata", marker = "sys_platform == 'win32'" }]
[package.dev-dependencies]
dev = [{ name = "build", version = "2.0", source = { registry = "https://pypi.org/simple" }, marker = "python_version > '3.9'" }]
[[package]]
name = "lib"
source = { virtual = "libs/lib" }
dependencies = [{ name = "build", version = "1.0" }]
[[package]]
name = "build"
version = "1.0"
source = { registry = "https://pypi.example.com/simple" }
[[package]]
name = "build"
version = "2.0"
source = { registry = "https://pypi.org/simple" }
[[package]]
name = "click"
version = "8.1"
source = { git = "https://git.example.com/click?rev=main#5d41402" }
[package.optional-dependencies]
color = [{ name = "colorama" }]
[[package]]
name = "colorama"
version = "0.4"
source = { registry = "https://pypi.org/simple" }
[[package]]
name = "tzdata"
version = "2025.1"
source = { url = "https://example.com/tzdata.whl" }
`;

  it('has a manifest for each workspace, with extras, groups, markers and sources', async () => {
    const manifests = await parse('uv.lock', lock);
    expect(manifests.map(({ workspace, file }) => [workspace, file])).toEqual([
      [undefined, undefined],
      ['lib', 'libs/lib/pyproject.toml'],
    ]);
    expect(lines(manifests).sort()).toEqual([
      'lib: pkg:pypi/build@1.0?repository_url=https:%2F%2Fpypi.example.com%2Fsimple direct runtime',
      'pkg:pypi/build@2.0 direct development',
      'pkg:pypi/click@8.1?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Fclick%405d41402 direct runtime → pkg:pypi/colorama@0.4',
      'pkg:pypi/colorama@0.4 indirect runtime',
      'pkg:pypi/tzdata@2025.1?download_url=https:%2F%2Fexample.com%2Ftzdata.whl direct runtime',
    ]);
  });

  it('has the groups of a workspace whose root is not a package', async () => {
    const text = `
version = 1
[manifest.dependency-groups]
dev = [{ name = "ruff", specifier = ">=0.1" }]
[[package]]
name = "ruff"
version = "0.1"
source = { registry = "https://pypi.org/simple" }
`;
    expect(lines(await parse('uv.lock', text))).toEqual(['pkg:pypi/ruff@0.1 direct development']);
  });

  it('rejects other versions', async () => {
    await expect(parse('uv.lock', 'version = 2')).rejects.toThrow('not a lockfile of uv, or not of version 1');
  });
});

describe('Pipfile.lock', () => {
  const lock = JSON.stringify({
    _meta: {
      sources: [
        { name: 'pypi', url: 'https://pypi.org/simple' },
        { name: 'own', url: 'https://u:p@pypi.example.com/simple' },
      ],
    },
    default: {
      requests: { version: '==2.32.0', index: 'pypi', markers: "python_version >= '3.8'" },
      private: { version: '==1.0', index: 'own' },
      patched: { git: 'https://git.example.com/a.git', ref: '5d41402', editable: true },
      folder: { path: '.', editable: true },
    },
    develop: { pytest: { version: '==8.0', extras: ['toml'] }, requests: { version: '==2.32.0' } },
    docs: { sphinx: { version: '==7.0' } },
  });

  it('has categories as scopes, and direct packages of the Pipfile', async () => {
    const pipfile =
      '[packages]\nRequests = "*"\n[dev-packages]\npytest = "*"\n[docs]\nsphinx = "*"\n[requires]\nprivate = "3"\n';
    expect(lines(await parse('Pipfile.lock', lock, { Pipfile: pipfile }))).toEqual([
      'pkg:pypi/requests@2.32.0 direct runtime',
      'pkg:pypi/private@1.0?repository_url=https:%2F%2Fpypi.example.com%2Fsimple indirect runtime',
      'pkg:pypi/patched?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Fa.git%405d41402 indirect runtime',
      'pkg:pypi/pytest@8.0 direct development',
      'pkg:pypi/sphinx@7.0 direct ?',
    ]);
  });

  it('omits the relationship without a Pipfile', async () => {
    expect(lines(await parse('Pipfile.lock', lock))).toContain('pkg:pypi/pytest@8.0 ? development');
  });

  it.each([
    [[{ version: '==1.0' }], 'default is not a table of packages'],
    [{ requests: { version: 2 } }, 'default has a package without version or source'],
    [{ requests: '==2.32.0' }, 'default has a package without version or source'],
  ])('rejects a malformed package: %j', async (packages, message) => {
    await expect(parse('Pipfile.lock', JSON.stringify({ _meta: {}, default: packages }))).rejects.toThrow(message);
  });
});

describe('requirements.txt', () => {
  it('has pins with hashes, extras and markers, and the facts in comments of pip-compile', async () => {
    const text = [
      '--index-url https://user:secret@pypi.example.com/simple',
      'Flask[async]==3.0.0 ; python_version >= "3.9" \\',
      '    --hash=sha256:aaaa \\',
      '    --hash=sha256:bbbb',
      '    # via -r requirements.in',
      'werkzeug==3.0.1 \\',
      '    --hash=sha256:cccc',
      '    # via',
      '    #   flask',
      '    #   acme (pyproject.toml)',
      'click===8.1.7  # via flask, -c constraints.txt',
    ].join('\r\n');
    expect(lines(await parse('requirements.txt', text))).toEqual([
      'pkg:pypi/flask@3.0.0 direct ? → pkg:pypi/werkzeug@3.0.1 pkg:pypi/click@8.1.7',
      'pkg:pypi/werkzeug@3.0.1 direct ?',
      'pkg:pypi/click@8.1.7 indirect ?',
    ]);
  });

  it('has Git and archives as qualifiers, ranges without a version, and no folders', async () => {
    const text = [
      'a @ git+https://token@git.example.com/a.git@5d41402#subdirectory=lib',
      '-e git+https://git.example.com/b.git@v1#egg=b',
      'c @ https://example.com/c.whl',
      'd>=1.0,<2',
      'e==1.*',
      './folder',
      '-e .',
      'https://example.com/unnamed.whl',
    ].join('\n');
    expect(lines(await parse('requirements-dev.txt', text))).toEqual([
      'pkg:pypi/a?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Fa.git%405d41402%23lib ? ?',
      'pkg:pypi/b?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Fb.git%40v1 ? ?',
      'pkg:pypi/c?download_url=https:%2F%2Fexample.com%2Fc.whl ? ?',
      'pkg:pypi/d ? ?',
      'pkg:pypi/e ? ?',
    ]);
  });

  it('has the packages of files that it includes, relative to each and once, but not those of constraints', async () => {
    const text = '-r base.txt\n--requirement=more/dev.txt\n-c constraints.txt\na==1\n';
    const files = {
      'base.txt': '-r requirements.txt\nb==2\n',
      'more/dev.txt': '-r ../base.txt\n-r tools.txt\nc==3\n    # via b\n',
      'more/tools.txt': 'd==4\n',
      'requirements.txt': '-r base.txt\na==1\n',
      'constraints.txt': 'e==5\n',
    };
    expect(lines(await parse('requirements.txt', text, files))).toEqual([
      'pkg:pypi/a@1 ? ?',
      'pkg:pypi/b@2 ? ? → pkg:pypi/c@3',
      'pkg:pypi/d@4 ? ?',
      'pkg:pypi/c@3 indirect ?',
    ]);
    await expect(parse('requirements.txt', 'a==1\n-r base.txt\n', { 'base.txt': 'b==2\n{}\n' })).rejects.toMatchObject({
      message: 'base.txt, line 2: not a requirement',
      line: 2,
    });
  });

  it('rejects included files that do not exist, without the credentials of URLs', async () => {
    await expect(parse('requirements.txt', 'a==1\n-r more/absent.txt\n')).rejects.toMatchObject({
      message: 'includes more/absent.txt, which is not in the repository',
      line: 2,
    });
    await expect(parse('requirements.txt', '-r https://me:hush@example.com/a.txt\n')).rejects.toMatchObject({
      message: 'includes a URL, which is not supported',
      line: 1,
    });
  });

  it('is read from a folder of requirements', async () => {
    expect(lines(await parse('requirements/base.txt', 'Django==5.2\n'))).toEqual(['pkg:pypi/django@5.2 ? ?']);
  });

  it('rejects endless includes', async () => {
    const parseText = await lockfileFormat('requirements.txt')?.load('requirements.txt');
    const endless = { read: () => '-r deeper/next.txt\n', glob: () => [] };
    expect(() => parseText?.('-r next.txt\n', endless)).toThrow('includes more than 100 files');
  });

  it('rejects many versions of a package that needs many others', async () => {
    const versions = Array.from({ length: 5000 }, (_, place) => `a==${place}\n`).join('');
    const needed = Array.from({ length: 5000 }, (_, place) => `b${place}==1 # via a\n`).join('');
    await expect(parse('requirements.txt', versions + needed)).rejects.toThrow(
      'more than 20,000,000 dependencies of packages',
    );
  });

  it('reports the line of an invalid requirement', async () => {
    await expect(parse('requirements.txt', 'a==1\n\n{"json": true}\n')).rejects.toMatchObject({
      message: 'not a requirement',
      line: 3,
    });
  });
});
