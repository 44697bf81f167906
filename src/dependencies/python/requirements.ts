/**
 * requirements.txt, as pip freeze writes it, or pip-compile and uv with comments that say what needs a package. pip’s
 * format: https://pip.pypa.io/en/stable/reference/requirements-file-format/
 */

import { posix } from 'node:path';
import { type Companions, type LockManifest, naming, type Package, ParseError } from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { linesOf } from '../text/lines.ts';
import { normalName, pythonPurl, requirementName } from './python.ts';

interface Requirement {
  readonly text: string;
  readonly line: number;
  /** The packages that require it, according to its comments. */
  readonly via: string[];
}

/** Files include each other to any depth. */
const mostFiles = 100;

export function parseRequirements(text: string, companions: Companions): readonly LockManifest[] {
  const packages = [...packagesOf(text, '.', companions, new Set())];
  const needs = new Map<string, Set<string>>();
  for (const { name, via } of packages)
    for (const dependent of via) {
      const key = normalName(requirementName(dependent) ?? '');
      needs.set(key, (needs.get(key) ?? new Set()).add(normalName(name)));
    }

  const nodes = new Map<string, MarkedNode>();
  for (const [place, { purl, name, via }] of packages.entries()) {
    const key = normalName(name);
    // Lines may repeat a package for other platforms.
    nodes.set(nodes.has(key) ? `${key} ${place}` : key, {
      purl,
      relationship: relationshipOf(via),
      dependencies: needs.get(key) ?? [],
    });
  }
  return singleManifest(nodes);
}

interface RequiredPackage {
  readonly purl: string;
  readonly name: string;
  readonly via: readonly string[];
}

/** Yields the packages of a file and of those that it includes, each once; `folder` is that of the file. */
function* packagesOf(
  text: string,
  folder: string,
  companions: Companions,
  included: Set<string>,
): Generator<RequiredPackage> {
  for (const { text: requirement, line, via } of requirementsOf(text)) {
    const file = includedFile(requirement);
    if (file === undefined) {
      const found = packageOf(requirement, line);
      if (found !== undefined) yield { ...found, via };
      continue;
    }
    // URLs may contain credentials, so errors omit them.
    if (/^[a-z+]+:\/\//i.test(file)) throw new ParseError('includes a URL, which is not supported', line);
    const path = posix.join(folder, file);
    if (included.has(path)) continue;
    included.add(path);
    if (included.size > mostFiles) throw new ParseError(`includes more than ${mostFiles} files`, line);
    const content = companions.read(path);
    if (content === undefined) throw new ParseError(`includes ${path}, which is not in the repository`, line);
    yield* naming(path, line, () => [...packagesOf(content, posix.dirname(path), companions, included)]);
  }
}

/** Returns the file of a line such as `-r base.txt`. Constraints, with `-c`, require nothing. */
const includedFile = (line: string): string | undefined => /^(?:-r|--requirement)[ =]?(.+)$/s.exec(line)?.[1];

/** Comments name a file such as `-r requirements.in` or `acme (pyproject.toml)` for what is required directly. */
function relationshipOf(via: readonly string[]): Package['relationship'] {
  if (via.some((each) => each.startsWith('-r ') || (each.includes('(') && each.endsWith(')')))) return 'direct';
  return via.some((each) => !each.startsWith('-')) ? 'indirect' : undefined;
}

function requirementsOf(text: string): Requirement[] {
  const requirements: Requirement[] = [];
  let current: Requirement | undefined;
  let inVia = false;
  let joined: string[] = [];
  let start = 0;
  for (const [number, raw] of linesOf(text)) {
    const line = raw.trim();
    if (joined.length === 0) start = number;
    const comment = /(?:^|\s)#(.*)$/s.exec(line);
    const code = (comment === null ? line : line.slice(0, comment.index)).trim();
    if (code.endsWith('\\')) {
      joined.push(code.slice(0, -1));
      continue;
    }
    const whole = [...joined, code].join(' ').trim().replace(/\s+/g, ' ');
    joined = [];
    if (whole !== '') {
      // pip expects one option a line. Others, such as an index or a constraint, name no package.
      const editable = /^(?:-e|--editable)[ =](.*)$/s.exec(whole)?.[1];
      const isOther = whole.startsWith('-') && editable === undefined && includedFile(whole) === undefined;
      current = isOther ? undefined : { text: editable ?? whole, line: start, via: [] };
      if (current !== undefined) requirements.push(current);
      inVia = false;
    }
    if (comment === null || current === undefined) continue;
    const note = (comment[1] ?? '').trim();
    const via = /^via(?:\s+(.*))?$/s.exec(note);
    inVia ||= via !== null;
    if (!inVia) continue;
    const names = via === null ? note : (via[1] ?? '');
    for (const name of names.split(',')) if (name.trim() !== '') current.via.push(name.trim());
  }
  if (joined.length > 0) throw new ParseError('the last line is continued', start);
  return requirements;
}

/** Returns undefined for a folder of the repository. */
function packageOf(text: string, line: number): { readonly purl: string; readonly name: string } | undefined {
  const [requirement = ''] = text.split(/\s--|\s;|;\s/, 1);
  const named = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:@\s*(\S+)|([(=<>!~].*))?$/s.exec(requirement.trim());
  const source = named === null ? requirement.trim() : named[2];
  const name = named?.[1] ?? /[#&]egg=([A-Za-z0-9][\w.-]*)/.exec(requirement)?.[1];
  if (source === undefined && name !== undefined) {
    const version = /^\(?\s*===?\s*([^\s,*)]+)\s*\)?$/.exec(named?.[3] ?? '')?.[1];
    return { purl: pythonPurl(name, version, {}, line), name };
  }
  if (source === undefined || /^(?:\.|\/|file:|[\w.-]*[/\\])/.test(source)) return undefined;
  if (name === undefined) {
    if (/^(?:[a-z+]+:\/\/)/i.test(source)) return undefined;
    throw new ParseError('not a requirement', line);
  }
  const git = /^git\+([^#]*?)(?:@([^@/#]+))?(?:#(.*))?$/s.exec(source);
  if (git === null) return { purl: pythonPurl(name, undefined, { archive: source }, line), name };
  const [, url, revision, fragment = ''] = git;
  const folder = /(?:^|&)subdirectory=([^&]*)/.exec(fragment)?.[1];
  return { purl: pythonPurl(name, undefined, { git: url, revision, folder }, line), name };
}
