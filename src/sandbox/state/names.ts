/** Seeded repository names: maps positions to names and back, in constant time. */
import { between, type Chance } from '../seed/chance.ts';
import { kinds, topics } from '../seed/words.ts';

const pairs = topics.length * kinds.length;

/** Returns the name of the repository at a position in an organization. The first of each is `site`. */
export function repositoryName(chance: Chance, organization: number, place: number): string {
  if (place === 0) return 'site';
  const pair = ((place - 1) % pairs) + offset(chance, organization);
  const round = Math.floor((place - 1) / pairs);
  const name = `${topics[pair % topics.length]}-${kinds[pair % kinds.length]}`;
  return round === 0 ? name : `${name}-${round + 1}`;
}

/** Returns the position of a seeded repository, given its lower-case name; undefined for other names. */
export function repositoryPlace(chance: Chance, organization: number, name: string): number | undefined {
  if (name === 'site') return 0;
  const [, topic = '', kind = '', suffix] = /^([a-z]+)-([a-z]+)(?:-(\d+))?$/.exec(name) ?? [];
  const kindPlace = (kinds as readonly string[]).indexOf(kind);
  let pair = (topics as readonly string[]).indexOf(topic);
  if (pair < 0 || kindPlace < 0) return undefined;
  while (pair % kinds.length !== kindPlace) pair += topics.length;
  const round = suffix ? Number(suffix) - 1 : 0;
  const place = round * pairs + ((pair - offset(chance, organization) + pairs) % pairs) + 1;
  return repositoryName(chance, organization, place) === name ? place : undefined;
}

const offset = (chance: Chance, organization: number): number => between(0, pairs - 1, chance('names', organization));
