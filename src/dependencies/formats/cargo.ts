/** Cargo.lock, versions 1 to 4. It does not distinguish development and build dependencies from others. */
import {
  fieldOf,
  type LockManifest,
  listOf,
  manifestsOf,
  type Node,
  ParseError,
  type Root,
  textOf,
} from '../dependency-graph.ts';
import { NameIndex } from '../name-index.ts';
import { gitUrl, packageUrl, registryUrl } from '../source-url.ts';
import { parseToml } from '../text/toml.ts';

const publicRegistries = ['https://github.com/rust-lang/crates.io-index', 'https://index.crates.io'];

export function parseCargo(text: string): readonly LockManifest[] {
  const lock = parseToml(text);
  const tables = [fieldOf(lock, 'package') ?? [], fieldOf(lock, 'root') ?? []].flat();
  if (fieldOf(lock, 'package') === undefined && fieldOf(lock, 'version') === undefined)
    throw new ParseError('not a lockfile of Cargo: it has no [[package]]');
  // Versions 1 and 2 are not stated.
  if (![undefined, 3, 4].includes(fieldOf(lock, 'version') as number | undefined))
    throw new ParseError('not a lockfile of Cargo in version 1 to 4');

  const entries = tables.map((table, place) => {
    const name = textOf(fieldOf(table, 'name'));
    const version = textOf(fieldOf(table, 'version'));
    if (name === undefined || version === undefined) throw new ParseError('a [[package]] without name or version');
    const source = textOf(fieldOf(table, 'source'));
    return { key: String(place), name, version, source, wanted: listOf(fieldOf(table, 'dependencies')) };
  });
  // Dependencies name a package only as precisely as needed to identify it.
  const index = new NameIndex<string>();
  for (const { key, name, version, source } of entries) {
    index.add(name, key);
    index.add(`${name} ${version}`, key);
    if (source === undefined) continue;
    index.add(`${name} ${version} (${source})`, key);
    const withoutCommit = source.replace(/#.*$/s, '');
    if (withoutCommit !== source) index.add(`${name} ${version} (${withoutCommit})`, key);
  }

  const nodes = new Map<string, Node>();
  const roots: Root[] = [];
  for (const { key, name, version, source, wanted } of entries) {
    const dependencies = wanted.flatMap((each) => {
      const found = index.find(textOf(each) ?? '');
      return found.length === 1 ? found : [];
    });
    // Packages without a source are members of the workspace, or folders that they depend on.
    if (source === undefined) roots.push({ workspace: name, runtime: dependencies });
    else nodes.set(key, { purl: cratePurl(name, version, source), dependencies });
  }
  return manifestsOf(nodes, roots.length > 0 ? roots : [{ runtime: [] }]);
}

function cratePurl(name: string, version: string, source: string): string {
  const [kind, url] = split(source, '+');
  if (kind === 'git') {
    const [repository, commit] = split(url, '#');
    return packageUrl({ type: 'cargo', name, version, qualifiers: { vcs_url: gitUrl(repository, commit) } });
  }
  return packageUrl({
    type: 'cargo',
    name,
    version,
    qualifiers: { repository_url: registryUrl(url, publicRegistries) },
  });
}

function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
