/** packages.lock.json of NuGet, versions 1 and 2. */
import {
  fieldOf,
  type LockManifest,
  objectOf,
  type Package,
  ParseError,
  parseJson,
  textOf,
} from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { packageUrl } from '../source-url.ts';

const relationships: ReadonlyMap<unknown, Package['relationship']> = new Map([
  ['Direct', 'direct'],
  ['Transitive', 'indirect'],
  ['CentralTransitive', 'indirect'],
]);

export function parseNuget(text: string): readonly LockManifest[] {
  const lock = parseJson(text);
  const frameworks = objectOf(fieldOf(lock, 'dependencies'));
  const version = fieldOf(lock, 'version');
  if (fieldOf(lock, 'dependencies') === undefined || version === undefined)
    throw new ParseError('not a lockfile of NuGet: it has no version or no dependencies');
  if (version !== 1 && version !== 2) throw new ParseError('not a lockfile of NuGet in version 1 or 2');
  const nodes = new Map<string, MarkedNode>();
  for (const [framework, packages] of Object.entries(frameworks)) {
    // The packages of `net8.0/win-x64` are those of `net8.0` and some more.
    const [base = ''] = framework.split('/', 1);
    const own = new Set(Object.keys(objectOf(packages)).map((name) => name.toLowerCase()));
    const keyOf = (name: string) => `${own.has(name.toLowerCase()) ? framework : base} ${name.toLowerCase()}`;
    for (const [name, entry] of Object.entries(objectOf(packages))) {
      const version = textOf(fieldOf(entry, 'resolved'));
      const local = fieldOf(entry, 'type') === 'Project';
      if (version === undefined && !local) throw new ParseError(`“${name}” has no resolved version`);
      nodes.set(keyOf(name), {
        purl: local ? undefined : packageUrl({ type: 'nuget', name, version }),
        relationship: relationships.get(fieldOf(entry, 'type')),
        dependencies: Object.keys(objectOf(fieldOf(entry, 'dependencies'))).map(keyOf),
      });
    }
  }
  return singleManifest(nodes);
}
