/**
 * The phases of an apply: organizations are tightened before their repositories change, and loosened after, so that every
 * target always has at least the protection that it has both before and after.
 */
import { inShard, type Shard } from '../../shard.ts';
import { isMadeLast, kindNamed } from '../kinds/lookup.ts';
import type { ApplicableChange, Step } from '../live/change.ts';
import { hasReferences } from '../wanted/references.ts';
import { kindOfTarget, ownerOf } from '../wanted/target.ts';
import { inTwoSteps } from './two-steps.ts';

/** The changes of one target that are made together. */
export interface Task {
  /** The target, with the phase if there is one, such as “acme (loosenings)”. Identifies the task in journals. */
  readonly name: string;
  /** acme or acme/site. */
  readonly target: string;
  /** Absent for the changes that are made first. */
  readonly phase?: Later;
  readonly steps: readonly Step[];
}

/**
 * `loosenings`: changes of an organization made after its repositories; `resets`: changes of a repository made after
 * those.
 */
type Later = 'loosenings' | 'resets';

interface Phase {
  readonly name?: Later;
  readonly areRepositories: boolean;
  /** Returns whether a step of such a target is made in this phase. */
  readonly has: (step: Step, all: readonly Step[]) => boolean;
}

/** In order. */
const phases: readonly Phase[] = [
  { areRepositories: false, has: (step, all) => !isLater(step, all) },
  { areRepositories: true, has: (step, all) => !followsOwner(step, all) },
  { areRepositories: false, name: 'loosenings', has: isLater },
  { areRepositories: true, name: 'resets', has: followsOwner },
];

/** Returns the tasks of each phase. */
export function phasesOf(steps: readonly Step[]): readonly (readonly Task[])[] {
  const byTarget = [...Map.groupBy(steps, ({ target }) => target)];
  return phases.map(({ name: phase, areRepositories, has }) =>
    byTarget.flatMap(([target, all]): readonly Task[] => {
      const made = isRepository(target) === areRepositories ? all.filter((step) => has(step, steps)) : [];
      if (made.length === 0) return [];
      return [
        { name: phase ? `${target} (${phase})` : target, target, ...(phase && { phase }), steps: inOrder(made, all) },
      ];
    }),
  );
}

/** Returns steps of a target, which are some of all, in the order in which they are made. */
function inOrder(steps: readonly Step[], all: readonly Step[]): readonly Step[] {
  const byKind = [...Map.groupBy(steps, ({ kind }) => kind)].flatMap(
    ([kind, ofKind]) => kindNamed(kind).inOrder?.(ofKind) ?? ofKind,
  );
  const opens = (step: Step) => kindNamed(step.kind).opensTarget?.(step) === true;
  const closes = (step: Step) => kindNamed(step.kind).closesTarget?.(step) === true;
  const others = byKind.filter((step) => !opens(step) && !closes(step));
  const last = others.filter((step) => isLater(step, all));
  const first = others.filter((step) => !isLater(step, all));
  // Teams of the plan that they name are created first.
  const waits = ({ body }: Step) => hasReferences(body);
  const takesAccess = ({ kind }: Step) => kindNamed(kind).takesAccess !== undefined;
  return [
    ...steps.filter(opens),
    ...first.filter((step) => !waits(step)),
    ...first.filter(waits),
    ...last.filter((step) => !takesAccess(step)),
    ...last.filter(takesAccess).toReversed(),
    ...steps.filter(closes),
  ];
}

/** Returns whether a step is made last, by itself or because it sends something to an object that changes last. */
function isLater(step: Step, all: readonly Step[]): boolean {
  if (step.action !== 'resend') return isMadeLast(step);
  return all.some((other) => isSameObject(other, step) && isMadeLast(other));
}

const isSameObject = (a: Step, b: Step): boolean => a.target === b.target && a.kind === b.kind && a.id === b.id;

const isRepository = (target: string): boolean => kindOfTarget(target) === 'repository';

/**
 * Returns whether a step is made after all steps of its organization: a repository that loses its own setting inherits that
 * of the organization, which must already be changed by then.
 */
export function followsOwner(
  { action, kind, target, id }: Pick<Step, 'action' | 'kind' | 'target' | 'id'>,
  all: readonly Pick<Step, 'kind' | 'target' | 'id'>[],
): boolean {
  if (action !== 'unset' || !isRepository(target)) return false;
  return all.some((other) => other.kind === kind && other.target === ownerOf(target) && other.id === id);
}

/** The part of a plan that a run applies. */
export interface Part {
  /** The number of repositories. */
  readonly limit?: number | undefined;
  readonly shard?: Shard | undefined;
}

/**
 * Returns the steps of a part of a plan, and those left for later: the steps of other repositories and shards, and those
 * that loosen an organization, as long as not all of its repositories are done.
 */
export function stepsIn(
  changes: readonly ApplicableChange[],
  { limit, shard }: Part = {},
): { readonly steps: readonly Step[]; readonly left: readonly Step[] } {
  const all = inTwoSteps(changes);
  const isMine = (target: string) => shard === undefined || inShard(target, shard);
  const repositories = new Set(all.map(({ target }) => target).filter(isRepository));
  const mine = new Set([...repositories].filter(isMine).slice(0, limit));
  const isWhole = mine.size === repositories.size && (shard?.count ?? 1) === 1;
  const isIn = (step: Step) =>
    isRepository(step.target)
      ? mine.has(step.target) && (isWhole || !followsOwner(step, all))
      : isMine(step.target) && (isWhole || !isLater(step, all));
  return { steps: all.filter(isIn), left: all.filter((step) => !isIn(step)) };
}
