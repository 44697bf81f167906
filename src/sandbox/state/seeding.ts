/** Parameters of the seeded records; stored with the state, which depends on them. */
import { isDeepStrictEqual } from 'node:util';
import { StateError, type Store } from '../store.ts';
import type { Scale } from './accounts.ts';

export interface Seeding extends Scale {
  readonly seed: number;
}

/** What a start asks for. */
type Asked = { readonly [Name in keyof Seeding]?: Seeding[Name] | undefined };

const flags: Readonly<Record<keyof Seeding, string>> = {
  orgs: '--orgs',
  repos: '--repos',
  seed: '--seed',
  emptyOrganizations: '--empty-organization',
  knownLogins: '--known-logins',
};

const names = Object.keys(flags) as readonly (keyof Seeding)[];

/**
 * Returns the parameters of the first start. Throws StateError for a different value now.
 * @param file name of the state in the message
 */
export function keptSeeding(store: Store, asked: Asked, file: string): Seeding {
  const collection = store.collection<Seeding>('seeding');
  const { orgs = 3, repos = 12, seed = 1, emptyOrganizations, knownLogins } = asked;
  const first = {
    ...{ orgs, repos, seed },
    ...(emptyOrganizations && { emptyOrganizations }),
    ...(knownLogins && { knownLogins }),
  };
  const kept = collection.get('') ?? first;
  const differing = names.filter((name) => asked[name] !== undefined && !isDeepStrictEqual(asked[name], kept[name]));
  const told = (values: Asked) =>
    differing
      .map((name) => {
        const value = values[name];
        if (value === undefined) return `no ${flags[name]}`;
        if (name === 'knownLogins') return `${flags[name]} with ${values[name]?.length} lines`;
        return [value]
          .flat()
          .map((each) => `${flags[name]} ${each}`)
          .join(' ');
      })
      .join(' ');
  if (differing.length)
    throw new StateError(
      `${file} contains a sandbox with ${told(kept)}, not ${told(asked)}. Omit these flags, or use another file.`,
    );
  collection.set('', kept);
  return kept;
}
