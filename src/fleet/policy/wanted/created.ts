/** Repositories that a policy creates. */
import { kindsIn } from '../kinds/lookup.ts';
import { type Candidate, type OwnerPolicy, wantedOf } from './model.ts';

/** Returns the repositories that a policy creates, as selectors see them: with what the entries that create them declare. */
export function createdBy(
  { name: org, repositories }: Pick<OwnerPolicy, 'name' | 'repositories'>,
  listed: readonly Pick<Candidate, 'name'>[] = [],
): readonly Candidate[] {
  const existing = new Set(listed.map(({ name }) => name.toLowerCase()));
  const created = new Map<string, Candidate>();
  for (const entry of repositories) {
    const key = entry.creates?.toLowerCase();
    if (entry.creates === undefined || key === undefined || existing.has(key)) continue;
    const known = created.get(key) ?? { name: entry.creates, full_name: `${org}/${entry.creates}`, archived: false };
    const declared = kindsIn('repository').map((kind) => kind.selectable?.(wantedOf(entry, kind.section)));
    created.set(key, Object.assign(known, ...declared));
  }
  return [...created.values()];
}
