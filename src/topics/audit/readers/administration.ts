/** Fetches the facts about apps, hooks, registries, budgets and requests of organizations. */
import * as v from 'valibot';
import { propertyValues } from '../../../fleet/policy/kinds/properties.ts';
import { type Checked, checked, shape } from '../../../fleet/policy/live/record-shapes.ts';
import type { Fact } from '../../../foresight/audit/check.ts';
import { looseningActions } from '../../../foresight/audit/loosening-events.ts';
import { recentDays } from '../../../foresight/audit/periods.ts';
import type { OpenRequest, organizationReadings } from '../../../foresight/audit/readings.ts';
import { listOrganizationAuditLog } from '../../../platform/endpoints/audit-log.ts';
import { listOrganizationBudgets } from '../../../platform/endpoints/budgets.ts';
import { listOrganizationBypassRequests, listPushRuleBypassRequests } from '../../../platform/endpoints/bypass.ts';
import { listOrganizationDismissals } from '../../../platform/endpoints/dismissals.ts';
import { listOrganizationHooks } from '../../../platform/endpoints/hooks.ts';
import { listOrganizationInstallations } from '../../../platform/endpoints/installations.ts';
import { listOrganizationMigrations } from '../../../platform/endpoints/migrations.ts';
import { getImmutableReleases, listCustomRepositoryRoles } from '../../../platform/endpoints/orgs.ts';
import { listRegistries } from '../../../platform/endpoints/registries.ts';
import type {
  AuditEvent,
  Budget,
  CustomRepositoryRole,
  DismissalRequest,
  ImmutableReleases,
  Installation,
  Migration,
  PreReceiveHook,
  PrivateRegistry,
  PushRuleBypassRequest,
} from '../../../platform/records.ts';
import { createdSince } from './audit-phrase.ts';
import type { OwnerReader, ReadersOf } from './reader.ts';

const installations = checked(
  listOrganizationInstallations,
  shape<Installation>({ app_slug: v.string(), permissions: v.record(v.string(), v.string()) }),
);
const roles = checked(
  listCustomRepositoryRoles,
  shape<CustomRepositoryRole>({ name: v.string(), permissions: v.array(v.string()) }),
);
const hooks = checked(listOrganizationHooks, shape<PreReceiveHook>({ name: v.string(), enforcement: v.string() }));
const registries = checked(listRegistries, shape<PrivateRegistry>({ name: v.string(), visibility: v.string() }));
const budgets = checked(
  listOrganizationBudgets,
  shape<Budget>({ id: v.string(), budget_scope: v.string(), prevent_further_usage: v.boolean() }),
);
const request = shape<DismissalRequest>({ number: v.number(), status: v.string(), created_at: v.string() });
const secretRequests = checked(listOrganizationBypassRequests, request);
const pushRuleRequests = checked(listPushRuleBypassRequests, request);
const dismissals = checked(listOrganizationDismissals, request);
const events = checked(listOrganizationAuditLog, shape<AuditEvent>({ action: v.string() }));
const immutable = checked(getImmutableReleases, shape<ImmutableReleases>({ enforced_repositories: v.string() }));
const migrations = checked(listOrganizationMigrations, shape<Migration>({ id: v.number(), state: v.string() }));

type Named =
  | 'installations'
  | 'propertyValues'
  | 'roles'
  | 'hooks'
  | 'registries'
  | 'budgets'
  | 'secretRequests'
  | 'pushRuleRequests'
  | 'dismissalRequests'
  | 'loosenings'
  | 'immutableReleases'
  | 'migrations';

export const administrationReaders: ReadersOf<Pick<typeof organizationReadings, Named>, OwnerReader> = {
  installations: ({ reader, owner }) => reader.list(installations, { path: { org: owner } }),
  propertyValues: ({ reader, owner }) => propertyValues(reader, owner),
  roles: ({ reader, owner }) =>
    reader.get(roles, { path: { org: owner } }) as unknown as Promise<Fact<readonly CustomRepositoryRole[]>>,
  hooks: ({ reader, owner }) => reader.list(hooks, { path: { org: owner }, query: {} }),
  registries: ({ reader, owner }) => reader.list(registries, { path: { org: owner } }),
  budgets: ({ reader, owner }) => reader.list(budgets, { path: { org: owner }, query: {} }),
  secretRequests: requestsIn(secretRequests),
  pushRuleRequests: requestsIn(pushRuleRequests),
  dismissalRequests: requestsIn(dismissals),
  loosenings: ({ reader, owner, now }) => {
    const actions = looseningActions.map((action) => `action:${action}`);
    const phrase = [...actions, createdSince(now, recentDays)].join(' ');
    return reader.list(events, { path: { org: owner }, query: { phrase } });
  },
  immutableReleases: ({ reader, owner }) => reader.get(immutable, { path: { org: owner } }),
  migrations: ({ reader, owner }) => reader.list(migrations, { path: { org: owner }, query: {} }),
};

/** Undecided requests expire, so both are asked for; the lists go back a month. */
const undecided = ['pending', 'open', 'expired'];

function requestsIn<E extends typeof secretRequests | typeof pushRuleRequests | typeof dismissals>(
  endpoint: E & Checked,
) {
  return async ({ reader, owner }: OwnerReader): Promise<Fact<readonly OpenRequest[]>> => {
    const read: Fact<readonly (DismissalRequest | PushRuleBypassRequest)[]> = await reader.list(
      endpoint as typeof dismissals,
      { path: { org: owner }, query: { time_period: 'month' } },
    );
    if ('unreadable' in read) return read;
    return {
      value: read.value
        .filter(({ status }) => undecided.includes(status))
        .map(({ number, repository, requester, status, created_at, html_url }) => ({
          number,
          repository: repository?.full_name ?? null,
          requester: requester?.actor_name ?? 'unknown',
          status,
          created_at,
          ...(html_url !== undefined && { html_url }),
        })),
    };
  };
}
