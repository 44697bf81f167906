/** How a branch is protected: by rulesets of all levels and by classic protection together. */
import { asText, isObject } from '../../json/exact-json.ts';
import type { AppliedRule, BranchProtection, BypassActor, Ruleset } from '../../platform/records.ts';
import { bypassActorTypes } from '../../platform/ruleset.ts';
import type { Given } from '../../platform/validate.ts';
import { asRuleset } from '../classic-protection.ts';
import type { Fact } from './fact.ts';
import { wideRoleOf } from './wide-bypass.ts';

/** What protects a branch. */
export interface BranchFacts {
  /** The rules of active rulesets of all levels that apply to the branch. */
  readonly rules: readonly AppliedRule[];
  /** Their rulesets by ID; those without rules that checks judge may be absent. */
  readonly rulesets: ReadonlyMap<number, Fact<Ruleset>>;
  /** Null without classic protection. */
  readonly classic: Fact<BranchProtection | null>;
}

/** A ruleset, or classic protection, with its rules for the branch. */
export interface Layer {
  /** A noun phrase: `ruleset “Default branches” of acme`. */
  readonly name: string;
  readonly rules: readonly { readonly type: string; readonly parameters: Given }[];
  /** Who may bypass the rules; classic protection lists only people, teams and apps by name. */
  readonly bypass: Fact<readonly BypassActor[]>;
  /** Whether administrators of the repository may bypass the rules. */
  readonly isForAdministrators: boolean | undefined;
}

/** A requirement of a protected branch. */
export interface Requirement {
  /** The types of rules that ask for it. */
  readonly types: readonly string[];
  /** Returns whether the parameters of the rule are strict enough; undefined if they do not say. */
  readonly isStrict?: (parameters: Given) => boolean | undefined;
  /** True for what only matters when a pull request is merged, so that bypassing in pull requests disables it. */
  readonly onMerge?: true;
}

/** Why a layer that requires it does not count. */
export interface Discounted {
  readonly layer: string;
  /** A clause that follows “but”. */
  readonly reason: string;
}

/** `missing` is the fact that would decide, or that would tell whether something else requires it, too. */
export type Effective =
  | { readonly status: 'required'; readonly by: readonly Layer[]; readonly missing?: string }
  | { readonly status: 'unknown'; readonly missing: string }
  | { readonly status: 'missing'; readonly discounted: readonly Discounted[] };

/** The types of rules that checks judge; who may bypass others does not matter. */
export const judgedRules: readonly string[] = [
  'deletion',
  'merge_queue',
  'non_fast_forward',
  'pull_request',
  'required_linear_history',
  'required_signatures',
  'required_status_checks',
  'update',
  'workflows',
];

const administrators: readonly unknown[] = ['OrganizationAdmin', 'EnterpriseOwner'];

/** The ID of the administrators’ role in every repository. */
const administratorRole = 5;

/** Those of the last branch, as its checks follow each other. In a WeakMap, those of all branches would stay for long. */
let last: { readonly facts: BranchFacts; readonly layers: readonly Layer[] } | undefined;

/** Returns the layers that protect a branch. */
export function layersOf(branch: string, facts: BranchFacts): readonly Layer[] {
  if (last?.facts !== facts) last = { facts, layers: foundLayers(branch, facts) };
  return last.layers;
}

function foundLayers(branch: string, { rules, rulesets, classic }: BranchFacts): readonly Layer[] {
  const bySource = Map.groupBy(rules, ({ ruleset_id: id }) => id);
  const layers = [...bySource].map(([id, own]) => rulesetLayer(own, id === undefined ? undefined : rulesets.get(id)));
  return 'value' in classic && classic.value !== null ? [...layers, classicLayer(branch, classic.value)] : layers;
}

function rulesetLayer(rules: readonly AppliedRule[], read: Fact<Ruleset> | undefined): Layer {
  const [{ ruleset_id: id, ruleset_source: source } = {} as Partial<AppliedRule>] = rules;
  const ruleset = read && 'value' in read ? read.value : undefined;
  const bypass = bypassOf(read);
  return {
    name: `ruleset ${ruleset ? `“${ruleset.name}”` : id} of ${source}`,
    rules: rules.map(({ type, parameters = {} }) => ({ type, parameters })),
    bypass,
    isForAdministrators: 'value' in bypass ? !bypass.value.some(isAdministrator) : undefined,
  };
}

