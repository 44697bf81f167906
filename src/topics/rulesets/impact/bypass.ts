/** Whether a person or an app may bypass a ruleset, according to its bypass list and to who they are today. */
import type { Client } from '../../../client/client.ts';
import { NotFoundError, unlessHidden } from '../../../client/errors.ts';
import type { Pusher } from '../../../foresight/impact.ts';
import { asText } from '../../../json/exact-json.ts';
import { listOrganizationInstallations } from '../../../platform/endpoints/installations.ts';
import { getMembership } from '../../../platform/endpoints/members.ts';
import { listTeamMembers, listTeams } from '../../../platform/endpoints/teams.ts';
import type { Given } from '../../../platform/validate.ts';

/** In the words of `current_user_can_bypass`. */
type Bypass = 'always' | 'exempt' | 'pull_requests_only' | 'never' | undefined;

const modes: ReadonlyMap<unknown, Bypass> = new Map([
  ['always', 'always'],
  ['exempt', 'exempt'],
  ['pull_request', 'pull_requests_only'],
]);

/** Returns undefined for a mode that is not known. */
const modeOf = ({ bypass_mode: mode = 'always' }: Given): Bypass => modes.get(mode);

export class BypassList {
  readonly #client: Client;
  readonly #org: string;
  readonly #actors: readonly Given[] | undefined;
  readonly #asked = new Map<string, Promise<unknown>>();

  /** `actors` is undefined if the token may not see them. */
  constructor(client: Client, org: string, actors: readonly Given[] | undefined) {
    this.#client = client;
    this.#org = org;
    this.#actors = actors;
  }

  /** Returns whether somebody may bypass the ruleset; undefined if that is not known. */
  of(pusher: Pusher | undefined): Promise<Bypass> {
    return this.#once(`bypass ${pusher?.login}`, async () => {
      if (this.#actors === undefined) return undefined;
      if (this.#actors.length === 0) return 'never';
      const found = await Promise.all(
        this.#actors.map(async (actor) => [await this.#isOne(actor, pusher), actor] as const),
      );
      const held = found.flatMap(([is, actor]) => (is ? [modeOf(actor)] : []));
      const best = (['always', 'exempt', 'pull_requests_only'] as const).find((mode) => held.includes(mode));
      const isOpen = found.some(([is]) => is === undefined) || held.includes(undefined);
      return best !== undefined && best !== 'pull_requests_only' ? best : isOpen ? undefined : (best ?? 'never');
    });
  }

  /** Returns whether a pusher is an actor of the list, or has its role. */
  async #isOne({ actor_type: type, actor_id: id }: Given, pusher: Pusher | undefined): Promise<boolean | undefined> {
    if (pusher === undefined) return undefined;
    if (type === 'User') return pusher.id === undefined ? undefined : pusher.id === id;
    if (type === 'Integration') return pusher.isBot ? this.#isApp(id, pusher) : false;
    if (pusher.isBot) return ['OrganizationAdmin', 'Team'].includes(asText(type)) ? false : undefined;
    if (type === 'OrganizationAdmin') return this.#isOwner(pusher);
    return type === 'Team' ? this.#isMember(id, pusher) : undefined;
  }

  async #isApp(id: unknown, { login }: Pusher): Promise<boolean | undefined> {
    const apps = await this.#once('apps', () =>
      this.#all(this.#client.pages(listOrganizationInstallations, { path: { org: this.#org } }, { perPage: 100 })),
    );
    const app = apps?.find(({ app_id }) => app_id === id);
    return app && `${app.app_slug}[bot]` === login;
  }

  #isOwner({ login }: Pusher): Promise<boolean | undefined> {
    return this.#once(`owner ${login}`, () => {
      const membership = this.#client.call(getMembership, { path: { org: this.#org, username: login } });
      return unlessHidden(
        membership.then(
          ({ role, state }) => role === 'admin' && state === 'active',
          (error) => {
            if (error instanceof NotFoundError) return false;
            throw error;
          },
        ),
      );
    });
  }

  async #isMember(id: unknown, { login }: Pusher): Promise<boolean | undefined> {
    const members = await this.#once(`team ${asText(id)}`, async () => {
      const path = { org: this.#org };
      const teams = await this.#once('teams', () =>
        this.#all(this.#client.pages(listTeams, { path }, { perPage: 100 })),
      );
      const team = teams?.find((each) => each.id === id);
      if (team === undefined) return undefined;
      const input = { path: { ...path, team_slug: team.slug }, query: {} };
      return this.#all(this.#client.pages(listTeamMembers, input, { perPage: 100 }));
    });
    return members?.some((member) => member.login === login);
  }

  /** Returns the records of a list; undefined if the token may not read it. */
  #all<T>(pages: AsyncIterable<{ readonly items: Iterable<T> }>): Promise<T[] | undefined> {
    return unlessHidden(
      (async () => {
        const all: T[] = [];
        for await (const { items } of pages) for (const item of items) all.push(item);
        return all;
      })(),
    );
  }

  #once<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const asked = (this.#asked.get(name) as Promise<T> | undefined) ?? ask();
    this.#asked.set(name, asked);
    return asked;
  }
}
