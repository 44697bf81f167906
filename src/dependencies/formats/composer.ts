/** composer.lock. Direct dependencies are known from the composer.json beside it. */
import {
  type Companions,
  fieldOf,
  type LockManifest,
  listOf,
  objectOf,
  ParseError,
  parseJson,
  parseJsonBeside,
  textOf,
} from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { gitUrl, packageUrl } from '../source-url.ts';

export function parseComposer(text: string, companions: Companions): readonly LockManifest[] {
  const lock = parseJson(text);
  if (!Array.isArray(fieldOf(lock, 'packages'))) throw new ParseError('not a lockfile of Composer: it has no packages');
  const development = fieldOf(lock, 'packages-dev') ?? [];
  if (!Array.isArray(development)) throw new ParseError('packages-dev is not a list');
  const direct = directNames(companions);
  const nodes = new Map<string, MarkedNode>();
  for (const [field, scope] of [
    ['packages', 'runtime'],
    ['packages-dev', 'development'],
  ] as const) {
    for (const entry of listOf(fieldOf(lock, field))) {
      const name = textOf(fieldOf(entry, 'name'));
      const version = textOf(fieldOf(entry, 'version'));
      if (name === undefined || version === undefined)
        throw new ParseError(`${field} has an item without name or version`);
      const key = name.toLowerCase();
      if (nodes.has(key)) continue;
      nodes.set(key, {
        purl: fieldOf(fieldOf(entry, 'dist'), 'type') === 'path' ? undefined : composerPurl(name, version, entry),
        relationship: direct && (direct.has(key) ? 'direct' : 'indirect'),
        scope,
        // Names of platform packages, such as php and ext-json, and of virtual ones are no keys.
        dependencies: Object.keys(objectOf(fieldOf(entry, 'require'))).map((required) => required.toLowerCase()),
      });
    }
  }
  return singleManifest(nodes);
}

function composerPurl(name: string, version: string, entry: unknown): string {
  const slash = name.indexOf('/');
  const source = fieldOf(entry, 'source');
  const repository = textOf(fieldOf(source, 'url'));
  // Packages of a registry have a URL for installation notices; those of other repositories do not.
  const ownRepository = fieldOf(entry, 'notification-url') === undefined && fieldOf(source, 'type') === 'git';
  return packageUrl({
    type: 'composer',
    namespace: name.slice(0, Math.max(slash, 0)),
    name: name.slice(slash + 1),
    version,
    qualifiers: {
      vcs_url: ownRepository && repository ? gitUrl(repository, textOf(fieldOf(source, 'reference'))) : undefined,
    },
  });
}

function directNames(companions: Companions): ReadonlySet<string> | undefined {
  const project = parseJsonBeside(companions, 'composer.json');
  if (project === undefined) return undefined;
  return new Set(
    ['require', 'require-dev'].flatMap((field) =>
      Object.keys(objectOf(fieldOf(project, field))).map((name) => name.toLowerCase()),
    ),
  );
}
