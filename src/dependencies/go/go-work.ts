/**
 * go.work: the folders of the modules of a workspace, and replacements for all of them. They are built together: each
 * with the highest version that any of them requires, and with the replacements of all.
 */
import { posix } from 'node:path';
import { type Companions, type LockManifest, naming, ParseError } from '../dependency-graph.ts';
import { directivesOf, goModule, goPackages, type Replacement, replacementIn } from './go-mod.ts';

const directives = new Set(['go', 'toolchain', 'godebug', 'use', 'replace']);

export function parseGoWork(text: string, companions: Companions): readonly LockManifest[] {
  const folders = new Map<string, number>();
  const replaced = new Map<string, Replacement>();
  for (const { directive, words, line } of directivesOf(text, directives)) {
    if (directive === 'use') folders.set(folderIn(words, line), line);
    if (directive === 'replace') replaced.set(...replacementIn(words, line));
  }
  const members = [...folders].flatMap(([folder, line]) => {
    const file = folder === '' ? 'go.mod' : `${folder}/go.mod`;
    const text = companions.read(file);
    // Modules outside of the repository are not its own.
    if (text === undefined) return [];
    return [{ workspace: folder || '.', file, line, module: naming(file, line, () => goModule(text)) }];
  });

  const own = new Set<string | undefined>();
  const selected = new Map<string, string>();
  for (const { module } of members) {
    own.add(module.path);
    for (const { path, version } of module.requirements) selected.set(path, laterOf(version, selected.get(path)));
  }
  const replacedByMembers = new Map(members.flatMap(({ module }) => [...module.replacements]));
  return members.map(({ workspace, file, line, module }) => {
    const requirements = module.requirements
      .filter(({ path }) => !own.has(path))
      .map((each) => ({ ...each, version: selected.get(each.path) ?? each.version }));
    const packages = naming(file, line, () => goPackages(requirements, replaced, replacedByMembers));
    return { workspace, file, packages };
  });
}

/** Returns the version of the higher precedence: https://semver.org/#spec-item-11. */
function laterOf(one: string, other: string | undefined): string {
  if (other === undefined) return one;
  const others = identifiersOf(other);
  for (const [place, identifier] of identifiersOf(one).entries()) {
    const order = compare(identifier, others[place]);
    if (order !== 0) return order > 0 ? one : other;
  }
  return other;
}

/** Returns the identifiers of a version such as `v1.2.3-rc.1`. Those of a release end with one after all others. */
function identifiersOf(version: string): string[] {
  const [, core, prerelease = '~'] = /^v(\d+\.\d+\.\d+)(?:-([\w.-]+))?/.exec(version) ?? [];
  return core === undefined ? [] : `${core}.${prerelease}`.split('.');
}

/** Numbers are before names, and have no leading zeros. */
function compare(one: string, other: string | undefined): number {
  if (other === undefined) return 1;
  const [isNumber, isOtherNumber] = [one, other].map((each) => /^\d+$/.test(each));
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  const longer = isNumber ? one.length - other.length : 0;
  return longer !== 0 ? longer : one < other ? -1 : Number(one > other);
}

/** Returns the path of a folder without `./` and `a/..`; the empty text for the folder of go.work. */
function folderIn([path]: readonly string[], line: number): string {
  if (path === undefined) throw new ParseError('use needs a folder', line);
  const folder = posix.join(path, '.');
  return folder === '.' ? '' : folder;
}
