/** The merged wanted state of one organization or repository. */
import { isSame } from '../../../platform/resource.ts';
import { rulesets as rulesetResource } from '../../../platform/resources/rulesets.ts';
import type {
  Absent,
  ListedRepository,
  ManagedKind,
  OwnerPolicy,
  RepositoryEntry,
  WantedBudget,
  WantedHook,
  WantedRegistry,
  WantedRuleset,
} from './model.ts';
import { type Place, type Placed, PolicyError, type PolicyProblem, placeText } from './placed.ts';

/** The path parameters of an organization or a repository. */
export type TargetPath = { readonly org: string } | { readonly owner: string; readonly repo: string };

export type TargetKind = 'enterprise' | 'organization' | 'repository';

const enterprisePrefix = 'enterprise:';

/** Returns the target of an enterprise, such as enterprise:sandbox; no login contains a colon. */
export const enterpriseTarget = (enterprise: string): string => `${enterprisePrefix}${enterprise}`;

/** Returns the slug of an enterprise; undefined for other targets. */
export const enterpriseOf = (target: string): string | undefined =>
  target.startsWith(enterprisePrefix) ? target.slice(enterprisePrefix.length) : undefined;

export const kindOfTarget = (target: string): TargetKind =>
  enterpriseOf(target) !== undefined ? 'enterprise' : target.includes('/') ? 'repository' : 'organization';

/** Returns whether a text is a target as plans write it. */
export const isTarget = (text: string): boolean =>
  /^(?:enterprise:)?\w[\w-]*(?:\/[\w.-]+)?$/.test(text) && !/^enterprise:.*\/|\/\.{1,2}$/.test(text);

/** Returns the path parameters of acme or acme/site. */
export function pathOf(target: string): TargetPath {
  const [owner = '', repo] = target.split('/');
  return repo === undefined ? { org: owner } : { owner, repo };
}

export interface WantedTarget {
  /** acme, acme/site, or enterprise:sandbox. */
  readonly target: string;
  /** The ID of a repository. */
  readonly id?: number;
  readonly settings: ReadonlyMap<string, Placed>;
  readonly properties: ReadonlyMap<string, Placed<string | readonly string[] | null>>;
  readonly rulesets: readonly WantedRuleset[];
  readonly registries: readonly WantedRegistry[];
  readonly budgets: readonly WantedBudget[];
  readonly hooks: readonly WantedHook[];
  readonly absent: readonly Absent[];
  readonly managed: ReadonlyMap<ManagedKind, Place>;
}

/** Returns what is wanted of an organization or an enterprise itself. */
export const wantedOfOwner = (owner: OwnerPolicy): WantedTarget => ({
  ...owner,
  target: targetOfOwner(owner),
  properties: new Map(),
});

export const targetOfOwner = ({ kind, name }: Pick<OwnerPolicy, 'kind' | 'name'>): string =>
  kind === 'enterprise' ? enterpriseTarget(name) : name;

/**
 * Merges the wanted state of a repository from all entries that select it. Throws PolicyError, with both positions, for
 * conflicting entries.
 */
export function wantedOfRepository(
  { full_name: target }: ListedRepository,
  entries: readonly RepositoryEntry[],
): WantedTarget {
  const problems: PolicyProblem[] = [];
  const fields = <T>(maps: readonly ReadonlyMap<string, Placed<T>>[], sets: readonly string[] = []) => {
    const all = new Map<string, Placed<T>>();
    for (const [name, placed] of maps.flatMap((map) => [...map])) {
      const other = all.get(name);
      if (!other) all.set(name, placed);
      else if (!isSame('', placed.value, other.value, sets))
        problems.push(clash(target, name, placed.place, other.place));
    }
    return all;
  };
  const named = <T extends { readonly name: string; readonly was?: string | undefined; readonly body: Placed }>(
    lists: readonly (readonly T[])[],
    sets: readonly string[] = [],
  ) => {
    const all = new Map<string, T>();
    for (const each of lists.flat()) {
      const other = all.get(each.name);
      if (!other) all.set(each.name, each);
      else if (each.was !== other.was || !isSame('', each.body.value, other.body.value, sets))
        problems.push(clash(target, `“${each.name}”`, each.body.place, other.body.place));
    }
    return [...all.values()];
  };
  const absent = entries.flatMap((entry) => entry.absent);
  const wanted: WantedTarget = {
    target,
    settings: fields(entries.map(({ settings }) => settings)),
    // Names ignore case, and values that are lists have no order.
    properties: fields(
      entries.flatMap(({ properties }) =>
        [...properties].map(([name, value]) => new Map([[name.toLowerCase(), value]])),
      ),
      [''],
    ),
    rulesets: named(
      entries.map(({ rulesets }) => rulesets),
      rulesetResource.sets,
    ),
    registries: [],
    budgets: [],
    hooks: named(entries.map(({ hooks }) => hooks)),
    absent,
    managed: new Map(entries.flatMap(({ managed }) => [...managed])),
  };
  for (const each of absent) {
    const declared = each.kind === 'rulesets' && wanted.rulesets.find(({ name }) => name === each.name);
    if (declared) problems.push(clash(target, `“${declared.name}”`, each.place, declared.body.place));
  }
  problems.push(...renamingProblems(wanted));
  if (problems.length) throw new PolicyError(problems);
  return wanted;
}

/** Returns the problems of earlier names that other entries declare, rename or delete. */
function renamingProblems({ target, rulesets, absent }: WantedTarget): PolicyProblem[] {
  const uses = [
    ...rulesets.map(({ name, body: { place } }) => ({ name, place, how: 'declared' })),
    ...absent.flatMap((each) => (each.kind === 'rulesets' ? [{ ...each, how: 'absent' }] : [])),
    ...rulesets.map(({ was, body: { place } }) => ({ name: was, place, how: 'renamed' })),
  ];
  return rulesets.flatMap(({ name, was, body: { place } }): readonly PolicyProblem[] => {
    const other = was === undefined ? undefined : uses.find((use) => use.name === was && use.place !== place);
    if (!other) return [];
    const where = `${other.how} at ${placeText(other.place)}, which selects it too`;
    return [{ place, message: `“${was}” of ${target} is renamed to “${name}”, and ${where}` }];
  });
}

const clash = (target: string, what: string, place: Place, other: Place): PolicyProblem => ({
  place,
  message: `${what} of ${target} differs from ${placeText(other)}, which selects it too`,
});
