import { expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

const registry = 'registry+https://github.com/rust-lang/crates.io-index';

it('resolves names as exactly as Cargo.lock writes them, with a manifest for each member', async () => {
  const text = `
version = 4
[[package]]
name = "app"
version = "0.1.0"
dependencies = ["lib", "rand 0.8.5"]
[[package]]
name = "lib"
version = "0.1.0"
dependencies = ["rand 0.9.0", "tool 1.0.0 (git+https://git.example.com/tool?branch=main)"]
[[package]]
name = "rand"
version = "0.8.5"
source = "${registry}"
[[package]]
name = "rand"
version = "0.9.0"
source = "sparse+https://index.crates.io/"
[[package]]
name = "tool"
version = "1.0.0"
source = "git+https://git.example.com/tool?branch=main#5d41402"
dependencies = ["private"]
[[package]]
name = "tool"
version = "1.0.0"
source = "${registry}"
[[package]]
name = "private"
version = "2.0.0+build"
source = "registry+https://user:secret@crates.example.com/index"
`;
  expect(lines(await parse('Cargo.lock', text)).sort()).toEqual([
    'app: pkg:cargo/rand@0.8.5 direct ?',
    'app: pkg:cargo/tool@1.0.0 ? ?',
    'lib: pkg:cargo/private@2.0.0%2Bbuild?repository_url=https:%2F%2Fcrates.example.com%2Findex indirect ?',
    'lib: pkg:cargo/rand@0.9.0 direct ?',
    'lib: pkg:cargo/tool@1.0.0?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Ftool%405d41402 direct ? → pkg:cargo/private@2.0.0%2Bbuild?repository_url=https:%2F%2Fcrates.example.com%2Findex',
  ]);
});

it('reads the first version, which has the project in a table of its own', async () => {
  const text = `
[root]
name = "app"
version = "0.1.0"
dependencies = ["libc 0.2.0 (${registry})"]
[[package]]
name = "libc"
version = "0.2.0"
source = "${registry}"
`;
  expect(lines(await parse('Cargo.lock', text))).toEqual(['app: pkg:cargo/libc@0.2.0 direct ?']);
});

it('survives cycles, and names like those of object prototypes', async () => {
  const crate = (name: string, needs: string) =>
    `[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = "${registry}"\ndependencies = ["${needs}"]\n`;
  expect(
    lines(await parse('Cargo.lock', crate('__proto__', 'constructor') + crate('constructor', '__proto__'))).sort(),
  ).toEqual([
    'pkg:cargo/__proto__@1.0.0 ? ? → pkg:cargo/constructor@1.0.0',
    'pkg:cargo/constructor@1.0.0 ? ? → pkg:cargo/__proto__@1.0.0',
  ]);
});

it('rejects files made to be slow', async () => {
  const text = '[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "registry+x"\ndependencies = ["a"]\n'.repeat(2000);
  await expect(parse('Cargo.lock', text)).rejects.toThrow('more than 2,000,000 dependencies');
});
