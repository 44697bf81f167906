/** The `repository_dispatch` event: the sandbox has no workflows and webhooks, but lists the events. */
import { endpoint, list } from '../../../platform/endpoint.ts';
import type { Actor } from '../../../platform/records.ts';
import type { SandboxPlatform } from '../../platform.ts';
import { isoSeconds } from '../../state/accounts.ts';
import type { RepositoryState } from '../../state/repositories.ts';
import type { Collection } from '../../store.ts';
import { actorView } from '../../views/actor.ts';
import { fullName } from '../../views/repository.ts';

/** The public platform's list of a repository's events. */
export const listRepositoryEvents = endpoint({
  route: 'GET /repos/{owner}/{repo}/events',
  summary: 'List the events of a repository, newest first',
  paging: 'page',
  permission: 'metadata=read',
  anonymous: true,
  answer: list<RepositoryEvent>(),
});

interface RepositoryEvent {
  id: string;
  type: string;
  actor: Actor | null;
  repo: { id: number; name: string; url: string };
  payload: object;
  public: boolean;
  created_at: string;
}

interface DispatchState {
  readonly id: number;
  /** Null for an installation. */
  readonly actor_id: number | null;
  readonly event_type: string;
  readonly client_payload: object;
  readonly created_at: string;
}

const dispatchesOf = ({ store }: SandboxPlatform, { id }: RepositoryState): Collection<DispatchState> =>
  store.collection<DispatchState>('dispatches', id);

/** Stores an event, and logs its name and the size of its payload. */
export function dispatch(
  platform: SandboxPlatform,
  repository: RepositoryState,
  {
    event_type,
    client_payload = {},
    actor_id,
  }: Pick<DispatchState, 'event_type' | 'actor_id'> & { client_payload?: object | undefined },
): void {
  const id = platform.store.next('events', 40_000_001);
  const created_at = isoSeconds(platform.clock());
  dispatchesOf(platform, repository).set(id, { id, actor_id, event_type, client_payload, created_at });
  const size = Buffer.byteLength(JSON.stringify(client_payload));
  platform.log(
    `repository_dispatch to ${fullName(platform, repository)}: event ${JSON.stringify(event_type)}, payload of ${size} bytes`,
  );
}

/** Returns the events of a repository, newest first. */
export function repositoryEvents(platform: SandboxPlatform, repository: RepositoryState): RepositoryEvent[] {
  const name = fullName(platform, repository);
  return dispatchesOf(platform, repository)
    .values()
    .reverse()
    .map(({ id, actor_id, event_type, client_payload, created_at }) => {
      const actor = actor_id === null ? undefined : platform.accounts.userById(actor_id);
      return {
        id: String(id),
        type: 'RepositoryDispatchEvent',
        actor: actor ? actorView(platform, actor) : null,
        repo: { id: repository.id, name, url: `${platform.baseUrl}/repos/${name}` },
        payload: {
          event: 'repository_dispatch',
          action: event_type,
          event_type,
          branch: repository.default_branch,
          client_payload,
        },
        public: repository.visibility === 'public',
        created_at,
      };
    });
}
