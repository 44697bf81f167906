/** mix.lock: one Elixir map of tuples. */
import { type LockManifest, ParseError } from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { gitUrl, packageUrl } from '../source-url.ts';
import { endOf, quotedAt } from '../text/quoted.ts';

/** Strings, and atoms without their colon. Tuples and lists are lists; keywords are lists of pairs. */
type Term = string | readonly Term[];

export function parseMix(text: string): readonly LockManifest[] {
  const entries = readLock(text);
  const nodes = new Map<string, MarkedNode>();
  for (const { app, term, line } of entries) {
    const [kind, ...rest] = term;
    if (kind === 'hex') nodes.set(app, hexNode(rest, line));
    else if (kind === 'git') nodes.set(app, gitNode(rest, app, line));
    else throw new ParseError('a package from neither Hex nor Git', line);
  }
  return singleManifest(nodes);
}

/** `{:hex, :name, "version", "checksum", [:mix], [dependencies], "repository", "checksum"}`; old versions of Hex end earlier. */
function hexNode(rest: readonly Term[], line: number): MarkedNode {
  const [name, version, , , dependencies = [], repository] = rest;
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new ParseError('a package without name or version', line);
  // Other repositories are names of a user’s configuration.
  const organization = typeof repository === 'string' ? /^hexpm:(.+)$/s.exec(repository)?.[1] : undefined;
  return {
    purl: packageUrl({ type: 'hex', namespace: organization, name, version }, line),
    dependencies: listOf(dependencies).flatMap((each) => textOf(listOf(each)[0]) ?? []),
  };
}

/** `{:git, "url", "commit", [sparse: "folder"]}` */
function gitNode(rest: readonly Term[], app: string, line: number): MarkedNode {
  const [url, commit, options = []] = rest;
  if (typeof url !== 'string' || typeof commit !== 'string')
    throw new ParseError('a package without URL or commit', line);
  const option = (name: string) => textOf(listOf(listOf(options).find((pair) => listOf(pair)[0] === name))[1]);
  return {
    purl: packageUrl(
      { type: 'hex', name: app, qualifiers: { vcs_url: gitUrl(url, commit, option('sparse') ?? option('subdir')) } },
      line,
    ),
    dependencies: [],
  };
}

const listOf = (term: Term | undefined): readonly Term[] => (typeof term === 'object' ? term : []);

const textOf = (term: Term | undefined): string | undefined => (typeof term === 'string' ? term : undefined);

/** Mix writes tuples within lists within a tuple within the map. */
const maxDepth = 50;

function readLock(text: string): { app: string; term: readonly Term[]; line: number }[] {
  const tokens = tokensOf(text);
  let next = tokens.next().value;
  let line = 1;
  const peek = () => next?.mark;
  const take = (expected?: string) => {
    const token = next;
    line = token?.line ?? line;
    if (token === undefined || (expected !== undefined && token.mark !== expected))
      throw new ParseError(expected === undefined ? 'it ends too early' : `expected ${expected}`, line);
    next = tokens.next().value;
    return token;
  };
  const items = (close: string, depth: number): Term[] => {
    const list: Term[] = [];
    while (peek() !== close) {
      list.push(term(depth));
      if (peek() !== close) take(',');
    }
    take(close);
    return list;
  };
  const term = (depth: number): Term => {
    if (depth > maxDepth) throw new ParseError(`nested more than ${maxDepth} levels deep`, next?.line);
    const token = take();
    if (token.isKey) return [token.value, term(depth + 1)];
    if (token.mark === undefined) return token.value;
    if (token.mark === '[') return items(']', depth + 1);
    if (token.mark === '{') return items('}', depth + 1);
    throw new ParseError(`unexpected ${token.mark}`, token.line);
  };

  const entries: { app: string; term: readonly Term[]; line: number }[] = [];
  take('%');
  take('{');
  while (peek() !== '}') {
    const key = take();
    if (key.mark !== undefined) throw new ParseError('expected the name of a package', key.line);
    if (!key.isKey) take('=>');
    const entry = term(0);
    if (typeof entry === 'string') throw new ParseError('expected a tuple', key.line);
    entries.push({ app: key.value, term: entry, line: key.line });
    if (peek() !== '}') take(',');
  }
  take('}');
  if (next !== undefined) throw new ParseError('expected the end', next?.line);
  return entries;
}

interface Token {
  /** A bracket, comma or arrow. */
  readonly mark?: string;
  readonly value: string;
  /** Names with a colon behind them. */
  readonly isKey?: boolean;
  readonly line: number;
}

const marks = new Set(['%', '{', '}', '[', ']', ',']);
const blanks = /\s+|#[^\n]*/y;
const bareText = /[\w.@!?/-]+/y;

/** Yields tokens one by one: those of a large file would not fit in memory. */
function* tokensOf(text: string): Generator<Token, undefined> {
  let at = 0;
  let line = 1;
  let newline = text.indexOf('\n');
  while (at < text.length) {
    for (; newline !== -1 && newline < at; newline = text.indexOf('\n', newline + 1)) line += 1;
    const character = text[at] ?? '';
    const mark = marks.has(character) ? character : text.startsWith('=>', at) ? '=>' : undefined;
    if (mark !== undefined) {
      at += mark.length;
      yield { mark, value: mark, line };
      continue;
    }
    const blank = endOf(blanks, text, at);
    if (blank > at) {
      at = blank;
      continue;
    }
    // The colon of an atom, such as :hex or :"hex_core".
    if (character === ':') at += 1;
    const quoted = text[at] === '"' ? quotedAt(text, at) : undefined;
    const start = at;
    at = quoted === undefined ? endOf(bareText, text, at) : at + quoted.length + 2;
    if (at === start) throw new ParseError('not a term of Elixir', line);
    const value = quoted === undefined ? text.slice(start, at) : quoted.replace(/\\(.)/gs, '$1');
    const isKey = text[at] === ':' && /\s/.test(text[at + 1] ?? '');
    if (isKey) at += 1;
    yield { value, isKey, line };
  }
  return undefined;
}
