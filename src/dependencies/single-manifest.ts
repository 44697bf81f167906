import type { LockManifest, Node, Package } from './dependency-graph.ts';

/** A package with what the lockfile itself says of it. */
export interface MarkedNode extends Node, Pick<Package, 'relationship' | 'scope'> {}

/**
 * Returns the only manifest of a lockfile without workspaces. Nodes of the same package URL become one package: direct
 * before indirect, runtime before development.
 */
export function singleManifest(nodes: ReadonlyMap<string, MarkedNode>): readonly [LockManifest] {
  const packages = new Map<string, Package>();
  const edges = new Map<string, Set<string>>();
  for (const { purl, name, version, relationship, scope, dependencies } of nodes.values()) {
    if (purl === undefined) continue;
    const targets = edges.get(purl) ?? new Set();
    edges.set(purl, targets);
    for (const key of dependencies) {
      const target = nodes.get(key)?.purl;
      if (target !== undefined && target !== purl) targets.add(target);
    }
    const other = packages.get(purl);
    packages.set(purl, {
      purl,
      name,
      version,
      relationship: first('direct', relationship, other?.relationship),
      scope: first('runtime', scope, other?.scope),
      dependencies: [],
    });
  }
  for (const [purl, each] of packages) packages.set(purl, { ...each, dependencies: [...(edges.get(purl) ?? [])] });
  return [{ packages }];
}

const first = <T>(preferred: T, one: T | undefined, other: T | undefined): T | undefined =>
  one === preferred || other === preferred ? preferred : (one ?? other);
