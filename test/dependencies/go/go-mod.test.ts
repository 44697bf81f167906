import { expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

it('has direct and indirect modules, with replacements in place of replaced ones', async () => {
  const text = `module example.com/app // indirect

go 1.24
require github.com/BurntSushi/toml v1.4.0
require (
	"golang.org/x/net" v0.30.0 // indirect; needed by the proxy
	github.com/docker/docker v27.0.0+incompatible // indirectly
	example.com/forked v1.0.0
	example.com/local v0.0.0
	example.com/pinned v1.0.0
)
replace (
	example.com/forked => github.com/acme/forked v1.1.0
	example.com/local => ../local
)
replace example.com/pinned v2.0.0 => ../pinned
exclude golang.org/x/net v0.1.0
retract [v1.0.0, v1.1.0]
tool golang.org/x/tools/cmd/stringer
`;
  expect(lines(await parse('go.mod', text))).toEqual([
    'pkg:golang/github.com/burntsushi/toml@v1.4.0 direct ?',
    'pkg:golang/golang.org/x/net@v0.30.0 indirect ?',
    'pkg:golang/github.com/docker/docker@v27.0.0%2Bincompatible direct ?',
    'pkg:golang/github.com/acme/forked@v1.1.0 direct ?',
    'pkg:golang/example.com/pinned@v1.0.0 direct ?',
  ]);
});

it.each([
  ['module a\nrequire b', 'require needs a module and a version', 2],
  ['module a\n\nreplace b c', 'replace needs a module, => and its replacement', 3],
  ['{\n}', 'unknown directive', 1],
])('reports the line of a mistake in %j', async (text, message, line) => {
  await expect(parse('go.mod', text)).rejects.toMatchObject({ message, line });
});

it('has the modules of a workspace, with its replacements before theirs', async () => {
  const work = `go 1.24
use (
	./api // the server
	cli/
	api/../cli
	.
)
use ../outside
replace example.com/forked => github.com/acme/forked v2.0.0
`;
  const files = {
    'api/go.mod': 'module api\nrequire example.com/forked v1.0.0\nreplace example.com/forked => ../forked\n',
    'cli/go.mod': 'module cli\nrequire golang.org/x/net v0.30.0 // indirect\n',
    'go.mod': 'module root\n',
  };
  const manifests = await parse('go.work', work, files);
  expect(manifests.map(({ workspace, file }) => [workspace, file])).toEqual([
    ['api', 'api/go.mod'],
    ['cli', 'cli/go.mod'],
    ['.', 'go.mod'],
  ]);
  expect(lines(manifests)).toEqual([
    'api: pkg:golang/github.com/acme/forked@v2.0.0 direct ?',
    'cli: pkg:golang/golang.org/x/net@v0.30.0 indirect ?',
  ]);
});

it('has the highest version that any module of a workspace requires, and not the modules themselves', async () => {
  const work = 'go 1.24\nuse (\n./api\n./cli\n)\nreplace example.com/d => example.com/e v1.0.0\n';
  const files = {
    'api/go.mod': `module example.com/api
require (
	example.com/cli v0.0.0
	example.com/a v1.9.0
	example.com/b v1.2.0 // indirect
	example.com/c v0.0.0-20240102030405-0123456789ab
	example.com/d v1.0.0
)
`,
    'cli/go.mod': `module example.com/cli
require (
	example.com/a v1.10.0 // indirect
	example.com/b v1.2.0-rc.1
	example.com/c v0.0.0-20231231235959-ba9876543210
	example.com/f v1.0.0-rc.10
)
require example.com/f v1.0.0-rc.9
replace example.com/b v1.2.0 => example.com/forked v1.2.1
replace example.com/d v1.0.0 => ../d
`,
  };
  expect(lines(await parse('go.work', work, files))).toEqual([
    'api: pkg:golang/example.com/a@v1.10.0 direct ?',
    'api: pkg:golang/example.com/forked@v1.2.1 indirect ?',
    'api: pkg:golang/example.com/c@v0.0.0-20240102030405-0123456789ab direct ?',
    'api: pkg:golang/example.com/e@v1.0.0 direct ?',
    'cli: pkg:golang/example.com/a@v1.10.0 indirect ?',
    'cli: pkg:golang/example.com/forked@v1.2.1 direct ?',
    'cli: pkg:golang/example.com/c@v0.0.0-20240102030405-0123456789ab direct ?',
    'cli: pkg:golang/example.com/f@v1.0.0-rc.10 direct ?',
  ]);
});

it.each([
  ['use\n', 'use needs a folder', 1],
  ['go 1.24\nrequire a v1\n', 'unknown directive', 2],
  ['go 1.24\n\nuse ./bad\n', 'bad/go.mod, line 2: unknown directive', 3],
  ['use ./nameless\n', 'nameless/go.mod, line 2: not a package: it has no name', 1],
])('reports the line of an error in a workspace, %j', async (text, message, line) => {
  const files = { 'bad/go.mod': 'module bad\nnonsense\n', 'nameless/go.mod': 'module a\nrequire a/ v1.0.0\n' };
  await expect(parse('go.work', text, files)).rejects.toMatchObject({ message, line });
});
