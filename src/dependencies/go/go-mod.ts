/** go.mod. Since Go 1.17 it names all modules that are built; go.sum also has the hashes of those that are not. */

import { type LockManifest, ParseError } from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { packageUrl } from '../source-url.ts';
import { linesOf } from '../text/lines.ts';

export interface Replacement {
  readonly path: string;
  /** Undefined for a folder. */
  readonly version: string | undefined;
}

/** By module, perhaps with a version after a space. */
type Replacements = ReadonlyMap<string, Replacement>;

const directives = new Set([
  'module',
  'go',
  'toolchain',
  'godebug',
  'require',
  'exclude',
  'replace',
  'retract',
  'tool',
  'ignore',
]);

interface Requirement {
  readonly path: string;
  readonly version: string;
  readonly indirect: boolean;
  readonly line: number;
}

interface GoModule {
  /** Undefined if go.mod does not name it. */
  readonly path: string | undefined;
  readonly requirements: readonly Requirement[];
  readonly replacements: Replacements;
}

export function parseGoMod(text: string): readonly LockManifest[] {
  const { requirements, replacements } = goModule(text);
  return [{ packages: goPackages(requirements, replacements) }];
}

/** Parses a go.mod. Throws ParseError. */
export function goModule(text: string): GoModule {
  let module: string | undefined;
  const requirements: Requirement[] = [];
  const replacements = new Map<string, Replacement>();
  for (const { directive, words, comment, line } of directivesOf(text, directives)) {
    if (directive === 'module') module = words[0];
    if (directive === 'require') {
      const [path, version] = words;
      if (path === undefined || version === undefined)
        throw new ParseError('require needs a module and a version', line);
      requirements.push({ path, version, indirect: /^indirect(?:;|$)/.test(comment), line });
    }
    if (directive === 'replace') replacements.set(...replacementIn(words, line));
  }
  return { path: module, requirements, replacements };
}

/** Returns the required modules, replaced ones as what the first replacements name. Throws ParseError. */
export function goPackages(
  requirements: readonly Requirement[],
  ...replacements: readonly Replacements[]
): LockManifest['packages'] {
  const nodes = new Map<string, MarkedNode>();
  for (const { path, version, indirect, line } of requirements) {
    const used = replacements
      .map((each) => each.get(`${path} ${version}`) ?? each.get(path))
      .find((each) => each !== undefined) ?? { path, version };
    if (used.version === undefined) continue;
    const slash = used.path.lastIndexOf('/');
    nodes.set(`${path} ${version}`, {
      purl: packageUrl(
        {
          type: 'golang',
          namespace: used.path.slice(0, Math.max(slash, 0)),
          name: used.path.slice(slash + 1),
          version: used.version,
        },
        line,
      ),
      relationship: indirect ? 'indirect' : 'direct',
      dependencies: [],
    });
  }
  return singleManifest(nodes)[0].packages;
}

/** A line of go.mod or go.work. */
interface Directive {
  readonly directive: string;
  readonly words: readonly string[];
  readonly comment: string;
  readonly line: number;
}

/** Yields the directives of a file, those in brackets one by one. Throws ParseError. */
export function* directivesOf(text: string, known: ReadonlySet<string>): Generator<Directive> {
  let block: string | undefined;
  for (const [line, raw] of linesOf(text)) {
    const at = raw.indexOf('//');
    const comment = at === -1 ? '' : raw.slice(at + 2).trim();
    const words = wordsOf(at === -1 ? raw : raw.slice(0, at));
    if (words.length === 0) continue;
    if (block !== undefined && words[0] === ')') {
      block = undefined;
      continue;
    }
    const directive = block ?? words.shift() ?? '';
    if (!known.has(directive)) throw new ParseError('unknown directive', line);
    if (block === undefined && words[0] === '(') {
      if (words[1] !== ')') block = directive;
    } else yield { directive, words, comment, line };
  }
}

/** Returns a module, perhaps with a version, and its replacement. Throws ParseError. */
export function replacementIn(words: readonly string[], line: number): [string, Replacement] {
  const arrow = words.indexOf('=>');
  const [path, version] = words.slice(arrow + 1);
  if (arrow < 1 || path === undefined) throw new ParseError('replace needs a module, => and its replacement', line);
  return [words.slice(0, arrow).join(' '), { path, version }];
}

/** Returns words, which may be quoted. */
const wordsOf = (line: string): string[] =>
  (line.match(/"[^"]*"|`[^`]*`|[^\s"`]+/g) ?? []).map((word) => (/^["`]/.test(word) ? word.slice(1, -1) : word));
