/** What the IDs in a state stand for. */
import { isPossibleName } from '../../../../../fleet/policy/file-names.ts';
import { slugOfTeam } from '../../../../../fleet/policy/kinds/people/team-names.ts';
import { elements, type Placed, textOf } from '../../../../../fleet/policy/wanted/placed.ts';
import { asText } from '../../../../../json/exact-json.ts';
import { listAt } from '../../source.ts';

export interface Team {
  readonly name: string;
  readonly slug: string;
}

/** The teams, people and repositories of the resources and data sources of a state. */
export class Ids {
  readonly #teams = new Map<string, Team>();
  readonly #people = new Map<string, string>();
  readonly #repositories = new Map<string, string>();

  constructor(resources: readonly { readonly type: string; readonly values: Placed }[]) {
    for (const { type, values } of resources) this.#add(type, values);
  }

  #add(type: string, values: Placed): void {
    const ids = ['id', 'node_id', 'slug', 'repo_id', 'team_id'].flatMap((key) => {
      const { value } = values.parts.get(key) ?? {};
      return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
    });
    const name = textOf(values, 'name');
    if (type === 'github_team' && name !== undefined)
      for (const id of [...ids, name]) this.#teams.set(id, { name, slug: textOf(values, 'slug') ?? slugOfTeam(name) });
    if (type === 'github_repository' && name !== undefined) for (const id of ids) this.#repositories.set(id, name);
    const login = textOf(values, 'login') ?? textOf(values, 'username');
    if (type === 'github_user' && login !== undefined) for (const id of ids) this.#people.set(id, login);
  }

  team(id: unknown): Team | undefined {
    return this.#teams.get(asText(id));
  }

  /** Returns the name of a repository, which resources name by name, by owner and name, or by ID. */
  repository(id: unknown): string | undefined {
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    const name = this.#repositories.get(String(id)) ?? String(id).replace(/^[^/]*\//, '');
    return nodeId.test(name) || !isPossibleName(name) ? undefined : name;
  }

  /** Returns actors of classic protection with names for IDs. */
  named(list: Placed, organization: string): Placed {
    const actors = elements(list).map((actor) => {
      if (typeof actor.value !== 'string') return actor;
      const id = actor.value;
      const team = id.includes('/') ? undefined : this.#teams.get(id);
      const login = this.#people.get(id);
      return { ...actor, value: team ? `${organization}/${team.slug}` : login === undefined ? id : `/${login}` };
    });
    return listAt(list.place, actors);
  }
}

/** IDs of repositories in the GraphQL API, which the state does not explain. */
// cspell:ignore Rvcnk
const nodeId = /^(?:R_kg|MDEwOlJlcG9zaXRvcnk)/;
