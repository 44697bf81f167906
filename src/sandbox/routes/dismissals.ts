import * as endpoints from '../../platform/endpoints/dismissals.ts';
import type { DismissalRequest } from '../../platform/records.ts';
import { requireUser } from '../access.ts';
import { reviewer } from '../demands.ts';
import { listing, mapped } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { forbidden, found, notFound, unprocessable } from '../refusals.ts';
import { coveredRepositories, userOf } from '../roles.ts';
import { type App, route } from '../route.ts';
import type { RepositoryState } from '../state/repositories.ts';
import {
  isDelegated,
  matching,
  nextRequestId,
  type RequestState,
  requestView,
  requireOpen,
  review,
  seededRequests,
  statusOf,
} from '../state/requests.ts';
import type { Collection } from '../store.ts';
import { fullName, repositoryOwner } from '../views/repository.ts';

type Data = DismissalRequest['data'] extends (infer T)[] | null ? T : never;
type Dismissal = RequestState<Data>;

export function mountDismissals(app: App): void {
  const { platform } = app;

  route(app, endpoints.listOrganizationDismissals, ({ organization, caller, query }) => {
    const repositories = coveredRepositories(platform, caller, organization, query.repository_name).filter(isDelegated);
    const requests = repositories.flatMap((repository) => dismissalsOf(platform, repository).values());
    return mapped(listing(matching(platform, requests, query, 'day')), (request) => dismissalView(platform, request));
  });

  route(app, endpoints.listRepositoryDismissals, ({ repository, query }) => {
    requireDelegation(repository);
    const requests = dismissalsOf(platform, repository).values();
    return mapped(listing(matching(platform, requests, query, 'month')), (request) => dismissalView(platform, request));
  });

  route(app, endpoints.getDismissal, ({ repository, path }) =>
    dismissalView(platform, find(platform, repository, path.alert_number)),
  );

  route(app, endpoints.createDismissal, ({ repository, path, body, caller }) => {
    const alert = path.alert_number;
    requireDelegation(repository);
    if (alert > alertCount(platform, repository)) throw notFound();
    requireUndecided(platform, latest(platform, repository, alert));
    const dismissals = dismissalsOf(platform, repository);
    const request: Dismissal = {
      id: nextRequestId(platform),
      number: dismissals.values().length + 1,
      repository_id: repository.id,
      requester_id: requireUser(platform, caller).id,
      data: [{ reason: body.dismissed_reason, ...alertData(alert) }],
      resource_identifier: String(alert),
      status: 'pending',
      comment: body.dismissed_comment ?? null,
      created: platform.clock().getTime(),
      responses: [],
    };
    dismissals.set(request.id, request);
    // Specification, Dismissal request: the response to a creation differs in these members.
    const { html_url: _, ...created } = dismissalView(platform, request);
    return { ...created, request_type: 'dependabot_alert_closure', responses: null };
  });

  route(app, endpoints.reviewDismissal, ({ repository, path, body, caller }) => {
    const request = find(platform, repository, path.alert_number);
    return { dismissal_review_id: review(platform, dismissalsOf(platform, repository), request, body, caller) };
  });

  route(app, endpoints.cancelDismissal, ({ repository, path, caller }) => {
    const request = find(platform, repository, path.alert_number);
    if (request.requester_id !== userOf(platform, caller)?.id) {
      const account = repositoryOwner(platform, repository);
      reviewer(platform, caller, { repository, account, isPublic: false });
    }
    requireOpen(platform, request);
    dismissalsOf(platform, repository).set(request.id, { ...request, status: 'cancelled' });
  });
}

function dismissalsOf(platform: SandboxPlatform, repository: RepositoryState): Collection<Dismissal> {
  return platform.store.collection<Dismissal>('dismissals', repository.id, () =>
    seededRequests(
      platform,
      repository,
      'dismissal',
      ['pending', 'approved', 'denied', 'cancelled', 'completed'],
      (place) => ({
        data: { reason: reasons[place % reasons.length] ?? 'not_used', ...alertData(place + 1) },
        resource_identifier: String(place + 1),
      }),
    ),
  );
}

const reasons = ['tolerable_risk', 'fix_started', 'inaccurate', 'no_bandwidth', 'not_used'] as const;

const titles = [
  'Prototype pollution in lodash',
  'Regular expression denial of service in semver',
  'Path traversal in tar',
  'Server-side request forgery in axios',
] as const;

const alertData = (alert: number) => ({
  alert_number: String(alert),
  alert_title: titles[alert % titles.length] ?? titles[0],
});

/** Alerts have numbers from 1. Every `site` has twelve. */
const alertCount = ({ chance }: SandboxPlatform, { id, name }: RepositoryState): number =>
  name === 'site' ? 12 : Math.ceil(chance('alerts', id) * 4);

function requireDelegation(repository: RepositoryState): void {
  if (!isDelegated(repository)) throw forbidden('Delegated alert dismissal is not enabled on this repository.');
}

/** The newest request about an alert. */
const latest = (platform: SandboxPlatform, repository: RepositoryState, alert: number): Dismissal | undefined =>
  dismissalsOf(platform, repository)
    .values()
    .findLast((request) => request.resource_identifier === String(alert));

function find(platform: SandboxPlatform, repository: RepositoryState, alert: number): Dismissal {
  requireDelegation(repository);
  return found(latest(platform, repository, alert));
}

function requireUndecided(platform: SandboxPlatform, request: Dismissal | undefined): void {
  const status = request && statusOf(platform, request);
  if (status === 'pending') throw unprocessable('A request to dismiss this alert is already open.');
  if (status === 'approved' || status === 'completed') throw unprocessable('The alert is already dismissed.');
}

function dismissalView(platform: SandboxPlatform, request: Dismissal): DismissalRequest {
  const repository = found(platform.repositories.byId(request.repository_id));
  const alert = request.resource_identifier;
  const name = fullName(platform, repository);
  return {
    ...requestView(platform, request, repository),
    request_type: 'dependabot_alert_dismissal',
    url: `${platform.baseUrl}/repos/${name}/dismissal-requests/${platform.alertsSegment}/${alert}`,
    html_url: `${platform.origin}/${name}/security/${platform.alertsSegment}/${alert}`,
  };
}
