/** Fetches what protects the default branch of a repository. */
import * as v from 'valibot';
import { checked, shape } from '../../../fleet/policy/live/record-shapes.ts';
import type { Fact } from '../../../foresight/audit/check.ts';
import { type BranchFacts, judgedRules } from '../../../foresight/audit/effective-protection.ts';
import { getBranch, getBranchProtection } from '../../../platform/endpoints/branches.ts';
import { getRepositoryRuleset, listBranchRules } from '../../../platform/endpoints/rulesets.ts';
import type { AppliedRule, Branch, BranchProtection, Ruleset } from '../../../platform/records.ts';
import { parametersShape, wholeRuleset } from '../../rulesets/record-shape.ts';
import { pathOf, type RepositoryReader } from './reader.ts';

const rules = checked(
  listBranchRules,
  shape<AppliedRule>({
    type: v.string(),
    parameters: parametersShape,
    ruleset_id: v.optional(v.number()),
    ruleset_source_type: v.optional(v.string()),
  }),
);
const branch = checked(getBranch, shape<Branch>({ name: v.string() }));
/** Most of a branch is its newest commit. */
const branchFields = ['name', 'protection'] as const satisfies readonly (keyof Branch)[];
const classic = checked(getBranchProtection, shape<BranchProtection>({}));
const ruleset = checked(getRepositoryRuleset, wholeRuleset);

/** The requests for a repository by default, and those for the rules, the branch and the alerts. */
const [mostRequests, otherRequests] = [5, 3];

const unreadRuleset = { unreadable: 'only --deep reads that many rulesets of a repository' } as const;

export async function protection(context: RepositoryReader): Promise<Fact<BranchFacts>> {
  const { reader, repository, deep } = context;
  const name = repository.default_branch;
  if (name === undefined) return { unreadable: 'the default branch is not known' };
  const path = { ...pathOf(repository), branch: name };
  const [applied, of] = await Promise.all([
    reader.list(rules, { path }),
    reader.get(branch, { path }, { fields: branchFields }),
  ]);
  if ('unreadable' in applied) return applied;
  const hasClassic = 'value' in of && of.value.protection?.enabled === true;
  const most = deep ? Number.POSITIVE_INFINITY : mostRequests - otherRequests - (hasClassic ? 1 : 0);
  const [rulesets, ofClassic] = await Promise.all([
    rulesetsOf(applied.value, most, context),
    classicOf(of, repository.size === 0, () => reader.get(classic, { path })),
  ]);
  return { value: { rules: applied.value, rulesets, classic: ofClassic } };
}

/** A repository without commits has no branch. */
async function classicOf(
  of: Fact<Branch> & { readonly isNotFound?: true },
  isEmpty: boolean,
  read: () => Promise<Fact<BranchProtection>>,
): Promise<BranchFacts['classic']> {
  if ('unreadable' in of) return of.isNotFound && isEmpty ? { value: null } : of;
  const { enabled } = of.value.protection ?? {};
  if (enabled === undefined) return { unreadable: 'the branch does not say whether it is enabled' };
  return enabled ? read() : { value: null };
}

/** Rulesets of enterprises, which many repositories have, by those of the organization, which they share. */
const shared = new WeakMap<object, Map<number, Promise<Fact<Ruleset>>>>();

/**
 * Returns the rulesets that the rules come from: those of the organization as they were read, others with one request
 * each. A repository has at most 75 of its own, of which most have none or one. Public platform, About rulesets.
 *
 * @param most the number of its own rulesets that are read
 */
async function rulesetsOf(
  applied: readonly AppliedRule[],
  most: number,
  { reader, repository, other }: Pick<RepositoryReader, 'reader' | 'repository' | 'other'>,
): Promise<BranchFacts['rulesets']> {
  const organization = (await other('rulesets')) as Fact<readonly Ruleset[]>;
  const enterprise = shared.get(organization) ?? new Map<number, Promise<Fact<Ruleset>>>();
  shared.set(organization, enterprise);
  const read = (id: number) =>
    reader.get(ruleset, { path: { ...pathOf(repository), ruleset_id: id }, query: {} }) as Promise<Fact<Ruleset>>;
  const facts = new Map<number, Promise<Fact<Ruleset>> | Fact<Ruleset>>();
  for (const { ruleset_id: id, ruleset_source_type: source } of applied) {
    if (id === undefined || facts.has(id)) continue;
    if (source === 'Organization') facts.set(id, among(organization, id));
    else if (source === 'Enterprise') {
      const known = enterprise.get(id) ?? read(id);
      enterprise.set(id, known);
      facts.set(id, known);
    }
  }
  const own = ownRulesets(applied.filter(({ ruleset_id: id }) => id !== undefined && !facts.has(id)));
  for (const [place, id] of own.entries()) facts.set(id, place < most ? read(id) : unreadRuleset);
  return new Map(await Promise.all([...facts].map(async ([id, fact]) => [id, await fact] as const)));
}

/** Returns the IDs of the rulesets with rules that checks judge, those with the most of them first. */
function ownRulesets(applied: readonly AppliedRule[]): readonly number[] {
  const judged = applied.filter(({ type }) => judgedRules.includes(type));
  const counts = Map.groupBy(judged, ({ ruleset_id: id = 0 }) => id);
  return [...counts].sort(([, a], [, b]) => b.length - a.length).map(([id]) => id);
}

function among(organization: Fact<readonly Ruleset[]>, id: number): Fact<Ruleset> {
  if ('unreadable' in organization) return organization;
  const found = organization.value.find((each) => each.id === id);
  return found ? { value: found } : { unreadable: 'the organization does not list it' };
}