function bypassOf(read: Fact<Ruleset> | undefined): Layer['bypass'] {
  if (read === undefined) return { unreadable: 'the ruleset was not read' };
  if ('unreadable' in read) return read;
  const { bypass_actors: actors } = read.value;
  if (actors?.some(({ actor_type: type }) => !bypassActorTypes.includes(type)))
    return { unreadable: 'a bypass actor has a type that is not known' };
  return actors ? { value: actors } : { unreadable: 'only those who may change the ruleset see who may bypass it' };
}

const isAdministrator = ({ actor_type: type, actor_id: id, bypass_mode: mode }: BypassActor): boolean =>
  mode !== 'pull_request' && (administrators.includes(type) || (type === 'RepositoryRole' && id === administratorRole));

function classicLayer(branch: string, protection: BranchProtection): Layer {
  const { rules } = asRuleset(branch, { ...protection }).ruleset;
  return {
    name: 'classic branch protection',
    rules: rules.map(({ type, parameters = {} }) => ({ type, parameters })),
    bypass: { value: [] },
    isForAdministrators: protection.enforce_admins?.enabled,
  };
}

/**
 * Returns whether a requirement is in effect. Layers that everyone with a role below admin may bypass do not count. A branch
 * that nobody may update, such as a locked one, meets all requirements but the block of deletions.
 */
export function effective(branch: string, facts: BranchFacts, requirement: Requirement): Effective {
  const layers = layersOf(branch, facts);
  const requiring = layers.map((layer) => ({ layer, answer: requires(layer, requirement) }));
  const [by, open, discounted]: [Layer[], string[], Discounted[]] = [[], [], []];
  for (const { layer, answer } of requiring) {
    if (answer === false) continue;
    const weakness = weaknessOf(layer, requirement);
    if ('reason' in weakness) discounted.push({ layer: layer.name, reason: weakness.reason });
    else if (answer === undefined)
      open.push(`${layer.name} does not return what its rule ${requirement.types[0]} requires`);
    else if ('missing' in weakness) open.push(weakness.missing);
    else by.push(layer);
  }
  if (by.length > 0) return { status: 'required', by, ...(open[0] !== undefined && { missing: open[0] }) };
  if ('unreadable' in facts.classic) open.push(`classic branch protection cannot be read: ${facts.classic.unreadable}`);
  return open[0] === undefined ? { status: 'missing', discounted } : { status: 'unknown', missing: open[0] };
}

function requires({ rules }: Layer, { types, isStrict }: Requirement): boolean | undefined {
  const answers = rules.map(({ type, parameters }) => {
    if (type === 'update') return !types.includes('deletion');
    return types.includes(type) && (isStrict ? isStrict(parameters) : true);
  });
  return answers.includes(true) ? true : answers.includes(undefined) ? undefined : false;
}

function weaknessOf(
  { name, bypass }: Layer,
  { onMerge }: Requirement,
): { readonly reason: string } | { readonly missing: string } | Record<never, never> {
  if ('unreadable' in bypass) return { missing: `who may bypass ${name} cannot be read: ${bypass.unreadable}` };
  const role = bypass.value.map((actor) => wideRoleOf(actor, onMerge === true)).find((each) => each !== undefined);
  return role === undefined ? {} : { reason: `everyone with the role ${role} may bypass it` };
}

/** Returns a boolean parameter of a rule; undefined if the response lacks it. */
export const flagIn =
  (name: string) =>
  (parameters: Given): boolean | undefined =>
    typeof parameters[name] === 'boolean' ? parameters[name] : undefined;

/** Returns the status checks that a rule requires; undefined if the response lacks them. */
export function checksIn({ required_status_checks: checks }: Given): string[] | undefined {
  return Array.isArray(checks) ? checks.filter(isObject).map(({ context }) => asText(context)) : undefined;
}
