/** Review requests: to dismiss an alert, to push a secret, to push against a rule. */
import { requireUser } from '../access.ts';
import type { Caller } from '../callers.ts';
import type { SandboxPlatform } from '../platform.ts';
import { found, unprocessable } from '../refusals.ts';
import { isStrict } from '../seed/postures.ts';
import type { Collection } from '../store.ts';
import { isoSeconds } from './accounts.ts';
import type { RepositoryState } from './repositories.ts';
import { windowStart } from './windows.ts';

export interface RequestState<T> {
  readonly id: number;
  /** Position among the requests of its repository, from 1. */
  readonly number: number;
  readonly repository_id: number;
  readonly requester_id: number;
  readonly data: readonly T[];
  readonly resource_identifier: string;
  readonly status: string;
  readonly comment: string | null;
  /** Epoch milliseconds. */
  readonly created: number;
  readonly responses: readonly ResponseState[];
}

export interface ResponseState {
  readonly id: number;
  readonly reviewer_id: number;
  readonly message: string;
  readonly status: string;
  readonly created: number;
}

const hour = 60 * 60 * 1000;

/** Time until a request expires. */
const patience = 7 * 24 * hour;

const firstCreatedId = 800_000_000;

export const nextRequestId = ({ store }: SandboxPlatform): number => store.next('requests', firstCreatedId);

const expiryOf = ({ created }: RequestState<unknown>): number => created + patience;

/** Returns the current status: undecided requests expire. */
export function statusOf({ clock }: SandboxPlatform, request: RequestState<unknown>): string {
  return request.status === 'pending' && expiryOf(request) <= clock().getTime() ? 'expired' : request.status;
}

/** Seeded requests of the strict organization are all decided. */
const isDecided = (status: string): boolean => status !== 'pending';

/** Whether a repository has delegated reviews: not in forks, empty and archived ones. */
export const isDelegated = ({ size, archived, parent_id }: RepositoryState): boolean =>
  size > 0 && !archived && parent_id === null;

export interface Wanted {
  readonly reviewer?: string | undefined;
  readonly requester?: string | undefined;
  readonly time_period?: string | undefined;
  readonly request_status?: string | undefined;
}

/** Newest first. Records call `open` pending. */
export function matching<T>(
  platform: SandboxPlatform,
  requests: readonly Readonly<RequestState<T>>[],
  query: Wanted,
  defaultPeriod: string,
): RequestState<T>[] {
  const { reviewer, requester, time_period: period = defaultPeriod, request_status: wanted = 'all' } = query;
  const since = windowStart(platform, period);
  const idOf = (login: string) => platform.accounts.user(login)?.id;
  return requests
    .filter(({ created }) => created > since)
    .filter(({ requester_id }) => requester === undefined || requester_id === idOf(requester))
    .filter(({ responses }) => reviewer === undefined || responses.some((each) => each.reviewer_id === idOf(reviewer)))
    .filter((request) => wanted === 'all' || statusOf(platform, request) === (wanted === 'open' ? 'pending' : wanted))
    .sort((a, b) => b.created - a.created || b.id - a.id);
}

/** Records a decision. Throws 422 for a request that is not open; resolves with the response's id. */
export function review<T>(
  platform: SandboxPlatform,
  requests: Collection<RequestState<T>>,
  request: RequestState<T>,
  { status: decision, message }: { readonly status: string; readonly message: string },
  caller: Caller,
): number {
  const { id: reviewer_id } = requireUser(platform, caller);
  requireOpen(platform, request);
  const status = decision === 'approve' ? 'approved' : 'denied';
  const id = nextRequestId(platform);
  const created = platform.clock().getTime();
  const response = { id, reviewer_id, message, status, created };
  requests.set(request.id, { ...request, status, responses: [...request.responses, response] });
  return id;
}

export function requireOpen(platform: SandboxPlatform, request: RequestState<unknown>): void {
  const status = statusOf(platform, request);
  if (status !== 'pending') throw unprocessable(`The request is not open: it is ${status}.`);
}

/** Fields of all kinds of requests. Specification, Dismissal request. */
export function requestView<T>(platform: SandboxPlatform, request: RequestState<T>, repository: RepositoryState) {
  const owner = found(platform.accounts.accountById(repository.owner_id));
  const actor = (id: number) => ({ actor_id: id, actor_name: platform.accounts.userById(id)?.login ?? 'ghost' });
  return {
    id: request.id,
    number: request.number,
    repository: { id: repository.id, name: repository.name, full_name: `${owner.login}/${repository.name}` },
    organization: { id: owner.id, name: owner.login },
    requester: actor(request.requester_id),
    data: [...request.data],
    resource_identifier: request.resource_identifier,
    status: statusOf(platform, request),
    requester_comment: request.comment,
    expires_at: isoSeconds(expiryOf(request)),
    created_at: isoSeconds(request.created),
    responses: request.responses.map(({ id, reviewer_id, message, status, created }) => ({
      id,
      reviewer: actor(reviewer_id),
      message,
      status,
      created_at: isoSeconds(created),
    })),
  };
}

/** Statuses and ages in hours of the seeded requests of every `site`: every status, some in each time window. */
const seededAges = [
  ['pending', 0.4],
  ['approved', 5],
  ['denied', 15],
  ['pending', 20],
  ['cancelled', 50],
  ['completed', 80],
  ['pending', 200],
  ['approved', 480],
  ['deleted', 100],
] as const;

/** Subject of a seeded request, by position. */
export interface Subject<T> {
  readonly data: T;
  readonly resource_identifier: string;
}

/** Seeded requests of a repository: many in every `site`, at most one elsewhere. */
export function seededRequests<T>(
  platform: SandboxPlatform,
  repository: RepositoryState,
  kind: string,
  statuses: readonly string[],
  subject: (place: number) => Subject<T>,
): [number, RequestState<T>][] {
  if (!isDelegated(repository)) return [];
  const chance = (label: string, place: number) => platform.chance(kind, repository.id, label, place);
  const organization = platform.accounts.organizationById(repository.owner_id);
  const ages = seededAges.filter(
    ([status]) => statuses.includes(status) && (isDecided(status) || !(organization && isStrict(organization))),
  );
  const count = repository.name === 'site' ? ages.length : chance('count', 0) < 0.4 ? 1 : 0;
  return ages.slice(0, count).map(([status, age], place) => {
    const id = repository.id * 100 + place + 1;
    const created = platform.started - age * hour;
    const decided = status === 'approved' || status === 'denied' || status === 'completed';
    const response = {
      id: id * 10,
      reviewer_id: 1 + (place % 2),
      message: status === 'denied' ? 'Please rotate it instead' : 'Looks right to me',
      status: status === 'denied' ? 'denied' : 'approved',
      created: created + (platform.started - created) / 2,
    };
    const request: RequestState<T> = {
      id,
      number: place + 1,
      repository_id: repository.id,
      requester_id: 3 + Math.floor(chance('requester', place) * 5),
      ...subject(place),
      data: [subject(place).data],
      status,
      comment: place % 3 === 0 ? null : 'Checked with the team',
      created,
      responses: decided ? [response] : [],
    };
    return [id, request];
  });
}
