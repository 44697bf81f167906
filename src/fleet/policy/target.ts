/** The merged wanted state of one organization or repository. */
import type { Repository } from '../../platform/records.ts';
import { isSame } from '../../platform/resource.ts';
import type { Absent, ManagedKind, OwnerPolicy, RepositoryEntry, WantedHook, WantedRuleset } from './model.ts';
import { type Place, type Placed, PolicyError, type PolicyProblem, placeText } from './placed.ts';

export type TargetPath = { readonly org: string } | { readonly owner: string; readonly repo: string };

/** Returns the path parameters of acme or acme/site. */
export function pathOf(target: string): TargetPath {
  const [owner = '', repo] = target.split('/');
  return repo === undefined ? { org: owner } : { owner, repo };
}

export const targetOf = (path: TargetPath): string => ('repo' in path ? `${path.owner}/${path.repo}` : path.org);

export interface WantedTarget {
  /** acme or acme/site. */
  readonly target: string;
  readonly path: TargetPath;
  readonly settings: ReadonlyMap<string, Placed>;
  readonly properties: ReadonlyMap<string, Placed<string | readonly string[] | null>>;
  readonly rulesets: readonly WantedRuleset[];
  readonly hooks: readonly WantedHook[];
  readonly absent: readonly Absent[];
  readonly managed: ReadonlyMap<ManagedKind, Place>;
}

export const wantedOfOrganization = (owner: OwnerPolicy): WantedTarget => ({
  ...owner,
  target: owner.name,
  path: { org: owner.name },
  properties: new Map(),
});

/**
 * Merges the wanted state of a repository from all entries that select it. Throws PolicyError, with both positions, for
 * conflicting entries.
 */
export function wantedOfRepository(
  { full_name: target, name: repo, owner }: Repository,
  entries: readonly RepositoryEntry[],
): WantedTarget {
  const problems: PolicyProblem[] = [];
  const fields = <T>(maps: readonly ReadonlyMap<string, Placed<T>>[]) => {
    const all = new Map<string, Placed<T>>();
    for (const [name, placed] of maps.flatMap((map) => [...map])) {
      const other = all.get(name);
      if (!other) all.set(name, placed);
      else if (!isSame('', placed.value, other.value)) problems.push(clash(target, name, placed.place, other.place));
    }
    return all;
  };
  const named = <T extends { readonly name: string; readonly body: Placed }>(lists: readonly (readonly T[])[]) => {
    const all = new Map<string, T>();
    for (const each of lists.flat()) {
      const other = all.get(each.name);
      if (!other) all.set(each.name, each);
      else if (!isSame('', each.body.value, other.body.value))
        problems.push(clash(target, `“${each.name}”`, each.body.place, other.body.place));
    }
    return [...all.values()];
  };
  const absent = entries.flatMap((entry) => entry.absent);
  const wanted: WantedTarget = {
    target,
    path: { owner: owner.login, repo },
    settings: fields(entries.map(({ settings }) => settings)),
    properties: fields(entries.map(({ properties }) => properties)),
    rulesets: named(entries.map(({ rulesets }) => rulesets)),
    hooks: named(entries.map(({ hooks }) => hooks)),
    absent,
    managed: new Map(entries.flatMap(({ managed }) => [...managed])),
  };
  for (const each of absent) {
    const declared = each.kind === 'rulesets' && wanted.rulesets.find(({ name }) => name === each.name);
    if (declared) problems.push(clash(target, `“${declared.name}”`, each.place, declared.body.place));
  }
  if (problems.length) throw new PolicyError(problems);
  return wanted;
}

const clash = (target: string, what: string, place: Place, other: Place): PolicyProblem => ({
  place,
  message: `${what} of ${target} differs from ${placeText(other)}, which selects it too`,
});
