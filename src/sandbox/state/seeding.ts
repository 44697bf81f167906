/** Parameters of the seeded records; stored with the state, which depends on them. */
import { StateError, type Store } from '../store.ts';
import type { Scale } from './accounts.ts';

export interface Seeding extends Scale {
  readonly seed: number;
}

type Asked = { readonly [Name in keyof Seeding]?: number | undefined };

const names = ['orgs', 'repos', 'seed'] as const;

/**
 * Returns the parameters of the first start. Throws StateError for a different value now.
 * @param file name of the state in the message
 */
export function keptSeeding(store: Store, { orgs, repos, seed }: Asked, file: string): Seeding {
  const collection = store.collection<Seeding>('seeding');
  const kept = collection.get('') ?? { orgs: orgs ?? 3, repos: repos ?? 12, seed: seed ?? 1 };
  const asked: Asked = { orgs, repos, seed };
  const differing = names.filter((name) => asked[name] !== undefined && asked[name] !== kept[name]);
  const told = (values: Asked) => differing.map((name) => `--${name} ${values[name]}`).join(' ');
  if (differing.length)
    throw new StateError(
      `${file} contains a sandbox with ${told(kept)}, not ${told(asked)}. Omit these flags, or use another file.`,
    );
  collection.set('', kept);
  return kept;
}
