import { expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

it('has packages of Hex, of organizations and of Git, with locked dependencies', async () => {
  const text = `%{
  # "quoted" names, and those of atoms
  "chatterbox": {:hex, :ts_chatterbox, "0.16.0", "9d06", [:rebar3], [{:hpack, "~> 0.3", [hex: :hpack_erl, repo: "hexpm", optional: false]}, {:absent, "~> 1.0", [hex: :absent, repo: "hexpm", optional: true]}], "hexpm", "34c1"},
  "hpack": {:hex, :hpack_erl, "0.3.0", "2461", [:rebar3], [], "hexpm", "d613"},
  "own": {:hex, :own, "1.0.0", "aaaa", [:mix], [], "hexpm:acme", "bbbb"},
  "old" => {:hex, :old, "0.1.0"},
  "fork": {:git, "https://git.example.com/fork.git", "5d41402", [sparse: "apps/fork", ref: "5d41402"]},
}
`;
  expect(lines(await parse('mix.lock', text))).toEqual([
    'pkg:hex/ts_chatterbox@0.16.0 ? ? → pkg:hex/hpack_erl@0.3.0',
    'pkg:hex/hpack_erl@0.3.0 ? ?',
    'pkg:hex/acme/own@1.0.0 ? ?',
    'pkg:hex/old@0.1.0 ? ?',
    'pkg:hex/fork?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Ffork.git%405d41402%23apps%2Ffork ? ?',
  ]);
});

it('has names with escaped quotes, unescaped', async () => {
  const text = String.raw`%{ "a\"b": {:git, "https://git.example.com/a\\b.git", "5d41402", []}, # "
  "c": {:hex, :"c\"d", "1.0.0"} }`;
  expect(lines(await parse('mix.lock', text))).toEqual([
    'pkg:hex/a%22b?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Fa%5Cb.git%405d41402 ? ?',
    'pkg:hex/c%22d@1.0.0 ? ?',
  ]);
});

it.each([
  ['%{\n"a": {:git, "https:', 'not a term of Elixir', 2],
  ['%{\n"a": {:hex, :a\n', 'expected ,', 2],
  ['%{\n"a": "b"}', 'expected a tuple', 2],
  ['%{"a": {:path, "a"}}', 'a package from neither Hex nor Git', 1],
  [`%{"a": ${'['.repeat(100)}`, 'nested more than 50 levels deep', 1],
])('reports the line of a mistake in %j', async (text, message, line) => {
  await expect(parse('mix.lock', text)).rejects.toMatchObject({ message, line });
});
