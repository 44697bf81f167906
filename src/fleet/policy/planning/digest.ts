/** Digests of policies and plans. */
import { hash } from 'node:crypto';
import { isObject } from '../../../json/exact-json.ts';
import type { Given } from '../../../platform/validate.ts';
import { type Comparison, canonical } from '../../diff.ts';
import type { KindDeclaration } from '../kinds/kind.ts';
import { kindsIn } from '../kinds/lookup.ts';
import type { Declarations, Policy, RepositoryEntry } from '../wanted/model.ts';

/** Returns values as ndjson. */
export const linesText = (lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** What a saved plan has beside its digest. */
interface UndigestedPlan {
  readonly plan: 2 | 3;
  readonly platform: string;
  readonly identity: string | null;
  readonly organizations: readonly string[];
  readonly policy_digest: string;
  readonly reviewed_from?: string;
  readonly changes: readonly object[];
  readonly summary: object;
}

/** Returns the digest of a plan: the SHA-256 of its file without the digest itself. */
export const digestOfPlan = ({ changes, summary, ...plan }: UndigestedPlan): string =>
  hash('sha256', linesText([digestedHeader(plan), ...changes, { summary }]));

/** Returns the header of a plan without its digest. */
export function digestedHeader(plan: Omit<UndigestedPlan, 'changes' | 'summary'>) {
  const { plan: version, platform, identity, organizations, policy_digest, reviewed_from } = plan;
  const reviewed = reviewed_from !== undefined && { reviewed_from };
  return { plan: version, platform, identity, organizations, policy_digest, ...reviewed };
}

/** Returns the digest of what a policy declares, regardless of its files and of the order of its declarations. */
export const digestOfPolicy = ({ owners }: Policy): string =>
  hash(
    'sha256',
    textOf(
      owners.map(({ repositories, ...owner }) => ({
        ...sectionsOf(owner, kindsIn('organization')),
        repositories: dataOf(repositories.map((entry) => sectionsOf(entry, kindsIn('repository')))),
      })),
    ),
  );

const textOf = (value: unknown): string => JSON.stringify(canonical(value));

/** Returns an owner or an entry with its sections as data. */
function sectionsOf(
  { wanted, managed, unmanaged, ...rest }: Declarations & Pick<RepositoryEntry, 'unmanaged'>,
  kinds: readonly KindDeclaration[],
): Given {
  const sections = kinds.flatMap(({ section, digested, bodyComparison, isInEveryDigest }) => {
    const declared = wanted.get(section) ?? [];
    if (declared.length === 0 && !isInEveryDigest) return [];
    return [[section, dataOf(digested?.(declared) ?? declared, bodyComparison)] as const];
  });
  return {
    ...(dataOf(rest) as Given),
    managed: [...managed.keys()].toSorted(),
    ...(unmanaged && { unmanaged: [...unmanaged.keys()].toSorted() }),
    ...Object.fromEntries(sections),
  };
}

/** Returns a part of a policy as data without positions. */
function dataOf(part: unknown, comparison?: Comparison): unknown {
  if (part instanceof Map)
    return Object.fromEntries([...part].map(([name, value]) => [name, dataOf(value, comparison)]));
  if (Array.isArray(part)) {
    const elements = part.map((each) => dataOf(each, comparison));
    // Declarations have no order; the patterns of a selector do.
    return elements.some(isObject) ? elements.map(textOf).toSorted() : elements;
  }
  if (!isObject(part)) return part;
  if ('parts' in part) return canonical(part.value, comparison);
  const { place: _, ...rest } = part;
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, dataOf(value, comparison)]));
}
