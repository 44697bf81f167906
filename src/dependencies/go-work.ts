/** go.work: the folders of the modules of a workspace, and replacements for all of them. */
import { type Companions, type LockManifest, ParseError } from './dependency-graph.ts';
import { directivesOf, goPackages, type Replacement, replacementIn } from './go-mod.ts';

const directives = new Set(['go', 'toolchain', 'godebug', 'use', 'replace']);

export function parseGoWork(text: string, companions: Companions): readonly LockManifest[] {
  const folders = new Map<string, number>();
  const replaced = new Map<string, Replacement>();
  for (const { directive, words, line } of directivesOf(text, directives)) {
    if (directive === 'use') folders.set(folderIn(words, line), line);
    if (directive === 'replace') replaced.set(...replacementIn(words, line));
  }
  return [...folders].flatMap(([folder, line]): LockManifest[] => {
    const file = folder === '' ? 'go.mod' : `${folder}/go.mod`;
    const module = companions.read(file);
    // Modules outside of the repository are not its own.
    if (module === undefined) return [];
    try {
      return [{ workspace: folder || '.', file, packages: goPackages(module, replaced) }];
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      throw new ParseError(`${file}${error.line ? `, line ${error.line}` : ''}: ${error.message}`, line);
    }
  });
}

/** Returns the path of a folder without `./`; the empty text for the folder of go.work. */
function folderIn([path]: readonly string[], line: number): string {
  if (path === undefined) throw new ParseError('use needs a folder', line);
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return path.startsWith('/') ? `/${parts.join('/')}` : parts.join('/');
}
