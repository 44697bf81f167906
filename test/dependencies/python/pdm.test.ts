import { expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

// pdm-project/pdm, shortened, with packages of other sources
const lock = (groups: (names: string) => string) => `[metadata]
groups = ["default", "all", "test", "workflow"]
strategy = ["inherit_metadata"]
lock_version = "4.5.1"

[[package]]
name = "httpx"
version = "0.28.1"
${groups('"default", "test"')}
dependencies = ["certifi", "h11; python_version < \\"3.11\\""]

[[package]]
name = "httpx"
version = "0.28.1"
extras = ["socks"]
${groups('"default"')}
dependencies = ["httpx==0.28.1", "socksio==1.*"]

[[package]]
name = "certifi"
version = "2025.1.31"
${groups('"default"')}
files = [{file = "certifi-2025.1.31.tar.gz", hash = "sha256:3d5da692"}]

[[package]]
name = "socksio"
version = "1.0.0"
${groups('"default"')}

[[package]]
name = "keyring"
version = "25.6.0"
${groups('"all"')}

[[package]]
name = "Pytest_Cov"
version = "6.0.0"
git = "https://ci:secret@git.example.com/pytest-cov.git"
ref = "main"
revision = "5d41402"
${groups('"test"')}

[[package]]
name = "own"
version = "0.1.0"
path = "./own"
${groups('"workflow"')}
`;
const pyproject = `
[project]
dependencies = ["httpx[socks]<1,>0.20"]
[project.optional-dependencies]
All = ["keyring"]
[dependency-groups]
test = ["pytest-cov", { include-group = "other" }]
[tool.pdm.dev-dependencies]
workflow = ["-e file:///\${PROJECT_ROOT}/own#egg=own"]
`;
const httpx = 'pkg:pypi/httpx@0.28.1';
const cov = 'pkg:pypi/pytest-cov@6.0.0?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Fpytest-cov.git%405d41402';

it('has direct packages of pyproject.toml, scopes by group, and one package for all extras', async () => {
  const text = lock((names) => `groups = [${names}]`);
  expect(lines(await parse('pdm.lock', text, { 'pyproject.toml': pyproject }))).toEqual([
    `${httpx} direct runtime → pkg:pypi/certifi@2025.1.31 pkg:pypi/socksio@1.0.0`,
    'pkg:pypi/certifi@2025.1.31 indirect runtime',
    'pkg:pypi/socksio@1.0.0 indirect runtime',
    'pkg:pypi/keyring@25.6.0 direct runtime',
    `${cov} direct development`,
  ]);
});

it('takes scopes from pyproject.toml for a lockfile without groups, and omits what only that file contains', async () => {
  const text = lock(() => '');
  expect(lines(await parse('pdm.lock', text, { 'pyproject.toml': pyproject }))).toContain(`${cov} direct development`);
  for (const files of [undefined, { 'pyproject.toml': '[tool.poetry.dependencies]\nhttpx = "*"\n' }])
    expect(lines(await parse('pdm.lock', text, files))).toContain('pkg:pypi/certifi@2025.1.31 ? ?');
});

it('reads many packages of a project with many extras', async () => {
  const many = (text: (at: number) => string) => Array.from({ length: 10_000 }, (_, at) => text(at)).join('');
  const packages = many((at) => `[[package]]\nname = "a${at}"\nversion = "1"\ngroups = ["x"]\n`);
  const extras = `[project.optional-dependencies]\n${many((at) => `extra${at} = []\n`)}`;
  const text = `[metadata]\nlock_version = "4.5"\n${packages}`;
  expect(lines(await parse('pdm.lock', text, { 'pyproject.toml': extras }))[0]).toBe('pkg:pypi/a0@1 ? development');
});
