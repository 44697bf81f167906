/** Digests of policies and plans. */
import { hash } from 'node:crypto';
import { isObject } from '../../../json/exact-json.ts';
import { type Comparison, canonical } from '../../diff.ts';
import { kinds } from '../kinds/index.ts';
import type { Policy } from '../wanted/model.ts';

/** Returns values as ndjson. */
export const linesText = (lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** What a saved plan has beside its digest. */
interface UndigestedPlan {
  readonly plan: number;
  readonly platform: string;
  readonly identity: string | null;
  readonly organizations: readonly string[];
  readonly policy_digest: string;
  readonly changes: readonly object[];
  readonly summary: object;
}

/** Returns the digest of a plan: the SHA-256 of its file without the digest itself. */
export function digestOfPlan({ changes, summary, ...plan }: UndigestedPlan): string {
  const { plan: version, platform, identity, organizations, policy_digest } = plan;
  return hash(
    'sha256',
    linesText([{ plan: version, platform, identity, organizations, policy_digest }, ...changes, { summary }]),
  );
}

/** Returns the digest of what a policy declares, regardless of its files and of the order of its declarations. */
export const digestOfPolicy = ({ owners }: Policy): string =>
  hash('sha256', textOf(owners.map((owner) => declared(owner))));

const textOf = (value: unknown): string => JSON.stringify(canonical(value));

/** How the values of a section compare: as in plans, their sets have no order. */
const comparisons: Readonly<Record<string, Comparison>> = {
  rulesets: kinds.ruleset.comparison({}),
  registries: kinds.registry.comparison({}),
  budgets: kinds.budget.comparison({}),
  properties: { sets: [''] },
};

/** Returns a part of a policy as data without positions. */
function declared(part: unknown, comparison?: Comparison): unknown {
  const inside = (name: string, value: unknown) => [name, declared(value, comparisons[name] ?? comparison)] as const;
  if (part instanceof Map)
    return Object.fromEntries([...part].map(([name, value]) => [name, declared(value, comparison)]));
  if (Array.isArray(part)) {
    const elements = part.map((each) => declared(each, comparison));
    // Declarations have no order; the patterns of a selector do.
    return elements.some(isObject) ? elements.map(textOf).toSorted() : elements;
  }
  if (!isObject(part)) return part;
  if ('parts' in part) return canonical(part.value, comparison);
  const { place: _, ...rest } = part;
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => inside(name, value)));
}
