import {
  dependencyLimit,
  type LockManifest,
  type Node,
  type Package,
  PackageMap,
  purlsOf,
} from './dependency-graph.ts';

/** A package with what the lockfile itself says of it. */
export interface MarkedNode extends Node, Pick<Package, 'relationship' | 'scope'> {}

/** Returns the only manifest of a lockfile without workspaces. Nodes of the same package URL become one package. */
export function singleManifest(nodes: ReadonlyMap<string, MarkedNode>): readonly [LockManifest] {
  const packages = new PackageMap();
  const count = dependencyLimit();
  for (const node of nodes.values()) {
    const { purl, relationship, scope } = node;
    if (purl === undefined) continue;
    packages.add({ purl, relationship, scope, dependencies: purlsOf(node, nodes, count) });
  }
  return [{ packages: packages.byPurl }];
}
