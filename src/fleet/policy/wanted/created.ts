/** Repositories that a policy creates. */
import { kindsIn } from '../kinds/lookup.ts';
import { firstVisibility } from '../kinds/repositories.ts';
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
    const name = entry.creates;
    const known = created.get(key) ?? {
      name,
      full_name: `${org}/${name}`,
      archived: false,
      visibility: firstVisibility,
    };
    const declared = kindsIn('repository').map((kind) => kind.selectable?.(wantedOf(entry, kind.section)));
    created.set(key, Object.assign(known, ...declared));
  }
  return [...created.values()];
}
