/** The policy of an organization, for another one. */
import { kindsIn } from '../kinds/lookup.ts';
import { absentOf, type OwnerPolicy, type Wanted, wantedOf } from './model.ts';

/** Returns the policy of an organization as that of another, which replaces it in references. */
export function asPolicyOf(organization: string, owner: OwnerPolicy): OwnerPolicy {
  const kinds = kindsIn('organization');
  return {
    ...owner,
    name: organization,
    wanted: new Map(
      kinds.map(({ section, asOf }) => {
        const all = wantedOf(owner, section);
        return [section, asOf ? all.map((each): Wanted => asOf(each, owner.name, organization)) : all];
      }),
    ),
    absent: kinds.flatMap(({ section, asOf }) => {
      const all = absentOf(owner, section);
      return asOf ? all.map((each) => asOf(each, owner.name, organization)) : all;
    }),
  };
}
