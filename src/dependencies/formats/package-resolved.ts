/** Package.resolved of the Swift package manager, versions 1 to 3. */
import { fieldOf, type LockManifest, ParseError, parseJson, textOf } from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { gitUrl, packageUrl, publicUrl } from '../source-url.ts';

export function parsePackageResolved(text: string): readonly LockManifest[] {
  const lock = parseJson(text);
  const version = fieldOf(lock, 'version');
  if (version !== 1 && version !== 2 && version !== 3)
    throw new ParseError('not a Package.resolved of version 1, 2 or 3');
  const pins = fieldOf(version === 1 ? fieldOf(lock, 'object') : lock, 'pins');
  if (!Array.isArray(pins)) throw new ParseError('it has no pins');
  const nodes = new Map<string, MarkedNode>();
  for (const [place, pin] of pins.entries()) {
    const name = textOf(fieldOf(pin, version === 1 ? 'package' : 'identity'));
    const location = textOf(fieldOf(pin, version === 1 ? 'repositoryURL' : 'location')) ?? '';
    if (name === undefined) throw new ParseError(`pin ${place + 1} has no name`);
    const local = fieldOf(pin, 'kind') === 'localSourceControl' || /^(?:\/|\.|file:)/.test(location);
    const state = fieldOf(pin, 'state');
    const pinned = textOf(fieldOf(state, 'version'));
    const registry = fieldOf(pin, 'kind') === 'registry';
    nodes.set(String(place), {
      purl: local
        ? undefined
        : swiftPurl(name, registry ? name.replace('.', '/') : location, pinned, textOf(fieldOf(state, 'revision'))),
      dependencies: [],
    });
  }
  return singleManifest(nodes);
}

/** A pin on a branch has no version, but a commit. */
function swiftPurl(name: string, location: string, version?: string, revision?: string): string {
  const path = publicUrl(location)
    .replace(/^[\w+.-]+:\/\//, '')
    .replace(/^[\w.-]+@([\w.-]+):?/, '$1/')
    .replace(/\.git\/?$/, '')
    .split('/')
    .filter((part) => part !== '');
  const last = path.pop() ?? name;
  return packageUrl({
    type: 'swift',
    namespace: path.join('/'),
    name: last,
    version,
    qualifiers: { vcs_url: version === undefined && revision !== undefined ? gitUrl(location, revision) : undefined },
  });
}
