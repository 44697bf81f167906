import { expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

it('has gems of several sources and platforms, without local ones', async () => {
  const text = `GIT
  remote: https://git.example.com/racer.git
  revision: 5d41402
  branch: main
  specs:
    racer (0.20.0)
      libv8 (~> 24)

PATH
  remote: engines/local
  specs:
    local (1.0.0)
      nokogiri

GEM
  remote: https://user:secret@gems.example.com/
  specs:
    private (1.0.0)

GEM
  remote: https://rubygems.org/
  specs:
    libv8 (24.1.0)
    nokogiri (1.19.4-java)
    nokogiri (1.19.4-x86_64-linux-gnu)
      racc (~> 1.4)
    racc (1.8.1)

PLATFORMS
  java
  x86_64-linux-gnu

DEPENDENCIES
  local!
  nokogiri (>= 1.19)
  private!
  racer!

BUNDLED WITH
   4.0.8
`;
  expect(lines(await parse('Gemfile.lock', text))).toEqual([
    'pkg:gem/racer@0.20.0?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Fracer.git%405d41402 direct ? → pkg:gem/libv8@24.1.0',
    'pkg:gem/private@1.0.0?repository_url=https:%2F%2Fgems.example.com direct ?',
    'pkg:gem/libv8@24.1.0 indirect ?',
    'pkg:gem/nokogiri@1.19.4?platform=java direct ?',
    'pkg:gem/nokogiri@1.19.4?platform=x86_64-linux-gnu direct ? → pkg:gem/racc@1.8.1',
    'pkg:gem/racc@1.8.1 indirect ?',
  ]);
});

// google/osv-scanner, shortened
it('lists the dependencies of the repository’s own gems as direct', async () => {
  const text = `PATH
  remote: ..
  specs:
    rubydns (2.0.2)
      async-dns (~> 1.0)

GEM
  remote: https://rubygems.org/
  specs:
    async (2.23.0)
    async-dns (1.4.1)
      async
      io-endpoint
    geoip (1.6.4)

PLATFORMS
  ruby

DEPENDENCIES
  geoip
  rubydns!
`;
  expect(lines(await parse('gems.locked', text))).toEqual([
    'pkg:gem/async@2.23.0 indirect ?',
    'pkg:gem/async-dns@1.4.1 direct ? → pkg:gem/async@2.23.0',
    'pkg:gem/geoip@1.6.4 direct ?',
  ]);
});

it('reports the line of a merge conflict and of a gem without a version', async () => {
  await expect(parse('Gemfile.lock', 'GEM\n<<<<<<< HEAD\n')).rejects.toMatchObject({
    message: 'a merge conflict',
    line: 2,
  });
  await expect(parse('gems.locked', 'GEM\n  specs:\n    rails\n')).rejects.toMatchObject({
    message: 'a gem without a version',
    line: 3,
  });
});
