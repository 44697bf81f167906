import * as endpoints from '../../platform/endpoints/bypass.ts';
import type { BypassRequest, PushRuleBypassRequest } from '../../platform/records.ts';
import { listing, mapped } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { forbidden, found, unprocessable } from '../refusals.ts';
import { coveredRepositories } from '../roles.ts';
import { type App, route } from '../route.ts';
import { commitSha } from '../state/git.ts';
import type { RepositoryState } from '../state/repositories.ts';
import {
  isDelegated,
  matching,
  type RequestState,
  requestView,
  review,
  seededRequests,
  statusOf,
} from '../state/requests.ts';
import { inheritedBy } from '../state/rulesets.ts';
import type { Collection } from '../store.ts';
import { fullName } from '../views/repository.ts';

type Data<R> = R extends { data: (infer T)[] | null } ? T : never;
type Bypass = RequestState<Data<BypassRequest>>;
type PushRuleBypass = RequestState<Data<PushRuleBypassRequest>>;

export function mountBypassRequests(app: App): void {
  const { platform } = app;

  route(app, endpoints.listOrganizationBypassRequests, ({ organization, caller, query }) => {
    const repositories = coveredRepositories(platform, caller, organization, query.repository_name).filter(isDelegated);
    const requests = repositories.flatMap((repository) => requestsOf(platform, repository).values());
    return mapped(listing(matching(platform, requests, query, 'day')), (request) => bypassView(platform, request));
  });

  route(app, endpoints.listRepositoryBypassRequests, ({ repository, query }) => {
    requireDelegation(repository);
    const requests = requestsOf(platform, repository).values();
    return mapped(listing(matching(platform, requests, query, 'day')), (request) => bypassView(platform, request));
  });

  route(app, endpoints.getBypassRequest, ({ repository, path }) =>
    bypassView(platform, find(platform, repository, path.bypass_request_number)),
  );

  route(app, endpoints.reviewBypassRequest, ({ repository, path, body, caller }) => {
    const request = find(platform, repository, path.bypass_request_number);
    return { bypass_review_id: review(platform, requestsOf(platform, repository), request, body, caller) };
  });

  // A request whose response is dismissed is open again.
  route(app, endpoints.dismissBypassResponse, ({ repository, path }) => {
    requireDelegation(repository);
    const requests = requestsOf(platform, repository);
    const isMeant = ({ id, status }: Bypass['responses'][number]) =>
      id === path.bypass_response_id && status !== 'dismissed';
    const request = found(requests.values().find(({ responses }) => responses.some(isMeant)));
    const status = statusOf(platform, request);
    if (status !== 'approved' && status !== 'denied')
      throw unprocessable(`The response cannot be dismissed any more: the request is ${status}.`);
    const responses = request.responses.map((each) => (isMeant(each) ? { ...each, status: 'dismissed' } : each));
    requests.set(request.id, { ...request, status: 'pending', responses });
  });

  route(app, endpoints.listPushRuleBypassRequests, ({ organization, caller, query }) => {
    const repositories = coveredRepositories(platform, caller, organization, query.repository_name).filter(isDelegated);
    const requests = repositories.flatMap((repository) => pushRuleRequestsOf(platform, repository));
    return mapped(listing(matching(platform, requests, query, 'day')), (request) => pushRuleView(platform, request));
  });
}

const allStatuses = ['pending', 'approved', 'denied', 'cancelled', 'completed', 'deleted'] as const;

function requestsOf(platform: SandboxPlatform, repository: RepositoryState): Collection<Bypass> {
  return platform.store.collection<Bypass>('bypass requests', repository.id, () =>
    seededRequests(platform, repository, 'bypass', allStatuses, (place) => ({
      data: {
        secret_type: secretTypes[place % secretTypes.length] ?? secretTypes[0],
        bypass_reason: reasons[place % reasons.length] ?? reasons[0],
        path: `src/settings-${place + 1}.ts:${12 + place}:3`,
        branch: 'refs/heads/main',
      },
      resource_identifier: commitSha(platform, repository, place),
    })),
  );
}

const secretTypes = ['slack_api_token', 'aws_access_key_id', 'private_key'] as const;
const reasons = ['fix_later', 'false_positive', 'used_in_tests'] as const;

/** Seeded push-rule bypass requests; they cannot be changed. */
function pushRuleRequestsOf(platform: SandboxPlatform, repository: RepositoryState): PushRuleBypass[] {
  const ruleset = inheritedBy(platform, repository).find(({ target }) => target === 'push');
  if (!ruleset) return [];
  const rule = ruleset.rules[0]?.type ?? 'push';
  const data = { ruleset_id: ruleset.id, ruleset_name: ruleset.name, rule_type: rule };
  const seeded = seededRequests(platform, repository, 'push rule', allStatuses, (place) => ({
    data: { ...data, total_violations: place + 1 },
    resource_identifier: commitSha(platform, repository, place),
  }));
  return seeded.map(([, request]) => request);
}

function requireDelegation(repository: RepositoryState): void {
  if (!isDelegated(repository)) throw forbidden('Delegated bypass is not enabled on this repository.');
}

function find(platform: SandboxPlatform, repository: RepositoryState, number: number): Bypass {
  requireDelegation(repository);
  const requests = requestsOf(platform, repository).values();
  return found(requests.find((each) => each.number === number));
}

const bypassView = (platform: SandboxPlatform, request: Bypass): BypassRequest =>
  view(platform, request, 'secret_scanning', 'secret-scanning');

const pushRuleView = (platform: SandboxPlatform, request: PushRuleBypass): PushRuleBypassRequest =>
  view(platform, request, 'push_ruleset_bypass', 'push-rules');

function view<T>(platform: SandboxPlatform, request: RequestState<T>, request_type: string, segment: string) {
  const repository = found(platform.repositories.byId(request.repository_id));
  const name = fullName(platform, repository);
  return {
    ...requestView(platform, request, repository),
    request_type,
    url: `${platform.baseUrl}/repos/${name}/bypass-requests/${segment}/${request.number}`,
    html_url: `${platform.origin}/${name}/exemptions/${request.number}`,
  };
}
