/** The people whom policies declare. */
import type { KindDeclaration } from '../kinds/kind.ts';
import { kindsIn } from '../kinds/lookup.ts';
import { type Declarations, type Policy, wantedOf } from './model.ts';
import { sourceText } from './placed.ts';

const kindsOfOwners = kindsIn('organization');
const kindsOfRepositories = kindsIn('repository');

/** Returns the files and lines of a policy that declare a person, such as policy/acme.yaml:4, in its order. */
export function sourcesOfPerson({ owners }: Policy, login: string): readonly string[] {
  const placesIn = (declarations: Declarations, kinds: readonly KindDeclaration[]) =>
    kinds.flatMap(({ section, placesOf }) =>
      wantedOf(declarations, section).flatMap((each) => placesOf?.(each, login) ?? []),
    );
  const places = owners.flatMap((owner) => [
    ...placesIn(owner, kindsOfOwners),
    ...owner.repositories.flatMap((entry) => placesIn(entry, kindsOfRepositories)),
  ]);
  return [...new Set(places.map(sourceText))];
}
